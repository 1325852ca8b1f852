"""Rule sets: what varies between the games of Pyramid, their names and their short codes."""

import re
from dataclasses import dataclass
from typing import Literal

from app.rules.cards import Unreadable, shown

Goal = Literal["pyramid", "all"]

_CODE = re.compile(r"d(?P<draw>[13])(?P<piles>p3)?r(?P<redeals>[0-9x])(?P<open>o)?(?P<overlap>v)?(?P<goal>a)?")
_MOST_REDEALS = 9
_ALL_PILES = 3


class IllegalRuleSet(ValueError):  # noqa: N818 - named as the rules name it.
    """A combination of switches that is not a game; ``str()`` gives the reason, in English."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The six switches of rules.md; every legal combination is playable.

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
        for fault, reason in self._faults():
            if fault:
                raise IllegalRuleSet(reason)

    def _faults(self) -> tuple[tuple[bool, str], ...]:
        redeals_fit = self.redeals is None or 0 <= self.redeals <= _MOST_REDEALS
        three_piles = self.piles == _ALL_PILES
        return (
            (self.draw not in {1, 3}, "draw is 1 or 3"),
            (self.piles not in {1, _ALL_PILES}, "piles is 1 or 3"),
            (not redeals_fit, "redeals is 0 to 9, or unlimited"),
            (self.goal not in {"pyramid", "all"}, "goal is pyramid or all"),
            (three_piles and self.draw == 1, "three waste piles need draw 3"),
            (three_piles and self.redeals != 0, "three waste piles allow no redeal"),
            (self.open and self.draw != 1, "an open stock needs draw 1"),
        )

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
        return _SLUGS.get(self, self.code)


NAMED: dict[str, RuleSet] = {
    "classic": RuleSet(redeals=0),
    "three-piles": RuleSet(draw=3, piles=3, redeals=0),
    "endless": RuleSet(),
    "open": RuleSet(redeals=2, open=True),
    "strict": RuleSet(redeals=2, open=True, goal="all"),
    "king-tut": RuleSet(draw=3),
    "tuts-tomb": RuleSet(draw=3, overlap=True),
}
"""The named rule sets by slug, the seeds' games first."""

DEFAULT = NAMED["endless"]
"""The rule set for a new player."""

_SLUGS = {rules: slug for slug, rules in NAMED.items()}


def read_rules(text: str) -> RuleSet:
    """The rule set that a slug or a short code names.

    Raises Unreadable for a text that is neither, IllegalRuleSet for a code whose combination is no game.
    """
    if text in NAMED:
        return NAMED[text]
    found = _CODE.fullmatch(text)
    if found is None:
        raise Unreadable(f"“{shown(text)}” is no rule set: it is one of {', '.join(NAMED)}, or a code such as d1r2o")
    redeals = found["redeals"]
    return RuleSet(
        draw=int(found["draw"]),
        piles=_ALL_PILES if found["piles"] else 1,
        redeals=None if redeals == "x" else int(redeals),
        open=bool(found["open"]),
        overlap=bool(found["overlap"]),
        goal="all" if found["goal"] else "pyramid",
    )
