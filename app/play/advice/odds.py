"""How many deals of a rule set can be won, as counted by ``python -m app odds``."""

import json
from functools import lru_cache
from importlib.resources import files

from app.rules.ruleset import RuleSet


@lru_cache(maxsize=1)
def _counted() -> dict[str, dict[str, int]]:
    path = files("app.solver") / "odds.json"
    counted: dict[str, dict[str, int]] = json.loads(path.read_text()) if path.is_file() else {}
    return counted


def share(rules: RuleSet) -> float | None:
    """The percentage of deals that can be won, or None for a rule set that was not counted."""
    counted = _counted().get(rules.slug)
    return 100 * counted["winnable"] / counted["deals"] if counted else None
