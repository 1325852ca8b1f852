"""A game as its player meets it, and what comes of an action."""

from dataclasses import dataclass

from app.rules.deal import Deal, Seed
from app.rules.game import Game
from app.rules.moves import Action
from app.rules.ruleset import RuleSet
from app.rules.state import State


@dataclass(frozen=True, slots=True)
class Table:
    """A deal on the table, with the game played on it so far.

    ``id`` is None for a deal that nobody has begun to play. ``seconds`` run from the first action to
    now, or to the first win. ``left`` is true once the player gave the game up. ``hints`` counts the
    positions at which a hint was asked for, ``hinted`` tells whether it was at this one.
    """

    rules: RuleSet
    deal: Deal
    game: Game
    id: str | None = None
    seconds: int = 0
    left: bool = False
    hints: int = 0
    hinted: bool = False

    @property
    def version(self) -> int:
        """How many actions the game has seen; every action names the version that it was chosen at."""
        return self.game.actions


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


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line in the list of a player's games.

    ``seed`` is None where the deck was given; ``touched_at`` in milliseconds since 1970, UTC.
    """

    id: str
    rules: RuleSet
    seed: Seed | None
    moves: int
    touched_at: int
