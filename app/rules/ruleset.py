"""Rule sets: what varies between the games of Pyramid, their names and their short codes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.rules.cards import Unreadable, shown
from app.rules.hashed import Hashed
from app.rules.told import Told

Goal = Literal["pyramid", "all"]

_CODE = re.compile(r"d(?P<draw>[13])(?P<piles>p3)?r(?P<redeals>[0-9x])(?P<open>o)?(?P<overlap>v)?(?P<goal>a)?")
_MOST_REDEALS = 9
_ALL_PILES = 3


class IllegalRuleSet(Told, ValueError):  # noqa: N818 - named as the rules name it.
    """A combination of switches that is not a game, and the reason."""


@dataclass(frozen=True, slots=True)
class RuleSet(Hashed):
    """The six switches of the game; every legal combination is playable.

    ``draw`` 1 or 3 cards per draw; ``piles`` 1 or 3 waste piles; ``redeals`` 0..9, or None for
    unlimited; ``open`` the stock's top card lies face up and is exposed; ``overlap`` a card also pairs
    with the one card that still covers it; ``goal`` what must be gone to win. Raises IllegalRuleSet.
    """

    draw: int = 1
    piles: int = 1
    redeals: int | None = None
    open: bool = False
    overlap: bool = False
    goal: Goal = "pyramid"

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise fault

    __hash__ = Hashed.__hash__

    def _faults(self) -> Iterator[IllegalRuleSet]:
        three_piles = self.piles == _ALL_PILES
        if self.draw not in {1, 3}:
            yield IllegalRuleSet("draw is 1 or 3")
        if self.piles not in {1, _ALL_PILES}:
            yield IllegalRuleSet("piles is 1 or 3")
        if self.redeals is not None and not 0 <= self.redeals <= _MOST_REDEALS:
            yield IllegalRuleSet("redeals is 0 to 9, or unlimited")
        if self.goal not in {"pyramid", "all"}:
            yield IllegalRuleSet("goal is pyramid or all")
        if three_piles and self.draw == 1:
            yield IllegalRuleSet("three waste piles need draw 3")
        if three_piles and self.redeals != 0:
            yield IllegalRuleSet("three waste piles allow no redeal")
        if self.open and self.draw != 1:
            yield IllegalRuleSet("an open stock needs draw 1")

    @property
    def code(self) -> str:
        """The short code, as in ``d1r2oa``.

        ``d1`` or ``d3``, ``p3`` for three piles, ``r`` and 0-9 or ``x`` for unlimited redeals, then ``o`` for
        an open stock, ``v`` for overlap, ``a`` where all 52 cards must go.
        """
        return "".join(
            (
                f"d{self.draw}",
                "p3" if self.piles == _ALL_PILES else "",
                "rx" if self.redeals is None else f"r{self.redeals}",
                "o" if self.open else "",
                "v" if self.overlap else "",
                "a" if self.goal == "all" else "",
            )
        )

    @property
    def slug(self) -> str:
        """What links carry: the name of a named rule set, else its code."""
        return _slug(self)


NAMED: dict[str, RuleSet] = {
    "classic": RuleSet(redeals=0),
    "three-piles": RuleSet(draw=3, piles=3, redeals=0),
    "endless": RuleSet(),
    "open": RuleSet(redeals=2, open=True),
    "strict": RuleSet(redeals=2, open=True, goal="all"),
    "king-tut": RuleSet(draw=3),
    "tuts-tomb": RuleSet(draw=3, overlap=True),
}
"""The named rule sets by slug, in the order in which they are shown."""

DEFAULT = NAMED["endless"]
"""The rule set for a new player."""

_SLUGS = {rules: slug for slug, rules in NAMED.items()}


@lru_cache(maxsize=1_024)
def _slug(rules: RuleSet) -> str:
    return _SLUGS.get(rules, rules.code)


@lru_cache(maxsize=1_024)
def read_rules(text: str) -> RuleSet:
    """The rule set that a slug or a short code names.

    Raises Unreadable for a text that is neither, IllegalRuleSet for a code whose combination is no game.
    """
    if text in NAMED:
        return NAMED[text]
    found = _CODE.fullmatch(text)
    if found is None:
        raise Unreadable(
            "“%(text)s” is no rule set: it is one of %(names)s, or a code such as d1r2o",
            text=shown(text),
            names=", ".join(NAMED),
        )
    redeals = found["redeals"]
    return RuleSet(
        draw=int(found["draw"]),
        piles=_ALL_PILES if found["piles"] else 1,
        redeals=None if redeals == "x" else int(redeals),
        open=bool(found["open"]),
        overlap=bool(found["overlap"]),
        goal="all" if found["goal"] else "pyramid",
    )
