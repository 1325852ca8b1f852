"""Kept games: the table that a row of the store shows, and the row that is kept of a table."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from app.play.recent import Recent
from app.play.table import NO_ORIGIN, Origin, Table
from app.rules.deal import read_deal
from app.rules.game import Game, begin, play
from app.rules.moves import Action, Move, action_text, read_action, read_move
from app.rules.ruleset import read_rules
from app.rules.state import outcome, start
from app.store.games import StoredGame

_LONG = 1_000
_POSITIONS = 30_000
"""How many positions of folded games are kept, and as many of very long ones: some 12 MB each.

That is enough for five hundred at the tables; where more play, a fold is made anew, in a fraction of a millisecond.
"""

_Fold = tuple[str, Game]


class Kept:
    """Reads rows as tables, and writes tables as rows; ``now`` is the time in milliseconds since 1970."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        # Folded games, by id, each with the very text of the actions that it is the fold of; those of the few very
        # long ones apart, so that they drive out no others.
        self._folds = Recent[str, _Fold](_POSITIONS, _positions)
        self._long_folds = Recent[str, _Fold](_POSITIONS, _positions)

    def table(self, row: StoredGame) -> Table:
        """The game of a row as it stands."""
        return Table(
            read_rules(row.rules),
            read_deal(row.deal),
            self.game(row),
            row.id,
            self._seconds(row),
            row.left_at is not None,
            row.hints,
            row.hinted_at == row.version,
            _moves(row.opening),
            Origin(row.daily, row.challenge) if row.daily or row.challenge else NO_ORIGIN,
            row.actions,
            row.paused_at is not None,
        )

    def game(self, row: StoredGame) -> Game:
        """The fold of a row's actions."""
        actions, game = self._long_folds.get(row.id) or self._folds.get(row.id) or ("", None)
        if game is None or actions != row.actions:
            deck = read_deal(row.deal).deck
            first = play(begin(start(read_rules(row.rules), deck)), _moves(row.opening)).state
            game = play(begin(first), map(read_action, row.actions.split()))
            self.remember(row, game)
        return game

    def remember(self, row: StoredGame, game: Game) -> None:
        """Keep the fold of a row's actions in memory."""
        (self._folds if game.actions <= _LONG else self._long_folds).keep(row.id, (row.actions, game))

    def row(self, table: Table, player: int, begin_hash: str | None) -> StoredGame:
        """The row of a player's new game without an action."""
        return StoredGame(
            id=table.id or "",
            player=player,
            begin_hash=begin_hash,
            rules=table.rules.slug,
            deal=table.deal.code,
            actions="",
            version=0,
            moves=0,
            outcome=outcome(table.game.state).value,
            begun_at=None,
            touched_at=self._now(),
            won_at=None,
            left_at=None,
            hints=0,
            hinted_at=None,
            daily=table.origin.daily,
            challenge=table.origin.challenge,
        )

    def changed(self, row: StoredGame, game: Game, action: Action) -> StoredGame:
        """The row after an action that led to a game."""
        now = self._now()
        begun_at = now if row.begun_at is None else row.begun_at
        row = resumed(row, now)
        won = row.won_at is None and game.won_after is not None
        return replace(
            row,
            actions=f"{row.actions} {action_text(action)}".lstrip(),
            version=game.actions,
            moves=game.moves,
            outcome=outcome(game.state).value,
            begun_at=begun_at,
            touched_at=now,
            won_at=now if won else row.won_at,
            won_in=max(0, now - begun_at - row.paused_for) if won else row.won_in,
        )

    def _seconds(self, row: StoredGame) -> int:
        """Whole seconds from the first action to the first win, to leaving, or to now, less the pauses; 0 or more."""
        if row.begun_at is None:
            return 0
        if row.won_in is not None:
            return row.won_in // 1000
        until = row.won_at or row.left_at or row.paused_at or max(self._now(), row.touched_at)
        return max(0, until - row.begun_at - row.paused_for) // 1000


def resumed(row: StoredGame, now: int) -> StoredGame:
    """The row of a game that goes on now: a pause, if it has one, ends.

    Where the clock was set back since the game was last touched, its time goes on from there; nothing is won by that.
    """
    gained = row.touched_at - now if row.begun_at is not None else 0
    if row.paused_at is None and gained <= 0:
        return row
    paused = 0 if row.paused_at is None else max(0, now - row.paused_at)
    return replace(row, paused_at=None, paused_for=row.paused_for + paused - max(0, gained))


def _positions(fold: _Fold) -> int:
    return len(fold[1].states)


@lru_cache(maxsize=1_024)
def _moves(text: str) -> tuple[Move, ...]:
    return tuple(map(read_move, text.split()))
