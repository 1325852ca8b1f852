"""Games and deals as JSON."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.play.table import Table
from app.rules.board import ROW_SLOTS
from app.rules.cards import Card, card_text
from app.rules.moves import action_text
from app.rules.state import Outcome, State, outcome
from app.web import urls

_EXACT = ConfigDict(frozen=True)


class StockJson(BaseModel):
    """The stock: how many cards, and the top one where it lies face up."""

    model_config = _EXACT

    count: int
    top: str | None


class DealJson(BaseModel):
    """A deal as it opens; ``seed`` is null where the deck was given."""

    model_config = _EXACT

    rules: str
    seed: str | None
    link: str
    pyramid: list[list[str | None]]
    stock: StockJson
    redeals: int | None = Field(description="null for unlimited")


class GameJson(BaseModel):
    """A game as it stands."""

    model_config = _EXACT

    id: str
    rules: str
    seed: str | None = Field(description="null where the deck was given")
    link: str = Field(
        description="leads to the deal, for anyone who is to play the same cards; where the deck was given, only for "
        "the game's own player, as it shows the whole deck: others take the link of `GET /api/v1/deals/{rules}/{deck}`"
    )
    version: int
    status: Outcome
    moves: int
    seconds: int
    pyramid: list[list[str | None]] = Field(description="rows from the top, null where the card is gone")
    stock: StockJson
    waste: list[list[str]] = Field(description="one or three piles, bottom first")
    foundation: int
    redeals_left: int | None = Field(description="null for unlimited")
    actions: list[str] = Field(description="the legal ones")
    can_undo: bool
    can_redo: bool
    left: bool = Field(description="given up; no action is taken any more")
    paused: bool = Field(description="the clock stands still and no card is told; the next action ends it")
    hints: int = Field(description="how many hints were asked for, once between two actions")


class TokenJson(BaseModel):
    """A token of a player; it is shown this once and only its hash is kept."""

    model_config = _EXACT

    token: str


class NameJson(BaseModel):
    """A player's display name, as it will stand on boards."""

    model_config = _EXACT

    name: str | None


Word = Literal["winnable", "lost", "unknown"]


class VerdictJson(BaseModel):
    """Whether a game can still be won."""

    model_config = _EXACT

    verdict: Word | None = Field(description="null while the game is paused")
    undos: int | None = Field(
        description="to the last position that could be won; null where it still can be, never could, or is not known"
    )


class HintJson(BaseModel):
    """A move to make."""

    model_config = _EXACT

    action: str | None = Field(
        description="of a winning line; just a legal one where the game is lost or that is not known; "
        "null where it is won or stuck"
    )
    verdict: Word
    hints: int = Field(description="how many hints were asked for, once between two actions")


class SolutionJson(BaseModel):
    """Whether a deal can be won."""

    model_config = _EXACT

    rules: str
    verdict: Word
    moves: int | None = Field(description="the fewest that win, proven; null where there are none or it is not known")
    line: list[str] | None = Field(description="a winning line, of fewest moves where moves is not null")


def verdict_word(winnable: bool | None) -> Word:  # noqa: FBT001 - as a verdict has it.
    """A verdict in one word; None where a budget ran out."""
    return "unknown" if winnable is None else "winnable" if winnable else "lost"


def deal_json(table: Table, base: str) -> DealJson:
    """The opening table of a deal; ``base`` stands in front of our addresses."""
    state = table.game.state
    return DealJson(
        rules=table.rules.slug,
        seed=table.deal.seed,
        link=base + urls.deal(table.rules, table.deal),
        pyramid=_pyramid(state),
        stock=_stock(state),
        redeals=state.redeals_left,
    )


def game_json(table: Table, base: str) -> dict[str, object]:
    """A game as it stands, as plain data in the shape of GameJson; ``base`` stands in front of our addresses."""
    game, state, open_still = table.game, table.game.state, not table.left and not table.paused
    return GameJson(
        id=table.id or "",
        rules=table.rules.slug,
        seed=table.deal.seed,
        link=base + urls.deal_of(table),
        version=table.version,
        status=outcome(state),
        moves=game.moves,
        seconds=table.seconds,
        pyramid=[] if table.paused else _pyramid(state),
        stock=StockJson(count=len(state.stock), top=None) if table.paused else _stock(state),
        waste=[] if table.paused else [[card_text(card) for card in pile] for pile in state.waste],
        foundation=state.foundation,
        redeals_left=state.redeals_left,
        actions=[action_text(action) for action in game.legal_actions()] if open_still else [],
        can_undo=game.can_undo and open_still,
        can_redo=game.can_redo and open_still,
        left=table.left,
        paused=table.paused,
        hints=table.hints,
    ).model_dump(mode="json")


def _pyramid(state: State) -> list[list[str | None]]:
    return [[_text(state.pyramid[slot]) for slot in row] for row in ROW_SLOTS]


def _stock(state: State) -> StockJson:
    return StockJson(count=len(state.stock), top=_text(state.open_card))


def _text(card: Card | None) -> str | None:
    return None if card is None else card_text(card)
