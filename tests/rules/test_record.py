"""A game as a text: what is written is read back, and nothing in it is taken on trust."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.rules.cards import PACK, Unreadable
from app.rules.deal import Deal, Deck, Seed, deck_text, read_deal, seeded
from app.rules.game import actions_text, begin, play
from app.rules.moves import action_text, read_action
from app.rules.record import (
    ACTIONS_MOST,
    TEXT_MOST,
    BrokenRecord,
    Record,
    game_text,
    read_game_text,
    recorded,
    refused,
    replayed,
)
from app.rules.ruleset import NAMED, RuleSet, read_rules
from app.rules.state import IllegalMove, Outcome, Reason, apply, legal_moves, start
from tests.playthroughs import Playthrough, Win, playthroughs, wins
from tests.strategies import chosen, decks, randomness, rule_sets, seeds

TEXT = """\
pyramid13 game
rules: endless
deal: a
actions: Kc 6c+7d undo redo draw
result: open, 5 moves
"""

ONWARD = """\
pyramid13 game
rules: endless
deal: a
opening: Kc 6c+7d
actions: draw
result: open, 1 move
"""


def deals() -> st.SearchStrategy[Deal]:
    """A deal of a seed, or of a deck that was given."""
    return st.one_of(seeds().map(seeded), decks().map(Deal))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A game by random actions, undo and redo included, from the deal or from a position some moves on."""
    rules, deal, random = draw(rule_sets()), draw(deals()), draw(randomness())
    state, opening = start(rules, deal.deck), list[str]()
    for _ in range(draw(st.integers(0, 12))):
        if moves := legal_moves(state):
            move = random.choice(moves)
            state = apply(state, move)
            opening.append(action_text(move))
    game, actions = begin(state), list[str]()
    for _ in range(draw(st.integers(0, 80))):
        if legal := game.legal_actions():
            action = chosen(random, legal)
            game = game.act(action)
            actions.append(action_text(action))
    record = replayed(rules, deal, opening, actions)
    return replace(record, left=draw(st.booleans()) and not record.won)


@given(records())
@example(read_game_text(TEXT))
@example(read_game_text(ONWARD))
def test_a_game_is_read_back_from_its_text(record: Record) -> None:
    assert read_game_text(game_text(record)) == record


@given(records())
def test_no_line_of_a_text_is_longer_than_100_characters_and_continuations_are_indented(record: Record) -> None:
    lines = game_text(record).split("\n")
    assert max(map(len, lines)) <= 100
    assert lines[-1] == ""
    names = [line.partition(":")[0] for line in lines[1:-1] if not line.startswith("  ")]
    assert names in (["rules", "deal", "actions", "result"], ["rules", "deal", "opening", "actions", "result"])


@given(records(), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", " ", " \t"]), st.sampled_from(["", "\n\n"]))
def test_line_ends_trailing_spaces_and_empty_lines_around_do_no_harm(
    record: Record, ends: str, trailing: str, around: str
) -> None:
    lines = game_text(record).rstrip("\n").split("\n")
    text = around + "".join(line + trailing + ends for line in lines) + around
    assert read_game_text(text) == record


@given(records())
def test_replaying_a_record_is_playing_its_actions(record: Record) -> None:
    opened = play(begin(start(record.rules, record.deal.deck)), record.opening).state
    game = play(begin(opened), record.actions)
    assert replace(record, left=False) == recorded(record.rules, record.deal, record.opening, record.actions, game)


@given(records(), st.data())
def test_a_text_with_an_action_left_out_is_refused_or_tells_of_another_game(
    record: Record, data: st.DataObject
) -> None:
    if not record.actions:
        return
    gone = data.draw(st.integers(0, len(record.actions) - 1))
    actions = (*record.actions[:gone], *record.actions[gone + 1 :])
    lines = game_text(record).split("\nactions:")[0]
    text = f"{lines}\nactions: {actions_text(actions)}\nresult: {record.result}\n"
    # A won game may go on after its win; what is left out there does not change its result.
    if record.won and gone >= record.moves:
        return
    with pytest.raises(Unreadable):
        read_game_text(text)


@given(st.text() | st.text("pyramid13 gamerules: dealctionsu\n+dhcK6789"))
def test_no_text_is_read_as_a_game_but_a_game(text: str) -> None:
    with pytest.raises(Unreadable):
        read_game_text(text)


@given(st.integers(0, len(ONWARD) - 1), st.characters())
def test_a_text_with_a_letter_changed_is_a_game_or_unreadable(at: int, letter: str) -> None:
    try:
        record = read_game_text(ONWARD[:at] + letter + ONWARD[at + 1 :])
    except Unreadable:
        return
    assert read_game_text(game_text(record)) == record


@pytest.mark.parametrize("win", wins(), ids=lambda win: f"{win.rules}-{win.deal[:8]}")
def test_a_won_game_is_written_as_won(win: Win) -> None:
    record = replayed(read_rules(win.rules), _deal(win), (), win.actions)
    assert record.result == f"won, {len(win.actions)} moves"
    assert read_game_text(game_text(record)) == record


@pytest.mark.parametrize("played", playthroughs(), ids=lambda played: f"{played.rules}-{played.seed[:8]}")
def test_a_record_counts_as_the_game_does(played: Playthrough) -> None:
    record = replayed(read_rules(played.rules), read_deal(played.seed), (), played.actions)
    assert record.moves == played.moves


def test_a_won_game_that_was_played_on_keeps_its_moves() -> None:
    win = next(win for win in wins() if not win.is_deck)
    record = replayed(NAMED[win.rules], _deal(win), (), (*win.actions, "undo"))
    assert (record.result, record.outcome) == (f"won, {len(win.actions)} moves", Outcome.PLAYING)
    assert read_game_text(game_text(record)) == record


def test_a_text_says_what_it_is() -> None:
    assert game_text(read_game_text(TEXT)) == TEXT
    assert game_text(read_game_text(ONWARD)) == ONWARD


def test_a_game_of_a_deck_carries_the_deck() -> None:
    deck: Deck = read_deal("a").deck
    record = replayed(RuleSet(), Deal(deck), (), ["Kc"])
    text = game_text(record)
    assert deck_text(deck) in " ".join(text.split())
    assert read_game_text(text).deal == Deal(deck)


@pytest.mark.parametrize("seed", ["-", ".", "a-b-c", "-" * 64, "result", "104"])
def test_a_seed_of_any_form_stays_on_its_line(seed: str) -> None:
    record = replayed(RuleSet(), seeded(Seed(seed)), (), [])
    assert f"\ndeal: {seed}\n" in game_text(record)
    assert read_game_text(game_text(record)) == record


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("Kd", "action 3, Kd: "),
        ("6x+7h", "action 3, 6x+7h: “6x” is not a card"),
        ("redo", "action 3, redo: nothing to redo"),
        ("redeal", "action 3, redeal: stock not empty"),
        ("6c+7d", "action 3, 6c+7d: not on the table: 6c 7d"),
        ("<script>", "action 3, <script>: "),
        ("x" * 500, f"action 3, {'x' * 24}…: "),
    ],
)
def test_a_refused_action_is_named_with_its_number(action: str, said: str) -> None:
    with pytest.raises(BrokenRecord) as raised:
        read_game_text(TEXT.replace("undo", action))
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_is_told_in_the_words_of_its_reason_with_its_cards(reason: Reason) -> None:
    cards = PACK[5:7] if reason in {Reason.NOT_ON_TABLE, Reason.COVERED, Reason.NOT_THIRTEEN} else ()
    why = IllegalMove(reason, cards)
    words = reason.replace("-", " ").replace("on table", "on the table")
    assert str(refused(why)) == f"{words}: 6c 7c" if cards else words


def test_a_refused_opening_move_is_named_with_its_number() -> None:
    for move in ("undo", "Kd", "6c+7d"):
        with pytest.raises(BrokenRecord, match=f"opening move 3, {move.replace('+', '[+]')}: "):
            read_game_text(ONWARD.replace("opening: Kc 6c+7d", f"opening: Kc 6c+7d {move}"))


@pytest.mark.parametrize("result", ["won, 5 moves", "stuck, 5 moves", "open, 4 moves", "open, 0 moves"])
def test_another_result_than_the_one_replayed_is_refused(result: str) -> None:
    with pytest.raises(BrokenRecord, match="the result should be open, 5 moves"):
        read_game_text(TEXT.replace("open, 5 moves", result))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pyramid13 game", "pyramid13"),
        ("pyramid13 game\n", ""),
        ("pyramid13 game\n", "pyramid13 game\n  rules: endless\n"),
        ("rules: endless\n", ""),
        ("rules: endless", "rules: d1p3r0"),
        ("rules: endless", "rules: nothing"),
        ("rules: endless\ndeal: a", "deal: a\nrules: endless"),
        ("deal: a\n", "deal: a\ndeal: a\n"),
        ("deal: a\n", "deal: ä\n"),
        ("deal: a\n", "deal: As As\n"),
        ("deal: a\n", "deal:\n"),
        ("deal: a\n", "deal: a\n\n"),
        ("actions:", "moves:"),
        ("open, 5 moves", "open"),
        ("open, 5 moves", "open, 05 moves"),
        ("open, 5 moves", "open, 5 moves."),
        ("open, 5 moves", "open, 99999999999 moves"),
        ("result: open, 5 moves\n", ""),
        ("result: open, 5 moves\n", "result: open, 5 moves\nnote: mine\n"),
    ],
)
def test_another_form_is_unreadable(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(Unreadable):
        read_game_text(TEXT.replace(old, new, 1))


def test_a_game_that_was_given_up_is_written_as_given_up() -> None:
    record = replace(read_game_text(TEXT), left=True)
    assert record.result == "given up, 5 moves"
    assert game_text(record) == TEXT.replace("open", "given up")
    win = next(win for win in wins() if not win.is_deck)
    won = replayed(NAMED[win.rules], _deal(win), (), win.actions)
    with pytest.raises(BrokenRecord, match="should be won"):
        read_game_text(game_text(won).replace("won", "given up"))


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u2007"])
def test_no_break_spaces_are_read_as_spaces(space: str) -> None:
    assert read_game_text(TEXT.replace(" ", space)) == read_game_text(TEXT)


@pytest.mark.parametrize(("letter", "said"), [("é", "é"), ("“", "“"), ("\u200b", "�")])
def test_a_character_that_does_not_belong_into_a_text_is_named(letter: str, said: str) -> None:
    with pytest.raises(Unreadable, match=f"plain characters only, and “{said}” is none"):
        read_game_text(TEXT.replace("Kc", f"Kc{letter}"))


def test_a_text_of_more_than_256_kilobytes_is_unreadable() -> None:
    draws = TEXT_MOST // 5
    with pytest.raises(Unreadable, match="262144"):
        read_game_text(TEXT.replace("Kc", "draw " * draws))


def test_a_game_of_20000_actions_is_read_and_one_of_more_is_not() -> None:
    actions = ["Kc", "undo"] * (ACTIONS_MOST // 2)
    assert read_game_text(game_text(replayed(RuleSet(), read_deal("a"), (), actions[:5_000]))).moves == 5_000
    assert replayed(RuleSet(), read_deal("a"), (), actions).moves == ACTIONS_MOST
    with pytest.raises(BrokenRecord, match="20000"):
        replayed(RuleSet(), read_deal("a"), (), [*actions, "Kc"])


def test_the_two_cards_of_a_pair_may_stand_in_either_order() -> None:
    swapped = read_game_text(TEXT.replace("6c+7d", "7D+6c"))
    assert swapped.actions[1] == read_action("6c+7d")
    assert game_text(swapped) == TEXT


def _deal(win: Win) -> Deal:
    return read_deal(win.deal.replace(" ", ""))
