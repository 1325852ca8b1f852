"""A game: a deal, a rule set and the actions taken; everything else is their fold."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.rules.moves import REDO, UNDO, Action, Move, Redo, Undo, action_text
from app.rules.state import IllegalMove, Reason, State, apply, is_won, legal_moves

ACTIONS_MOST = 20_000
"""The most actions that a game takes: some hundred times the longest that anybody needs."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game in progress; ``act`` gives the game after an action, and never changes this one.

    ``states`` the positions of the current line, the start first; ``line`` the moves between them;
    ``at`` the index of the shown position (what lies behind it can be redone); ``actions`` how many
    actions were taken, each counting one move; ``won_after`` that count at the first win, else None.
    """

    states: tuple[State, ...]
    line: tuple[Move, ...] = ()
    at: int = 0
    actions: int = 0
    won_after: int | None = None

    @property
    def state(self) -> State:
        """The shown position."""
        return self.states[self.at]

    @property
    def moves(self) -> int:
        """Draws, redeals, discards, undos and redos so far, frozen at the first win."""
        return self.actions if self.won_after is None else self.won_after

    @property
    def can_undo(self) -> bool:
        """Whether a move can be undone."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether an undone move can be redone."""
        return self.at < len(self.line)

    def legal_actions(self) -> tuple[Action, ...]:
        """The legal moves in their order, then undo, then redo, where they can be taken."""
        undo = (UNDO,) if self.can_undo else ()
        redo = (REDO,) if self.can_redo else ()
        return (*legal_moves(self.state), *undo, *redo)

    def act(self, action: Action) -> "Game":
        """The game after an action. Raises IllegalMove, with the reason."""
        if self.actions >= ACTIONS_MOST:
            raise IllegalMove(Reason.TOO_LONG)
        match action:
            case Undo():
                return self._step(-1, Reason.NOTHING_TO_UNDO, possible=self.can_undo)
            case Redo():
                return self._step(1, Reason.NOTHING_TO_REDO, possible=self.can_redo)
            case move:
                return self._play(move)

    def _step(self, by: int, refusal: Reason, *, possible: bool) -> "Game":
        if not possible:
            raise IllegalMove(refusal)
        return self._counted(self.states, self.line, self.at + by)

    def _play(self, move: Move) -> "Game":
        after = apply(self.state, move)
        return self._counted((*self.states[: self.at + 1], after), (*self.line[: self.at], move), self.at + 1)

    def _counted(self, states: tuple[State, ...], line: tuple[Move, ...], at: int) -> "Game":
        actions, won_after = self.actions + 1, self.won_after
        if won_after is None and is_won(states[at]):
            won_after = actions
        return Game(states, line, at, actions, won_after)


def begin(state: State) -> Game:
    """A game at its start."""
    return Game((state,))


def play(game: Game, actions: Iterable[Action]) -> Game:
    """The game after some more actions. Raises IllegalMove at the first that the rules refuse."""
    fold = Fold(game)
    for action in actions:
        fold.act(action)
    return fold.game


class Fold:
    """A game that takes many actions in place: what Game.act says, without a copy of the line for each of them."""

    def __init__(self, game: Game) -> None:
        self._states, self._line = list(game.states), list(game.line)
        self._at, self._actions, self._won_after = game.at, game.actions, game.won_after

    @property
    def game(self) -> Game:
        """The game after the actions so far."""
        return Game(tuple(self._states), tuple(self._line), self._at, self._actions, self._won_after)

    @property
    def state(self) -> State:
        """The position after the actions so far."""
        return self._states[self._at]

    def act(self, action: Action) -> Move:
        """Take an action; the move that it made, made again or took back. Raises IllegalMove, and is as before."""
        if self._actions >= ACTIONS_MOST:
            raise IllegalMove(Reason.TOO_LONG)
        match action:
            case Undo():
                self._step(-1, Reason.NOTHING_TO_UNDO)
                move = self._line[self._at]
            case Redo():
                self._step(1, Reason.NOTHING_TO_REDO)
                move = self._line[self._at - 1]
            case move:
                after = apply(self._states[self._at], move)
                self._line[self._at :] = [move]
                self._at += 1
                self._states[self._at :] = [after]
        self._actions += 1
        if self._won_after is None and is_won(self._states[self._at]):
            self._won_after = self._actions
        return move

    def _step(self, by: int, refusal: Reason) -> None:
        if not 0 <= self._at + by < len(self._states):
            raise IllegalMove(refusal)
        self._at += by


def actions_text(actions: Iterable[Action]) -> str:
    """Actions in their notation, a space between them."""
    return " ".join(map(action_text, actions))
