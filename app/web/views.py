"""What the templates see: frozen views of a table and of the pages around it.

The parts of a table that recur from move to move (cards, pyramid, stock, piles) are made once for what they show and
kept: the same part is the same object, and render.py keeps its HTML by that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, Protocol

from app.play.coach import Verdict
from app.play.odds import share
from app.play.preferences import Preferences
from app.play.table import GameLine, Table
from app.rules.board import COVERS, POSITION, ROW_SLOTS, Slot
from app.rules.cards import SUITS, Card, card_text
from app.rules.deal import Deal
from app.rules.game import begin, play
from app.rules.moves import DRAW, REDEAL, Discard, Move, action_text
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import Outcome, Pile, Pyramid, State, choosable, legal_moves, outcome, start
from app.web import urls, words


class Page(Protocol):
    """What a page shows, and the template that shows it."""

    template: ClassVar[str]

    @property
    def title(self) -> str:
        """What the page is called."""


NoticeKind = Literal["won", "stuck", "left", "stale", "refused", "hint"]
VerdictKind = Literal["", "thinking", "winnable", "lost", "unknown", "fewest"]


@dataclass(frozen=True, slots=True, eq=False)
class CardView:
    """A card on the table, as a button.

    ``id`` names the place, not the card: ``r3c2``, ``waste`` or ``waste-1``, ``stock-card``. ``code`` is ``7c``,
    ``rank`` ``7`` or ``10``, ``suit`` one of ``c d h s``. ``playable`` cards can go now, alone or in a pair, or at
    least be chosen for one; the others are covered. ``chosen`` is the first card of a pair, ``goes`` marks
    its possible partners, ``hinted`` what a hint names.
    """

    id: str
    code: str
    rank: str
    suit: str
    name: str
    playable: bool
    chosen: bool = False
    goes: bool = False
    hinted: bool = False


@dataclass(frozen=True, slots=True)
class SlotView:
    """A place in the pyramid with its card, or None where the card is gone."""

    id: str
    card: CardView | None


@dataclass(frozen=True, slots=True, eq=False)
class PyramidView:
    """The pyramid, row by row from the top."""

    rows: tuple[tuple[SlotView, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class StockView:
    """The stock: how many cards, its open card (None when face down or empty), and what a press does.

    ``action`` is ``draw``, ``redeal`` or empty where neither is possible. ``redeals`` says how many redeals
    are left, in words; ``last`` is true when none is.
    """

    count: int
    card: CardView | None
    action: str
    label: str
    redeals: str
    last: bool


@dataclass(frozen=True, slots=True, eq=False)
class PileView:
    """A waste pile: its top card (None when empty), how many cards it holds, and its name."""

    id: str
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

    ``leave_url`` gives the game up, and is empty where that cannot be.
    """

    can_undo: bool
    can_redo: bool
    restartable: bool
    new_url: str
    deal_url: str
    leave_url: str
    solution_url: str
    post_url: str
    can_hint: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that ``_table.html`` shows.

    ``post_url`` takes the form. ``begin`` is the key under which a game not yet begun will begin, else
    empty. ``pairs`` lists the discards that are legal now, as actions between spaces: ``Kd 6d+7h``.
    ``running`` tells whether the clock runs.
    """

    post_url: str
    begin: str
    version: int
    chosen: str
    pyramid: PyramidView
    stock: StockView
    waste: tuple[PileView, ...]
    foundation: int
    moves: int
    seconds: int
    clock: str
    running: bool
    controls: ControlsView
    pairs: str
    left: bool
    notice: Notice | None
    verdict: VerdictView


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """A rule set that can be chosen: its slug, name, a line on how it plays, and how many of its deals can be won."""

    slug: str
    name: str
    line: str
    odds: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class GameLink:
    """An unfinished game to go back to."""

    url: str
    leave_url: str
    rules: str
    deal: str
    moves: int


@dataclass(frozen=True, slots=True)
class TablePage:
    """The page around a table; ``others`` are unfinished games of the same deal by the same player."""

    template: ClassVar[str] = "table.html"

    title: str
    rules_name: str
    deal_name: str
    table: TableView
    said: str
    others: tuple[GameLink, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was entered for a new deal, and what was wrong with it (empty: nothing)."""

    rules: RuleSet
    seed: str = ""
    deck: str = ""
    winnable: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page: the form for a new deal, with what was entered and what was wrong, and open games."""

    template: ClassVar[str] = "home.html"

    title: str
    choices: tuple[RulesChoice, ...]
    asked: Asked
    games: tuple[GameLink, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules of the game, with a section for each named rule set."""

    template: ClassVar[str] = "rules.html"

    title: str
    choices: tuple[RulesChoice, ...]


@dataclass(frozen=True, slots=True)
class SolutionPage:
    """Whether a deal can be won, and the position ``at`` moves into a solution of ``of`` moves.

    ``step`` says which move comes next; the addresses are empty where there is nowhere to go.
    """

    template: ClassVar[str] = "solution.html"

    title: str
    rules_name: str
    deal_name: str
    verdict: str
    table: TableView
    deal_url: str
    at: int
    of: int
    step: str
    first_url: str
    back_url: str
    next_url: str
    last_url: str


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """What a player can choose, as app/play/preferences.py tells."""

    template: ClassVar[str] = "settings.html"

    title: str
    chosen: Preferences


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What went wrong, in a heading and a sentence."""

    template: ClassVar[str] = "error.html"

    title: str
    text: str


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


def table_view(table: Table, shown: Shown = Shown(), *, timed: bool = True) -> TableView:
    """The view of a table; the clock is told nowhere in it unless ``timed``."""
    state = table.game.state
    moves = () if table.left else legal_moves(state)
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
        stock=see.stock(state, moves),
        waste=tuple(see.pile(state.waste, number) for number in range(len(state.waste))),
        foundation=state.foundation,
        moves=table.game.moves,
        seconds=table.seconds if timed else 0,
        clock=words.clock(table.seconds) if timed else "",
        running=timed and bool(table.version) and not table.over,
        controls=_controls(table),
        pairs=" ".join(map(action_text, pairs)),
        left=table.left,
        notice=shown.notice or _standing(table, end, timed=timed),
        verdict=shown.verdict,
    )


def table_page(table: Table, view: TableView, *, said: str = "", others: Iterable[GameLine] = ()) -> TablePage:
    """The page around a table."""
    name = words.rules_name(table.rules)
    deal_name = words.deal_name(table.deal.seed)
    return TablePage(
        title=f"{name} · {deal_name}",
        rules_name=name,
        deal_name=deal_name,
        table=view,
        said=said,
        others=game_links(others),
    )


def home_page(games: Iterable[GameLine], asked: Asked) -> HomePage:
    """The first page."""
    return HomePage("Pyramid 13", rules_choices(asked.rules), asked, game_links(games))


def solution_page(rules: RuleSet, deal: Deal, verdict: Verdict, at: int) -> SolutionPage:
    """The page of a deal's solution."""
    line = verdict.line or ()
    at = min(at, len(line))
    game = play(begin(start(rules, deal.deck)), line[:at])
    move = line[at] if at < len(line) else None
    hinted = frozenset(move.cards) if isinstance(move, Discard) else frozenset[Card]()
    goto = [urls.solution(rules, deal, where) for where in (0, at - 1, at + 1, len(line))]
    return SolutionPage(
        title=f"{words.rules_name(rules)} · {words.deal_name(deal.seed)}",
        rules_name=words.rules_name(rules),
        deal_name=words.deal_name(deal.seed),
        verdict=words.solution(verdict.winnable, verdict.moves, len(line)),
        table=table_view(Table(rules, deal, game), Shown(hinted=hinted)),
        deal_url=urls.deal(rules, deal),
        at=at,
        of=len(line),
        step=words.step(move),
        first_url=goto[0] if at else "",
        back_url=goto[1] if at else "",
        next_url=goto[2] if at < len(line) else "",
        last_url=goto[3] if at < len(line) else "",
    )


def rules_choices(chosen: RuleSet) -> tuple[RulesChoice, ...]:
    """The named rule sets, and the chosen one where it has no name."""
    sets = list(NAMED.values()) if chosen in NAMED.values() else [*NAMED.values(), chosen]
    return tuple(
        RulesChoice(one.slug, words.rules_name(one), words.rules_line(one), words.odds(share(one)), one == chosen)
        for one in sets
    )


def game_links(games: Iterable[GameLine]) -> tuple[GameLink, ...]:
    """The links back to unfinished games, in the order given."""
    return tuple(_game_link(game) for game in games)


def _game_link(game: GameLine) -> GameLink:
    rules, deal = words.rules_name(game.rules), words.deal_name(game.seed)
    return GameLink(urls.game(game.id), urls.leave(game.id), rules, deal, game.moves)


def _controls(table: Table) -> ControlsView:
    return ControlsView(
        can_undo=table.game.can_undo and not table.left,
        can_redo=table.game.can_redo and not table.left,
        restartable=bool(table.version),
        new_url=urls.new(table.rules),
        deal_url=urls.deal_of(table),
        leave_url=urls.leave(table.id) if table.id and not table.over else "",
        solution_url=urls.solution_of(table),
        post_url=urls.play(table),
        can_hint=not table.over,
    )


def _standing(table: Table, end: Outcome, *, timed: bool) -> Notice | None:
    """The word about how the game stands, where there is one."""
    if table.game.won_after is not None and end is Outcome.WON:
        return Notice("won", words.won(table.game.moves, table.seconds if timed else None))
    if table.left:
        return Notice("left", words.LEFT)
    if end is Outcome.STUCK:
        return Notice("stuck", "No move is left. Undo, or begin another deal.")
    return None


@lru_cache(maxsize=1_024)
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

    def slot(self, pyramid: Pyramid, slot: Slot) -> SlotView:
        row, place = POSITION[slot]
        name = f"r{row}c{place}"
        card = pyramid[slot]
        if card is None:
            return SlotView(name, None)
        covers = tuple(over for cover in COVERS[slot] if (over := pyramid[cover]) is not None)
        return SlotView(name, self._card(card, name, slot, covers))

    def pile(self, waste: tuple[Pile, ...], number: int) -> PileView:
        pile = waste[number]
        name, label = (f"waste-{number + 1}", f"Waste {number + 1}") if len(waste) > 1 else ("waste", "Waste")
        return _pile_view(name, self._card(pile[-1], name) if pile else None, len(pile), label)

    def stock(self, state: State, moves: tuple[Move, ...]) -> StockView:
        card = self._card(state.open_card, "stock-card") if state.open_card is not None else None
        action = action_text(DRAW) if DRAW in moves else action_text(REDEAL) if REDEAL in moves else ""
        return _stock_view(len(state.stock), card, action, state.redeals_left)

    def _card(self, card: Card, name: str, slot: Slot | None = None, covers: tuple[Card, ...] = ()) -> CardView:
        marks = (card in self.choosable, card == self.chosen, card in self.partners, card in self.hinted)
        return _card_view(card, name, slot, covers, marks)


@lru_cache(maxsize=2_048)
def _stock_view(count: int, card: CardView | None, action: str, left: int | None) -> StockView:
    label = words.stock_label(count, action, left)
    return StockView(count, card, action, label, words.redeals_short(left), last=left == 0)


@lru_cache(maxsize=8_192)
def _pile_view(name: str, card: CardView | None, count: int, label: str) -> PileView:
    return PileView(name, card, count, label)


@lru_cache(maxsize=32_768)
def _card_view(
    card: Card, place: str, slot: Slot | None, covers: tuple[Card, ...], marks: tuple[bool, bool, bool, bool]
) -> CardView:
    playable, chosen, goes, hinted = marks
    where = words.place_name(slot) if slot is not None else place.replace("-card", "").replace("-", " ")
    covered = f", covered by {words.listed(covers)}" if covers else ""
    return CardView(
        id=place,
        code=card_text(card),
        rank=words.rank_text(card),
        suit=SUITS[card // 13],
        name=f"{words.card_name(card)}, {where}{covered}",
        playable=playable,
        chosen=chosen,
        goes=goes,
        hinted=hinted,
    )
