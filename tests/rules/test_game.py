from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.rules.cards import PACK
from app.rules.deal import Deck
from app.rules.game import ACTIONS_MOST, Fold, Game, actions_text, begin, play
from app.rules.moves import DRAW, REDEAL, REDO, UNDO, Action, action_text, read_action
from app.rules.ruleset import DEFAULT, RuleSet
from app.rules.state import IllegalMove, Reason, State, apply, is_won, legal_moves, start, state_text
from tests import reference
from tests.rules.tables import EVERY_MOVE, as_reference, table
from tests.strategies import decks, games, positions, rule_sets


def played(state: State, actions: str) -> Game:
    return play(begin(state), map(read_action, actions.split()))


def refused(game: Game, action: Action) -> Reason:
    with pytest.raises(IllegalMove) as raised:
        game.act(action)
    return raised.value.reason


@given(games())
def test_undo_of_a_move_is_the_position_before_and_redo_the_one_after(game: Game) -> None:
    for move in legal_moves(game.state):
        moved = game.act(move)
        assert moved.state == apply(game.state, move)
        assert moved.act(UNDO).state == game.state
        assert moved.act(UNDO).act(REDO).state == moved.state
        assert moved.act(UNDO).act(REDO).line == moved.line


@given(games(), st.data())
def test_playing_many_actions_is_taking_one_after_another(game: Game, data: st.DataObject) -> None:
    fold = Fold(game)
    for _ in range(data.draw(st.integers(0, 30))):
        action = data.draw(st.sampled_from((*game.legal_actions(), DRAW, REDEAL, UNDO, REDO)))
        if action in game.legal_actions():
            before, game = game, game.act(action)
            assert fold.act(action) == (game.line[game.at] if action == UNDO else game.line[game.at - 1])
            assert fold.state == game.state != before.state
        else:
            with pytest.raises(IllegalMove) as again:
                fold.act(action)
            assert again.value.reason is refused(game, action)
        assert fold.game == game


@given(games())
def test_undoing_all_leads_back_to_the_deal_and_redoing_all_to_the_end_of_the_line(game: Game) -> None:
    while game.can_undo:
        game = game.act(UNDO)
    assert (game.at, game.state) == (0, game.states[0])
    while game.can_redo:
        game = game.act(REDO)
    assert game.state == game.states[-1]


@given(games())
def test_the_states_are_the_fold_of_the_line(game: Game) -> None:
    assert len(game.states) == len(game.line) + 1
    for before, move, afterwards in zip(game.states, game.line, game.states[1:], strict=False):
        assert apply(before, move) == afterwards


@given(games())
def test_a_move_after_undo_drops_what_could_be_redone(game: Game) -> None:
    for move in legal_moves(game.state):
        moved = game.act(move)
        assert not moved.can_redo
        assert moved.line == (*game.line[: game.at], move)
        assert moved.states == (*game.states[: game.at + 1], moved.state)


@given(games())
def test_each_action_counts_one_move_until_the_first_win(game: Game) -> None:
    for action in game.legal_actions():
        acted = game.act(action)
        assert acted.actions == game.actions + 1
        assert acted.moves == (game.moves if game.won_after is not None else game.moves + 1)


@given(games())
def test_legal_actions_are_the_legal_moves_then_undo_then_redo(game: Game) -> None:
    offered = game.legal_actions()
    assert offered[: len(legal_moves(game.state))] == legal_moves(game.state)
    assert offered[len(legal_moves(game.state)) :] == (*[UNDO] * (game.at > 0), *[REDO] * (game.at < len(game.line)))


@settings(max_examples=20)
@given(games())
def test_a_game_accepts_exactly_its_legal_actions_and_never_changes(game: Game) -> None:
    before = (game.states, game.line, game.at, game.actions, game.won_after)
    for action in (*EVERY_MOVE, UNDO, REDO):
        try:
            game.act(action)
        except IllegalMove:
            assert action not in game.legal_actions()
        else:
            assert action in game.legal_actions()
    assert (game.states, game.line, game.at, game.actions, game.won_after) == before


@given(rule_sets(), decks())
def test_a_game_begins_without_moves(rules: RuleSet, deck: Deck) -> None:
    state = start(rules, deck)
    game = begin(state)
    assert (game.state, game.moves, game.won_after, game.can_undo, game.can_redo) == (state, 0, None, False, False)


def test_undo_and_redo_count_as_moves() -> None:
    game = played(table("endless", "Ac", stock="2c 3c"), "draw undo redo undo draw draw")
    assert (game.moves, game.actions, game.won_after) == (6, 6, None)
    assert game.state == table("endless", "Ac", waste="2c 3c")


def test_at_the_deal_there_is_nothing_to_undo() -> None:
    assert refused(begin(table("endless", "Ac")), UNDO) == Reason.NOTHING_TO_UNDO


def test_at_the_end_of_the_line_there_is_nothing_to_redo() -> None:
    state = table("endless", "Ac", stock="2c 3c")
    assert refused(begin(state), REDO) == Reason.NOTHING_TO_REDO
    assert refused(played(state, "draw undo draw"), REDO) == Reason.NOTHING_TO_REDO
    assert refused(played(state, "draw undo redo"), REDO) == Reason.NOTHING_TO_REDO


def test_undo_goes_back_over_a_redeal() -> None:
    state = table("open", "Ac", stock="2c")
    assert played(state, "draw redeal undo").state == table("open", "Ac", waste="2c")


def test_undo_of_an_undo_is_not_redo_but_one_more_step_back() -> None:
    state = table("endless", "Ac", stock="2c 3c")
    assert played(state, "draw draw undo undo").state == state


def test_the_count_freezes_at_the_first_win() -> None:
    won = played(table("endless", "Kc", stock="2c"), "draw undo Kc")
    assert (won.moves, won.won_after) == (3, 3)
    later = play(won, [UNDO, DRAW, REDEAL, DRAW, UNDO, UNDO, UNDO, REDO])
    assert (later.moves, later.won_after, later.actions) == (3, 3, 11)


def test_a_second_win_does_not_count_again() -> None:
    game = played(table("endless", "Kc", stock="2c"), "Kc undo draw Kc")
    assert is_won(game.state)
    assert (game.moves, game.won_after) == (1, 1)


def test_redo_into_the_win_keeps_the_first_count() -> None:
    assert played(table("endless", "Kc", stock="2c"), "draw Kc undo redo").moves == 2


def test_after_the_win_only_undo_and_redo_are_open() -> None:
    won = played(table("endless", "Kc", stock="2c"), "Kc")
    assert won.legal_actions() == (UNDO,)
    assert refused(won, DRAW) == Reason.ALREADY_WON
    assert played(table("endless", "Kc", stock="2c"), "Kc undo").legal_actions() == (read_action("Kc"), DRAW, REDO)


def test_play_stops_at_the_first_refused_action() -> None:
    with pytest.raises(IllegalMove) as raised:
        played(table("endless", "Kc", stock="2c"), "draw draw Kc")
    assert raised.value.reason == Reason.STOCK_EMPTY


def test_actions_are_written_with_a_space_between() -> None:
    assert actions_text(map(read_action, ["draw", "7h+6d", "Kd", "undo"])) == "draw 6d+7h Kd undo"
    assert actions_text([]) == ""


class PlayedGame(RuleBasedStateMachine):
    """A game beside the naive model of it: the list of positions, a cursor, and two counts."""

    @initialize(state=positions())
    def deal(self, state: State) -> None:
        self.game = begin(state)
        self.switches, position = as_reference(state)
        self.positions: list[reference.Position] = [position]
        self.cursor = self.count = 0
        self.frozen: int | None = None

    def _counted(self) -> None:
        self.count += 1
        if self.frozen is None and reference.won(self.switches, self.positions[self.cursor]):
            self.frozen = self.count

    def _moves(self) -> list[str]:
        return sorted(reference.legal_moves(self.switches, self.positions[self.cursor]))

    @precondition(lambda self: self._moves())
    @rule(choice=st.integers(0, 30))
    def move(self, choice: int) -> None:
        text = self._moves()[choice % len(self._moves())]
        del self.positions[self.cursor + 1 :]
        self.positions.append(reference.apply(self.switches, self.positions[self.cursor], text))
        self.cursor += 1
        self._counted()
        self.game = self.game.act(read_action(text))

    @precondition(lambda self: self.cursor > 0)
    @rule()
    def undo(self) -> None:
        self.cursor -= 1
        self._counted()
        self.game = self.game.act(UNDO)

    @precondition(lambda self: self.cursor + 1 < len(self.positions))
    @rule()
    def redo(self) -> None:
        self.cursor += 1
        self._counted()
        self.game = self.game.act(REDO)

    @rule(action=st.sampled_from([*EVERY_MOVE[:54], UNDO, REDO]))
    def refused_action(self, action: Action) -> None:
        open_to_undo = {"undo"} if self.cursor else set()
        open_to_redo = {"redo"} if self.cursor + 1 < len(self.positions) else set()
        if action_text(action) not in {*self._moves(), *open_to_undo, *open_to_redo}:
            with pytest.raises(IllegalMove):
                self.game.act(action)

    @invariant()
    def the_game_is_as_the_model(self) -> None:
        position = self.positions[self.cursor]
        assert state_text(self.game.state) == reference.position_text(self.game.state.rules.slug, position)
        assert {action_text(move) for move in legal_moves(self.game.state)} == set(self._moves())
        assert (self.game.can_undo, self.game.can_redo) == (self.cursor > 0, self.cursor + 1 < len(self.positions))
        assert (self.game.actions, self.game.won_after) == (self.count, self.frozen)
        assert self.game.moves == (self.count if self.frozen is None else self.frozen)


PlayedGame.TestCase.settings = settings(max_examples=80, stateful_step_count=25, deadline=None)
TestPlayedGame = PlayedGame.TestCase


def test_a_game_takes_no_end_of_actions() -> None:
    game = replace(begin(start(DEFAULT, PACK)).act(DRAW), actions=ACTIONS_MOST)
    for action in (DRAW, UNDO):
        assert refused(game, action) is Reason.TOO_LONG
        with pytest.raises(IllegalMove):
            Fold(game).act(action)
    assert replace(game, actions=ACTIONS_MOST - 1).act(UNDO).actions == ACTIONS_MOST
