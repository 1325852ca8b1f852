"""What a player can do: a plain method is one use case in one transaction, an async one is made of several."""
