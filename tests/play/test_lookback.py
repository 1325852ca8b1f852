import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine

from app.play.advice import lookback
from app.play.advice.coach import Coach, Verdict
from app.play.advice.lookback import LookBack, LookBacks, Track, look_back, trace
from app.play.errors import NotFound, TooBusy
from app.play.table import Table
from app.rules.deal import read_deal
from app.rules.game import Game, actions_text, begin, play
from app.rules.moves import UNDO, Action, read_action
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import State, apply, legal_moves, start
from app.solver.solve import Lost, Won, solve
from tests.playthroughs import Win, wins
from tests.strategies import chosen, games

T = TypeVar("T")
Run = Callable[[Callable[[Connection], Any]], Awaitable[Any]]


def left(rules: RuleSet, seed: str, actions: list[Action], name: str = "g") -> Table:
    """A game that was given up after some actions."""
    deal = read_deal(seed)
    game = play(begin(start(rules, deal.deck)), actions)
    return Table(rules, deal, game, id=name, left=True, log=actions_text(actions))


def of_game(game: Game, actions: list[Action], name: str = "g") -> Table:
    deal = read_deal("a")
    return Table(game.state.rules, deal, game, id=name, left=True, log=actions_text(actions))


def random_game(seed: int, rules: RuleSet, most: int = 60) -> list[Action]:
    """Random actions until nothing is left to do, a few undone."""
    random, game, actions = Random(seed), begin(start(rules, read_deal(str(seed)).deck)), list[Action]()
    while len(actions) < most and legal_moves(game.state):
        undo = game.at > 2 and random.random() < 0.15
        actions.append(UNDO if undo else chosen(random, legal_moves(game.state)))
        game = game.act(actions[-1])
    return actions


def won(win: Win) -> tuple[Table, Track]:
    actions = [read_action(text) for text in win.actions]
    deal = read_deal(win.deal.replace(" ", ""))
    table = left(NAMED[win.rules], deal.code, actions)
    return replace(table, left=False), trace(table)


@pytest.fixture
def run(engine: Engine) -> Run:
    async def run(use_case: Callable[[Connection], Any]) -> Any:  # noqa: ANN401 - whatever a use case gives.
        with engine.begin() as connection:
            return use_case(connection)

    return run


@asynccontextmanager
async def looking(run: Run) -> AsyncIterator[LookBacks]:
    coach = Coach(run)
    looks = LookBacks(coach)
    try:
        yield looks
    finally:
        await looks.close()
        coach.close()


def looked(run: Run, table: Table) -> LookBack:
    async def look() -> LookBack:
        async with looking(run) as looks:
            return await looks.whole(table)

    return asyncio.run(look())


@pytest.mark.parametrize("rules", ["endless", "open", "classic", "king-tut", "tuts-tomb", "three-piles", "strict"])
@pytest.mark.parametrize("seed", range(3))
def test_every_mark_agrees_with_the_solver(run: Run, rules: str, seed: int) -> None:
    table = left(NAMED[rules], str(seed), random_game(seed, NAMED[rules]))
    found = looked(run, table)
    assert found.done
    assert found.looked == table.version + 1
    for state, mark in zip(trace(table).states, found.marks, strict=True):
        answer = solve(state)
        assert mark is not None
        assert mark.winnable is isinstance(answer, Won)
        # Where the small budget ran out, the fewest moves are not told.
        assert mark.moves in ({len(answer.line), None} if isinstance(answer, Won) else {None})
    assert sum(mark is not None and mark.winnable is True and mark.moves is None for mark in found.marks) <= 2


@pytest.mark.parametrize("seed", range(12))
def test_every_slip_lost_what_the_other_move_would_have_kept(run: Run, seed: int) -> None:
    rules = list(NAMED.values())[seed % len(NAMED)]
    table = left(rules, str(seed), random_game(seed, rules))
    track, found = trace(table), looked(run, table)
    for slip in found.slips:
        before, after = track.states[slip.number - 1], track.states[slip.number]
        assert apply(before, slip.move) == after
        assert isinstance(solve(after, fewest=False), Lost)
        assert slip.instead != slip.move
        assert isinstance(solve(apply(before, slip.instead), fewest=False), Won)
    # Every step from a winnable position to a lost one is named, and no other.
    lost = [mark is not None and mark.winnable is False for mark in found.marks]
    steps = [number for number in range(1, len(lost)) if lost[number] and not lost[number - 1]]
    assert sorted(slip.number for slip in found.slips) == steps
    decisive = [slip.decisive for slip in found.slips]
    assert decisive == ([True] + [False] * (len(steps) - 1) if lost[-1] and not lost[0] else [False] * len(steps))
    if any(decisive):
        assert all(lost[found.slips[0].number :])


def test_a_slip_that_was_taken_back_is_not_the_decisive_one(run: Run) -> None:
    rules, actions = NAMED["open"], losing_line("open")
    track = trace(left(rules, SEEDS["open"], actions))
    other = next(move for move in legal_moves(track.states[-2]) if not lost(apply(track.states[-2], move)))
    taken_back = looked(run, left(rules, SEEDS["open"], [*actions, UNDO, other]))
    assert [(slip.number, slip.decisive) for slip in taken_back.slips] == [(len(actions), False)]
    twice = looked(run, left(rules, SEEDS["open"], [*actions, UNDO, read_action("redo")], "h"))
    told = [(slip.number, slip.decisive, slip.again) for slip in twice.slips]
    assert told == [(len(actions) + 2, True, True), (len(actions), False, False)]


SEEDS = {"open": "2"}


def lost(state: State) -> bool:
    return isinstance(solve(state, fewest=False), Lost)


def losing_line(rules: str) -> list[Action]:
    """Moves of a deal, the last of which loses it for good though another would not."""
    state, line = start(NAMED[rules], read_deal(SEEDS[rules]).deck), list[Action]()
    while True:
        for move in legal_moves(state):
            if lost(apply(state, move)):
                return [*line, move]
        answer = solve(state, fewest=False)
        assert isinstance(answer, Won)
        line.append(answer.line[0])
        state = apply(state, answer.line[0])


@pytest.mark.parametrize("win", wins(), ids=lambda win: win.rules)
def test_a_won_game_ends_at_a_mark_of_no_moves_and_is_lost_by_nothing(run: Run, win: Win) -> None:
    table, track = won(win)
    found = looked(run, table)
    assert len(found.marks) == len(track.states)
    assert found.marks[-1] is not None
    assert (found.marks[-1].winnable, found.marks[-1].moves) == (True, 0)
    assert not any(slip.decisive for slip in found.slips)


def test_what_came_after_the_win_is_no_slip() -> None:
    table, track = won(next(win for win in wins() if win.rules == "endless"))
    moves = [step.move for step in track.steps]
    back = next(
        count for count in range(1, len(moves)) if len(legal_moves(track.states[-1 - count])) > 1
    )  # So far back is another move.
    other = next(move for move in legal_moves(track.states[-1 - back]) if move != moves[-back])
    after = [*moves, *[UNDO] * back, other]
    astray = of_game(play(begin(track.states[0]), after), list[Action](after))
    track = trace(astray)
    known = {state: Verdict(winnable=True, line=legal_moves(state)[:1]) for state in track.states}
    known[track.states[-1]] = Verdict(winnable=False, fewest=True)
    assert astray.game.won_after == table.version
    assert look_back(track, known, astray.game.won_after, done=True).slips == ()
    assert [slip.number for slip in look_back(track, known, None, done=True).slips] == [len(after)]


@given(games(), st.data())
def test_a_track_shows_each_position_as_the_game_stood(game: Game, data: st.DataObject) -> None:
    actions, first = list[Action](), begin(game.states[0])
    for move in game.line:
        actions.append(move)
        if data.draw(st.booleans()):
            actions += [UNDO, read_action("redo")]
    table = of_game(play(first, actions), actions)
    track = trace(table)
    assert track.states == tuple(table.after(number).state for number in range(len(actions) + 1))
    assert len(track.steps) == len(actions)
    for number, step, before, after in track.edges:
        assert track.steps[number - 1] == step
        assert apply(before, step.move) == after


@given(games(most=30).filter(lambda game: len(game.line) > 0))
@settings(max_examples=20, deadline=None)
def test_after_a_lost_position_nothing_is_searched(game: Game) -> None:
    class Counting(LookBacks):
        """Says of every position that it is lost."""

        asked = 0

        async def _verdict(self, _work: object, _state: State) -> Verdict:
            self.asked += 1
            return Verdict(winnable=False, fewest=True)

    looks = Counting(None)
    moves = list(game.line)
    found = asyncio.run(looks.whole(of_game(play(begin(game.states[0]), moves), list[Action](moves))))
    assert found.done
    assert looks.asked == 1


def test_those_who_ask_at_once_share_one_look_back_and_it_is_kept(run: Run) -> None:
    table = left(NAMED["endless"], "1", random_game(1, NAMED["endless"]))

    async def look() -> None:
        async with looking(run) as looks:
            first = await looks.so_far(table)
            assert not first.done
            assert first.looked < len(first.marks)
            one, two = await asyncio.gather(looks.whole(table), looks.whole(table))
            assert one is two
            assert await looks.so_far(table) is one
            assert len(looks._working) == 0  # noqa: SLF001 - nothing goes on.

    asyncio.run(look())


def test_only_a_few_look_backs_are_under_way_at_once(run: Run) -> None:
    actions = random_game(1, NAMED["endless"])
    tables = [left(NAMED["endless"], "1", actions, f"g{number}") for number in range(lookback.AT_ONCE + 1)]

    async def look() -> None:
        async with looking(run) as looks:
            for table in tables[:-1]:
                await looks.so_far(table)
            with pytest.raises(TooBusy):
                await looks.so_far(tables[-1])
            with pytest.raises(TooBusy):
                await looks.whole(tables[-1])
            await asyncio.gather(*(looks.whole(table) for table in tables[:-1]))
            assert (await looks.whole(tables[-1])).done

    asyncio.run(look())


def test_one_who_waits_only_so_long_is_told_what_is_known_by_then(run: Run) -> None:
    table = left(NAMED["endless"], "1", random_game(1, NAMED["endless"]))

    async def look() -> None:
        async with looking(run) as looks:
            assert not (await looks.whole(table, 0.0)).done
            assert (await looks.whole(table)).done

    asyncio.run(look())


def test_a_look_back_waits_for_its_turn_where_others_ask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookback, "_BUSY_SECONDS", 0.01)
    table = left(NAMED["open"], "2", losing_line("open"))

    async def look() -> None:
        coach = Coach(run)
        looks = LookBacks(coach)
        places = [coach._place(f"p{number}") for number in range(8)]  # noqa: SLF001 - others who think long.
        for place in places:
            await place.__aenter__()
        await looks.so_far(table)
        await asyncio.sleep(0.05)
        assert (await looks.so_far(table)).looked == 0
        for place in places:
            await place.__aexit__(None, None, None)
        assert (await looks.whole(table)).looked == table.version + 1
        coach.close()

    asyncio.run(look())


def test_what_is_not_known_in_time_stays_unknown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookback, "SECONDS", 0.0)
    table = left(NAMED["endless"], "1", random_game(1, NAMED["endless"]))
    found = looked(run, table)
    assert found.done
    assert found.slips == ()
    assert {mark.winnable for mark in found.marks if mark is not None} == {None}


def test_closing_stops_what_is_under_way(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    table = left(NAMED["endless"], "1", random_game(1, NAMED["endless"]))

    async def look() -> None:
        async with looking(run) as looks:
            await looks.so_far(table)
            (work,) = looks._working.values()  # noqa: SLF001 - what is under way.
        assert work.task is not None
        assert work.task.cancelled()

    with caplog.at_level(logging.WARNING):
        asyncio.run(look())
    assert caplog.records == []


@pytest.mark.parametrize("change", [{"left": False}, {"game": begin(start(NAMED["open"], read_deal("2").deck))}])
def test_one_does_not_look_back_on_a_game_that_goes_on_or_never_began(run: Run, change: dict[str, Any]) -> None:
    table = replace(left(NAMED["open"], "2", losing_line("open")), **change)
    with pytest.raises(NotFound, match="once it is won or given up"):
        looked(run, table)


def test_a_game_of_too_many_actions_is_not_looked_back_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    table = left(NAMED["open"], "2", losing_line("open"))
    monkeypatch.setattr(lookback, "LONGEST", table.version - 1)
    with pytest.raises(NotFound, match=f"game of more than {table.version - 1} actions"):
        looked(run, table)


def test_a_game_beyond_all_measure_is_not_even_replayed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    table = left(NAMED["open"], "2", losing_line("open"))
    monkeypatch.setattr(lookback, "REPLAYED_LONGEST", table.version - 1)

    async def replay() -> None:
        async with looking(run) as looks:
            await looks.track(table)

    with pytest.raises(NotFound):
        asyncio.run(replay())
