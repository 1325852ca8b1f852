import pytest

from app.play.errors import TooFast
from app.play.slowdown import FORGOTTEN_SECONDS, FREE, LONGEST_SECONDS, Slowdown
from tests.conftest import Clock


def wrong(slowdown: Slowdown, who: str, times: int, clock: Clock) -> None:
    """So many wrong guesses, each as soon as it is looked at."""
    for _ in range(times):
        clock.tick(slowdown.wait(who))
        slowdown.enter(who)


def test_some_wrong_guesses_are_free(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE, clock)
    assert slowdown.wait("a") == 0


def test_the_wait_doubles_with_each_further_one_up_to_a_limit(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE, clock)
    waits = []
    for _ in range(12):
        wrong(slowdown, "a", 1, clock)
        waits.append(slowdown.wait("a"))
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, LONGEST_SECONDS, LONGEST_SECONDS, LONGEST_SECONDS]


def test_after_the_wait_a_guess_is_looked_at_again(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE + 3, clock)
    clock.tick(3.9)
    assert slowdown.wait("a") == 1
    clock.tick(0.1)
    assert slowdown.wait("a") == 0


def test_a_guess_before_its_time_is_not_looked_at(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE + 2, clock)
    with pytest.raises(TooFast) as fast:
        slowdown.enter("a")
    assert fast.value.seconds == slowdown.wait("a") == 2


def test_a_right_guess_takes_back_itself_only(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE, clock)
    slowdown.enter("a")
    slowdown.forgive("a")
    assert slowdown.wait("a") == 0
    wrong(slowdown, "a", 1, clock)
    assert slowdown.wait("a") == 1


def test_one_who_guesses_wrong_slows_no_other(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", 20, clock)
    assert slowdown.wait("b") == 0


def test_an_hour_later_all_is_forgotten(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", 20, clock)
    clock.tick(FORGOTTEN_SECONDS + 1)
    wrong(slowdown, "a", 1, clock)
    assert slowdown.wait("a") == 0


def test_a_clock_that_is_set_back_locks_nobody_out_for_long(clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(slowdown, "a", FREE + 1, clock)
    clock.tick(-100_000)
    assert slowdown.wait("a") <= 1
