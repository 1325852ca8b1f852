"""Pyramid 13: Pyramid Solitaire for the browser, with the rules on the server."""

__version__ = "0.1.0"
