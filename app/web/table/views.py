"""What the templates see: frozen views of a table and of the pages around it."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal
from zlib import crc32

from app.play.games import open_deal
from app.play.table import Origin, Table
from app.rules.cards import Card, card_text
from app.rules.deal import Deal
from app.rules.moves import Discard, action_text
from app.rules.ruleset import RuleSet
from app.rules.state import Outcome, State, choosable, legal_moves, outcome
from app.web import urls, words
from app.web.language import gettext as _
from app.web.language import kept, spoken
from app.web.table.card_views import (
    UNMARKED,
    Marks,
    PileView,
    PyramidView,
    StockView,
    pile_views,
    stock_view,
)

NoticeKind = Literal["won", "stuck", "left", "stale", "refused", "hint", "paused"]
VerdictKind = Literal["", "thinking", "winnable", "lost", "unknown", "fewest"]


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


NO_VERDICT = VerdictView()


@dataclass(frozen=True, slots=True, eq=False)
class ControlsView:
    """What can be done besides playing a card, but for the menu."""

    can_undo: bool
    can_redo: bool
    can_hint: bool
    new_url: str
    post_url: str


@dataclass(frozen=True, slots=True, eq=False)
class MenuView:
    """What else can be done; ``restartable`` once there is something to start again.

    ``id`` stands for all that the menu says: a page that has it need not get it again from ``url``, which is empty
    before there is a game.
    ``again_url`` begins once more from what the game was begun from, ``deal_url`` is a link to its deal for others.
    ``leave_url`` asks whether to give the game up, and is empty where that cannot be.
    """

    id: str
    url: str
    can_pause: bool
    restartable: bool
    again_url: str
    deal_url: str
    solution_url: str
    board_url: str
    settings_url: str
    leave_url: str


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that ``_table.html`` shows.

    ``begin`` is the key under which a game not yet begun will begin, else empty. ``pairs`` lists the discards that are
    legal now, as actions between spaces: ``Kd 6d+7h``.
    ``piles`` tells what they need room for, ``three`` of the waste or an ``open`` stock, with a card on it or not; else
    it is empty. ``running`` tells whether the clock runs, ``over`` that the game was won or given up, ``paused``
    that the cards are covered until the player goes on.
    ``after`` are label and address of what a finished game leads to.
    """

    begin: str
    version: int
    chosen: str
    piles: str
    pyramid: PyramidView
    stock: StockView
    waste: tuple[PileView, ...]
    foundation: int
    moves: int
    seconds: int
    clock: str
    running: bool
    over: bool
    paused: bool
    controls: ControlsView
    menu: MenuView
    pairs: str
    left: bool
    after: tuple[tuple[str, str], ...]
    notice: Notice | None
    verdict: VerdictView


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be seen on a table besides its cards.

    ``begin`` the key of the game that may begin here; ``chosen`` the first card of a pair; ``hinted`` the cards
    that a hint names, and ``stock`` that it names a draw or a redeal; ``notice`` a word to the player, in place of how
    the game stands.
    """

    begin: str = ""
    chosen: Card | None = None
    hinted: frozenset[Card] = frozenset()
    stock: bool = False
    notice: Notice | None = None
    verdict: VerdictView = NO_VERDICT


def table_view(table: Table, shown: Shown = Shown(), *, timed: bool = True, hints: bool = True) -> TableView:
    """The view of a table; it tells the clock only if ``timed``, and gives ``hints`` only if they are wanted.

    The template shows no card of a paused one.
    """
    state = table.game.state
    moves = () if table.left or table.paused else legal_moves(state)
    pairs = [move for move in moves if isinstance(move, Discard)]
    marks = _marks(state, shown, pairs)
    return TableView(
        begin=shown.begin,
        version=table.version,
        chosen=card_text(marks.chosen) if marks.chosen is not None else "",
        pyramid=PyramidView(state.pyramid, marks, table.rules.overlap),
        piles="three" if state.waste[1:] else "open" if table.rules.open else "",
        stock=stock_view(state, moves, marks),
        waste=pile_views(state, marks),
        foundation=state.foundation,
        moves=table.game.moves,
        seconds=table.seconds if timed else 0,
        clock=words.clock(table.seconds) if timed else "",
        running=timed and bool(table.version) and not table.over and not table.paused,
        over=table.over,
        paused=table.paused,
        controls=_controls(table, hints=hints),
        menu=menu_view(table),
        pairs=" ".join(map(action_text, pairs)),
        left=table.left,
        after=_after(table),
        notice=shown.notice if shown.notice and not table.paused else _standing(table, timed=timed),
        verdict=NO_VERDICT if table.paused else shown.verdict,
    )


def _controls(table: Table, *, hints: bool) -> ControlsView:
    can_move = not table.left and not table.paused
    return _controls_view(
        urls.new(table.rules),
        urls.play(table),
        can_undo=table.game.can_undo and can_move,
        can_redo=table.game.can_redo and can_move,
        can_hint=hints and _goes_on(table),
    )


@lru_cache(maxsize=1_024)
def _controls_view(new_url: str, post_url: str, *, can_undo: bool, can_redo: bool, can_hint: bool) -> ControlsView:
    return ControlsView(can_undo, can_redo, can_hint, new_url, post_url)


def menu_view(table: Table) -> MenuView:
    """The view of a table's menu."""
    can_pause = bool(table.id and table.version) and _goes_on(table)
    return _menu_view(
        table.rules,
        table.deal,
        table.origin,
        table.id,
        begun=bool(table.version),
        over=table.over,
        can_pause=can_pause,
    )


@kept(1_024)
def _menu_view(  # noqa: PLR0913 - what the menu depends on.
    rules: RuleSet, deal: Deal, origin: Origin, game_id: str | None, *, begun: bool, over: bool, can_pause: bool
) -> MenuView:
    # The addresses of a game are those of its opening.
    table = replace(open_deal(rules, deal, origin), id=game_id)
    menu = MenuView(
        id="",
        url=urls.menu(game_id) if game_id else "",
        can_pause=can_pause,
        restartable=begun,
        again_url=urls.again(table),
        deal_url=urls.deal_of(table),
        solution_url=urls.solution_of(table),
        board_url=urls.board_of(table),
        settings_url=urls.settings_from(table),
        leave_url=urls.leave(game_id) if game_id and not over else "",
    )
    return replace(menu, id=f"menu-{crc32(f'{spoken()} {menu}'.encode()):x}")


def _goes_on(table: Table) -> bool:
    return not table.over and not table.paused


def _after(table: Table) -> tuple[tuple[str, str], ...]:
    """What a finished game leads to, the nearest first."""
    if table.id is None or not table.over:
        return ()
    board, challenge = urls.board_of(table), table.origin.challenge
    links = [
        (_("Compare"), urls.challenge(challenge) if challenge is not None else ""),
        # A table that was given up has the key below it.
        (_("New deal"), "" if table.left else urls.new(table.rules)),
        (_("This deal again"), urls.again(table)),
        (_("Look back"), urls.replay(table.id)),
        (_("Board"), board),
        (_("Show to others"), urls.result(table.id)),
    ]
    return tuple((label, url) for label, url in links if url)


def _standing(table: Table, *, timed: bool) -> Notice | None:
    """The word about how the game stands, where there is one."""
    if table.paused:
        return Notice("paused", _(words.PAUSED))
    end = outcome(table.game.state)
    if table.game.won_after is not None and end is Outcome.WON:
        return Notice("won", words.won(table.game.moves, table.seconds if timed else None))
    if table.left:
        return Notice("left", _(words.LEFT))
    if end is Outcome.STUCK:
        return Notice("stuck", _("No move is left. Undo, or begin another deal."))
    return None


def _marks(state: State, shown: Shown, pairs: list[Discard]) -> Marks:
    chosen = shown.chosen
    if chosen is None or chosen not in choosable(state):
        return Marks(hinted=shown.hinted, stock=shown.stock) if shown.hinted or shown.stock else UNMARKED
    partners = {card for pair in pairs if chosen in pair.cards for card in pair.cards}
    return Marks(chosen, frozenset(partners - {chosen}), shown.hinted, shown.stock)
