"""How many deals can be won, and in how few moves: the counting, and what was counted of the named rule sets."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.rules.deal import Seed, seeded
from app.rules.ruleset import RuleSet, read_rules
from app.rules.state import start
from app.solver.solve import Lost, Unknown, Won, solve

KEPT = Path(__file__).with_suffix(".json")
"""The odds of the named rule sets: one JSON object, by slug, made by ``python -m app odds``."""

NODES = 20_000_000
"""The budget of a search, far more than a deal of a named rule set needs, so that next to none stays unknown."""

_CHUNK = 500
_CHUNK_OF_FEWEST = 50
_Z = 1.959963984540054
_QUARTERS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of some deals.

    ``winnable`` and ``unknown`` of ``deals``, the others cannot be won; ``measured`` is how many deals were
    asked for their fewest moves as well, ``moves`` how many of these can be won in so many moves and no
    fewer, by moves, ``unmeasured`` how many can be won in a number that stayed unknown.
    """

    deals: int = 0
    winnable: int = 0
    unknown: int = 0
    measured: int = 0
    unmeasured: int = 0
    moves: tuple[tuple[int, int], ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        """The tally of both lots of deals."""
        return Tally(
            self.deals + other.deals,
            self.winnable + other.winnable,
            self.unknown + other.unknown,
            self.measured + other.measured,
            self.unmeasured + other.unmeasured,
            tuple(sorted((Counter(dict(self.moves)) + Counter(dict(other.moves))).items())),
        )


@dataclass(frozen=True, slots=True)
class Spread:
    """How the fewest moves of ``won`` deals lie: each of ``quartiles`` has that many quarters at or below it."""

    won: int
    least: int
    quartiles: tuple[int, int, int]
    most: int
    mean: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be counted: ``deals`` numbered deals from ``first`` on; of ``measured`` the fewest moves as well."""

    rules: RuleSet
    deals: int
    first: int = 1
    measured: int = 0
    nodes: int = NODES


@dataclass(frozen=True, slots=True)
class Chunk:
    """The numbered deals ``first``, ``first + 1``, …; ``fewest`` says whether their fewest moves are asked for."""

    first: int
    deals: int
    fewest: bool


@dataclass(frozen=True, slots=True)
class Odds:
    """What came of the numbered deals from ``first`` on under a rule set, with ``nodes`` as each one's budget."""

    rules: RuleSet
    first: int
    nodes: int
    tally: Tally

    @property
    def share(self) -> float:
        """The share of deals that can be won, 0..1; those that stayed unknown count as lost."""
        return self.tally.winnable / self.tally.deals

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share among all deals, whatever the unknown ones may be."""
        known, possible = self.tally.winnable, self.tally.winnable + self.tally.unknown
        return wilson(known, self.tally.deals)[0], wilson(possible, self.tally.deals)[1]

    @property
    def command(self) -> str:
        """The command that counts this."""
        words = ["python -m app odds --rules", self.rules.slug, "--deals", str(self.tally.deals)]
        if self.first != 1:
            words += ["--first", str(self.first)]
        if self.tally.measured != self.tally.deals:
            words += ["--fewest", str(self.tally.measured)]
        if self.nodes != NODES:
            words += ["--nodes", str(self.nodes)]
        return " ".join(words)


def chunks(plan: Plan) -> Iterator[Chunk]:
    """The deals of a plan in chunks, in order."""
    rest, end = plan.first + min(plan.measured, plan.deals), plan.first + plan.deals
    for first in range(plan.first, rest, _CHUNK_OF_FEWEST):
        yield Chunk(first, min(_CHUNK_OF_FEWEST, rest - first), fewest=True)
    for first in range(rest, end, _CHUNK):
        yield Chunk(first, min(_CHUNK, end - first), fewest=False)


def count(rules: RuleSet, chunk: Chunk, nodes: int = NODES) -> Tally:
    """What came of the deals of a chunk."""
    seen: Counter[str] = Counter()
    moves: Counter[int] = Counter()
    for number in range(chunk.first, chunk.first + chunk.deals):
        state = start(rules, seeded(Seed(str(number))).deck)
        match solve(state, fewest=False, nodes=nodes):
            case Lost():
                continue
            case Unknown():
                seen["unknown"] += 1
                continue
        seen["winnable"] += 1
        if chunk.fewest:
            match solve(state, nodes=nodes):
                case Won(line=line):
                    moves[len(line)] += 1
                case _:
                    seen["unmeasured"] += 1
    return Tally(
        deals=chunk.deals,
        winnable=seen["winnable"],
        unknown=seen["unknown"],
        measured=chunk.deals if chunk.fewest else 0,
        unmeasured=seen["unmeasured"],
        moves=tuple(sorted(moves.items())),
    )


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % score interval of a share, of which ``hits`` of ``of`` were seen (Wilson 1927)."""
    share, squared = hits / of, _Z * _Z
    middle = (share + squared / (2 * of)) / (1 + squared / of)
    half = _Z / (1 + squared / of) * math.sqrt(share * (1 - share) / of + squared / (4 * of * of))
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == of else middle + half)


def spread(moves: tuple[tuple[int, int], ...]) -> Spread | None:
    """The spread of a tally's moves; None where there are none."""
    won = sum(deals for _, deals in moves)
    if not won:
        return None
    mean = sum(length * deals for length, deals in moves) / won
    low, middle, high = (_at(moves, won * quarter / 4) for quarter in _QUARTERS)
    return Spread(won, moves[0][0], (low, middle, high), moves[-1][0], mean)


def odds_json(odds: Odds) -> dict[str, object]:
    """The odds as JSON has them; read_odds reads them back."""
    tally, found = odds.tally, spread(odds.tally.moves)
    return {
        "rules": odds.rules.slug,
        "command": odds.command,
        "first": odds.first,
        "nodes": odds.nodes,
        "deals": tally.deals,
        "winnable": tally.winnable,
        "unknown": tally.unknown,
        "share": round(odds.share, 6),
        "interval": [round(end, 6) for end in odds.interval],
        "fewest": {
            "deals": tally.measured,
            "unknown": tally.unmeasured,
            "won": found.won if found else 0,
            "min": found.least if found else None,
            "quartiles": list(found.quartiles) if found else None,
            "max": found.most if found else None,
            "mean": round(found.mean, 3) if found else None,
            "moves": {str(length): deals for length, deals in tally.moves},
        },
    }


def read_odds(kept: Mapping[str, object]) -> Odds:
    """The odds that JSON tells; what follows from the counts is not read but counted again."""
    fewest = kept["fewest"]
    if not isinstance(fewest, Mapping):
        raise TypeError("“fewest” is no object")
    tally = Tally(
        deals=_whole(kept["deals"]),
        winnable=_whole(kept["winnable"]),
        unknown=_whole(kept["unknown"]),
        measured=_whole(fewest["deals"]),
        unmeasured=_whole(fewest["unknown"]),
        moves=tuple((int(length), _whole(deals)) for length, deals in fewest["moves"].items()),
    )
    return Odds(read_rules(str(kept["rules"])), _whole(kept["first"]), _whole(kept["nodes"]), tally)


@cache
def named_odds() -> Mapping[str, Odds]:
    """The odds of the named rule sets, by slug."""
    return {slug: read_odds(kept) for slug, kept in json.loads(KEPT.read_text("utf-8")).items()}


def _at(moves: tuple[tuple[int, int], ...], rank: float) -> int:
    """The least number of moves with at least ``rank`` deals at or below it."""
    below = 0
    for length, deals in moves:
        below += deals
        if below >= rank:
            return length
    raise ValueError(f"there are only {below} deals")


def _whole(found: object) -> int:
    if not isinstance(found, int):
        raise TypeError(f"{found!r} is no whole number")
    return found
