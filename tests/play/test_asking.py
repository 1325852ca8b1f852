"""How many may ask the solver at once: fifty questions keep it busy, and nobody waits long."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from threading import Lock
from time import monotonic
from typing import Any

import pytest

from app.play.advice import coach as advice
from app.play.advice.coach import STRANGER, WAITING_EACH, WAITING_MOST, WAITING_STRANGERS, Coach, Verdict
from app.play.errors import TooBusy
from app.rules.deal import Seed, seeded
from app.rules.ruleset import NAMED, read_rules
from app.rules.state import State, start

ASKED = 50


async def nothing_is_known(_use_case: Callable[[Any], Any]) -> None:
    """A database that has no verdict and takes none."""


@pytest.fixture
def coach() -> Iterator[Coach]:
    coach = Coach(nothing_is_known)
    yield coach
    coach.close()


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many questions are solved at once: ``now``, and at the ``most``."""
    solving, lock, verdict = Counter[str](), Lock(), advice._verdict  # noqa: SLF001 - where a question is solved.

    def counted(question: Any) -> Verdict:  # noqa: ANN401 - the solver's.
        with lock:
            solving["now"] += 1
            solving["most"] = max(solving["most"], solving["now"])
        try:
            return verdict(question)
        finally:
            with lock:
                solving["now"] -= 1

    monkeypatch.setattr(advice, "_verdict", counted)
    return solving


def positions() -> Iterator[State]:
    """Positions that nobody has asked about."""
    return (start(NAMED["king-tut"], seeded(Seed(str(number))).deck) for number in count())


def answered(coach: Coach, askers: list[str]) -> Counter[bool]:
    """How many are answered and how many sent away, where all ask at once, each about another position."""

    async def ask() -> list[Verdict | BaseException]:
        questions = [coach.verdict(*each) for each in zip(askers, positions(), strict=False)]
        return await asyncio.gather(*questions, return_exceptions=True)

    met = asyncio.run(ask())
    assert {type(one) for one in met} <= {Verdict, TooBusy}
    return Counter(isinstance(one, Verdict) for one in met)


def test_of_fifty_questions_at_once_eight_wait_and_one_is_solved_at_a_time(
    coach: Coach, together: Counter[str]
) -> None:
    met = answered(coach, [f"player {number}" for number in range(ASKED)])
    assert met == {True: WAITING_MOST, False: ASKED - WAITING_MOST}
    assert together["most"] == 1


def test_one_who_asks_fifty_times_leaves_room_for_others(coach: Coach) -> None:
    met = answered(coach, ["greedy"] * ASKED + ["another", "a third"])
    assert met == {True: WAITING_EACH + 2, False: ASKED - WAITING_EACH}


def test_those_who_ask_outside_of_a_game_leave_room_for_players(coach: Coach) -> None:
    met = answered(coach, [f"{STRANGER}{number}" for number in range(ASKED)] + ["a player"])
    assert met == {True: WAITING_STRANGERS + 1, False: ASKED - WAITING_STRANGERS}


def test_all_have_room_again_once_all_are_answered(coach: Coach) -> None:
    assert answered(coach, ["greedy"] * ASKED)[True] == WAITING_EACH
    assert coach._asking == {}  # noqa: SLF001 - what must not grow.


@pytest.mark.skipif(advice.BACKEND != "compiled", reason="in plain Python nodes run out before the time does")
def test_a_question_ends_when_its_time_is_up(coach: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of this one the fewest moves take seconds.
    hard = start(read_rules("d3r9"), seeded(Seed("10")).deck)
    monkeypatch.setattr(advice, "FEWEST_SECONDS", 0.1)
    monkeypatch.setattr(advice, "VERDICT_SECONDS", 0.1)
    monkeypatch.setattr(advice, "FEWEST_NODES", 50_000_000)
    before = monotonic()
    assert not asyncio.run(coach.fewest("player", hard)).fewest
    assert monotonic() - before < 1
