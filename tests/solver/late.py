"""Late positions, which a search over every position there is can answer, and its answers."""

from collections.abc import Iterator
from functools import cache
from random import Random

from app.rules.board import SLOTS
from app.rules.cards import PACK, THIRTEEN, Card, value
from app.rules.ruleset import RuleSet
from app.rules.state import Pyramid, State, apply, is_won, legal_moves, uncovered

MOST_POSITIONS = 3_000
LOST_KEPT = 0.3
"""The share of lost positions that is kept, so that enough of the others can be won."""


def late(random: Random, rules: RuleSet) -> State:
    """A position with few cards, most of them with a partner in stock or waste, so that many can be won.

    Its discarded cards need not add up to thirteens, so not every one can be reached in play.
    """
    pyramid = _pyramid(random, random.randint(1, 12))
    cards = [card for card in pyramid if card is not None]
    rest = [card for card in random.sample(PACK, len(PACK)) if card not in cards]
    chosen = {*filter(None, (_partner(card, rest, random) for card in cards)), *rest[: random.randint(0, 5)]}
    stock = [card for card in rest if card in chosen][:24]
    turned = random.randint(0, len(stock))
    if rules.piles == 3:
        turned += (len(stock) - turned) % 3
    waste, left = stock[:turned], rules.redeals
    piles = tuple(tuple(waste[pile :: rules.piles]) for pile in range(rules.piles))
    return State(
        rules, pyramid, tuple(stock[turned:]), piles, None if left is None else random.randint(0, min(left, 3))
    )


@cache
def answered(rules: RuleSet, positions: int) -> tuple[tuple[State, int | None], ...]:
    """Some late positions of a rule set and the fewest moves that win them, None where nothing does."""
    return tuple(_answered(Random(rules.code), rules, positions))


def fewest_moves(state: State, most: int = MOST_POSITIONS) -> int | None:
    """The fewest moves that win, or None where nothing wins: breadth first over whole positions.

    Raises OverflowError once more than ``most`` positions were met.
    """
    frontier, seen, moves = [state], {state}, 0
    while frontier:
        if any(map(is_won, frontier)):
            return moves
        after = {apply(here, move): None for here in frontier for move in legal_moves.__wrapped__(here)}
        frontier = [there for there in after if there not in seen]
        seen.update(frontier)
        moves += 1
        if len(seen) > most:
            raise OverflowError
    return None


def _answered(random: Random, rules: RuleSet, positions: int) -> Iterator[tuple[State, int | None]]:
    while positions:
        state = late(random, rules)
        try:
            moves = fewest_moves(state)
        except OverflowError:
            continue
        if moves is not None or random.random() < LOST_KEPT:
            positions -= 1
            yield state, moves


def _pyramid(random: Random, left: int) -> Pyramid:
    pyramid: list[Card | None] = list(random.sample(PACK, len(SLOTS)))
    for _ in range(len(SLOTS) - left):
        free = [slot for slot in SLOTS if pyramid[slot] is not None and uncovered(tuple(pyramid), slot)]
        pyramid[random.choice(free)] = None
    return tuple(pyramid)


def _partner(card: Card, cards: list[Card], random: Random) -> Card | None:
    fitting = [other for other in cards if value(card) + value(other) == THIRTEEN]
    return random.choice(fitting) if fitting and random.random() < 0.9 else None
