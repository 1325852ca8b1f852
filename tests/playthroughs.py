"""The golden files of tests/golden, read: games whose actions and end are known."""

from dataclasses import dataclass
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True, slots=True)
class Win:
    """A game that its actions win, the last one being the first win; ``deal`` is a seed or 52 cards."""

    rules: str
    deal: str
    actions: tuple[str, ...]

    @property
    def is_deck(self) -> bool:
        """Whether the deal is 52 cards; else it is a seed."""
        return " " in self.deal


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A game of a seed with undo and redo: the moves counted, and the position at its end in notation."""

    rules: str
    seed: str
    actions: tuple[str, ...]
    moves: int
    end: str


def golden_lines(name: str) -> list[str]:
    """The lines of a golden file but its comments."""
    lines = (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def golden_fields(name: str) -> list[list[str]]:
    """The fields between bars of each line of a golden file."""
    return [[field.strip() for field in line.split("|")] for line in golden_lines(name)]


def wins() -> tuple[Win, ...]:
    """A won game for each named rule set."""
    return tuple(Win(rules, deal, tuple(actions.split())) for rules, deal, actions in golden_fields("wins"))


def playthroughs() -> tuple[Playthrough, ...]:
    """Two random games for each named rule set and some others."""
    blocks = "\n".join(golden_lines("playthroughs")).split("\n\n")
    return tuple(_playthrough(dict(line.split(": ", 1) for line in block.splitlines())) for block in blocks)


def _playthrough(block: dict[str, str]) -> Playthrough:
    actions = tuple(block["actions"].split())
    return Playthrough(block["rules"], block["deal"], actions, int(block["moves"]), block["end"])
