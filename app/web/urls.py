"""Addresses: all that name something, such as a deal, a game or a day, and the fixed ones that handlers lead to.

Other fixed ones, such as ``/rules``, stand in the templates as they are; tests/test_house.py holds them against the
routes.
"""

import re
from collections.abc import Sequence
from urllib.parse import urlencode

from app.play.table import Table
from app.rules.cards import Card, card_text
from app.rules.deal import Deal
from app.rules.ruleset import RuleSet

_PATH = re.compile(r"(?:/(?!/)[!-.0-\[\]-~]*)+")
"""ASCII that can be seen, from one slash on, without two in a row or a backslash."""

_PATH_MOST = 512

_SAME_PAGE = "?"
"""A page's own address: a deal's page need not repeat a deck that its address carries."""


def deal(rules: RuleSet, cards: Deal) -> str:
    """The deal link: the same cards by the same rules for everyone who opens it.

    Two seeds stand in the query: browsers drop ``.`` and ``..`` from a path, however they are written.
    """
    return f"/d/{rules.slug}?seed={cards.code}" if cards.code in {".", ".."} else f"/d/{rules.slug}/{cards.code}"


def deal_of(table: Table) -> str:
    """A link to a table's deal that does not show a given deck's face-down cards."""
    if table.origin.daily is not None:
        return daily(table.rules, table.origin.daily)
    if table.deal.seed is not None:
        return deal(table.rules, table.deal)
    return f"{game(table.id)}/deal" if table.id else _SAME_PAGE


def again(table: Table) -> str:
    """Where a game's deal is begun once more: as a challenge's deal where the game met one, else by the deal's link."""
    if table.origin.challenge is not None and table.id is not None:
        return f"{game(table.id)}/deal?again=1"
    return deal_of(table)


def play(table: Table) -> str:
    """Where a table's actions are posted: to its game, or to the deal's page before there is one."""
    if table.id:
        return game(table.id)
    return challenge(table.origin.challenge) if table.origin.challenge else deal_of(table)


def page(table: Table) -> str:
    """The page that a table stands on."""
    if table.id is not None:
        return game(table.id)
    if table.origin.daily is not None:
        return daily(table.rules, table.origin.daily)
    return challenge(table.origin.challenge) if table.origin.challenge else deal(table.rules, table.deal)


def game(game_id: str) -> str:
    """A game's page, and where its actions are posted."""
    return f"/g/{game_id}"


def hint(game_id: str, half: int) -> str:
    """A game's page with a hint that was asked for: its first half or the whole."""
    return f"{game(game_id)}?hint={half}"


def verdict(game_id: str, version: int) -> str:
    """The fragment that tells whether a game can still be won, as of a version."""
    return f"{game(game_id)}/verdict?version={version}"


def menu(game_id: str) -> str:
    """Where the menu of a game is fetched."""
    return f"{game(game_id)}/menu"


def with_verdict(game_id: str) -> str:
    """A game's page with the whole verdict on it, however long that takes."""
    return f"{game(game_id)}?told=1"


def solution(rules: RuleSet, cards: Deal, at: int = 0) -> str:
    """The page on whether and how a deal can be won, ``at`` moves into the solution."""
    page = "/s" + deal(rules, cards).removeprefix("/d")
    return f"{page}{'&' if '?' in page else '?'}at={at}" if at else page


def picture(rules: RuleSet, cards: Deal) -> str:
    """The picture of a deal's opening table."""
    return "/p" + deal(rules, cards).removeprefix("/d")


def picture_of(rules: RuleSet, cards: Deal, seen: Sequence[Card]) -> str:
    """The picture of a deal's opening table, by the cards that are seen on it where the deck was given."""
    if cards.seed is not None:
        return picture(rules, cards)
    return f"/p/{rules.slug}?cards={''.join(map(card_text, seen))}"


def solution_of(table: Table) -> str:
    """A link to the solution that does not show a given deck's face-down cards."""
    if table.deal.seed is not None:
        return solution(table.rules, table.deal)
    return f"{game(table.id)}/solution" if table.id else ""


def leave(game_id: str) -> str:
    """Where it is asked whether to give a game up, and where it is given up."""
    return f"{game(game_id)}/leave"


def replay(game_id: str) -> str:
    """The replay of a player's own game."""
    return f"{game(game_id)}/replay"


def shared(key: str) -> str:
    """The replay of a game for whoever has the link."""
    return f"/r/{key}"


def replay_at(page: str, at: int) -> str:
    """A replay's page as it stood after ``at`` actions."""
    return f"{page}?at={at}" if at else page


def replay_position(page: str) -> str:
    """The fragment with a position of a replay."""
    return f"{page}/at"


def looked_at(page: str, at: int) -> str:
    """A replay's page with the whole look back on it, however long that takes."""
    return f"{page}?at={at}&looked=1"


def lookback(place: str, at: int) -> str:
    """The fragment with what is known of a look back; ``place`` is that of the game or of the link to it."""
    return f"{place}/lookback?at={at}"


def play_on(place: str) -> str:
    """Where a game of one's own is begun from a position of this one."""
    return f"{place}/on"


def share(game_id: str) -> str:
    """Where the link to a replay is made."""
    return f"{game(game_id)}/share"


def unshare(game_id: str) -> str:
    """Where the link to a replay is withdrawn."""
    return f"{game(game_id)}/unshare"


def sharing(game_id: str, at: int) -> str:
    """The place in a replay, as it stood after ``at`` actions, where its link is made and withdrawn."""
    return f"{replay_at(replay(game_id), at)}#share"


def result(game_id: str) -> str:
    """How a finished game ended, to be shown to others, and the way to challenge them."""
    return f"{game(game_id)}/result"


def dare(game_id: str) -> str:
    """Where a challenge to a finished game's deal is made."""
    return f"{game(game_id)}/challenge"


def withdraw(game_id: str) -> str:
    """Where a challenge is taken back."""
    return f"{dare(game_id)}/withdraw"


def challenge(key: str) -> str:
    """A challenge to play a deal, for whoever knows its key."""
    return f"/c/{key}"


def challenge_again(key: str) -> str:
    """A challenge's deal for one who has played it before."""
    return f"{challenge(key)}?again=1"


SETTINGS = "/settings"


def settings(back: str, *, kept: bool = False) -> str:
    """The settings, with a way back to a page of ours; ``kept`` when they have just been changed."""
    query = urlencode({"kept": "1", "from": back} if kept else {"from": back}, safe="/")
    return f"{SETTINGS}?{query}"


def settings_from(table: Table) -> str:
    """The settings, with the way back to a table; its address would show a given deck's cards and is left out then."""
    named = table.id or table.origin.daily or table.origin.challenge or table.deal.seed
    return settings(page(table)) if named else SETTINGS


def local(text: str) -> str:
    """A path of ours as it is; the first page for whatever else it may be, or may be taken for by a browser."""
    return text if len(text) <= _PATH_MOST and _PATH.fullmatch(text) else "/"


OFFLINE = "/offline"
WORKER = "/sw.js"
MANIFEST = "/manifest.webmanifest"


def offline(language: str) -> str:
    """The page that is shown without a connection, in a language."""
    return f"{OFFLINE}?language={language}"


def manifest(language: str) -> str:
    """The manifest of what is installed, in a language."""
    return f"{MANIFEST}?language={language}"


LEARN = "/learn"


def learn(step: int) -> str:
    """A page of the first lesson, 1 the first."""
    return f"{LEARN}?step={step}" if step > 1 else LEARN


YOU = "/you"
NAME_KEPT = f"{YOU}?kept=1#name-title"
"""The place of the name, which has just been kept."""

RECORDS = "/me"
HISTORY = "/me/games"


def recovery(code: str) -> str:
    """Where a recovery code is entered, with the code in the part that browsers keep to themselves."""
    return f"/recover#{code}"


def new(rules: RuleSet) -> str:
    """A fresh deal of a rule set."""
    return f"/new?rules={rules.slug}"


DAILIES = "/daily"


def daily(rules: RuleSet, day: str) -> str:
    """The page of a day's deal, YYYY-MM-DD."""
    return f"{DAILIES}/{rules.slug}/{day}"


def calendar(rules: RuleSet, month: str = "") -> str:
    """The calendar of a rule set's daily deals: of a month, YYYY-MM, or of this one."""
    return f"{DAILIES}/{rules.slug}/calendar{f'?month={month}' if month else ''}"


def daily_board(rules: RuleSet, day: str) -> str:
    """The board of a day's deal."""
    return f"{daily(rules, day)}/board"


def board(rules: RuleSet, cards: Deal) -> str:
    """The board of a deal."""
    return "/b" + deal(rules, cards).removeprefix("/d")


def board_of(table: Table) -> str:
    """The board that a table's game is for; empty for a given deck, which the address would show."""
    if table.origin.daily is not None:
        return daily_board(table.rules, table.origin.daily)
    return board(table.rules, table.deal) if table.deal.seed is not None else ""


def with_choice(page: str, card: Card | None) -> str:
    """A page's address with the card that is chosen on it, where one is."""
    if card is None:
        return page
    return f"{page}{'&' if '?' in page else '?'}chosen={card_text(card)}"


def history(rules: str = "", *, before: str = "", after: str = "") -> str:
    """The player's games, of a rule set if its slug is named: the newest, or those before or after a place."""
    named = {"rules": rules, "before": before, "after": after}
    query = "&".join(f"{name}={value}" for name, value in named.items() if value)
    return f"{HISTORY}?{query}" if query else HISTORY


ALIVE = "/healthz"
READY = "/readyz"

IMPORT = "/me/import"


def game_text(game_id: str) -> str:
    """A game as a text, to be kept."""
    return f"{game(game_id)}/text"


def imported(games: int, known: int) -> str:
    """The import's page, which tells how many games came in and how many were there already."""
    return f"{IMPORT}?imported={games}&known={known}"
