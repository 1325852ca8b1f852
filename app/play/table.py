"""A game as its player meets it, and what comes of an action."""

from dataclasses import dataclass

from app.rules.deal import Deal, Seed
from app.rules.game import Game, begin, play
from app.rules.moves import Action, Move, read_action
from app.rules.ruleset import RuleSet
from app.rules.state import State


@dataclass(frozen=True, slots=True)
class Origin:
    """What a game was begun from besides its deal: a day whose daily deal it is (YYYY-MM-DD), or a challenge's key."""

    daily: str | None = None
    challenge: str | None = None


NO_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class Table:
    """A deal on the table, with the game played on it so far.

    ``id`` is None for a deal that nobody has begun to play. ``seconds`` run from the first action to
    now, or to the first win. ``left`` is true once the player gave the game up. ``hints`` counts the
    positions at which a hint was asked for, ``hinted`` tells whether it was at this one. ``opening`` are the moves
    from the deal to where an onward game starts. ``origin`` tells what the game was begun from.
    ``log`` are its actions in their notation, a space between them. ``paused`` until its player goes on: no card
    of it is shown, and the clock stands still.
    """

    rules: RuleSet
    deal: Deal
    game: Game
    id: str | None = None
    seconds: int = 0
    left: bool = False
    hints: int = 0
    hinted: bool = False
    opening: tuple[Move, ...] = ()
    origin: Origin = NO_ORIGIN
    log: str = ""
    paused: bool = False

    @property
    def version(self) -> int:
        """How many actions the game has seen; every action names the version that it was chosen at."""
        return self.game.actions

    @property
    def over(self) -> bool:
        """Whether nothing counts any more: the game was won once, or given up."""
        return self.left or self.game.won_after is not None

    def after(self, actions: int) -> Game:
        """The game as it stood after so many of its actions, 0..version."""
        return play(begin(self.game.states[0]), map(read_action, self.log.split()[:actions]))


@dataclass(frozen=True, slots=True)
class Acted:
    """What comes of an action: the table after it.

    ``before`` is the position before the action, or None where it was an exact repeat of the last
    one (a double click, a retry) and nothing was applied. ``token`` is the token of a player who came
    into being with this action, else None.
    """

    table: Table
    action: Action
    before: State | None = None
    token: str | None = None

    @property
    def wins(self) -> bool:
        """Whether this very action won the game for the first time."""
        return self.before is not None and self.table.game.won_after == self.table.version


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line in the list of a player's games.

    ``seed`` is None where the deck was given; ``touched_at`` in milliseconds since 1970, UTC; ``daily`` the day whose
    deal it is, or None.
    """

    id: str
    rules: RuleSet
    seed: Seed | None
    moves: int
    touched_at: int
    daily: str | None = None
