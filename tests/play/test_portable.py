"""Exports and imports, each on a real database behind a real door."""

import asyncio
import csv
import io
import json
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.play.archive.imported import Reading
from app.play.archive.pieces import Pieces
from app.play.archive.portable import Brought, Portable
from app.play.errors import NotFound, TooBusy, Unavailable
from app.play.games import Games
from app.play.players import Players
from app.play.preferences import USUAL, Preferences, chosen
from app.rules.cards import Unreadable
from app.rules.deal import Deal, read_deal
from app.rules.moves import read_action
from app.rules.ruleset import NAMED, read_rules
from app.store.database.door import Door
from app.store.database.schema import migrate
from tests import databases
from tests.conftest import Clock, Numbered
from tests.playthroughs import Win, wins

T = TypeVar("T")
JsonObject = dict[str, Any]

ENDLESS = NAMED["endless"]
SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)
COLUMNS = "rules, deal, opening, actions, version, moves, outcome, begun_at, touched_at, won_at, left_at, won_in, hints"
"""What an import leaves as it was; hinted_at is compared as well."""


class House:
    """An installation with its door open."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder
        self.clock = clock
        engine = databases.opened(folder)
        migrate(engine)
        self.door = Door(engine)
        self.players = Players(clock, Numbered(f"{folder.name}-key-"))
        self.games = Games(self.players, clock, Numbered(f"{folder.name}-"[-14:], 16))
        self.portable = Portable(self.door.run, self.players, clock)

    async def __aenter__(self) -> Self:
        self.door.open()
        await self.door.run(self.players.start)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.door.close()

    async def new_player(self, preferences: Preferences = USUAL) -> str:
        return await self.door.run(partial(self.players.give_token, token=None, preferences=preferences))

    async def create(self, token: str, rules: str = "endless", deal: Deal | str = "a") -> str:
        """The id of a new game without an action."""
        cards = deal if isinstance(deal, Deal) else read_deal(deal)
        table, _ = await self.door.run(partial(self.games.create, token=token, rules=read_rules(rules), deal=cards))
        return table.id or ""

    async def play(self, token: str, game_id: str, *actions: str, each: float = 1) -> None:
        """Take actions, some seconds after one another."""
        version = (await self.door.run(partial(self.games.show, token=token, game_id=game_id))).version
        for number, text in enumerate(actions, version):
            act = partial(self.games.act, token=token, game_id=game_id, version=number, action=read_action(text))
            await self.door.run(act)
            self.clock.tick(each)

    async def fill(self, token: str) -> None:
        """A game of every kind that there is."""
        await self.create(token)
        hinted = await self.create(token, deal="b")
        await self.door.run(partial(self.games.hinted, token=token, game_id=hinted, version=0))
        for win in wins():
            await self.play(token, await self.create(token, win.rules, win.deal.replace(" ", "")), *win.actions)
        first = wins()[0]
        played_on = await self.create(token, first.rules, first.deal.replace(" ", ""))
        await self.play(token, played_on, *first.actions, "undo", "redo", "undo")
        open_game = await self.create(token)
        await self.play(token, open_game, "Kc", "undo", "redo", "6c+7d")
        await self.door.run(partial(self.games.hinted, token=token, game_id=open_game, version=4))
        table = await self.door.run(partial(self.games.show, token=token, game_id=open_game))
        onward, _ = await self.door.run(partial(self.games.play_on, token=token, table=table, at=4))
        await self.play(token, onward.id or "", "draw")
        left = await self.create(token, "classic", Deal(read_deal("given").deck))
        await self.play(token, left, "draw", "draw")
        await self.door.run(partial(self.games.leave, token=token, game_id=left))

    async def export(self, token: str) -> bytes:
        player = await self.door.run(partial(self.players.show, token=token))
        assert player is not None
        return "".join([piece async for piece in self.portable.export(player, token)]).encode()

    async def bring(self, data: bytes | str | JsonObject, token: str | None = None) -> Brought:
        if isinstance(data, dict):
            data = json.dumps(data)
        return await self.portable.bring(token, USUAL, data.encode() if isinstance(data, str) else data)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What another program reads from the database."""
        return databases.rows(self.folder, query, *values)

    def counts(self) -> list[tuple[Any, ...]]:
        return self.rows(
            "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM games), (SELECT count(*) FROM tokens), "
            "(SELECT count(*) FROM solutions), (SELECT min(name) FROM players)"
        )

    def figures(self) -> list[tuple[Any, ...]]:
        return sorted(self.rows(f"SELECT {COLUMNS}, hinted_at FROM games"), key=str)  # noqa: S608 - a constant.


def with_house(test: Callable[[House], Awaitable[None]]) -> Callable[[Path, Clock], None]:
    """A test that runs in the event loop of a fresh installation."""

    def run(tmp_path: Path, clock: Clock) -> None:
        async def inside() -> None:
            async with House(tmp_path / "here", clock) as house:
                await test(house)

        asyncio.run(inside())

    run.__name__ = test.__name__
    return run


def game(**fields: object) -> JsonObject:
    """A game as an export has it."""
    usual: JsonObject = {
        "id": "g",
        "rules": "endless",
        "deal": "a",
        "opening": "",
        "actions": "Kc undo",
        "result": "open, 2 moves",
        "source": "played",
        "daily": None,
        "begun_at": 1_000,
        "touched_at": 2_000,
        "won_at": None,
        "left_at": None,
        "won_in": None,
        "hints": 0,
        "hinted_at": None,
    }
    return {**usual, **fields}


def won(**fields: object) -> JsonObject:
    """A won game as an export has it."""
    win: Win = wins()[0]
    actions, deal = " ".join(win.actions), win.deal.replace(" ", "")
    result = f"won, {len(win.actions)} moves"
    times = {"won_at": 1_900, "won_in": 900}
    return game(**{"rules": win.rules, "deal": deal, "actions": actions, "result": result, **times, **fields})


def export(*games: JsonObject, **parts: object) -> JsonObject:
    """An export."""
    usual: JsonObject = {
        "format": "pyramid13",
        "version": 1,
        "exported_at": 5_000,
        "player": {"name": None, "created_at": 500, "preferences": {}},
        "games": list(games),
        "solutions": [],
    }
    return {**usual, **parts}


@with_house
async def test_an_export_brought_to_another_installation_gives_the_same_figures(house: House) -> None:
    token = await house.new_player()
    await house.fill(token)
    data = await house.export(token)
    async with House(house.folder.parent / "there", house.clock) as there:
        brought = await there.bring(data)
        assert (brought.imported, brought.known) == (len(house.figures()), 0)
        assert there.figures() == house.figures()
        sources = (
            there.rows("SELECT DISTINCT source FROM games WHERE opening = ''"),
            there.rows("SELECT source FROM games WHERE opening != ''"),
        )
        assert sources == ([("imported",)], [("onward",)])
        assert brought.token is not None
        again = await there.export(brought.token)
        assert [_same(game) for game in json.loads(again)["games"]] == [_same(g) for g in json.loads(data)["games"]]


@with_house
async def test_an_export_says_everything_about_the_player(house: House) -> None:
    token = await house.new_player(chosen({"theme": "dark"}))
    await house.door.run(partial(house.players.rename, token=token, name="Zoë “Z”"))
    await house.play(token, await house.create(token), "Kc", "undo", each=2)
    _add_solution(house, "endless", "a")
    found = json.loads(await house.export(token))
    assert (found["format"], found["version"], found["exported_at"]) == ("pyramid13", 1, house.clock.milliseconds)
    assert found["player"]["name"] == "Zoë “Z”"
    assert found["player"]["preferences"]["theme"] == "dark"
    (one,) = found["games"]
    assert (one["actions"], one["result"], one["touched_at"] - one["begun_at"]) == ("Kc undo", "open, 2 moves", 2_000)
    assert found["solutions"] == [{"rules": "endless", "deal": "a", "seen_at": 7}]


@with_house
async def test_an_empty_export_can_be_brought_back(house: House) -> None:
    data = await house.export(await house.new_player())
    assert json.loads(data)["games"] == []
    assert (await house.bring(data)).imported == 0


@with_house
async def test_an_export_of_many_games_has_each_once(house: House) -> None:
    token = await house.new_player()
    _fill_in(house, [(f"{n:04}", None if n % 3 == 0 else 1_000 + n // 50) for n in range(1_000)])
    ids = [one["id"] for one in json.loads(await house.export(token))["games"]]
    assert (len(ids), len(set(ids))) == (1_000, 1_000)
    lines = "".join([piece async for piece in house.portable.table(token)]).splitlines()
    assert len(lines) == 1_001


@with_house
async def test_an_export_of_long_games_has_each_once(house: House) -> None:
    token = await house.new_player()
    _fill_in(house, [(f"{n:04}", 1_000) for n in range(300)], actions=" ".join(["Kc undo"] * 2_000))
    assert len(json.loads(await house.export(token))["games"]) == 300


@with_house
async def test_an_export_holds_no_game_of_another_player(house: House) -> None:
    token, other = await house.new_player(), await house.new_player()
    await house.fill(other)
    assert json.loads(await house.export(token))["games"] == []


@with_house
async def test_an_export_after_the_clock_was_set_back_can_be_brought_back(house: House) -> None:
    token = await house.new_player()
    win = wins()[0]
    game_id = await house.create(token, win.rules, win.deal.replace(" ", ""))
    await house.play(token, game_id, *win.actions, each=-3)
    other = await house.create(token)
    await house.play(token, other, "Kc", each=-3)
    await house.door.run(partial(house.games.leave, token=token, game_id=other))
    win = wins()[1]
    once = await house.create(token, win.rules, win.deal.replace(" ", ""))
    await house.play(token, once, *win.actions[:5], each=5)
    house.clock.tick(-3_600)
    await house.play(token, once, *win.actions[5:], each=5)
    data = await house.export(token)
    async with House(house.folder.parent / "there", house.clock) as there:
        assert (await there.bring(data)).imported == 3


@with_house
async def test_bringing_twice_is_the_same_as_once(house: House) -> None:
    token = await house.new_player()
    data = export(game(), won(id="w"), solutions=[{"rules": "endless", "deal": "a", "seen_at": 1}])
    assert await house.bring(data, token) == Brought(2, 0)
    before = house.counts(), house.figures()
    assert await house.bring(data, token) == Brought(0, 2)
    assert (house.counts(), house.figures()) == before


@with_house
async def test_a_solution_that_was_seen_stays_seen_since_then(house: House) -> None:
    token = await house.new_player()
    for number in range(2):
        seen = [{"rules": "endless", "deal": f"{deal}", "seen_at": deal + number} for deal in range(500)]
        twice = [*seen, {"rules": "endless", "deal": "7", "seen_at": 9_999}, {**seen[0], "rules": "classic"}]
        await house.bring(export(solutions=twice), token)
    assert house.rows("SELECT count(*), sum(seen_at) FROM solutions") == [(501, 499 * 250)]


@with_house
async def test_long_games_come_in_too(house: House) -> None:
    long = [game(id=str(n), begun_at=n, actions="Kc undo " * 5_000, result="open, 10000 moves") for n in range(20)]
    assert (await house.bring(export(*long))).imported == 20
    assert house.rows("SELECT count(*), sum(version) FROM games") == [(20, 200_000)]


@with_house
async def test_bringing_back_what_is_there_still_brings_nothing(house: House) -> None:
    token = await house.new_player()
    await house.fill(token)
    before = house.counts(), house.figures()
    assert (await house.bring(await house.export(token), token)).imported == 0
    assert (house.counts(), house.figures()) == before


@with_house
async def test_each_player_has_a_copy_of_his_own(house: House) -> None:
    first, second = await house.new_player(), await house.new_player()
    for token in (first, second):
        assert await house.bring(export(game()), token) == Brought(1, 0)
    assert house.rows("SELECT count(DISTINCT id), count(DISTINCT player) FROM games") == [(2, 2)]


@with_house
async def test_a_game_of_another_player_with_the_same_id_stays_as_it_is(house: House) -> None:
    mine, his = await house.new_player(), await house.new_player()
    game_id = await house.create(his)
    await house.play(his, game_id, "draw", "draw")
    before = house.rows("SELECT * FROM games")
    assert await house.bring(export(game(id=game_id)), mine) == Brought(1, 0)
    assert house.rows("SELECT * FROM games WHERE id = ?", game_id) == before
    table = await house.door.run(partial(house.games.show, token=his, game_id=game_id))
    assert table.log == "draw draw"


@with_house
async def test_a_visitor_without_a_player_becomes_one_with_the_name_and_preferences_of_the_export(house: House) -> None:
    who = {"name": "Ada", "created_at": 1, "preferences": {"theme": "dark"}}
    brought = await house.bring(export(game(), player=who))
    assert brought.preferences == chosen({"theme": "dark"})
    player = await house.door.run(partial(house.players.show, token=brought.token))
    assert player is not None
    assert (player.name, player.preferences) == ("Ada", chosen({"theme": "dark"}))
    assert player.created_at == house.clock.milliseconds


@with_house
async def test_a_player_keeps_his_name_and_preferences(house: House) -> None:
    token = await house.new_player(chosen({"suits": "four"}))
    await house.door.run(partial(house.players.rename, token=token, name="Bea"))
    who = {"name": "Ada", "created_at": 1, "preferences": {"theme": "dark"}}
    brought = await house.bring(export(game(), player=who), token)
    assert (brought.token, brought.preferences) == (None, None)
    player = await house.door.run(partial(house.players.show, token=token))
    assert player is not None
    assert (player.name, player.preferences) == ("Bea", chosen({"suits": "four"}))


@with_house
async def test_a_player_without_a_name_takes_that_of_the_export(house: House) -> None:
    token = await house.new_player()
    await house.bring(export(player={"name": "Ada", "created_at": 1, "preferences": {}}), token)
    assert house.rows("SELECT name FROM players") == [("Ada",)]


@with_house
async def test_a_token_that_nobody_has_is_not_adopted(house: House) -> None:
    brought = await house.bring(export(game()), "x" * 43)
    assert brought.token not in {None, "x" * 43}


@with_house
async def test_daily_deals_and_challenges_stand_on_no_board_once_brought(house: House) -> None:
    await house.bring(export(won(daily="2027-01-31")))
    assert house.rows("SELECT source, daily, challenge, begin_hash, fewest FROM games") == [
        ("imported", None, None, None, None)
    ]


@with_house
async def test_a_game_text_comes_in_once_as_if_it_had_been_played_now(house: House) -> None:
    text = "pyramid13 game\r\nrules: endless\r\ndeal: a\r\nactions: Kc undo\r\nresult: open, 2 moves\r\n"
    brought = await house.bring(text)
    assert brought == Brought(1, 0, brought.token, USUAL)
    assert await house.bring(text.replace("\r", ""), brought.token) == Brought(0, 1)
    now = house.clock.milliseconds
    assert house.rows("SELECT source, begun_at, touched_at, won_at, won_in, version FROM games") == [
        ("imported", now, now, None, None, 2)
    ]


@with_house
async def test_the_text_of_a_game_that_was_given_up_is_brought_in_as_given_up(house: House) -> None:
    text = "pyramid13 game\nrules: endless\ndeal: a\nactions: Kc undo\nresult: given up, 2 moves\n"
    await house.bring(text)
    now = house.clock.milliseconds
    query = "SELECT source, begun_at, left_at, won_at, outcome FROM games"
    assert house.rows(query) == [("imported", now, now, None, "playing")]


@with_house
async def test_a_game_that_stands_twice_in_an_export_comes_in_once(house: House) -> None:
    token = await house.new_player()
    twice = [won(id="one"), won(id="other"), game(id="a"), won(id="later", begun_at=1_001), game(id="b")]
    assert await house.bring(export(*twice), token) == Brought(3, 2)
    # Not one that was not begun: two such are two.
    unbegun = [game(id=name, actions="", result="open, 0 moves", begun_at=None) for name in ("c", "d")]
    assert await house.bring(export(*unbegun), token) == Brought(2, 0)
    many = [game(id=f"{number}", begun_at=1_500 + number // 2) for number in range(600)]
    assert await house.bring(export(*many), token) == Brought(300, 300)


@with_house
async def test_a_won_game_text_has_no_time(house: House) -> None:
    win = wins()[0]
    text = f"pyramid13 game\nrules: {win.rules}\ndeal: {win.deal}\nactions: {' '.join(win.actions)}\n"
    brought = await house.bring(f"{text}result: won, {len(win.actions)} moves")
    assert house.rows("SELECT won_at = begun_at, won_in, outcome FROM games") == [(1, None, "won")]
    (game_id,) = house.rows("SELECT id FROM games")[0]
    table = await house.door.run(partial(house.games.show, token=brought.token, game_id=game_id))
    assert (table.seconds, table.game.won_after) == (0, len(win.actions))


@with_house
async def test_a_game_text_without_an_action_is_not_begun_yet(house: House) -> None:
    await house.bring("pyramid13 game\nrules: endless\ndeal: a\nactions:\nresult: open, 0 moves")
    assert house.rows("SELECT begun_at, version FROM games") == [(None, 0)]


@with_house
async def test_a_game_text_from_a_position_counts_nowhere(house: House) -> None:
    await house.bring("pyramid13 game\nrules: endless\ndeal: a\nopening: Kc\nactions: draw\nresult: open, 1 move")
    assert house.rows("SELECT source, opening, actions FROM games") == [("onward", "Kc", "draw")]


BROKEN_GAMES: dict[str, JsonObject] = {
    "illegal action": game(actions="Kc Kc"),
    "no action": game(actions="Kc undo hello"),
    "too many actions": game(actions="Kc undo " * 10_001, result="open, 20002 moves"),
    "illegal opening": game(opening="Kc Kc"),
    "undo in the opening": game(opening="Kc undo"),
    "another result": game(result="won, 2 moves"),
    "other moves": game(result="open, 3 moves"),
    "no result": game(result=""),
    "no rules": game(rules="nothing"),
    "illegal rules": game(rules="d1p3r0"),
    "no deal": game(deal="ä"),
    "a deck with a card twice": game(deal="As" * 52),
    "an id too long": game(id="x" * 65),
    "an empty id": game(id=""),
    "an id with a line feed": game(id="a\nb"),
    "an id with NUL": game(id="a\0"),
    "half a character": game(id="\ud800"),
    "an id that is a number": game(id=7),
    "actions as a list": game(actions=["Kc"]),
    "actions as a number": game(actions=7),
    "no such source": game(source="stolen"),
    "source as nothing": game(source=None),
    "no such day": game(daily="2027-02-30"),
    "a day in another form": game(daily="20270131"),
    "a day as a number": game(daily=20270131),
    "begun after touched": game(begun_at=3_000),
    "begun before 1970": game(begun_at=-1),
    "begun never, yet played": game(begun_at=None),
    "begun, yet not played": game(actions="", result="open, 0 moves"),
    "touched never": game(touched_at=None),
    "touched the day after tomorrow": game(touched_at=1_800_000_000_000 + 86_400_001),
    "touched for ever": game(touched_at=10**30),
    "a time as a float": game(touched_at=2_000.5),
    "a time as true": game(begun_at=True),
    "a time as a text": game(touched_at="2000"),
    "won, yet not": game(won_at=1_500),
    "a time to a win that is none": game(won_in=1),
    "not won, yet it is": won(won_at=None, won_in=None),
    "won before begun": won(won_at=999),
    "won after touched": won(won_at=2_001),
    "won in more time than there was": won(won_in=1_001),
    "won in less than no time": won(won_in=-1),
    "won and left": won(left_at=1_950),
    "left before begun": game(left_at=999),
    "left after touched": game(left_at=2_001),
    "more hints than positions": game(hints=4),
    "less than no hints": game(hints=-1),
    "hints as nothing": game(hints=None),
    "hinted after the end": game(hinted_at=3),
    "something else in it": game(player=1),
    "a list in it": game(hints=[]),
    "an object in it": game(hints={}),
    "something missing": {name: value for name, value in game().items() if name != "hints"},
    "nothing": {},
}


@pytest.mark.parametrize("name", BROKEN_GAMES)
def test_a_broken_game_is_named_and_nothing_is_changed(tmp_path: Path, clock: Clock, name: str) -> None:
    async def test(house: House) -> None:
        token = await house.new_player()
        before = house.counts()
        for data in (export(game(id="1"), game(id="2"), BROKEN_GAMES[name]), export(BROKEN_GAMES[name], game(id="2"))):
            with pytest.raises(Unreadable):
                await house.bring(data, token)
            with pytest.raises(Unreadable):
                await house.bring(data)
        assert house.counts() == before

    with_house(test)(tmp_path, clock)


@with_house
async def test_a_refusal_names_the_game_and_the_action(house: House) -> None:
    with pytest.raises(Unreadable, match=r"^game 2: action 3, 6c\+Jh: not thirteen: 6c Jh$"):
        await house.bring(export(game(), game(id="b", actions="Kc undo 6c+Jh")))
    with pytest.raises(Unreadable, match=r"^game 3: its id “g”"):
        await house.bring(export(game(), game(id="b"), game()))


BROKEN_EXPORTS: dict[str, object] = {
    "another format": export(format="klondike"),
    "another version": export(version=2),
    "a version that is true": export(version=True),
    "a version that is 1.0": export(version=1.0),
    "exported in the future": export(exported_at=10**15),
    "exported never": export(exported_at=None),
    "no player": export(player=None),
    "a player without a name": export(player={"created_at": 1, "preferences": {}}),
    "a name too long": export(player={"name": "x" * 25, "created_at": 1, "preferences": {}}),
    "a name with half a character": export(player={"name": "\ud800", "created_at": 1, "preferences": {}}),
    "a name that is a number": export(player={"name": 1, "created_at": 1, "preferences": {}}),
    "a time that is none": export(player={"name": None, "created_at": "1", "preferences": {}}),
    "a preference that is none": export(player={"name": None, "created_at": 1, "preferences": {"theme": "pink"}}),
    "a preference of another type": export(player={"name": None, "created_at": 1, "preferences": {"theme": []}}),
    "preferences as a text": export(player={"name": None, "created_at": 1, "preferences": "theme=dark"}),
    "games as an object": export(games={}),
    "games as nothing": export(games=None),
    "a game that is none": export(games=[1]),
    "a game within a list": export(games=[[game()]]),
    "a solution that is none": export(solutions=[{}]),
    "a solution of no deal": export(solutions=[{"rules": "endless", "deal": "", "seen_at": 1}]),
    "a solution of no game": export(solutions=[{"rules": "d1p3r0", "deal": "a", "seen_at": 1}]),
    "a solution seen never": export(solutions=[{"rules": "endless", "deal": "a", "seen_at": None}]),
    "something else": export(more=1),
    "nothing": {},
    "only games": {"games": [game()]},
    "deep lists": '{"player": ' + "[" * 4_000,
    "deep lists closed": '{"player": ' + "[" * 2_000 + "]" * 2_000 + "}",
    "deep lists in games": '{"games": [{"id": ' + "[" * 100_000,
    "many lists": '{"player": [' + "[]," * 1_000_000 + "[]]}",
    "endless space": "{" + " " * 1_000_000,
    "an endless name": '{"' + "x" * 1_000_000,
    "an endless game": '{"games": [{"id": "' + "x" * 1_000_000,
    "many braces": '{"games": [' + "{" * 1_000_000,
    "many quotes": '{"games": [{' + '""' * 500_000,
    "many backslashes": '{"games": [{"' + "\\" * 1_000_001,
    "a long number": '{"version": ' + "1" * 4_000 + "}",
    "a longer number": '{"version": ' + "1" * 40_000 + "}",
    "no number": '{"version": NaN}',
    "no end": json.dumps(export(game()))[:-1],
    "no end of the games": json.dumps(export(game()))[:-30],
    "more than the end": json.dumps(export(game())) + "{}",
    "a comma too many": json.dumps(export(game())).replace("}]", "},]", 1),
    "a name twice": json.dumps(export(game())).replace('"version": 1', '"version": 1, "version": 1'),
    "a name in a game twice": json.dumps(export(game())).replace('"hints"', '"id": "h", "hints"'),
    "games twice": json.dumps(export(game()))[:-1] + ', "games": []}',
    "a list": "[]",
    "a word": "null",
    "no word": "",
    "no text": b"\x00\x01\x02",
    "no UTF-8": b"{\xff\xfe",
    "no UTF-8 in a name": json.dumps(export()).encode().replace(b'"name": null', b'"name": "\xff"'),
    "no UTF-8 in a game": json.dumps(export(game())).encode().replace(b'"id": "g"', b'"id": "\xff"'),
    "UTF-16": json.dumps(export(game())).encode("utf-16"),
    "UTF-32": json.dumps(export(game())).encode("utf-32"),
    "a game text of no game": "pyramid13 game\nrules: endless",
    "a game text too long": "pyramid13 game\n" + "x" * 100_000,
}


@pytest.mark.parametrize("name", BROKEN_EXPORTS)
def test_what_is_no_export_is_refused_and_nothing_is_changed(tmp_path: Path, clock: Clock, name: str) -> None:
    async def test(house: House) -> None:
        data: Any = BROKEN_EXPORTS[name]
        token = await house.new_player()
        before = house.counts()
        for asker in (token, None):
            with pytest.raises(Unreadable):
                await house.bring(data, asker)
        assert house.counts() == before

    with_house(test)(tmp_path, clock)


@with_house
async def test_an_export_may_be_written_in_any_spacing_and_order(house: House) -> None:
    data = export(game(), won(id="w"), player={"name": "Zoë", "created_at": 1, "preferences": {}})
    token = await house.new_player()
    for text in (
        json.dumps(data, indent=4),
        json.dumps(data, separators=(",", ":"), ensure_ascii=False),
        "\ufeff \r\n" + json.dumps(dict(reversed(data.items()))),
    ):
        brought = await house.bring(text, token)
        assert brought.imported + brought.known == 2
    assert house.rows("SELECT count(*) FROM games") == [(2,)]


@with_house
async def test_an_import_that_was_cut_short_is_mended_by_another(house: House) -> None:
    token = await house.new_player()
    data = json.dumps(export(*(game(id=str(number), begun_at=number) for number in range(1_000)))).encode()
    visits = 0

    async def run(use_case: Callable[[Any], T]) -> T:
        nonlocal visits
        visits += 1
        if visits > 3:
            raise Unavailable
        return await house.door.run(use_case)

    with pytest.raises(Unavailable):
        await Portable(run, house.players, house.clock).bring(token, USUAL, data)
    ((there,),) = house.rows("SELECT count(*) FROM games")
    assert 0 < there < 1_000
    assert await house.bring(data, token) == Brought(1_000 - there, there)
    assert house.rows("SELECT count(*), count(DISTINCT id) FROM games") == [(1_000, 1_000)]


@with_house
async def test_a_player_who_goes_meanwhile_gets_no_games(house: House) -> None:
    token = await house.new_player()
    visits = 0

    async def run(use_case: Callable[[Any], T]) -> T:
        nonlocal visits
        visits += 1
        if visits == 2:
            player = await house.door.run(partial(house.players.disown, token=token))
            await house.door.run(partial(house.players.remove, player=player))
        return await house.door.run(use_case)

    with pytest.raises(NotFound):
        await Portable(run, house.players, house.clock).bring(token, USUAL, json.dumps(export(game())).encode())
    assert house.rows("SELECT count(*) FROM games") == [(0,)]


@with_house
async def test_one_import_at_a_time_has_its_turn(house: House) -> None:
    with house.portable.turn(), pytest.raises(TooBusy), house.portable.turn():
        pass
    with house.portable.turn():
        pass


@with_house
async def test_others_are_served_while_an_import_is_read(house: House) -> None:
    token = await house.new_player()
    game_id = await house.create(token)
    data = json.dumps(
        export(*(won(id=str(n), begun_at=n, touched_at=9_000, won_at=8_000) for n in range(2_000)))
    ).encode()
    task = asyncio.create_task(house.bring(data, token))
    served = 0
    while not task.done():
        await house.door.run(partial(house.games.show, token=token, game_id=game_id))
        served += 1
    assert (await task).imported == 2_000
    assert served > 20


@with_house
async def test_a_cell_that_a_spreadsheet_would_run_is_neutralised(house: House) -> None:
    token = await house.new_player()
    await house.create(token, deal="-1")
    await house.create(token, deal=".2")
    text = "".join([piece async for piece in house.portable.table(token)])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["deal"] for row in rows} == {"'-1", ".2"}


@with_house
async def test_the_table_has_a_line_for_each_game(house: House) -> None:
    token = await house.new_player()
    await house.fill(token)
    text = "".join([piece async for piece in house.portable.table(token)])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(house.figures())
    winner = next(row for row in rows if row["outcome"] == "won")
    assert winner["begun"].startswith("2027-01-15T08:0")
    assert winner["begun"].endswith("Z")
    assert int(winner["seconds"]) == int(winner["moves"]) - 1
    assert {row["outcome"] for row in rows} == {"won", "left", "playing"}
    assert {row["source"] for row in rows} == {"played", "onward"}


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=8), SCALARS), st.sampled_from([None, 1]), st.booleans())
def test_a_flat_object_is_read_as_json_reads_it(fields: JsonObject, indent: int | None, ascii_only: bool) -> None:  # noqa: FBT001
    try:
        data = json.dumps([fields, fields], indent=indent, ensure_ascii=ascii_only).encode()
    except UnicodeEncodeError:
        return
    pieces = Pieces(data)
    assert [pieces.flat(place) for place in pieces.items()] == json.loads(data)


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, 2_000))
def test_an_export_with_bytes_changed_is_read_or_refused(changed: bytes, at: int) -> None:
    data = json.dumps(export(game(), won(id="w"))).encode()
    reading = Reading(data[:at] + changed + data[at + len(changed) :], 1_800_000_000_000)
    try:
        while reading.more():
            pass
    except Unreadable:
        return
    assert len(reading.games) <= 2


def _same(game: JsonObject) -> JsonObject:
    return {name: value for name, value in game.items() if name not in {"id", "source"}}


def _fill_in(house: House, games: list[tuple[str, int | None]], actions: str = "Kc") -> None:
    """Rows of the first player, written by another program."""
    for game_id, begun in games:
        databases.change(
            house.folder,
            "INSERT INTO games (id, player, rules, deal, actions, version, moves, outcome, begun_at, touched_at) "
            "VALUES (?, 1, 'endless', 'a', ?, 1, 1, 'playing', ?, 2000)",
            game_id,
            actions,
            begun,
        )


def _add_solution(house: House, rules: str, deal: str) -> None:
    databases.change(house.folder, "INSERT INTO solutions VALUES (1, ?, ?, 7)", rules, deal)
