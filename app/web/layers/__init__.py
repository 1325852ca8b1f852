"""What stands around all handlers, as plain ASGI, from the outside in: watched, guard (with below), plain."""
