"""Boards: who stands in which list of a deal, and at which place."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, insert, select, update

from app.play.games import Games, New, open_deal
from app.play.players import Players, random_key
from app.play.preferences import USUAL
from app.play.table import NO_ORIGIN, Origin
from app.play.together.boards import ROWS_MOST, Board, Boards, Row
from app.play.together.daily import day_of
from app.rules.deal import Deal, Seed, seeded
from app.rules.moves import UNDO, Action, read_action
from app.rules.ruleset import NAMED
from app.store import boards as stored
from app.store.tables import games as games_table
from app.store.tables import players as players_table
from app.store.tables import solutions
from tests.conftest import Clock, Numbered
from tests.playthroughs import wins

WIN = next(win for win in wins() if win.rules == "endless")
ENDLESS, DEAL = NAMED["endless"], seeded(Seed(WIN.deal))
LINE = tuple(map(read_action, WIN.actions))
TODAY = date(2027, 1, 15)
UNKNOWN = "no" * 20


class Hall:
    """Players, their games and the boards, on a database."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self.engine = engine
        self.clock = clock
        self.players = Players(clock, random_key)
        self.games = Games(self.players, clock, Numbered("g", 16))
        self.boards = Boards(self.players, self.run, clock)
        self.here(self.players.start)

    async def run(self, use_case: Callable[..., Any]) -> Any:  # noqa: ANN401 - whatever the use case returns.
        return self.here(use_case)

    def here(self, use_case: Callable[..., Any], **given: Any) -> Any:  # noqa: ANN401 - as above.
        with self.engine.begin() as connection:
            return use_case(connection, **given)

    def player(self, name: str | None) -> str:
        """The token of a new player."""
        token: str = self.here(self.players.give_token, token=None, preferences=USUAL)
        self.here(self.players.rename, token=token, name=name)
        return token

    def begun(self, token: str, origin: Origin = NO_ORIGIN, action: Action = LINE[0]) -> str:
        """The id of a new game after its first action."""
        opening = open_deal(ENDLESS, DEAL, origin)
        acted = self.here(self.games.begin, token=token, opening=opening, new=New(random_key()), action=action)
        return acted.table.id

    def go_on(self, token: str, game_id: str, *actions: Action) -> None:
        def play(connection: Connection) -> None:
            first = self.games.show(connection, token, game_id).version
            for version, action in enumerate(actions, first):
                self.games.act(connection, token, game_id, version, action)

        self.here(play)

    def won(self, token: str, seconds: float = 60, detours: int = 0, origin: Origin = NO_ORIGIN) -> str:
        """The id of a game won in so many seconds, with two moves more for each detour."""
        game_id = self.begun(token, origin)
        for _ in range(detours):
            self.go_on(token, game_id, LINE[1], UNDO)
        self.clock.tick(seconds)
        self.go_on(token, game_id, *LINE[1:])
        return game_id

    def board(self, token: str | None = None, day: date | None = None, deal: Deal = DEAL) -> Board:
        return asyncio.run(self.boards.board(token, ENDLESS, deal, day))


@pytest.fixture
def hall(engine: Engine, clock: Clock) -> Hall:
    return Hall(engine, clock)


def places(rows: tuple[Row, ...]) -> list[tuple[int, str]]:
    return [(row.place, row.name) for row in rows]


def lists(board: Board) -> dict[str, list[str]]:
    """The names in each list that has any."""
    found = {kind: [row.name for row in getattr(board, kind)] for kind in ("first", "helped", "repeats", "late")}
    return {kind: names for kind, names in found.items() if names}


def test_fewer_moves_stand_above_and_then_less_time(hall: Hall) -> None:
    hall.won(hall.player("Slow"), seconds=90)
    hall.won(hall.player("Detour"), seconds=10, detours=1)
    hall.won(hall.player("Fast"), seconds=30)
    assert places(hall.board().first) == [(1, "Fast"), (2, "Slow"), (3, "Detour")]


def test_equals_share_a_place_and_the_earlier_win_stands_above(hall: Hall) -> None:
    for name in ("Ada", "Bob", "Cid"):
        hall.won(hall.player(name))
    hall.won(hall.player("Dot"), seconds=61)
    assert places(hall.board().first) == [(1, "Ada"), (1, "Bob"), (1, "Cid"), (4, "Dot")]


def test_a_row_tells_what_the_game_tells(hall: Hall) -> None:
    token = hall.player("Ada")
    hall.won(token, seconds=61.5, detours=2)
    (row,) = hall.board(token).first
    assert row == Row(1, "Ada", len(LINE) + 4, 61_500, hall.clock(), own=True, helped=False, repeat=False)


def test_only_the_asker_s_row_is_his_own(hall: Hall) -> None:
    ada, bob = hall.player("Ada"), hall.player("Bob")
    hall.won(ada)
    hall.won(bob)
    assert [(row.name, row.own) for row in hall.board(bob).first] == [("Ada", False), ("Bob", True)]
    assert not any(row.own for row in hall.board(UNKNOWN).first)


def test_whoever_has_no_name_stands_on_no_board_until_he_has_one(hall: Hall) -> None:
    token = hall.player(None)
    hall.won(token)
    assert (lists(hall.board(token)), hall.board(token).named) == ({}, False)
    hall.here(hall.players.rename, token=token, name="Ada")
    assert (lists(hall.board(token)), hall.board(token).named) == ({"first": ["Ada"]}, True)


def test_a_game_that_is_not_won_stands_on_no_board(hall: Hall) -> None:
    token = hall.player("Ada")
    hall.begun(token)
    assert lists(hall.board(token)) == {}


def test_a_further_attempt_stands_apart_the_best_one_of_each_player(hall: Hall) -> None:
    token = hall.player("Ada")
    for seconds in (60, 30, 10, 20):
        hall.won(token, seconds=seconds)
    board = hall.board(token)
    assert [row.milliseconds for row in board.first] == [60_000]
    assert [(row.milliseconds, row.repeat) for row in board.repeats] == [(10_000, True)]


def test_a_game_begun_before_and_not_won_was_the_first_attempt(hall: Hall) -> None:
    token = hall.player("Ada")
    game_id = hall.begun(token)
    hall.here(hall.games.leave, token=token, game_id=game_id)
    hall.clock.tick(1)
    hall.won(token)
    assert lists(hall.board()) == {"repeats": ["Ada"]}


def test_an_attempt_that_ends_last_is_the_first_if_it_was_begun_first(hall: Hall) -> None:
    token = hall.player("Ada")
    first = hall.begun(token)
    hall.clock.tick(1)
    hall.won(token, seconds=5)
    hall.go_on(token, first, *LINE[1:])
    board = hall.board()
    assert [row.milliseconds for row in board.first] == [6_000]
    assert [row.milliseconds for row in board.repeats] == [5_000]


def test_an_attempt_by_other_rules_or_at_another_deal_is_none_at_this(hall: Hall) -> None:
    token = hall.player("Ada")
    for rules, deal in ((NAMED["king-tut"], DEAL), (ENDLESS, seeded(Seed("another")))):
        opening = open_deal(rules, deal)
        hall.here(hall.games.begin, token=token, opening=opening, new=New(random_key()), action=read_action("draw"))
    hall.clock.tick(1)
    hall.won(token)
    assert lists(hall.board()) == {"first": ["Ada"]}


def test_of_two_games_begun_at_once_one_is_the_first(hall: Hall) -> None:
    token = hall.player("Ada")
    first, second = hall.begun(token), hall.begun(token)
    hall.go_on(token, first, *LINE[1:])
    hall.go_on(token, second, *LINE[1:])
    assert lists(hall.board()) == {"first": ["Ada"], "repeats": ["Ada"]}


def test_a_game_with_a_hint_stands_apart(hall: Hall) -> None:
    token = hall.player("Ada")
    game_id = hall.begun(token)
    hall.here(hall.games.hinted, token=token, game_id=game_id, version=1)
    hall.go_on(token, game_id, *LINE[1:])
    assert lists(hall.board()) == {"helped": ["Ada"]}


def test_a_hint_in_another_game_of_the_deal_is_help_as_well(hall: Hall) -> None:
    token = hall.player("Ada")
    opened, _ = hall.here(hall.games.open, token=token, opening=open_deal(ENDLESS, DEAL), new=New(random_key()))
    hall.here(hall.games.hinted, token=token, game_id=opened.id, version=0)
    hall.won(token)
    assert lists(hall.board()) == {"helped": ["Ada"]}


def test_a_hint_in_another_game_after_the_win_takes_nothing_from_it(hall: Hall) -> None:
    token = hall.player("Ada")
    first, second = hall.begun(token), hall.begun(token)
    hall.go_on(token, first, *LINE[1:])
    hall.clock.tick(1)
    hall.here(hall.games.hinted, token=token, game_id=second, version=1)
    hall.go_on(token, second, *LINE[1:])
    assert lists(hall.board()) == {"first": ["Ada"], "helped": ["Ada"]}


def test_a_hint_after_the_win_takes_nothing_from_it_and_is_help_in_a_further_attempt(hall: Hall) -> None:
    token = hall.player("Ada")
    game_id = hall.won(token)
    hall.go_on(token, game_id, UNDO)
    version = hall.here(hall.games.show, token=token, game_id=game_id).version
    hall.here(hall.games.hinted, token=token, game_id=game_id, version=version)
    hall.clock.tick(1)
    hall.won(token)
    assert lists(hall.board()) == {"first": ["Ada"], "helped": ["Ada"]}


def test_whoever_had_seen_the_solution_stands_apart(hall: Hall) -> None:
    token, late = hall.player("Ada"), hall.player("Bob")
    hall.won(late)
    hall.here(hall.boards.saw, token=token, rules=ENDLESS, deal=DEAL)
    hall.clock.tick(1)
    hall.here(hall.boards.saw, token=late, rules=ENDLESS, deal=DEAL)
    hall.won(token)
    assert lists(hall.board()) == {"first": ["Bob"], "helped": ["Ada"]}


def test_another_deal_s_solution_is_no_help(hall: Hall) -> None:
    token = hall.player("Ada")
    hall.here(hall.boards.saw, token=token, rules=ENDLESS, deal=seeded(Seed("another")))
    hall.here(hall.boards.saw, token=token, rules=NAMED["classic"], deal=DEAL)
    hall.clock.tick(1)
    hall.won(token)
    assert lists(hall.board()) == {"first": ["Ada"]}


def test_a_solution_is_remembered_as_it_was_first_seen(hall: Hall) -> None:
    token = hall.player("Ada")
    for _ in range(3):
        hall.here(hall.boards.saw, token=token, rules=ENDLESS, deal=DEAL)
        hall.clock.tick(60)
    rows = hall.here(lambda connection: connection.execute(select(solutions)).all())
    assert [row.seen_at for row in rows] == [1_800_000_000_000]


@pytest.mark.parametrize("token", [None, UNKNOWN])
def test_nothing_is_remembered_of_a_stranger(hall: Hall, token: str | None) -> None:
    hall.here(hall.boards.saw, token=token, rules=ENDLESS, deal=DEAL)
    assert hall.here(lambda connection: connection.execute(select(solutions)).all()) == []


@pytest.mark.parametrize("source", ["onward", "imported"])
def test_a_game_that_was_not_played_from_the_deal_here_stands_on_no_board(hall: Hall, source: str) -> None:
    token = hall.player("Ada")
    game_id = hall.won(token)
    hall.here(lambda c: c.execute(update(games_table).where(games_table.c.id == game_id).values(source=source)))
    assert lists(hall.board(token)) == {}
    hall.clock.tick(1)
    hall.won(token)
    assert lists(hall.board(token)) == {"repeats": ["Ada"]}  # It was an attempt all the same.


def test_a_game_played_on_from_another_stands_on_no_board(hall: Hall) -> None:
    token = hall.player("Ada")
    game_id = hall.begun(token)
    table = hall.here(hall.games.show, token=token, game_id=game_id)
    onward, _ = hall.here(hall.games.play_on, token=token, table=table, at=1)
    hall.go_on(token, onward.id, *LINE[1:])
    assert lists(hall.board(token)) == {}


def test_a_day_s_board_holds_the_games_of_that_day_and_late_ones_apart(hall: Hall) -> None:
    daily = Origin(daily=TODAY.isoformat())
    hall.won(hall.player("Ada"), origin=daily)
    hall.won(hall.player("By the link"))
    hall.clock.tick(86_400)
    hall.won(hall.player("Bob"), origin=daily)
    assert lists(hall.board(day=TODAY)) == {"first": ["Ada"], "late": ["Bob"]}
    assert lists(hall.board()) == {"first": ["Ada", "By the link", "Bob"]}


def test_a_game_begun_before_midnight_is_not_late_when_won_after_it(hall: Hall) -> None:
    token = hall.player("Ada")
    hall.won(token, seconds=86_400, origin=Origin(daily=TODAY.isoformat()))
    assert day_of(hall.clock()) > TODAY
    assert lists(hall.board(day=TODAY)) == {"first": ["Ada"]}


def test_an_attempt_by_the_deal_s_link_comes_before_the_day_s_own(hall: Hall) -> None:
    token = hall.player("Ada")
    hall.won(token)
    hall.clock.tick(1)
    hall.won(token, origin=Origin(daily=TODAY.isoformat()))
    assert lists(hall.board(day=TODAY)) == {"repeats": ["Ada"]}


@dataclass(frozen=True, slots=True)
class Won:
    """A won game of the player with a number, put into the database as it is."""

    player: int
    moves: int
    milliseconds: int
    begun_at: int
    hints: int = 0


def put(hall: Hall, deal: Deal, *games: Won) -> None:
    """Keep won games; the player with number N is called N."""
    ids = count()
    rows = [
        {
            "id": f"{deal.code[:20]}-{next(ids):05}",
            "player": game.player,
            "rules": "endless",
            "deal": deal.code,
            "actions": "",
            "version": 1,
            "moves": game.moves,
            "outcome": "won",
            "begun_at": game.begun_at,
            "touched_at": game.begun_at,
            "won_at": game.begun_at + game.milliseconds,
            "won_in": game.milliseconds,
            "hints": game.hints,
        }
        for game in games
    ]

    def keep(connection: Any) -> None:  # noqa: ANN401 - a connection.
        known = set(connection.scalars(select(players_table.c.id)))
        new = [{"id": one, "created_at": 0, "name": str(one)} for one in {game.player for game in games} - known]
        if new:
            connection.execute(insert(players_table), new)
        connection.execute(insert(games_table), rows)

    hall.here(keep)


def test_a_list_ends_after_a_hundred_rows_but_for_the_asker_s_own(hall: Hall) -> None:
    token = hall.player("Ada")
    number = hall.here(hall.players.require, token=token)
    others = [Won(1_000 + place, 30, place, 0) for place in range(1, 701)]
    put(hall, DEAL, *others, Won(number, 30, 650, 0))
    first = hall.board(token).first
    assert places(first[:2]) == [(1, "1001"), (2, "1002")]
    assert len(first) == ROWS_MOST + 1
    assert (first[-1].place, first[-1].name, first[-1].own) == (650, "Ada", True)
    assert len(hall.board().first) == ROWS_MOST


def test_a_player_with_a_thousand_repeats_crowds_nobody_out(hall: Hall) -> None:
    put(hall, DEAL, *(Won(7, 20, 1 + number, number) for number in range(1_200)), Won(8, 90, 1, 0))
    board = hall.board()
    assert (places(board.first), places(board.repeats)) == ([(1, "7"), (2, "8")], [(1, "7")])


runs = st.builds(
    Won,
    st.integers(min_value=901, max_value=905),
    st.integers(min_value=20, max_value=23),
    st.integers(min_value=0, max_value=3),
    st.integers(min_value=0, max_value=6),
    st.integers(min_value=0, max_value=1),
)
fresh = count()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(runs, max_size=25))
def test_a_board_is_what_sorting_all_games_gives(hall: Hall, games: list[Won]) -> None:
    deal = seeded(Seed(f"law-{next(fresh)}"))
    if games:
        put(hall, deal, *games)
    numbered = list(enumerate(games))
    found: dict[str, list[tuple[int, int, int, int, int]]] = {"first": [], "helped": [], "repeats": []}
    for number, game in numbered:
        own = [(other.begun_at, at) for at, other in numbered if other.player == game.player]
        won_at = game.begun_at + game.milliseconds
        kind = "helped" if game.hints else "first" if min(own) == (game.begun_at, number) else "repeats"
        found[kind].append((game.moves, game.milliseconds, won_at, number, game.player))
    board = hall.board(deal=deal)
    for kind, all_rows in found.items():
        best: dict[int, tuple[int, int]] = {}
        for moves, milliseconds, _, _, player in sorted(all_rows):
            best.setdefault(player, (moves, milliseconds))
        expected = [
            (1 + sum(other < mine for other in best.values()), str(player), *mine) for player, mine in best.items()
        ]
        rows = getattr(board, kind)
        assert [(row.place, row.name, row.moves, row.milliseconds) for row in rows] == expected


@pytest.mark.sqlite
def test_a_board_is_read_along_its_index(hall: Hall) -> None:
    deck = Deal(DEAL.deck).code
    plan = plan_of(hall, stored._wins("endless", DEAL.code, deck).limit(9))  # noqa: SLF001 - what is run.
    assert any("games USING INDEX ix_games_board (rules=? AND deal=?)" in step for step in plan)
    assert sum("ix_games_deal (rules=? AND deal=? AND player=?" in step for step in plan) >= 1
    assert not [step for step in plan if step.startswith("SCAN")]


def plan_of(hall: Hall, query: Any) -> list[str]:  # noqa: ANN401 - a Select.
    text = query.compile(hall.engine, compile_kwargs={"literal_binds": True}).string
    return hall.here(lambda c: [row[3] for row in c.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")])
