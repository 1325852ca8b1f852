import pytest

from app.play.errors import TooFast
from app.play.slowdown import FORGOTTEN_SECONDS, FREE, LONGEST_SECONDS, Slowdown
from tests.conftest import Clock


def waiting(slowdown: Slowdown, who: str) -> int:
    """Seconds that somebody has to wait."""
    try:
        slowdown.check(who)
    except TooFast as fast:
        return fast.seconds
    return 0


def wrong(slowdown: Slowdown, who: str, times: int) -> None:
    for _ in range(times):
        slowdown.failed(who)


def test_some_wrong_guesses_are_free(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE)
    assert waiting(slowdown, "a") == 0


def test_the_wait_doubles_with_each_further_one_up_to_a_limit(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE)
    waits = []
    for _ in range(12):
        wrong(slowdown, "a", 1)
        waits.append(waiting(slowdown, "a"))
        clock.tick(waits[-1])
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, LONGEST_SECONDS, LONGEST_SECONDS, LONGEST_SECONDS]


def test_after_the_wait_a_guess_is_looked_at_again(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE + 3)
    clock.tick(3.9)
    assert waiting(slowdown, "a") == 1
    clock.tick(0.1)
    assert waiting(slowdown, "a") == 0


def test_one_who_guesses_wrong_slows_no_other(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", 20)
    assert waiting(slowdown, "b") == 0


def test_an_hour_later_all_is_forgotten(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", 20)
    clock.tick(FORGOTTEN_SECONDS + 1)
    wrong(slowdown, "a", 1)
    assert waiting(slowdown, "a") == 0


def test_a_clock_that_is_set_back_locks_nobody_out_for_long(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE + 1)
    clock.tick(-100_000)
    with pytest.raises(TooFast) as fast:
        slowdown.check("a")
    assert fast.value.seconds <= LONGEST_SECONDS
