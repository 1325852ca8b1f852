import pytest
from sqlalchemy import Connection, Engine

from app.play.errors import TooFast
from app.play.slowdown import FORGOTTEN_SECONDS, FREE, LONGEST_SECONDS, Slowdown
from tests.conftest import Clock


def wrong(connection: Connection, slowdown: Slowdown, who: str, times: int, clock: Clock) -> None:
    """So many wrong guesses, each as soon as it is looked at."""
    for _ in range(times):
        clock.tick(slowdown.wait(connection, who))
        slowdown.enter(connection, who)


def test_some_wrong_guesses_are_free(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", FREE, clock)
    assert slowdown.wait(connection, "a") == 0


def test_the_wait_doubles_with_each_further_one_up_to_a_limit(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", FREE, clock)
    waits = []
    for _ in range(12):
        wrong(connection, slowdown, "a", 1, clock)
        waits.append(slowdown.wait(connection, "a"))
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, LONGEST_SECONDS, LONGEST_SECONDS, LONGEST_SECONDS]


def test_after_the_wait_a_guess_is_looked_at_again(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", FREE + 3, clock)
    clock.tick(3.9)
    assert slowdown.wait(connection, "a") == 1
    clock.tick(0.1)
    assert slowdown.wait(connection, "a") == 0


def test_a_guess_before_its_time_is_not_looked_at(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", FREE + 2, clock)
    with pytest.raises(TooFast) as fast:
        slowdown.enter(connection, "a")
    assert fast.value.seconds == slowdown.wait(connection, "a") == 2


def test_a_right_guess_takes_back_itself_only(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", FREE, clock)
    slowdown.enter(connection, "a")
    slowdown.forgive(connection, "a")
    assert slowdown.wait(connection, "a") == 0
    wrong(connection, slowdown, "a", 1, clock)
    assert slowdown.wait(connection, "a") == 1


def test_one_who_guesses_wrong_slows_no_other(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", 20, clock)
    assert slowdown.wait(connection, "b") == 0


def test_an_hour_later_all_is_forgotten(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", 20, clock)
    clock.tick(FORGOTTEN_SECONDS + 1)
    wrong(connection, slowdown, "a", 1, clock)
    assert slowdown.wait(connection, "a") == 0


def test_a_clock_that_is_set_back_locks_nobody_out_for_long(connection: Connection, clock: Clock) -> None:
    slowdown = Slowdown(clock)
    wrong(connection, slowdown, "a", FREE + 1, clock)
    clock.tick(-100_000)
    assert slowdown.wait(connection, "a") <= 1


def test_a_restart_and_another_server_forget_nothing(engine: Engine, clock: Clock) -> None:
    with engine.begin() as connection:
        wrong(connection, Slowdown(clock), "a", FREE + 2, clock)
    with engine.begin() as connection:
        assert Slowdown(clock).wait(connection, "a") == 2
