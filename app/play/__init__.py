"""What a player can do: one function is one use case is one transaction."""
