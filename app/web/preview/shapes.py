"""The suits and the court figures as polygons: the outlines of static/table.css, for a picture."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]
Polygon = tuple[Point, ...]

_PART = re.compile(r"[A-Za-z]|-?\d*\.?\d+")
_CURVE_STEPS = 12
_CIRCLE_STEPS = 48


@dataclass(frozen=True, slots=True)
class Shape:
    """A drawing in a square of ``size`` units: polygons to fill, and lines to draw 2 units wide."""

    size: int
    filled: tuple[Polygon, ...]
    lines: tuple[Polygon, ...] = ()


def outlines(path: str) -> tuple[Polygon, ...]:
    """The points of each subpath of an SVG path made of M, L, H, V, C, S and Z, curves as short lines."""
    return tuple(tuple(points) for points in _Pen(path).subpaths())


def _circle(x: float, y: float, radius: float) -> Polygon:
    turns = (2 * math.pi * step / _CIRCLE_STEPS for step in range(_CIRCLE_STEPS))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


class _Pen:
    """Follows an SVG path."""

    def __init__(self, path: str) -> None:
        self._parts = _PART.findall(path)
        self._at: Point = (0.0, 0.0)
        self._handle: Point = (0.0, 0.0)

    def subpaths(self) -> Iterator[list[Point]]:
        points: list[Point] = []
        command, next_part = "", 0
        while next_part < len(self._parts):
            if self._parts[next_part].isalpha():
                command, next_part = self._parts[next_part], next_part + 1
            if command in "Zz":
                points.append(points[0])
                self._at = points[0]
                continue
            taken = {"H": 1, "V": 1, "C": 6, "S": 4}.get(command.upper(), 2)
            numbers = [float(part) for part in self._parts[next_part : next_part + taken]]
            next_part += taken
            if command in "Mm":
                if points:
                    yield points
                points, self._at = [], self._ends(command, numbers)[-1]
                self._handle, command = self._at, "L" if command == "M" else "l"
                points.append(self._at)
            else:
                points += self._drawn(command, numbers)
        yield points

    def _drawn(self, command: str, numbers: list[float]) -> list[Point]:
        """The points that one piece of the path adds."""
        ends, start = self._ends(command, numbers), self._at
        if command.upper() == "S":
            ends.insert(0, (2 * start[0] - self._handle[0], 2 * start[1] - self._handle[1]))
        self._at = ends[-1]
        self._handle = ends[1] if command.upper() in "CS" else self._at
        if command.upper() not in "CS":
            return [self._at]
        return [_on_curve((start, *ends), step / _CURVE_STEPS) for step in range(1, _CURVE_STEPS + 1)]

    def _ends(self, command: str, numbers: list[float]) -> list[Point]:
        """The numbers as points of the drawing."""
        x, y = self._at if command.islower() else (0.0, 0.0)
        if command in "Hh":
            return [(x + numbers[0], self._at[1])]
        if command in "Vv":
            return [(self._at[0], y + numbers[0])]
        return [(x + one, y + other) for one, other in zip(numbers[::2], numbers[1::2], strict=True)]


def _on_curve(points: tuple[Point, ...], at: float) -> Point:
    """The point ``at`` 0..1 of a Bézier curve, by de Casteljau."""
    while len(points) > 1:
        points = tuple(
            (one[0] + at * (other[0] - one[0]), one[1] + at * (other[1] - one[1])) for one, other in pairwise(points)
        )
    return points[0]


CLUB_STEM = "M13 12h6v9h-6zM14.5 19h3c0 5 .9 8.5 3.5 11H11c2.6-2.5 3.5-6 3.5-11z"
DIAMOND = "M16 2c2.7 5.2 6.2 9.7 10.8 14C22.2 20.3 18.7 24.8 16 30 13.3 24.8 9.8 20.3 5.2 16 9.8 11.7 13.3 7.2 16 2z"
HEART = (
    "M16 29.5C9 22.5 2.8 17.3 2.8 10.6 2.8 6.3 5.9 3.3 9.6 3.3c2.7 0 5.1 1.5 6.4 4.4 1.3-2.9 3.7-4.4 6.4-4.4 "
    "3.7 0 6.8 3 6.8 7.3 0 6.7-6.2 11.9-13.2 18.9z"
)
SPADE = (
    "M16 2c5 6 13 10.7 13 17.8 0 3.9-2.9 6.3-6.2 6.3-2.2 0-4.1-1-5.2-2.6.2 2.9 1 4.8 3.2 6.5h-9.6c2.2-1.7 3-3.6 "
    "3.2-6.5-1.1 1.6-3 2.6-5.2 2.6C5.9 26.1 3 23.7 3 19.8 3 12.7 11 8 16 2z"
)
CAP = "M9 14c0-6 5-9 11-9s11 3 11 9z"
JACK = "M30 7c3-1 5-3 6-6M12 15v6c0 5 4 8 8 8s8-3 8-8v-6M5 39c1-6 6-9 11-10M35 39c-1-6-6-9-11-10M16 33l4 4 4-4"
TIARA = "M10 12 8 5l6 3 6-5 6 5 6-3-2 7z"
QUEEN = (
    "M13 13v7c0 5 3 8 7 8s7-3 7-8v-7M10 14c-4 5-3 10-4 14M30 14c4 5 3 10 4 14M5 39c1-6 6-9 11-10M35 39c-1-6-6-9"
    "-11-10M14 33c4 3 8 3 12 0"
)
CROWN = "M9 13V6l5 3 6-5 6 5 5-3v7z"
BEARD = "M12 21c2 1 4 0 8-1 4 1 6 2 8 1 0 6-4 11-8 11s-8-5-8-11z"
KING = "M20 4V1M18.5 2h3M12 14v7M28 14v7M5 39c1-5 4-8 8-9M35 39c-1-5-4-8-8-9M20 33v6"

CLUB_LEAVES = ((16, 8.8, 6.4), (8.6, 18.6, 6.4), (23.4, 18.6, 6.4))
"""The circles of a club: centre and radius."""

SUIT_SHAPES = {
    "c": Shape(32, (*(_circle(*leaf) for leaf in CLUB_LEAVES), *outlines(CLUB_STEM))),
    "d": Shape(32, outlines(DIAMOND)),
    "h": Shape(32, outlines(HEART)),
    "s": Shape(32, outlines(SPADE)),
}

FIGURE_SHAPES = {
    "J": Shape(40, outlines(CAP), (*outlines(CAP), *outlines(JACK))),
    "Q": Shape(40, outlines(TIARA), (*outlines(TIARA), *outlines(QUEEN))),
    "K": Shape(40, outlines(CROWN + BEARD), (*outlines(CROWN + BEARD), *outlines(KING))),
}
