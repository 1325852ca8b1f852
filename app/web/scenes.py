"""The small pictures on the rules page: a few cards on the table, and a caption that says the same in words."""

from dataclasses import dataclass, replace
from typing import Literal

from app.rules.cards import card_text, read_card
from app.rules.deal import Seed, seeded
from app.rules.ruleset import DEFAULT
from app.rules.state import start
from app.web import words
from app.web.language import gettext as _
from app.web.language import noted

Stock = Literal["", "back", "turn", "none"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A card in a picture; ``mark`` is ``goes`` where the move takes it, ``covered`` where something lies on it."""

    code: str
    rank: str
    mark: str


Row = tuple[Piece | None, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: the end of a pyramid, the stock, the waste piles.

    ``rows`` top first, None where a card is gone. ``stock`` is not shown, shows a back, the sign that it can be
    turned back, or that it is empty; ``open`` is its card where that lies face up. ``waste`` holds the cards of each
    pile, the bottom one first; an empty pile is shown as its place. ``whole`` pictures are broad ones.
    """

    caption: str
    rows: tuple[Row, ...] = ()
    stock: Stock = ""
    open: Piece | None = None
    waste: tuple[Row, ...] = ()
    whole: bool = False


def scene(caption: str, pyramid: str = "", *, stock: Stock = "", top: str = "", waste: str = "") -> Scene:
    """A picture from texts: ``Qh / 7s 4h / 9c -- Kd*``, where a star marks what goes; waste piles between slashes."""
    rows = tuple(line.split() for line in pyramid.split("/")) if pyramid else ()
    piles = waste.split("/") if waste else ()
    return Scene(
        caption,
        tuple(_row(row, rows[number + 1] if number + 1 < len(rows) else []) for number, row in enumerate(rows)),
        stock,
        _piece(top) if top else None,
        tuple(_pile(pile.split()) for pile in piles),
    )


def translated(scene: Scene) -> Scene:
    """A picture with its caption in the language that is being answered in."""
    return replace(scene, caption=_(scene.caption))


def _row(row: list[str], below: list[str]) -> Row:
    """A row of the pyramid; a card is covered while one of the two below it lies there."""
    return tuple(
        _piece(text, covered=any(cover != "--" for cover in below[place : place + 2])) for place, text in enumerate(row)
    )


def _pile(texts: list[str]) -> Row:
    """The cards of a pile; all but the last are covered. A place without a card is an empty pile."""
    return tuple(_piece(text, covered=number < len(texts)) for number, text in enumerate(texts, 1) if text != "--")


def _piece(text: str, *, covered: bool = False) -> Piece | None:
    if text == "--":
        return None
    card = read_card(text.removesuffix("*"))
    return Piece(card_text(card), words.rank_text(card), "goes" if text.endswith("*") else "covered" if covered else "")


def _opening() -> str:
    deck = [card_text(card) for card in start(DEFAULT, seeded(Seed("learn")).deck).pyramid if card is not None]
    return " / ".join(" ".join(deck[row * (row + 1) // 2 : (row + 1) * (row + 2) // 2]) for row in range(7))


TABLE = replace(
    scene(
        noted("The pyramid, seven rows of it; below it the stock, and the waste, still empty."),
        _opening(),
        stock="back",
        waste="--",
    ),
    whole=True,
)
"""The table as a game begins."""

MOVES = (
    scene(noted("A king goes alone."), "6c / 9s 4h / Kd* 8s 2d"),
    scene(noted("Two open cards that add to thirteen: 9 and 4."), "6c / Qs 7h / 9d* 3s 4c*"),
    scene(noted("A pyramid card with the top of the waste: 8 and 5."), "Jc / 2s 8h*", stock="back", waste="Qd 5s*"),
    scene(noted("Draw: the next card comes onto the waste."), stock="back", waste="3h 10c"),
    scene(noted("Redeal: the stock is empty, and the waste goes back."), stock="turn", waste="9h 6s"),
)
"""Each kind of move, in the order in which the page explains them."""

SETS = {
    "classic": scene(noted("The stock is empty: what lies on the waste stays there."), stock="none", waste="9h 6s"),
    "three-piles": scene(noted("All three tops are open: 7 and 6 go."), stock="back", waste="7c*/Jd/6h*"),
    "endless": scene(noted("Empty? Turn it back, again and again."), stock="turn", waste="4d Js"),
    "open": scene(
        noted("The open 5 of the stock goes with an 8."), "2c / 8h* 9s", stock="back", top="5d*", waste="Kc Qs"
    ),
    "strict": scene(noted("The pyramid has gone; these must go, too."), stock="back", top="Ah*", waste="3c Qs*"),
    "king-tut": scene(noted("Three turned; only the last is open."), stock="back", waste="4c 9d 2s"),
    "tuts-tomb": scene(noted("Only the 6 lies on the 7: both go."), "Qc / 7h* 3s / 6d* -- 9c"),
}
"""What is special about each named rule set, by its slug."""
