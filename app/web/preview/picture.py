"""The picture of a deal's opening table, for links to it: what lies face up, and nothing else."""

from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO

from PIL import Image, ImageColor, ImageDraw, ImageFilter, ImageFont

from app.rules.board import POSITION, ROWS, SLOTS
from app.rules.cards import RANKS, SUITS, Card
from app.rules.deal import Deck
from app.rules.ruleset import RuleSet
from app.rules.state import Pile, start
from app.web.preview.shapes import FIGURE_SHAPES, SUIT_SHAPES, Shape
from app.web.words import RULE_NAMES, rank_text

WIDTH, HEIGHT = 1200, 630
"""The size that link previews are shown in."""

GROUND, GROUND_DEEP, ON_GROUND, SOFT = "#27424a", "#1d343b", "#f1eadb", "#b7c4c3"
PAPER, PAPER_LOW, EDGE, INK, RED, ACCENT = "#fcf7eb", "#d6cfbf", "#4c4a43", "#22201d", "#a3271f", "#e3b04b"
"""The colours of static/table.css in good light."""

_SCALE = 4
"""What is not text is drawn so many times larger, and made smaller for smooth edges."""

_CARD_W, _CARD_H, _CORNER = 102, 143, 8
_PITCH, _STEP = 107, 70
_TOP = (HEIGHT - (ROWS - 1) * _STEP - _CARD_H) // 2
_MARGIN = 52
_ROOM = 8
"""The room around a card for its shadow."""

_RAMPS = (
    (GROUND, PAPER, 12),
    (GROUND, ON_GROUND, 12),
    (GROUND, SOFT, 10),
    (GROUND, EDGE, 6),
    (GROUND, "#0f1a1d", 8),
    (GROUND_DEEP, "#7c8f90", 12),
    (INK, PAPER, 24),
    (INK, PAPER_LOW, 20),
    (EDGE, PAPER, 10),
    (EDGE, PAPER_LOW, 10),
    (RED, PAPER, 24),
    (RED, PAPER_LOW, 20),
    (GROUND_DEEP, PAPER, 10),
    (PAPER_LOW, "#5d584f", 10),
    (GROUND, ACCENT, 2),
)
"""What meets at the edges of the picture's parts, and in how many steps one passes into the other."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What is seen of a deal before the first move: the pyramid's 28 cards, top first, and an open stock's card."""

    rules: RuleSet
    pyramid: Pile
    open_card: Card | None


def opening(rules: RuleSet, deck: Deck) -> Opening:
    """What is seen of a deal before the first move."""
    return Opening(rules, deck[: len(SLOTS)], start(rules, deck).open_card)


def draw_png(seen: Opening) -> bytes:
    """The picture as PNG, 1200 × 630; the same opening gives the same bytes."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    for slot in SLOTS:
        row, place = POSITION[slot]
        left = WIDTH // 2 + (2 * place - row - 1) * _PITCH // 2 - _CARD_W // 2
        _lay(picture, _face(seen.pyramid[slot], is_open=row == ROWS), left, _TOP + (row - 1) * _STEP)
    _lay_stock(picture, seen.open_card)
    # There is room for a name or a code, not for all the switches.
    _write(picture, RULE_NAMES.get(seen.rules.slug, seen.rules.code))
    out = BytesIO()
    picture.quantize(palette=_palette(), dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


@cache
def _palette() -> Image.Image:
    """An image that brings the picture's colours: the same for every deal, and those of the page exactly."""
    colours: dict[tuple[int, ...], None] = {}
    for one, other, steps in _RAMPS:
        ends = tuple(zip(ImageColor.getrgb(one), ImageColor.getrgb(other), strict=True))
        for step in range(steps):
            colours[tuple(round(low + (high - low) * step / (steps - 1)) for low, high in ends)] = None
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image


def _lay(picture: Image.Image, card: Image.Image, left: int, top: int) -> None:
    picture.paste(card, (left - _ROOM, top - _ROOM), card)


def _lay_stock(picture: Image.Image, open_card: Card | None) -> None:
    """The stock, in the upper right corner: two edges of it, and its top card."""
    left, top = WIDTH - _MARGIN - _CARD_W, _TOP
    _lay(picture, _blank(PAPER_LOW, shadow=True), left + 8, top + 8)
    _lay(picture, _blank(PAPER_LOW, shadow=False), left + 4, top + 4)
    _lay(picture, _back() if open_card is None else _face(open_card, is_open=True), left, top)


def _write(picture: Image.Image, name: str) -> None:
    """The names of the game and of the rule set, in the upper left corner."""
    pen = ImageDraw.Draw(picture)
    pen.text((_MARGIN, _TOP), "Pyramid 13", ON_GROUND, _font(46), anchor="lt", stroke_width=0.6)
    pen.rectangle((_MARGIN, _TOP + 58, _MARGIN + 55, _TOP + 60), ACCENT)
    pen.text((_MARGIN, _TOP + 80), name, SOFT, _font(30), anchor="lt")


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """The font that comes with Pillow: no machine need have one installed."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # noqa: S101 - a given size is answered with no other.
    return font


@lru_cache(maxsize=104)
def _face(card: Card, *, is_open: bool) -> Image.Image:
    """A card face up; a covered one is toned down and shows its corner only."""
    suit, rank = SUITS[card // 13], RANKS[card % 13]
    colour = RED if suit in "dh" else INK
    sheet = _blank(PAPER if is_open else PAPER_LOW, shadow=is_open).copy()
    text = _rank(rank_text(card), bold=is_open)
    sheet.paste(colour, (_ROOM + 9, _ROOM + 11), text)
    small = _shape(SUIT_SHAPES[suit], 30)
    sheet.paste(colour, (_ROOM + _CARD_W - 38, _ROOM + 13), small)
    if is_open:
        large = _shape(FIGURE_SHAPES.get(rank, SUIT_SHAPES[suit]), 54)
        sheet.paste(colour, (_ROOM + (_CARD_W - 54) // 2, _ROOM + _CARD_H - 66), large)
    return sheet


@cache
def _back() -> Image.Image:
    """A card face down: rows of small triangles in a paper frame."""
    sheet = _blank(PAPER, shadow=True).copy()
    width, height, tile = _CARD_W - 16, _CARD_H - 16, (14, 12)
    inside = Image.new("RGB", (width * _SCALE, height * _SCALE), GROUND_DEEP)
    pen = ImageDraw.Draw(inside)
    for top in range(-2, height, tile[1]):
        for left in range(1 - tile[0], width, tile[0]):
            corners = [(left, top + tile[1]), (left + tile[0] / 2, top), (left + tile[0], top + tile[1])]
            line = [(x * _SCALE, y * _SCALE) for x, y in (*corners, corners[0])]
            pen.line(line, "#7c8f90", _SCALE)
    mask = Image.new("L", inside.size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, inside.width - 1, inside.height - 1), 3 * _SCALE, 255)
    sheet.paste(inside.reduce(_SCALE), (_ROOM + 8, _ROOM + 8), mask.reduce(_SCALE))
    return sheet


@cache
def _blank(paper: str, *, shadow: bool) -> Image.Image:
    """A card without anything on it, with its shadow where it casts one."""
    room, size = _ROOM * _SCALE, (_CARD_W * _SCALE, _CARD_H * _SCALE)
    sheet = Image.new("RGBA", (size[0] + 2 * room, size[1] + 2 * room))
    box = (room, room, room + size[0] - 1, room + size[1] - 1)
    if shadow:
        dark = Image.new("L", sheet.size)
        ImageDraw.Draw(dark).rounded_rectangle((box[0], box[1] + 6, box[2], box[3] + 6), _CORNER * _SCALE, 110)
        sheet.putalpha(dark.filter(ImageFilter.GaussianBlur(2 * _SCALE)))
    ImageDraw.Draw(sheet).rounded_rectangle(box, _CORNER * _SCALE, paper, EDGE, _SCALE * 5 // 4)
    return sheet.reduce(_SCALE)


@cache
def _rank(text: str, *, bold: bool) -> Image.Image:
    """The rank as a mask; a ten is made narrower, to stand clear of its suit."""
    font, stroke = _font(50 * _SCALE), _SCALE * (1.1 if bold else 0.1)
    left, top, right, bottom = font.getbbox(text, anchor="ls", stroke_width=stroke)
    mask = Image.new("L", (int(right - left) + 1, int(bottom - top) + 1))
    ImageDraw.Draw(mask).text((-left, -top), text, 255, font, anchor="ls", stroke_width=stroke)
    width = min(mask.width / _SCALE, _CARD_W * 0.43)
    return mask.resize((round(width), round(mask.height / _SCALE)), Image.Resampling.LANCZOS)


@cache
def _shape(shape: Shape, size: int) -> Image.Image:
    """A shape as a mask of ``size`` pixels a side."""
    unit = size * _SCALE / shape.size
    mask = Image.new("L", (size * _SCALE, size * _SCALE))
    pen = ImageDraw.Draw(mask)
    for polygon in shape.filled:
        pen.polygon([(x * unit, y * unit) for x, y in polygon], 255)
    for line in shape.lines:
        points = [(x * unit, y * unit) for x, y in line]
        pen.line(points, 255, round(2 * unit), joint="curve")
        for x, y in (points[0], points[-1]):
            pen.ellipse((x - unit, y - unit, x + unit, y + unit), 255)
    return mask.reduce(_SCALE)
