"""Errors in words: an English message with names for what stands in it, so that it can be told in other languages."""


class Told(Exception):  # noqa: N818 - what is raised is named as it is met.
    """An error that a player is told about.

    ``message`` is English, with ``%(name)s`` for each of ``values``: texts, whole numbers, or further errors. Given
    another of its kind in place of a message, it says the same. ``str()`` is the whole in English.
    """

    def __init__(self, message: "str | Told" = "", /, **values: "str | int | Told") -> None:
        told = message if isinstance(message, Told) else None
        self.message: str = told.message if told else str(message)
        self.values: dict[str, str | int | Told] = told.values if told else values
        super().__init__(self.message % self.values if self.values else self.message)
