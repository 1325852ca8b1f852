"""What the pages around the table show, each with the template that shows it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from app.play.advice.coach import Verdict
from app.play.advice.odds import share
from app.play.games import UNFINISHED_MOST
from app.play.preferences import Preferences
from app.play.table import GameLine, Table
from app.rules.cards import Card
from app.rules.deal import Deal
from app.rules.game import begin, play
from app.rules.moves import Discard
from app.rules.ruleset import DEFAULT, NAMED, RuleSet
from app.rules.state import start
from app.web import advice, scenes, urls, words
from app.web.language import gettext as _
from app.web.scenes import Scene
from app.web.table.views import Shown, TableView, table_view

_GAMES_AT_ONCE = 3
"""How many unfinished games the first page shows before it is asked for more."""


class Page(Protocol):
    """What a page shows, and the template that shows it."""

    template: ClassVar[str]

    @property
    def title(self) -> str:
        """What the page is called."""


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """A rule set that can be chosen: its slug, name, a line on how it plays, and how many of its deals can be won.

    ``code`` is empty for those that have a name; ``new_url`` leads to a fresh deal.
    """

    slug: str
    name: str
    code: str
    line: str
    odds: str
    new_url: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class GameLink:
    """An unfinished game to go back to."""

    url: str
    leave_url: str
    rules: str
    code: str
    deal: str
    moves: int


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """What a link to a deal shows elsewhere: a line of text, and the address of a picture."""

    text: str
    picture: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """The page around a table; ``others`` are unfinished games of the same deal by the same player.

    ``last`` is the game that he was at just before, where it goes on and nothing else is said; else there is none.
    ``preview`` is for links to the page; a game's own page is its player's, and has none. ``word`` says what the
    table was opened from, if not from a deal link, and ``best`` what its player did best. ``daily_url`` leads
    to the daily deals from one of them.
    """

    template: ClassVar[str] = "table.html"

    title: str
    rules_name: str
    deal_name: str
    table: TableView
    said: str
    others: tuple[GameLink, ...]
    last: tuple[GameLink, ...] = ()
    preview: LinkPreview | None = None
    word: str = ""
    best: str = ""
    daily_url: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was entered for a new deal, and what was wrong with it (empty: nothing); ``field`` is where it was."""

    rules: RuleSet
    seed: str = ""
    deck: str = ""
    winnable: bool = False
    fault: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page: the form for a new deal, with what was entered and what was wrong, and open games.

    ``games`` are those last touched, ``more_games`` others, and where there may be even more ``games_url`` leads to
    all. ``learn_url`` leads a newcomer to the first lesson, and is empty for whoever has played.
    """

    template: ClassVar[str] = "home.html"

    title: str
    choices: tuple[RulesChoice, ...]
    asked: Asked
    games: tuple[GameLink, ...]
    more_games: tuple[GameLink, ...] = ()
    games_url: str = ""
    learn_url: str = ""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules of the game, with a section for each named rule set; ``set_scenes`` are the pictures by slug.

    ``back`` are label and address of the table that one came from, if it was one.
    """

    template: ClassVar[str] = "rules.html"

    title: str
    choices: tuple[RulesChoice, ...]
    table_scene: Scene
    move_scenes: tuple[Scene, ...]
    set_scenes: dict[str, Scene]
    back: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class SolutionPage:
    """Whether a deal can be won, and the position ``at`` moves into a solution of ``of`` moves.

    ``step`` says which move comes next; the addresses are empty where there is nowhere to go. ``game_urls`` lead
    to the games of the deal that the player is in the middle of.
    """

    template: ClassVar[str] = "solution.html"

    title: str
    rules_name: str
    deal_name: str
    verdict: str
    table: TableView
    deal_url: str
    page_url: str
    at: int
    of: int
    step: str
    first_url: str
    back_url: str
    next_url: str
    last_url: str
    board_url: str
    game_urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """What a player can choose, as app/play/preferences.py tells; ``kept`` when he has just done so."""

    template: ClassVar[str] = "settings.html"

    title: str
    chosen: Preferences
    back_url: str
    kept: bool


@dataclass(frozen=True, slots=True)
class LeavePage:
    """The question whether a game is to be given up."""

    template: ClassVar[str] = "leave.html"

    title: str
    rules_name: str
    deal_name: str
    moves: str
    game_url: str
    leave_url: str


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What went wrong, in a heading and a sentence."""

    template: ClassVar[str] = "error.html"

    title: str
    text: str


def table_page(
    table: Table, view: TableView, *, said: str = "", word: str = "", others: Iterable[GameLine] = ()
) -> TablePage:
    """The page around a table."""
    name = words.rules_name(table.rules)
    deal_name = words.deal_name(table.deal.seed, table.origin.daily)
    return TablePage(
        title=f"{name} · {deal_name}",
        rules_name=name,
        deal_name=deal_name,
        table=view,
        said=said,
        word=word,
        others=game_links(others),
        daily_url=urls.DAILIES if table.origin.daily is not None else "",
    )


def leave_page(table: Table) -> LeavePage:
    """The question whether a game is to be given up."""
    return LeavePage(
        title=_("Give this game up"),
        rules_name=words.rules_name(table.rules),
        deal_name=words.deal_name(table.deal.seed, table.origin.daily),
        moves=words.moves(table.game.moves),
        game_url=urls.page(table),
        leave_url=urls.leave(table.id or ""),
    )


def link_preview(rules: RuleSet, deal: Deal, public_url: str) -> LinkPreview:
    """What a link to a deal shows elsewhere; the picture's address is whole only where the server knows its own."""
    seen = start(rules, deal.deck)
    cards = [card for card in (*seen.pyramid, seen.open_card) if card is not None]
    return LinkPreview(words.link_text(rules), public_url + urls.picture_of(rules, deal, cards))


def home_page(games: Sequence[GameLine], asked: Asked) -> HomePage:
    """The first page."""
    links = game_links(games)
    # A single one more is no more lines than the word that there is one.
    at = len(links) if len(links) <= _GAMES_AT_ONCE + 1 else _GAMES_AT_ONCE
    return HomePage(
        "Pyramid 13",
        rules_choices(asked.rules),
        asked,
        links[:at],
        links[at:],
        urls.HISTORY if len(links) >= UNFINISHED_MOST else "",
    )


def rules_page(table_url: str = "") -> RulesPage:
    """The rules of the game, with a way back to the table that one came from."""
    label = _("Back to your game") if table_url.startswith(urls.game("")) else _("Play this deal")
    return RulesPage(
        _("Rules"),
        rules_choices(DEFAULT),
        scenes.translated(scenes.TABLE),
        tuple(map(scenes.translated, scenes.MOVES)),
        {slug: scenes.translated(one) for slug, one in scenes.SETS.items()},
        (label, table_url) if table_url else None,
    )


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
        verdict=advice.solution(verdict.winnable, verdict.moves, len(line)),
        table=table_view(Table(rules, deal, game), Shown(hinted=hinted)),
        deal_url=urls.deal(rules, deal),
        page_url=urls.solution(rules, deal),
        at=at,
        of=len(line),
        step=advice.step(move),
        first_url=goto[0] if at else "",
        back_url=goto[1] if at else "",
        next_url=goto[2] if at < len(line) else "",
        last_url=goto[3] if at < len(line) else "",
        board_url=urls.board(rules, deal) if deal.seed is not None else "",
    )


def rules_choices(chosen: RuleSet) -> tuple[RulesChoice, ...]:
    """The named rule sets, and the chosen one where it has no name."""
    sets = list(NAMED.values()) if chosen in NAMED.values() else [*NAMED.values(), chosen]
    return tuple(
        RulesChoice(
            slug=one.slug,
            name=words.rules_name(one),
            code=words.rules_code(one),
            line=words.rules_line(one),
            odds=advice.odds(share(one)),
            new_url=urls.new(one),
            chosen=one == chosen,
        )
        for one in sets
    )


def game_links(games: Iterable[GameLine]) -> tuple[GameLink, ...]:
    """The links back to unfinished games, in the order given."""
    return tuple(_game_link(game) for game in games)


def _game_link(game: GameLine) -> GameLink:
    rules, deal = words.rules_name(game.rules), words.deal_name(game.seed, game.daily)
    code = words.rules_code(game.rules)
    return GameLink(urls.game(game.id), urls.leave(game.id), rules, code, deal, game.moves)
