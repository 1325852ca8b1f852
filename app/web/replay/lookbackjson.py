"""A look back as JSON."""

from pydantic import BaseModel, ConfigDict, Field

from app.play.advice.lookback import LookBack, Mark, Slip
from app.rules.moves import action_text
from app.web.table.gamejson import Word, verdict_word

_EXACT = ConfigDict(frozen=True)


class MarkJson(BaseModel):
    """What is known of a position of the game."""

    model_config = _EXACT

    verdict: Word | None = Field(description="null where it has not been looked at yet")
    moves: int | None = Field(description="the fewest that win from there, proven; null where that is not known")


class SlipJson(BaseModel):
    """A move that lost a game which could still be won."""

    model_config = _EXACT

    number: int = Field(description="of the action, the first one being 1")
    action: str = Field(description="the move; where it was done again, what was done again")
    instead: str = Field(description="a move that would have kept the game")
    decisive: bool = Field(description="whether the game could never be won after it; else it was taken back")


class LookBackJson(BaseModel):
    """Where a finished game could still be won, and what lost it."""

    model_config = _EXACT

    done: bool = Field(description="false where the solver needs longer: ask again")
    positions: list[MarkJson] = Field(description="after 0, 1, … actions")
    slips: list[SlipJson] = Field(description="the decisive one first, the others as they came")


def lookback_json(found: LookBack) -> LookBackJson:
    """A look back as far as it is known."""
    return LookBackJson(
        done=found.done,
        positions=[_mark_json(mark) for mark in found.marks],
        slips=[_slip_json(slip) for slip in found.slips],
    )


def _mark_json(mark: Mark | None) -> MarkJson:
    if mark is None:
        return MarkJson(verdict=None, moves=None)
    return MarkJson(verdict=verdict_word(mark.winnable), moves=mark.moves)


def _slip_json(slip: Slip) -> SlipJson:
    return SlipJson(
        number=slip.number,
        action=action_text(slip.move),
        instead=action_text(slip.instead),
        decisive=slip.decisive,
    )
