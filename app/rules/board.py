"""The shape of the pyramid: 28 slots in 7 rows, and which slot covers which."""

from typing import NewType

Slot = NewType("Slot", int)
"""A place in the pyramid, 0..27, row by row from the top, left to right."""

ROWS = 7
SLOTS = tuple(Slot(number) for number in range(ROWS * (ROWS + 1) // 2))


def slot_at(row: int, place: int) -> Slot:
    """The slot in row 1..7 at place 1..row, both counted as in the rules."""
    return Slot(row * (row - 1) // 2 + place - 1)


ROW_SLOTS: tuple[tuple[Slot, ...], ...] = tuple(
    tuple(slot_at(row, place) for place in range(1, row + 1)) for row in range(1, ROWS + 1)
)
"""The slots of each row, row 1 first."""

POSITION: tuple[tuple[int, int], ...] = tuple((row, place) for row in range(1, ROWS + 1) for place in range(1, row + 1))
"""Row and place of each slot, both from 1."""

COVERS: tuple[tuple[Slot, ...], ...] = tuple(
    (slot_at(row + 1, place), slot_at(row + 1, place + 1)) if row < ROWS else () for row, place in POSITION
)
"""The two slots that cover each slot (none for the bottom row), left first."""
