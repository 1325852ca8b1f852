"""What the templates see: frozen views of a table and of the pages around it.

The parts of a table that recur from move to move (cards, pyramid, stock, piles) are made once for what they show and
kept: the same part is the same object, and render.py keeps its HTML by that.
"""

from dataclasses import dataclass
from typing import Literal

from app.play.table import Table
from app.rules.board import COVERS, POSITION, ROW_SLOTS, Slot
from app.rules.cards import Card, card_text
from app.rules.moves import DRAW, REDEAL, Discard, Move, action_text
from app.rules.state import Outcome, Pile, Pyramid, State, choosable, legal_moves, outcome
from app.web import urls, words
from app.web.language import gettext as _
from app.web.language import kept

NoticeKind = Literal["won", "stuck", "left", "stale", "refused", "hint", "paused"]
VerdictKind = Literal["", "thinking", "winnable", "lost", "unknown", "fewest"]


@dataclass(frozen=True, slots=True, eq=False)
class CardView:
    """A card on the table, as a button.

    ``id`` names the place, not the card: ``r3c2``, ``waste`` or ``waste-1``, ``stock-card``. ``code`` is ``7c``,
    ``rank`` ``7`` or ``10``. ``playable`` cards can go now, alone or in a pair, or at least be chosen for one; the
    others are covered. ``chosen`` is the first card of a pair, ``goes`` marks its possible partners, ``hinted`` what
    a hint names.
    """

    id: str
    code: str
    rank: str
    name: str
    playable: bool
    chosen: bool = False
    goes: bool = False
    hinted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PyramidView:
    """The pyramid, row by row from the top; None where a card is gone."""

    rows: tuple[tuple[CardView | None, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class StockView:
    """The stock: how many cards, its open card (None when face down or empty), and what a press does.

    ``action`` is ``draw``, ``redeal`` or empty where neither is possible. ``redeals`` says how many redeals
    are left, in words.
    """

    count: int
    card: CardView | None
    action: str
    label: str
    redeals: str


@dataclass(frozen=True, slots=True, eq=False)
class PileView:
    """A waste pile: its top card (None when empty), how many cards it holds, and its name."""

    card: CardView | None
    count: int
    label: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A word to the player on the table; ``kind`` decides how it looks.

    ``more`` is the label of the button that leads on to the second step of a hint.
    """

    kind: NoticeKind
    text: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class VerdictView:
    """Whether the position can still be won, as far as the player wants to be told.

    ``kind`` is empty where nothing is to be said. ``back`` undos lead to the last position that could be won
    (0: none is known to), by a button that says ``way``. ``url`` tells where to ask for the rest, if anywhere,
    and ``ask_url`` the same without script. ``version`` is that of the game it is said of.
    """

    kind: VerdictKind = ""
    text: str = ""
    back: int = 0
    way: str = ""
    url: str = ""
    ask_url: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class ControlsView:
    """What can be done besides playing a card; ``restartable`` once there is something to start again.

    ``again_url`` begins once more from what the game was begun from, ``deal_url`` is a link to its deal for others.
    ``leave_url`` asks whether to give the game up, and is empty where that cannot be.
    """

    can_undo: bool
    can_redo: bool
    restartable: bool
    new_url: str
    again_url: str
    deal_url: str
    leave_url: str
    solution_url: str
    board_url: str
    settings_url: str
    post_url: str
    can_hint: bool
    can_pause: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that ``_table.html`` shows.

    ``post_url`` takes the form. ``begin`` is the key under which a game not yet begun will begin, else
    empty. ``pairs`` lists the discards that are legal now, as actions between spaces: ``Kd 6d+7h``.
    ``open`` tells that the stock is an open one, with a card on it or not, ``running`` whether the clock runs,
    ``paused`` that the cards are covered until the player goes on.
    ``after`` are label and address of what a finished game leads to.
    """

    post_url: str
    begin: str
    version: int
    chosen: str
    open: bool
    pyramid: PyramidView
    stock: StockView
    waste: tuple[PileView, ...]
    foundation: int
    moves: int
    seconds: int
    clock: str
    running: bool
    paused: bool
    controls: ControlsView
    pairs: str
    left: bool
    after: tuple[tuple[str, str], ...]
    notice: Notice | None
    verdict: VerdictView


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be seen on a table besides its cards.

    ``begin`` the key of the game that may begin here; ``chosen`` the first card of a pair; ``hinted`` the cards
    that a hint names; ``notice`` a word to the player, in place of how the game stands.
    """

    begin: str = ""
    chosen: Card | None = None
    hinted: frozenset[Card] = frozenset()
    notice: Notice | None = None
    verdict: VerdictView = VerdictView()


def table_view(table: Table, shown: Shown = Shown(), *, timed: bool = True, hints: bool = True) -> TableView:
    """The view of a table; it tells the clock only if ``timed``, and gives ``hints`` only if they are wanted.

    The template shows no card of a paused one.
    """
    state = table.game.state
    moves = () if table.left or table.paused else legal_moves(state)
    pairs = [move for move in moves if isinstance(move, Discard)]
    open_to_choice = choosable(state)
    picked = shown.chosen if shown.chosen in open_to_choice else None
    partners = frozenset(card for pair in pairs if picked in pair.cards for card in pair.cards) - {picked}
    end = outcome(state)
    see = _Eye(open_to_choice, picked, partners, shown.hinted)
    return TableView(
        post_url=urls.play(table),
        begin=shown.begin,
        version=table.version,
        chosen=card_text(picked) if picked is not None else "",
        pyramid=_pyramid_view(
            state.pyramid, picked, partners, open_to_choice.intersection(state.pyramid), shown.hinted
        ),
        open=table.rules.open,
        stock=see.stock(state, moves),
        waste=tuple(see.pile(state.waste, number) for number in range(len(state.waste))),
        foundation=state.foundation,
        moves=table.game.moves,
        seconds=table.seconds if timed else 0,
        clock=words.clock(table.seconds) if timed else "",
        running=timed and bool(table.version) and not table.over and not table.paused,
        paused=table.paused,
        controls=_controls(table, hints=hints),
        pairs=" ".join(map(action_text, pairs)),
        left=table.left,
        after=_after(table),
        notice=shown.notice if shown.notice and not table.paused else _standing(table, end, timed=timed),
        verdict=VerdictView() if table.paused else shown.verdict,
    )


def _controls(table: Table, *, hints: bool) -> ControlsView:
    return ControlsView(
        can_undo=table.game.can_undo and not table.left and not table.paused,
        can_redo=table.game.can_redo and not table.left and not table.paused,
        restartable=bool(table.version),
        new_url=urls.new(table.rules),
        again_url=urls.again(table),
        deal_url=urls.deal_of(table),
        leave_url=urls.leave(table.id) if table.id and not table.over else "",
        solution_url=urls.solution_of(table),
        board_url=urls.board_of(table),
        settings_url=urls.settings_from(table),
        post_url=urls.play(table),
        can_hint=hints and not table.over and not table.paused,
        can_pause=bool(table.id and table.version) and not table.over and not table.paused,
    )


def _after(table: Table) -> tuple[tuple[str, str], ...]:
    """What a finished game leads to."""
    if table.id is None or not table.over:
        return ()
    board, challenge = urls.board_of(table), table.origin.challenge
    links = [
        (_("This deal again"), urls.again(table)),
        (_("Look back"), urls.replay(table.id)),
        (_("Board"), board),
        (_("Show to others"), urls.result(table.id)),
        (_("Compare"), urls.challenge(challenge) if challenge is not None else ""),
    ]
    return tuple((label, url) for label, url in links if url)


def _standing(table: Table, end: Outcome, *, timed: bool) -> Notice | None:
    """The word about how the game stands, where there is one."""
    if table.paused:
        return Notice("paused", _(words.PAUSED))
    if table.game.won_after is not None and end is Outcome.WON:
        return Notice("won", words.won(table.game.moves, table.seconds if timed else None))
    if table.left:
        return Notice("left", _(words.LEFT))
    if end is Outcome.STUCK:
        return Notice("stuck", _("No move is left. Undo, or begin another deal."))
    return None


@kept(1_024)
def _pyramid_view(
    pyramid: Pyramid,
    chosen: Card | None,
    partners: frozenset[Card | None],
    choosable_cards: frozenset[Card],
    hinted: frozenset[Card],
) -> PyramidView:
    see = _Eye(choosable_cards, chosen, partners, hinted)
    return PyramidView(tuple(tuple(see.slot(pyramid, slot) for slot in row) for row in ROW_SLOTS))


@dataclass(frozen=True, slots=True)
class _Eye:
    """Turns the places of a position into views: which cards can be chosen, which is, and what goes with it."""

    choosable: frozenset[Card]
    chosen: Card | None
    partners: frozenset[Card | None]
    hinted: frozenset[Card]

    def slot(self, pyramid: Pyramid, slot: Slot) -> CardView | None:
        row, place = POSITION[slot]
        card = pyramid[slot]
        if card is None:
            return None
        covers = tuple(over for cover in COVERS[slot] if (over := pyramid[cover]) is not None)
        return self._card(card, f"r{row}c{place}", words.place_name(slot), covers)

    def pile(self, waste: tuple[Pile, ...], number: int) -> PileView:
        pile = waste[number]
        place, name = f"waste-{number + 1}", words.waste_name(number + 1)
        if len(waste) == 1:
            place, name = "waste", words.waste_name(None)
        return _pile_view(self._card(pile[-1], place, name) if pile else None, len(pile), words.capital(name))

    def stock(self, state: State, moves: tuple[Move, ...]) -> StockView:
        card = self._card(state.open_card, "stock-card", words.stock_name()) if state.open_card is not None else None
        action = action_text(DRAW) if DRAW in moves else action_text(REDEAL) if REDEAL in moves else ""
        return _stock_view(len(state.stock), card, action, state.redeals_left)

    def _card(self, card: Card, place: str, where: str, covers: tuple[Card, ...] = ()) -> CardView:
        marks = (card in self.choosable, card == self.chosen, card in self.partners, card in self.hinted)
        return _card_view(card, place, where, covers, marks)


@kept(2_048)
def _stock_view(count: int, card: CardView | None, action: str, left: int | None) -> StockView:
    label = words.stock_label(count, action, left)
    return StockView(count, card, action, label, words.redeals_short(left))


@kept(8_192)
def _pile_view(card: CardView | None, count: int, label: str) -> PileView:
    return PileView(card, count, label)


@kept(32_768)
def _card_view(
    card: Card, place: str, where: str, covers: tuple[Card, ...], marks: tuple[bool, bool, bool, bool]
) -> CardView:
    playable, chosen, goes, hinted = marks
    return CardView(
        id=place,
        code=card_text(card),
        rank=words.rank_text(card),
        name=words.table_card(card, where, covers),
        playable=playable,
        chosen=chosen,
        goes=goes,
        hinted=hinted,
    )
