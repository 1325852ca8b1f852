from app.rules.board import COVERS, POSITION, ROW_SLOTS, SLOTS, slot_at


def test_the_pyramid_has_28_slots_in_7_rows_numbered_from_the_top_left() -> None:
    assert list(SLOTS) == list(range(28))
    assert [len(row) for row in ROW_SLOTS] == [1, 2, 3, 4, 5, 6, 7]
    assert [slot for row in ROW_SLOTS for slot in row] == list(range(28))


def test_rows_and_places_count_from_one() -> None:
    assert (POSITION[0], POSITION[1], POSITION[2], POSITION[27]) == ((1, 1), (2, 1), (2, 2), (7, 7))
    assert all(slot_at(*POSITION[slot]) == slot for slot in SLOTS)


def test_a_slot_is_covered_by_the_two_slots_under_it() -> None:
    for slot in range(21):
        row, place = POSITION[slot]
        assert [POSITION[cover] for cover in COVERS[slot]] == [(row + 1, place), (row + 1, place + 1)]


def test_nothing_covers_the_bottom_row() -> None:
    assert [COVERS[slot] for slot in range(21, 28)] == [()] * 7


def test_the_top_is_covered_by_the_second_row_and_the_sixth_rows_end_by_the_seventh_rows_end() -> None:
    assert COVERS[0] == (1, 2)
    assert COVERS[20] == (26, 27)
