"""Whole games and counts whose outcome is known, played by the rules and by the reference."""

import pytest

from app.rules.cards import card_text
from app.rules.deal import read_seed, shuffled
from app.rules.ruleset import NAMED
from app.rules.state import IllegalMove, Outcome, State, apply, legal_moves, outcome, state_text
from tests import reference
from tests.playthroughs import GOLDEN, Playthrough, Win, golden_fields, playthroughs, wins
from tests.rules.tables import dealt, replayed

RULES = {**reference.NAMED, **reference.UNNAMED}


def sequences(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(sequences(apply(state, move), depth - 1) for move in legal_moves(state))


def test_every_golden_file_tells_its_source() -> None:
    files = sorted(GOLDEN.glob("*.txt"))
    assert [file.stem for file in files] == ["playthroughs", "sequences", "shuffle", "wins"]
    assert all(file.read_text("utf-8").startswith("# source: ") for file in files)


@pytest.mark.parametrize("golden", playthroughs(), ids=lambda golden: golden.seed)
def test_a_golden_playthrough_ends_in_its_position(golden: Playthrough) -> None:
    game = replayed(golden.rules, shuffled(read_seed(golden.seed)), golden.actions)
    assert state_text(game.state) == golden.end
    assert game.moves == golden.moves


def test_golden_playthroughs_cover_every_named_rule_set_with_undo_redo_and_redeal() -> None:
    recorded = playthroughs()
    assert set(NAMED) < {golden.rules for golden in recorded}
    assert {"undo", "redo", "draw", "redeal"} < {action for golden in recorded for action in golden.actions}


@pytest.mark.parametrize("golden", golden_fields("sequences"), ids=lambda golden: f"{golden[0]}-{len(golden[2])}")
def test_the_number_of_move_sequences_is_the_same_in_the_rules_and_the_reference(golden: list[str]) -> None:
    name, seed, first, counts = golden
    state = replayed(name, shuffled(read_seed(seed)), tuple(first.split())).state
    position = reference.read_position(state_text(state))
    for depth, count in enumerate(map(int, counts.split()), start=1):
        assert sequences(state, depth) == count
    assert reference.sequences(RULES[name], position, len(counts.split())) == int(counts.split()[-1])


@pytest.mark.parametrize("win", wins(), ids=lambda win: win.rules)
def test_a_golden_win_is_won_by_its_last_action_and_not_before(win: Win) -> None:
    game = replayed(win.rules, dealt(win), win.actions)
    assert [outcome(state) for state in game.states] == [Outcome.PLAYING] * len(win.actions) + [Outcome.WON]
    assert game.moves == game.won_after == len(win.actions)


@pytest.mark.parametrize("win", wins(), ids=lambda win: win.rules)
def test_a_golden_win_is_won_by_the_reference_too(win: Win) -> None:
    rules = RULES[win.rules]
    position = reference.begin(rules, [card_text(card) for card in dealt(win)])
    for move in win.actions:
        position = reference.apply(rules, position, move)
    assert reference.won(rules, position)


def test_there_is_a_golden_win_for_every_named_rule_set() -> None:
    assert {win.rules for win in wins()} == set(NAMED)


def test_the_golden_win_of_tuts_tomb_needs_its_overlap() -> None:
    win = next(win for win in wins() if win.rules == "tuts-tomb")
    with pytest.raises(IllegalMove):
        replayed("king-tut", dealt(win), win.actions)
