"""The rules once more, slow and obvious, written from the rules' text and sharing nothing with ``app.rules``.

Cards, moves and whole positions are texts, dicts and lists. The search at the end looks at every position there is:
use it on late positions only.
"""

from typing import TypedDict


class Rules(TypedDict):
    """The six switches; ``dataclasses.asdict`` of a rule set gives the same."""

    draw: int
    piles: int
    redeals: int | None
    open: bool
    overlap: bool
    goal: str


class Position(TypedDict):
    """``pyramid`` by row and place from 1; ``stock`` next card first; ``waste`` piles, bottom first."""

    pyramid: dict[tuple[int, int], str]
    stock: list[str]
    waste: list[list[str]]
    redeals: int | None


class Refused(ValueError):  # noqa: N818 - the reference refuses a move, that is no fault of a program.
    """A move that is not legal."""


class TooMany(RuntimeError):  # noqa: N818 - too many positions to look at.
    """The search met more positions than it was told to look at."""


def _rules(draw: int, piles: int, redeals: int | None, switches: str, goal: str = "pyramid") -> Rules:
    return {
        "draw": draw,
        "piles": piles,
        "redeals": redeals,
        "open": "open" in switches,
        "overlap": "overlap" in switches,
        "goal": goal,
    }


NAMED: dict[str, Rules] = {
    "classic": _rules(1, 1, 0, ""),
    "three-piles": _rules(3, 3, 0, ""),
    "endless": _rules(1, 1, None, ""),
    "open": _rules(1, 1, 2, "open"),
    "strict": _rules(1, 1, 2, "open", goal="all"),
    "king-tut": _rules(3, 1, None, ""),
    "tuts-tomb": _rules(3, 1, None, "overlap"),
}

UNNAMED: dict[str, Rules] = {
    "d1r1v": _rules(1, 1, 1, "overlap"),
    "d3p3r0va": _rules(3, 3, 0, "overlap", goal="all"),
    "d1rxov": _rules(1, 1, None, "open overlap"),
}
"""Some rule sets without a name, by their codes."""

VALUES = {rank: worth for worth, rank in enumerate("A23456789TJQK", start=1)}


def value(card: str) -> int:
    """Ace 1, 2-10 as printed, jack 11, queen 12, king 13."""
    return VALUES[card[0]]


def begin(rules: Rules, deck: list[str]) -> Position:
    """The table after the deal."""
    cards = list(deck)
    pyramid = {}
    for row in range(1, 8):
        for place in range(1, row + 1):
            pyramid[row, place] = cards.pop(0)
    return {
        "pyramid": pyramid,
        "stock": cards,
        "waste": [[] for _ in range(rules["piles"])],
        "redeals": rules["redeals"],
    }


def covers(position: Position, row: int, place: int) -> list[str]:
    """The cards that lie on a slot: none, one or two."""
    pyramid = position["pyramid"]
    return [pyramid[slot] for slot in ((row + 1, place), (row + 1, place + 1)) if slot in pyramid]


def exposed(rules: Rules, position: Position) -> list[str]:
    """Every exposed card."""
    cards = [card for (row, place), card in position["pyramid"].items() if not covers(position, row, place)]
    cards += [pile[-1] for pile in position["waste"] if pile]
    if rules["open"] and position["stock"]:
        cards.append(position["stock"][0])
    return cards


def won(rules: Rules, position: Position) -> bool:
    """Whether the goal's cards are gone."""
    if position["pyramid"]:
        return False
    if rules["goal"] == "pyramid":
        return True
    return not position["stock"] and all(not pile for pile in position["waste"])


def pair(one: str, other: str) -> str:
    """The notation of a pair: the card of lower value first."""
    return f"{one}+{other}" if value(one) < value(other) else f"{other}+{one}"


def legal_moves(rules: Rules, position: Position) -> set[str]:
    """Every legal move in its notation."""
    if won(rules, position):
        return set()
    cards = exposed(rules, position)
    moves = {card for card in cards if value(card) == 13}
    moves |= {pair(one, other) for one in cards for other in cards if value(one) + value(other) == 13}
    if rules["overlap"]:
        moves |= overlapping_pairs(rules, position)
    if position["stock"]:
        moves.add("draw")
    if not position["stock"] and position["redeals"] != 0 and any(position["waste"]):
        moves.add("redeal")
    return moves


def overlapping_pairs(rules: Rules, position: Position) -> set[str]:
    """A card and the one card that still covers it, which is exposed itself."""
    pairs = set()
    for (row, place), card in position["pyramid"].items():
        lying = covers(position, row, place)
        if len(lying) == 1 and lying[0] in exposed(rules, position) and value(card) + value(lying[0]) == 13:
            pairs.add(pair(card, lying[0]))
    return pairs


def apply(rules: Rules, position: Position, move: str) -> Position:
    """The position after a move."""
    if move not in legal_moves(rules, position):
        raise Refused(move)
    after = copied(position)
    if move == "draw":
        _draw(rules, after)
    elif move == "redeal":
        after["stock"] = after["waste"][0]
        after["waste"] = [[]]
        if after["redeals"] is not None:
            after["redeals"] -= 1
    else:
        for card in move.split("+"):
            _remove(after, card)
    return after


def copied(position: Position) -> Position:
    """The same position in objects of its own."""
    return {
        "pyramid": dict(position["pyramid"]),
        "stock": list(position["stock"]),
        "waste": [list(pile) for pile in position["waste"]],
        "redeals": position["redeals"],
    }


def _draw(rules: Rules, position: Position) -> None:
    for turn in range(rules["draw"]):
        if position["stock"]:
            position["waste"][turn % rules["piles"]].append(position["stock"].pop(0))


def _remove(position: Position, card: str) -> None:
    position["pyramid"] = {slot: other for slot, other in position["pyramid"].items() if other != card}
    for pile in (position["stock"], *position["waste"]):
        if card in pile:
            pile.remove(card)


def position_text(name: str, position: Position) -> str:
    """A position on one line: rule set | pyramid | stock | waste | redeals left."""
    rows = [" ".join(position["pyramid"].get((row, place), "--") for place in range(1, row + 1)) for row in range(1, 8)]
    piles = [" ".join(pile) for pile in position["waste"]]
    left = "x" if position["redeals"] is None else str(position["redeals"])
    return " | ".join([name, " / ".join(rows), " ".join(position["stock"]), " / ".join(piles), left])


def read_position(text: str) -> Position:
    """The position on a line of position_text."""
    _, rows, stock, piles, left = text.split(" | ")
    pyramid = {
        (row, place): card
        for row, cards in enumerate(rows.split(" / "), start=1)
        for place, card in enumerate(cards.split(), start=1)
        if card != "--"
    }
    waste = [pile.split() for pile in piles.split(" / ")]
    return {"pyramid": pyramid, "stock": stock.split(), "waste": waste, "redeals": None if left == "x" else int(left)}


def sequences(rules: Rules, position: Position, depth: int) -> int:
    """How many sequences of ``depth`` legal moves start here."""
    if depth == 0:
        return 1
    return sum(
        sequences(rules, apply(rules, position, move), depth - 1) for move in sorted(legal_moves(rules, position))
    )


def fewest_moves(rules: Rules, position: Position, most: int = 50_000) -> int | None:
    """The fewest moves that win, or None where nothing wins: breadth first over whole positions.

    Raises TooMany once more than ``most`` positions were met.
    """
    frontier, seen, moves = [position], {position_text("", position)}, 0
    while frontier:
        if any(won(rules, here) for here in frontier):
            return moves
        frontier = _next_positions(rules, frontier, seen)
        moves += 1
        if len(seen) > most:
            raise TooMany(most)
    return None


def _next_positions(rules: Rules, frontier: list[Position], seen: set[str]) -> list[Position]:
    found = []
    for here in frontier:
        for move in sorted(legal_moves(rules, here)):
            after = apply(rules, here, move)
            if position_text("", after) not in seen:
                seen.add(position_text("", after))
                found.append(after)
    return found
