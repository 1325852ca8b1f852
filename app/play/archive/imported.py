"""How much of an export or a game text is believed when it comes: what the rules replay, and times that can be."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import count
from typing import Any, Literal

from app.play.archive.exported import FORMAT, TIMES, VERSION
from app.play.archive.pieces import Pieces
from app.play.players import read_name
from app.play.preferences import USUAL, chosen
from app.rules.cards import Unreadable, shown
from app.rules.deal import read_deal
from app.rules.game import actions_text
from app.rules.record import Record, check_result, replayed
from app.rules.ruleset import IllegalRuleSet, read_rules

GAMES_MOST = 200_000
"""The most games in an export that is read, and the most solutions."""

_What = Literal["game", "solution"]

_PARTS = ("format", "version", "exported_at", "player", "games", "solutions")
_PLAYER_NAMES = {"name", "created_at", "preferences"}
_TEXTS = ("id", "rules", "deal", "opening", "actions", "result")
_GAME_NAMES = {*_TEXTS, *TIMES, "source", "daily", "won_in", "hints", "hinted_at"}
_SOLUTION_NAMES = {"rules", "deal", "seen_at"}
_SOURCES = {"played", "onward", "imported"}
_ID_MOST = 64
_DAY_MS = 86_400_000
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

_PIECE = 2_500
"""How much is read between two pauses: an action counts 1, a game 40 more."""

_EACH = 40


@dataclass(frozen=True, slots=True)
class Carried:
    """A game that comes from elsewhere, replayed; ``id`` is the one that it had there."""

    id: str
    rules: str
    deal: str
    opening: str
    actions: str
    version: int
    moves: int
    outcome: str
    source: str
    begun_at: int | None
    touched_at: int
    won_at: int | None = None
    left_at: int | None = None
    won_in: int | None = None
    hints: int = 0
    hinted_at: int | None = None


def carried(record: Record, now: int, game_id: str) -> Carried:
    """A game of which nothing is known but its text, as if it had been played just now."""
    version, won_at, left_at = len(record.actions), now if record.won else None, now if record.left else None
    return Carried(game_id, *_figures(record), _source(record), now if version else None, now, won_at, left_at)


class Reading:
    """An export, read a piece at a time, so that nobody has to wait for the whole of it.

    Once more() is false, ``games``, ``solutions``, ``name`` and ``preferences`` are what it holds.
    """

    def __init__(self, data: bytes, now: int) -> None:
        self.games: list[Carried] = []
        self.solutions: list[tuple[str, str, int]] = []
        self.name: str | None = None
        self.preferences = USUAL
        self._json = Pieces(data)
        # A clock elsewhere may be ahead a little; what it calls later counts as now.
        self._now, self._latest = now, now + _DAY_MS
        self._ids: set[str] = set()
        self._work = self._read()

    def more(self) -> bool:
        """Read a piece; false once there is no more. Raises Unreadable, which names the game at fault."""
        return next(self._work, self) is None

    def _read(self) -> Iterator[None]:
        seen = set[str]()
        for name in self._json.names():
            if name not in _PARTS or name in seen:
                raise Unreadable("“%(name)s” does not belong into an export, or stands in it twice", name=shown(name))
            seen.add(name)
            if name == "games":
                yield from self._each(self._read_game, "game")
            elif name == "solutions":
                yield from self._each(self._read_solution, "solution")
            else:
                self._read_part(name, self._json.value())
        self._json.end()
        for name in _PARTS:
            if name not in seen:
                raise Unreadable("the export has no “%(name)s”", name=name)

    def _each(self, read: Callable[[dict[str, Any]], int], what: _What) -> Iterator[None]:
        """Read the objects of an array, with a pause now and then."""
        work = 0
        for number, place in zip(count(1), self._json.items(), strict=False):
            if number > GAMES_MOST:
                raise _too_many(what)
            try:
                work += read(self._json.flat(place))
            except (Unreadable, IllegalRuleSet) as why:
                raise _at_fault(what, number, why) from why
            # Whoever else waits for the interpreter goes first.
            time.sleep(0)
            if work >= _PIECE:
                work = 0
                yield

    def _read_part(self, name: str, value: object) -> None:
        if name == "format" and value != FORMAT:
            raise Unreadable("this is no export of Pyramid 13")
        if name == "version" and not (type(value) is int and value == VERSION):
            raise Unreadable("only exports of version %(version)s can be read", version=VERSION)
        if name == "exported_at":
            _number(value, name, 0, self._latest)
        if name == "player":
            self._read_player(value)

    def _read_player(self, value: object) -> None:
        if not isinstance(value, dict) or value.keys() != _PLAYER_NAMES:
            raise Unreadable("the player in the export has a name, created_at and preferences")
        _number(value["created_at"], "created_at", 0, self._latest)
        self.name = None if value["name"] is None else read_name(_text(value["name"], "name"))
        if not isinstance(value["preferences"], dict):
            raise Unreadable("the preferences in the export cannot be read")
        self.preferences = chosen(value["preferences"])

    def _read_solution(self, fields: dict[str, Any]) -> int:
        _exactly(fields, _SOLUTION_NAMES)
        rules, deal = read_rules(_text(fields["rules"], "rules")), read_deal(_text(fields["deal"], "deal"))
        self.solutions.append(
            (rules.slug, deal.code, min(self._now, _number(fields["seen_at"], "seen_at", 0, self._latest)))
        )
        return _EACH

    def _read_game(self, fields: dict[str, Any]) -> int:
        _exactly(fields, _GAME_NAMES)
        texts = {name: _text(fields[name], name) for name in _TEXTS}
        if not (0 < len(texts["id"]) <= _ID_MOST and texts["id"].isprintable()) or texts["id"] in self._ids:
            raise Unreadable("its id “%(id)s” cannot be read, or stands in the export twice", id=shown(texts["id"]))
        self._ids.add(texts["id"])
        rules, deal = read_rules(texts["rules"]), read_deal(texts["deal"])
        record = replayed(rules, deal, texts["opening"].split(), texts["actions"].split())
        check_result(record, texts["result"])
        if fields["source"] not in _SOURCES:
            raise Unreadable("its source is played, onward or imported")
        _check_day(fields["daily"])
        version = len(record.actions)
        hints = _number(fields["hints"], "hints", 0, version + 1)
        hinted_at = _number_or_none(fields["hinted_at"], "hinted_at", 0, version)
        times = self._times(fields, record)
        source = _source(record, fields["source"])
        self.games.append(Carried(texts["id"], *_figures(record), source, *times, hints, hinted_at))
        return _EACH + version

    def _times(
        self, fields: dict[str, Any], record: Record
    ) -> tuple[int | None, int, int | None, int | None, int | None]:
        """When a game was begun, touched, won and left, and how long the win took: in an order that can be."""
        touched = _number(fields["touched_at"], "touched_at", 0, self._latest)
        begun = _number_or_none(fields["begun_at"], "begun_at", 0, touched)
        least = begun or 0
        won_at = _number_or_none(fields["won_at"], "won_at", least, touched)
        left_at = _number_or_none(fields["left_at"], "left_at", least, touched)
        won_in = _number_or_none(fields["won_in"], "won_in", 0, touched - least)
        if (begun is None) != (not record.actions):
            raise Unreadable("it has been begun with its first action, and not before")
        if (won_at is not None) != record.won or (won_in is not None and not record.won):
            raise Unreadable("it has a time of winning where it was won, and only there")
        if won_at is not None and left_at is not None:
            raise Unreadable("it cannot be both won and left")
        now = self._now
        begun, won_at, left_at = (None if at is None else min(at, now) for at in (begun, won_at, left_at))
        return begun, min(touched, now), won_at, left_at, won_in


def _too_many(what: _What) -> Unreadable:
    if what == "game":
        return Unreadable("an export may have %(most)s games at the most", most=GAMES_MOST)
    return Unreadable("an export may have %(most)s solutions at the most", most=GAMES_MOST)


def _at_fault(what: _What, number: int, why: Unreadable | IllegalRuleSet) -> Unreadable:
    if what == "game":
        return Unreadable("game %(number)s: %(why)s", number=number, why=why)
    return Unreadable("solution %(number)s: %(why)s", number=number, why=why)


def _exactly(fields: dict[str, Any], names: set[str]) -> None:
    for name in sorted(names.symmetric_difference(fields)):
        raise Unreadable("“%(name)s” is missing, or should not be there", name=shown(name))


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise Unreadable("%(name)s should be a text", name=name)
    return value


def _number(value: object, name: str, least: int, most: int) -> int:
    # A bool is an int for isinstance().
    if type(value) is not int or not least <= value <= most:
        # The bounds are written as they would stand in the export, in plain digits.
        raise Unreadable(
            "%(name)s should be a whole number from %(least)s to %(most)s", name=name, least=str(least), most=str(most)
        )
    return value


def _number_or_none(value: object, name: str, least: int, most: int) -> int | None:
    return None if value is None else _number(value, name, least, most)


def _check_day(value: object) -> None:
    if value is None:
        return
    try:
        if not _DAY.fullmatch(_text(value, "daily")):
            raise Unreadable("daily should be a day, as in 2027-01-31")
        date.fromisoformat(_text(value, "daily"))
    except ValueError as why:
        raise Unreadable("daily should be a day, as in 2027-01-31") from why


def _figures(record: Record) -> tuple[str, str, str, str, int, int, str]:
    """What a row keeps of a replayed game: rules, deal, opening, actions, version, moves, outcome."""
    texts = (record.rules.slug, record.deal.code, actions_text(record.opening), actions_text(record.actions))
    return *texts, len(record.actions), record.moves, record.outcome.value


def _source(record: Record, source: str = "") -> str:
    """Where a game that was brought came from: one played on from a position stays that, and counts nowhere."""
    return "onward" if record.opening or source == "onward" else "imported"
