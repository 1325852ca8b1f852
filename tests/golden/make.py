"""Makes the golden files beside it anew. A deliberate command, from the project's root:

    python -m tests.golden.make shuffle playthroughs sequences wins

(any of the four; the wins take some minutes, the others seconds).
They pin what must never change, so a file that comes out different is a broken promise to players (or a bug here),
not a reason to commit the new one. Nothing here uses ``app``: the shuffle below is written anew from its description,
the rest is made with tests/reference.py.
"""

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests import reference
from tests.reference import Position, Rules

HERE = Path(__file__).parent

SEEDS = (
    *("0", "a", "A", ".", "-", "_"),
    *("pyramid", "PYRAMID", "Pyramid", "2024-02-29", "a.b-c_D"),
    *("0123456789abcdef" * 4, "Z" * 64, "." * 64, "13"),
)
FIRST = {"three-piles": 12, "d3p3r0va": 12, "king-tut": 16, "tuts-tomb": 16}
"""How many moves are made before the second count, so that it meets an empty stock."""

RULES = {**reference.NAMED, **reference.UNNAMED}

CLASSIC_DECK = (
    "9c Kc 3s Ts Td 7d 6s Ac 8d As 3h Qh 7h Qc 3d Jh Tc Kh 4h 7s 2s 6d Ad Th 2d 6c 7c 5d Ks 9h Qs 5h 9s 8s Kd 5s 5c 3c "
    "Qd Jd 6h Ah 2h 9d 4d 4s Js 4c 8h Jc 8c 2c"
)
"""Few classic deals can be won, so this one is no seed's."""


def shuffled(seed: str) -> list[str]:
    """Fisher-Yates from the last card down; each index is a byte of SHA-256, redrawn where it would be biased."""
    deck = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    data, used = b"", 0
    for last in range(51, 0, -1):
        choices = last + 1
        while True:
            if used == len(data):
                data += hashlib.sha256(f"pyramid13:{seed}:{used // 32}".encode()).digest()
            byte, used = data[used], used + 1
            if byte < 256 // choices * choices:
                break
        deck[last], deck[byte % choices] = deck[byte % choices], deck[last]
    return deck


def shuffle_lines() -> Iterator[str]:
    """A seed and its deck on each line."""
    for seed in SEEDS:
        yield f"{seed} | {' '.join(shuffled(seed))}"


def sequence_lines() -> Iterator[str]:
    """Rules, seed, moves to make first, and the numbers of sequences of 1, 2, 3 … moves from there."""
    for name, rules in RULES.items():
        start = reference.begin(rules, shuffled("count"))
        yield f"{name} | count |  | {' '.join(map(str, _counts(rules, start)))}"
        first = random_play(rules, "count", undo=False)[0][: FIRST.get(name, 36)]
        yield f"{name} | count | {' '.join(first)} | {' '.join(map(str, _counts(rules, _after(rules, start, first))))}"


def _counts(rules: Rules, position: Position) -> list[int]:
    counts: list[int] = []
    while len(counts) < 12 and (not counts or 0 < counts[-1] < 1000):
        counts.append(reference.sequences(rules, position, len(counts) + 1))
    return counts


def _after(rules: Rules, position: Position, moves: list[str]) -> Position:
    for move in moves:
        position = reference.apply(rules, position, move)
    return position


def playthrough_lines() -> Iterator[str]:
    """Blocks of a deal, the actions of a random player, the moves counted and the position at the end."""
    for name, rules in RULES.items():
        for seed in (f"{name}.1", f"{name}.2"):
            actions, moves, end = random_play(rules, seed)
            yield from (f"rules: {name}", f"deal: {seed}", f"actions: {' '.join(actions)}")
            yield from (f"moves: {moves}", f"end: {reference.position_text(name, end)}", "")


def random_play(rules: Rules, seed: str, *, undo: bool = True) -> tuple[list[str], int, Position]:
    """At most 90 actions, perhaps undo and redo among them; the moves counted, and where they lead."""
    random = Random(seed)
    line, at, actions, won_after = [reference.begin(rules, shuffled(seed))], 0, [], None
    for _ in range(90):
        action = _random_action(random, rules, line if undo else line[-1:], at if undo else 0)
        if action is None:
            break
        if action not in {"undo", "redo"}:
            line = [*line[: at + 1], reference.apply(rules, line[at], action)]
        at += -1 if action == "undo" else 1
        actions.append(action)
        if won_after is None and reference.won(rules, line[at]):
            won_after = len(actions)
    return actions, won_after or len(actions), line[at]


def _random_action(random: Random, rules: Rules, line: list[Position], at: int) -> str | None:
    moves = sorted(reference.legal_moves(rules, line[at]))
    if at + 1 < len(line) and random.random() < 0.5:
        return "redo"
    if at and random.random() < (0.08 if moves else 0.7):
        return "undo"
    discards = [move for move in moves if move not in {"draw", "redeal"}]
    return random.choice(discards if discards and random.random() < 0.8 else moves) if moves else None


def win_lines() -> Iterator[str]:
    """Rules, a deal, and moves that win it: of the first seeds the one that takes the fewest."""
    yield f"classic | {CLASSIC_DECK} | {' '.join(_searched('classic', CLASSIC_DECK.split()))}"
    for name in ("three-piles", "endless", "open", "strict", "king-tut", "tuts-tomb"):
        found = {seed: _searched(name, shuffled(seed)) for seed in (f"win-{number}" for number in range(1, 31))}
        seed = min((seed for seed in found if found[seed]), key=lambda seed: len(found[seed]))
        yield f"{name} | {seed} | {' '.join(found[seed])}"


def _searched(name: str, deck: list[str], width: int = 300, longest: int = 80) -> list[str]:
    """Moves that win, or none found: of all positions after n moves only the most promising few are followed."""
    rules = RULES[name]
    beam: list[tuple[Position, list[str]]] = [(reference.begin(rules, deck), [])]
    seen: set[str] = set()
    for _ in range(longest):
        reached: dict[str, tuple[Position, list[str]]] = {}
        for position, moves in beam:
            for move in sorted(reference.legal_moves(rules, position)):
                after = reference.apply(rules, position, move)
                if reference.won(rules, after):
                    return [*moves, move]
                reached.setdefault(reference.position_text("", after), (after, [*moves, move]))
        fresh = [found for text, found in reached.items() if text not in seen]
        seen |= set(reached)
        beam = sorted(fresh, key=lambda found: _promise(rules, found[0]))[:width]
    return []


def _promise(rules: Rules, position: Position) -> int:
    """Fewer cards to discard come first; of as many, those with more of the stock still to come."""
    rest = len(position["stock"]) + sum(map(len, position["waste"]))
    return len(position["pyramid"]) * 4 - len(position["stock"]) + (2 * rest if rules["goal"] == "all" else 0)


FILES: dict[str, tuple[Callable[[], Iterator[str]], str]] = {
    "shuffle": (shuffle_lines, "the shuffle in tests/golden/make.py; a line is seed | deck"),
    "playthroughs": (playthrough_lines, "a random player on tests/reference.py, by tests/golden/make.py"),
    "sequences": (
        sequence_lines,
        (
            "tests/reference.py, by tests/golden/make.py; a line is rules | seed | moves made first | "
            "numbers of sequences of 1, 2, 3 … moves from there"
        ),
    ),
    "wins": (
        win_lines,
        "a search on tests/reference.py, by tests/golden/make.py; a line is rules | deck or seed | actions",
    ),
}


def main(names: list[str]) -> None:
    """Write the named files."""
    if not names or not set(names) <= set(FILES):
        sys.exit(f"which of {', '.join(FILES)}?")
    for name in names:
        lines, source = FILES[name]
        (HERE / f"{name}.txt").write_text("\n".join([f"# source: {source}", *lines()]).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
