"""What hypothesis draws from: rule sets, seeds, decks, and games and positions under them."""

from random import Random

from hypothesis import strategies as st

from app.rules.board import SLOTS
from app.rules.cards import PACK, Card
from app.rules.deal import Deck, Seed
from app.rules.game import Game, begin
from app.rules.moves import Action, Discard
from app.rules.ruleset import Goal, RuleSet
from app.rules.state import State, start, uncovered

GOALS: tuple[Goal, ...] = ("pyramid", "all")
REDEALS: tuple[int | None, ...] = (None, *range(10))

RULE_SETS: tuple[RuleSet, ...] = tuple(
    RuleSet(draw, piles, redeals, open_stock, overlap, goal)
    for draw, piles, redeals_allowed, open_allowed in (
        (1, 1, REDEALS, (False, True)),
        (3, 1, REDEALS, (False,)),
        (3, 3, (0,), (False,)),
    )
    for redeals in redeals_allowed
    for open_stock in open_allowed
    for overlap in (False, True)
    for goal in GOALS
)
"""Every legal combination: 88 with draw 1, 44 with draw 3 and one pile, 4 with three piles."""

SEED_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Any legal rule set."""
    return st.sampled_from(RULE_SETS)


def seeds() -> st.SearchStrategy[Seed]:
    """Any seed."""
    return st.text(SEED_CHARACTERS, min_size=1, max_size=64).map(Seed)


def decks() -> st.SearchStrategy[Deck]:
    """Any deck."""
    return st.permutations(PACK).map(tuple)


def randomness() -> st.SearchStrategy[Random]:
    """Random numbers of a drawn seed: cheaper than drawing each number."""
    return st.integers(min_value=0, max_value=2**32 - 1).map(Random)


@st.composite
def games(draw: st.DrawFn, most: int = 100) -> Game:
    """A game after random actions, undo and redo included, which discards more often than not."""
    random = draw(randomness())
    game = begin(start(draw(rule_sets()), _shuffled(random)))
    for _ in range(draw(st.integers(min_value=0, max_value=most))):
        actions = game.legal_actions()
        if not actions:
            break
        game = game.act(chosen(random, actions))
    return game


@st.composite
def thinned(draw: st.DrawFn) -> State:
    """A position made by taking cards off the table: late ones are as frequent as early ones.

    Its discarded cards need not add up to thirteens, so not every one can be reached in play.
    """
    rules, random = draw(rule_sets()), draw(randomness())
    deck = _shuffled(random)
    pyramid = _thinned_pyramid(random, deck, draw(st.integers(min_value=0, max_value=28)))
    rest = list(deck[28 : 28 + draw(st.integers(min_value=0, max_value=24))])
    turned = random.randint(0, len(rest))
    stock, waste = rest[turned:], rest[:turned]
    if rules.piles == 3:
        stock = stock[: len(stock) // 3 * 3]
    piles = tuple(tuple(waste[pile :: rules.piles]) for pile in range(rules.piles))
    left = None if rules.redeals is None else random.randint(0, rules.redeals)
    return State(rules, pyramid, tuple(stock), piles, left)


def positions() -> st.SearchStrategy[State]:
    """A position reached by random play, or a thinned one."""
    return st.one_of(games().map(lambda game: game.state), thinned())


def chosen(random: Random, actions: tuple[Action, ...]) -> Action:
    """One of some actions, a discard three times out of four where there is one."""
    discards = [action for action in actions if isinstance(action, Discard)]
    return random.choice(discards) if discards and random.random() < 0.75 else random.choice(actions)


def _shuffled(random: Random) -> Deck:
    return tuple(random.sample(PACK, 52))


def _thinned_pyramid(random: Random, deck: Deck, left: int) -> tuple[Card | None, ...]:
    """The deck's pyramid with ``left`` cards in it: exposed cards are taken until no more are there."""
    pyramid: list[Card | None] = list(deck[:28])
    for _ in range(28 - left):
        takable = [slot for slot in SLOTS if pyramid[slot] is not None and uncovered(tuple(pyramid), slot)]
        pyramid[random.choice(takable)] = None
    return tuple(pyramid)
