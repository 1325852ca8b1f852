"""The picture of the last games."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.play.archive.statistics import RECENT, Finished
from app.rules.ruleset import NAMED
from app.web.archive.plot import plot

MOVES = st.one_of(st.none(), st.integers(14, 120), st.integers(14, 10**9))


def finished(moves: list[int | None]) -> tuple[Finished, ...]:
    """Games won in so many moves, or lost (None)."""
    return tuple(Finished(NAMED["endless"], at, number is not None, number, number) for at, number in enumerate(moves))


@given(st.lists(MOVES, min_size=1, max_size=RECENT))
def test_the_bars_stand_beside_each_other_within_the_picture(moves: list[int | None]) -> None:
    picture = plot(finished(moves))
    assert len(picture.bars) == len(moves)
    places = [bar.x for bar in picture.bars]
    assert all(after - before > picture.wide for before, after in pairwise(places))
    assert places[0] - picture.wide / 2 >= 28
    assert places[-1] + picture.wide / 2 <= 340
    for bar, number in zip(picture.bars, moves, strict=True):
        assert bar.won == (number is not None)
        assert (0 < bar.height <= 120) if bar.won else (bar.height == 0)
        assert number is None or (12 <= bar.top <= 132 and abs(bar.top + bar.height - 132) < 0.6)


@given(st.lists(MOVES, min_size=1, max_size=RECENT))
def test_two_to_five_levels_lead_from_nothing_to_the_highest_bar(moves: list[int | None]) -> None:
    levels = plot(finished(moves)).levels
    assert 2 <= len(levels) <= 5
    assert (levels[0].moves, levels[0].y, levels[-1].y) == (0, 132, 12)
    won = [number for number in moves if number is not None]
    assert levels[-2].moves < max(won, default=1) <= levels[-1].moves


def test_the_picture_is_told_in_words() -> None:
    told = {
        (None,): ("The last finished game", "1 lost."),
        (20,): ("The last finished game", "From left to right, oldest first: 1 won, in 20 moves; 0 lost."),
        (20, None, 31): (
            "The last 3 finished games",
            "From left to right, oldest first: 2 won, in 20 to 31 moves; 1 lost.",
        ),
    }
    for moves, (title, text) in told.items():
        picture = plot(finished(list(moves)))
        assert (picture.title, picture.text) == (title, text)
