"""How many deals of a rule set can be won, as counted by ``python -m app odds``."""

from app.rules.ruleset import RuleSet
from app.solver.odds import named_odds


def share(rules: RuleSet) -> float | None:
    """The percentage of deals that can be won, or None for a rule set that was not counted."""
    counted = named_odds().get(rules.slug)
    return 100 * counted.share if counted is not None else None
