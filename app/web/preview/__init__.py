"""The pictures that links to deals show."""
