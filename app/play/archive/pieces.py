"""JSON read piece by piece."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeVar

from app.rules.cards import Unreadable

T = TypeVar("T")

_OBJECT_MOST = 200_000
_NAME_MOST = 100
_VALUE_MOST = 4_096

_SPACE = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\.)*"')
_FLAT = re.compile(rb'\{[^{}\[\]"]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^{}\[\]"]*)*\}')
_MARK = b"\xef\xbb\xbf"


def each_once(pairs: list[tuple[str, T]]) -> dict[str, T]:
    """Names and values as a dictionary. Raises Unreadable where a name stands twice."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Unreadable("a field is given twice")
    return fields


def no_constant(name: str) -> NoReturn:
    """Raise Unreadable: NaN and Infinity are no JSON, though Python reads them."""
    raise Unreadable("%(name)s is not JSON", name=name)


class Pieces:
    """JSON of which the outermost object is read member by member, and arrays item by item.

    The whole at once would be many times larger in memory than in the file, for whoever means harm.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = len(_MARK) if data.startswith(_MARK) else 0

    def names(self) -> Iterator[str]:
        """The names in an object; before the next is asked for, the value must be read."""
        self._take(b"{")
        while True:
            name = self._loaded(self._matched(_STRING, _NAME_MOST))
            self._take(b":")
            yield str(name)
            if self._next(b",}") == b"}":
                return

    def items(self) -> Iterator[int]:
        """Where each item of an array of objects stands; it must be read before the next is asked for."""
        self._take(b"[")
        if self._peek() == b"]":
            self._take(b"]")
            return
        while True:
            self._peek()
            yield self._at
            if self._next(b",]") == b"]":
                return

    def value(self) -> object:
        """A value, whatever it is, of 4,096 bytes at the most."""
        self._peek()
        window = self._data[self._at : self._at + _VALUE_MOST].decode("utf-8", "surrogateescape")
        try:
            found, end = _DECODER.raw_decode(window)
        except (ValueError, RecursionError) as why:
            self._fail(why)
        self._at += len(window[:end].encode("utf-8", "surrogateescape"))
        return found

    def flat(self, place: int) -> dict[str, Any]:
        """An object at a place, with neither objects nor arrays in it."""
        self._at = place
        found = self._loaded(self._matched(_FLAT, _OBJECT_MOST))
        return found if isinstance(found, dict) else self._fail()

    def end(self) -> None:
        """Raise Unreadable unless nothing but space is left."""
        if self._peek():
            self._fail()

    def _peek(self) -> bytes:
        """The byte after any space, empty at the end."""
        space = _SPACE.match(self._data, self._at)
        self._at = space.end() if space else self._at
        return self._data[self._at : self._at + 1]

    def _next(self, allowed: bytes) -> bytes:
        byte = self._peek()
        if not byte or byte not in allowed:
            self._fail()
        self._at += 1
        return byte

    def _take(self, byte: bytes) -> None:
        self._next(byte)

    def _matched(self, pattern: re.Pattern[bytes], most: int) -> bytes:
        self._peek()
        found = pattern.match(self._data, self._at, self._at + most)
        if found is None:
            self._fail()
        self._at = found.end()
        return found.group()

    def _loaded(self, piece: bytes) -> object:
        try:
            return _DECODER.decode(piece.decode())
        except ValueError as why:
            self._fail(why)

    def _fail(self, why: Exception | None = None) -> NoReturn:
        raise Unreadable("the export cannot be read at byte %(at)s", at=self._at) from why


_DECODER = json.JSONDecoder(object_pairs_hook=each_once, parse_constant=no_constant)
