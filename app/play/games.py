"""Playing: every use case around a game. Each is one transaction on the connection that it is given."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from app.play.errors import GameLeft, Illegal, NotFound, Refused, Stale
from app.play.kept import Kept, resumed
from app.play.players import Players, token_hash
from app.play.preferences import USUAL, Preferences
from app.play.recent import Recent
from app.play.table import NO_ORIGIN, Acted, GameLine, Origin, Table
from app.rules.deal import Deal, read_deal
from app.rules.game import Game, actions_text, begin
from app.rules.moves import UNDO, Action, action_text
from app.rules.ruleset import RuleSet, read_rules
from app.rules.state import IllegalMove, Outcome, Reason, outcome, start
from app.store import games, solutions
from app.store.games import StoredGame
from app.store.news import note

_ID_BYTES = 12
UNFINISHED_MOST = 12
"""How many unfinished games are told of at once."""

_AT_IT = 3_600_000
"""For so many milliseconds a player is still at the game that he touched last."""


def random_id() -> str:
    """A fresh game id: 96 random bits as 16 characters of ``A-Z a-z 0-9 - _``."""
    return secrets.token_urlsafe(_ID_BYTES)


def open_deal(rules: RuleSet, deal: Deal, origin: Origin = NO_ORIGIN) -> Table:
    """The opening table of a deal; nothing is kept of it."""
    return Table(rules, deal, begin(start(rules, deal.deck)), origin=origin)


@dataclass(frozen=True, slots=True)
class New:
    """What a page has for a game that begins on it: the key to find it again, and what its player prefers."""

    key: str
    preferences: Preferences = USUAL


class Games:
    """The games of an installation; ``now`` is the time in milliseconds since 1970, ``fresh_id`` makes ids."""

    def __init__(self, players: Players, now: Callable[[], int], fresh_id: Callable[[], str] = random_id) -> None:
        self._players = players
        self._now = now
        self._fresh_id = fresh_id
        # What was last seen of games and their owners, so that a move need not read what it is about to change. It
        # may be out of date or come from a transaction that fell through: only a change that finds the row just as
        # it was seen counts, and what is refused on its word is looked at again.
        self._seen = Recent[tuple[str, str | None], StoredGame]()
        self._kept = Kept(now)

    def show(self, connection: Connection, token: str | None, game_id: str) -> Table:
        """A player's game as it stands. Raises NotFound."""
        return self._kept.table(self._find(connection, token, game_id))

    def show_any(self, connection: Connection, game_id: str) -> Table:
        """A game as it stands, for whoever has been let see it. Raises NotFound."""
        row = games.find_any(connection, game_id)
        if row is None:
            raise NotFound
        return self._kept.table(row)

    def create(
        self,
        connection: Connection,
        token: str | None,
        rules: RuleSet,
        deal: Deal,
        preferences: Preferences = USUAL,
    ) -> tuple[Table, str | None]:
        """A new game without an action yet, and the token of its player where he is new."""
        player, new_token = self._players.known_or_new(connection, token, self._players.new_token(), preferences)
        table = replace(open_deal(rules, deal), id=self._fresh_id())
        games.add(connection, self._kept.row(table, player, begin_hash=None))
        return table, new_token

    def play_on(
        self, connection: Connection, token: str | None, table: Table, at: int, preferences: Preferences = USUAL
    ) -> tuple[Table, str | None]:
        """A new game that starts ``at`` actions into another, and the token of its player where he is new.

        ``table`` is the other game as its player or the holder of a link to it was shown it.
        """
        player, new_token = self._players.known_or_new(connection, token, self._players.new_token(), preferences)
        before = table.after(at)
        opening = (*table.opening, *before.line[: before.at])
        onward = Table(table.rules, table.deal, begin(before.state), self._fresh_id(), opening=opening)
        row = replace(self._kept.row(onward, player, begin_hash=None), source="onward", opening=actions_text(opening))
        games.add(connection, row)
        return onward, new_token

    def begin(self, connection: Connection, token: str | None, opening: Table, new: New, action: Action) -> Acted:
        """The first action on a deal's opening table, which begins a game; a second one finds the same game.

        Raises Illegal, and Stale or NotFound where the game of that key has gone on or is somebody else's.
        """
        begin_hash = _begin_hash(new.key, opening)
        begun = games.find_begun(connection, begin_hash)
        if begun is not None:
            _table, new_token = self._begun_before(connection, token, new.key, begun)
            row = self._find(connection, new_token or token, begun.id)
            return replace(self._act(connection, new_token or token, row, 0, action), token=new_token)
        table = replace(opening, id=self._fresh_id(), game=_acted(opening, action), log=action_text(action))
        new_token = self._players.token_begun_with(new.key)
        player, token = self._players.known_or_new(connection, token, new_token, new.preferences)
        row = self._kept.row(table, player, begin_hash=begin_hash)
        games.add(connection, self._kept.changed(row, table.game, action))
        note("begun", table.rules)
        note("move", table.rules)
        return Acted(table, action, opening.game.state, token)

    def act(self, connection: Connection, token: str | None, game_id: str, version: int, action: Action) -> Acted:
        """An action on a game, chosen when it had ``version`` actions.

        An exact repeat of the last action (same version, same action) changes nothing and is no error.
        Raises NotFound, GameLeft, Stale or Illegal.
        """
        seen = self._seen.get((game_id, token))
        if seen is not None and seen.version == version:
            with suppress(Refused):
                return self._act(connection, token, seen, version, action)
        return self._act(connection, token, self._find(connection, token, game_id), version, action)

    def back(self, connection: Connection, token: str | None, game_id: str, version: int, count: int) -> Acted:
        """Undo ``count`` moves at once; each counts. Otherwise as act()."""
        row = self._find(connection, token, game_id)
        table = self._kept.table(row)
        if version == row.version - count and row.actions.split()[version:] == [action_text(UNDO)] * count:
            return Acted(table, UNDO)
        if version == row.version and count > table.game.at:
            raise Illegal(table, IllegalMove(Reason.NOTHING_TO_UNDO))
        before = table.game.state
        for step in range(count):
            acted = self._act(connection, token, self._find(connection, token, game_id), version + step, UNDO)
        return replace(acted, before=before)

    def hinted(self, connection: Connection, token: str | None, game_id: str, version: int) -> Table:
        """The game, with a hint counted at a version; asking again there counts no more, nor does it once won.

        Raises NotFound, GameLeft, and Stale where the game is at another version.
        """
        row = self._find(connection, token, game_id)
        table = self._kept.table(row)
        if table.left:
            raise GameLeft(table)
        if row.version != version:
            raise Stale(table)
        if row.paused_at is not None:
            # A hint tells of cards, and a paused game shows none.
            self.pause(connection, token, game_id, on=False)
            row = self._find(connection, token, game_id)
        # Whenever it is asked for, it is help in the deal's other games; in this one until it is won.
        solutions.keep(connection, row.player, [(row.rules, row.deal, self._now())])
        if table.game.won_after is None:
            games.count_hint(connection, row)
            row = self._find(connection, token, game_id)
            self._seen.keep((row.id, token), row)
        return self._kept.table(row)

    def open(self, connection: Connection, token: str | None, opening: Table, new: New) -> tuple[Table, str | None]:
        """The game of a deal's page before its first action, which will find it under the same key.

        With the token of its player, where he is new. Raises NotFound where the key's game is somebody else's.
        """
        begin_hash = _begin_hash(new.key, opening)
        begun = games.find_begun(connection, begin_hash)
        if begun is not None:
            return self._begun_before(connection, token, new.key, begun)
        table = replace(opening, id=self._fresh_id())
        new_token = self._players.token_begun_with(new.key)
        player, made = self._players.known_or_new(connection, token, new_token, new.preferences)
        games.add(connection, self._kept.row(table, player, begin_hash=begin_hash))
        return table, made

    def pause(self, connection: Connection, token: str | None, game_id: str, *, on: bool) -> Table:
        """A game paused, or gone on with; one that has not begun or is over stays as it is. Raises NotFound.

        An action ends a pause as well.
        """
        row = self._find(connection, token, game_id)
        running = row.begun_at is not None and row.won_at is None and row.left_at is None
        if running and on != (row.paused_at is not None):
            now = self._now()
            row = replace(resumed(row, now), paused_at=now if on else None, touched_at=now)
            games.pause(connection, row)
            self._seen.keep((row.id, token), row)
        return self._kept.table(row)

    def leave(self, connection: Connection, token: str | None, game_id: str) -> Table:
        """Give a game up; one that is left or won already stays as it is. Raises NotFound."""
        row = self._find(connection, token, game_id)
        if row.left_at is None and row.won_at is None:
            now = self._now()
            left = replace(resumed(row, now), left_at=now, touched_at=now)
            if not games.change(connection, token_hash(token or ""), row, left):
                raise Stale(self._kept.table(self._find(connection, token, game_id)))
            row = left
            note("left", read_rules(row.rules))
        return self._kept.table(row)

    def unfinished(
        self, connection: Connection, token: str | None, rules: RuleSet | None = None, deal: Deal | None = None
    ) -> tuple[GameLine, ...]:
        """A player's last unfinished games, last touched first, 12 at most; of one deal if it is named."""
        if token is None:
            return ()
        slug, code = (rules.slug, deal.code) if rules and deal else (None, None)
        rows = games.unfinished(connection, token_hash(token), UNFINISHED_MOST, rules=slug, deal=code)
        return tuple(map(_line, rows))

    def interrupted(self, connection: Connection, token: str | None) -> GameLine | None:
        """The game that a player was at within the hour, if it is unfinished and not stuck; else None."""
        rows = games.unfinished(connection, token_hash(token), 1) if token is not None else []
        for row in rows:
            at_it = self._now() - row.touched_at < _AT_IT
            return _line(row) if at_it and outcome(self._kept.game(row).state) is not Outcome.STUCK else None
        return None

    def _begun_before(
        self, connection: Connection, token: str | None, key: str, row: StoredGame
    ) -> tuple[Table, str | None]:
        """The game of a key once more: for its player, or for whoever has not got the first answer yet."""
        if token is not None and games.find(connection, row.id, token_hash(token)) is not None:
            return self._kept.table(row), None
        begun_token = self._players.token_begun_with(key)
        if games.find(connection, row.id, token_hash(begun_token)) is None or row.version > 1:
            raise NotFound
        return self._kept.table(row), begun_token

    def _find(self, connection: Connection, token: str | None, game_id: str) -> StoredGame:
        row = games.find(connection, game_id, token_hash(token)) if token else None
        if row is None:
            raise NotFound
        return row

    def _act(self, connection: Connection, token: str | None, row: StoredGame, version: int, action: Action) -> Acted:
        before = self._kept.game(row)
        if row.left_at is not None:
            raise GameLeft(self._kept.table(row))
        if version == row.version - 1 and row.actions.rsplit(" ", 1)[-1] == action_text(action):
            return Acted(self._kept.table(row), action)
        if version != row.version:
            raise Stale(self._kept.table(row))
        try:
            game = before.act(action)
        except IllegalMove as why:
            raise Illegal(self._kept.table(row), why) from why
        changed = self._kept.changed(row, game, action)
        if not games.change(connection, token_hash(token or ""), row, changed):
            raise Stale(self._kept.table(row))
        self._seen.keep((row.id, token), changed)
        self._kept.remember(changed, game)
        after = self._kept.table(changed)
        if not version:
            note("begun", after.rules)
        note("move", after.rules)
        if changed.won_at is not None and row.won_at is None:
            note("won", after.rules)
        return Acted(after, action, before.state)


def _line(row: StoredGame) -> GameLine:
    return GameLine(row.id, read_rules(row.rules), read_deal(row.deal).seed, row.moves, row.touched_at, row.daily)


def _begin_hash(key: str, opening: Table) -> str:
    """What is kept of the key under which a deal's page begins its game."""
    origin = opening.origin.daily or opening.origin.challenge or ""
    return token_hash(f"{key} {opening.rules.slug} {opening.deal.code} {origin}".rstrip())


def _acted(table: Table, action: Action) -> Game:
    try:
        return table.game.act(action)
    except IllegalMove as why:
        raise Illegal(table, why) from why
