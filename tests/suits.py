"""Prints the suits as static/table.css cuts them out of a card, from the shapes of the pictures. From the root:

    python -m tests.suits

A polygon is painted in a third of the time that a mask takes. The court figures have lines and are masks; few are seen.
"""

from collections.abc import Iterator

from app.web.preview.shapes import SUIT_SHAPES, Point, Polygon

COARSER = 2
"""Every so many points of a curve are enough at the size of a card."""


def clip_path(suit: str) -> str:
    """A suit as a CSS polygon in percent of its square; its parts are joined by lines there and back."""
    shape = SUIT_SHAPES[suit]
    parts = [list(_clockwise(thinned(part))) for part in shape.filled]
    (begin, *_), points = parts[0], []
    for part in parts:
        points += [*part, part[0], begin]
    return f"polygon({','.join(_percent(point, shape.size) for point in points[:-2])})"


def thinned(polygon: Polygon) -> Iterator[Point]:
    """The corners, and every second of the points that lie on a curve between them."""
    left_out = 0
    for at, point in enumerate(polygon):
        ends = at in {0, len(polygon) - 1}
        if ends or _is_corner(*polygon[at - 1 : at + 2]) or left_out >= COARSER - 1:
            left_out = 0
            yield point
        else:
            left_out += 1


def _is_corner(before: Point, at: Point, after: Point) -> bool:
    """Whether the line turns by more than a bit over 25 degrees."""
    one, other = (at[0] - before[0], at[1] - before[1]), (after[0] - at[0], after[1] - at[1])
    along = one[0] * other[0] + one[1] * other[1]
    across = one[0] * other[1] - one[1] * other[0]
    return abs(across) > 0.47 * along


def _clockwise(points: Iterator[Point]) -> list[Point]:
    """The same points, in the direction in which all parts go, so that what they share is not left out."""
    polygon = list(points)
    turns = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return polygon if sum(x * v - y * u for (x, y), (u, v) in turns) > 0 else polygon[::-1]


def _percent(point: Point, size: int) -> str:
    return " ".join(f"{100 * part / size:.1f}".removesuffix(".0") + "%" for part in point)


if __name__ == "__main__":
    for suit in "cdhs":
        print(f"[value$={suit}]::before, [value$={suit}]::after {{ clip-path: {clip_path(suit)}; }}")  # noqa: T201 - it prints.
