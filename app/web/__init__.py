"""How it is shown: the only room that knows HTTP and HTML."""
