"""The daily deals: today's, each day's own page to play it on, and the calendar."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import ClassVar

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.play.errors import NotFound
from app.play.games import open_deal
from app.play.table import Origin, Table
from app.play.together.daily import DAILY_RULES, FIRST_DAY, Mark, Month, Standing, Streak
from app.rules.ruleset import RuleSet
from app.web import language, urls, words
from app.web.api import router
from app.web.deps import rooms, token
from app.web.html import page_answer
from app.web.language import gettext as _
from app.web.language import ngettext, noted, number, pgettext
from app.web.layers.below import base_of
from app.web.table.actions import begin_on
from app.web.table.pages import opening_page

_MARK_CLASSES: dict[Mark | None, str] = {"in time": "won", "late": "late", "tried": "tried", None: ""}
_LATE = noted("This day is over: won now, it counts as won late.")
_RULES = {rules.slug: rules for rules in DAILY_RULES}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class DealOfDay:
    """One of today's deals; ``state`` says how the player stands with it, ``go`` what its link is called."""

    name: str
    line: str
    state: str
    mark: str
    go: str
    go_url: str
    streak: str
    calendar_url: str
    board_url: str


@dataclass(frozen=True, slots=True)
class DailyPage:
    """Today's deals."""

    template: ClassVar[str] = "daily.html"

    title: str
    day: str
    day_name: str
    deals: tuple[DealOfDay, ...]


@dataclass(frozen=True, slots=True)
class DayView:
    """A day in the calendar; ``url`` is empty for one that is still to come.

    ``name`` says the day and what became of it; ``mark`` is ``won``, ``late``, ``tried`` or empty.
    """

    number: int
    url: str
    name: str
    mark: str
    today: bool


@dataclass(frozen=True, slots=True)
class CalendarPage:
    """A month of daily deals, week by week from Monday, None where a day is another month's."""

    template: ClassVar[str] = "calendar.html"

    title: str
    rules_name: str
    month_name: str
    weekdays: tuple[str, ...]
    weeks: tuple[tuple[DayView | None, ...], ...]
    streak: str
    back_url: str
    next_url: str
    today_url: str
    board_url: str


class DailyJson(BaseModel):
    """A deal of today."""

    model_config = ConfigDict(frozen=True)

    rules: str
    day: str
    link: str
    seed: str


async def today(request: Request) -> Response:
    """Today's deals, and how the player stands with them."""
    room, day = rooms(request), rooms(request).dailies.today()
    deals = [(rules, await room.dailies.deal(rules, day)) for rules in DAILY_RULES]
    standings = await room.run(partial(room.dailies.standings, token=token(request), day=day, deals=deals))
    lines = tuple(_deal_of_day(rules, day, standing) for rules, standing in zip(DAILY_RULES, standings, strict=True))
    return page_answer(request, DailyPage(_("Daily deals"), day.isoformat(), language.day_text(day), lines))


async def latest(request: Request) -> Response:
    """On to today's deal of a rule set."""
    rules = _named_rules(request)
    return RedirectResponse(urls.daily(rules, rooms(request).dailies.today().isoformat()), status_code=303)


async def deal(request: Request) -> Response:
    """A day's deal, ready to be played."""
    room, (rules, day) = rooms(request), named_daily(request)
    table = await _opening(request, rules, day)
    running = partial(room.dailies.running, token=token(request), day=day, rules=rules, deal=table.deal)
    word = _(_LATE) if day < room.dailies.today() else ""
    return await opening_page(request, table, word, await room.run(running))


async def begin(request: Request) -> Response:
    """The first action on a day's deal, which begins a game; whether it is late, the clock tells."""
    return await begin_on(request, await _opening(request, *named_daily(request)))


async def calendar(request: Request) -> Response:
    """A month of a rule set's daily deals."""
    room, rules = rooms(request), _named_rules(request)
    now = room.dailies.today()
    text = request.query_params.get("month")
    first = now.replace(day=1) if text is None else _read_month(text)
    month = await room.run(partial(room.dailies.month, token=token(request), rules=rules, first=first))
    return page_answer(request, _calendar_page(rules, month, now))


@router.get("/daily")
async def show_today(request: Request) -> list[DailyJson]:
    """Today's deals, by UTC."""
    dailies, base = rooms(request).dailies, base_of(request)
    day = dailies.today()
    deals = [(rules, await dailies.deal(rules, day)) for rules in DAILY_RULES]
    return [
        DailyJson(rules=rules.slug, day=day.isoformat(), link=base + urls.daily(rules, day.isoformat()), seed=deal.code)
        for rules, deal in deals
    ]


routes = [
    Route("/daily", today),
    Route("/daily/{rules}", latest),
    Route("/daily/{rules}/calendar", calendar),
    Route("/daily/{rules}/{day}", deal),
    Route("/daily/{rules}/{day}", begin, methods=["POST"]),
]


def named_daily(request: Request) -> tuple[RuleSet, date]:
    """The rule set and the day in an address. Raises NotFound."""
    text = request.path_params["day"]
    return _named_rules(request), _read_date(text, _DAY, text)


def _named_rules(request: Request) -> RuleSet:
    rules = _RULES.get(request.path_params["rules"])
    if rules is None:
        raise NotFound
    return rules


def _read_month(text: str) -> date:
    return _read_date(text, _MONTH, f"{text}-01")


def _read_date(text: str, form: re.Pattern[str], day: str) -> date:
    """A date in a form, else NotFound; there are years that have no date."""
    try:
        if form.fullmatch(text):
            return date.fromisoformat(day)
    except ValueError:
        pass
    raise NotFound


async def _opening(request: Request, rules: RuleSet, day: date) -> Table:
    cards = await rooms(request).dailies.deal(rules, day)
    return open_deal(rules, cards, Origin(daily=day.isoformat()))


def _deal_of_day(rules: RuleSet, day: date, standing: Standing) -> DealOfDay:
    running, text = standing.running[:1], day.isoformat()
    return DealOfDay(
        name=words.rules_name(rules),
        line=words.rules_line(rules),
        state=_state(standing),
        mark=_MARK_CLASSES[standing.mark],
        go=_go(standing),
        go_url=urls.game(running[0].id) if running else urls.daily(rules, text),
        streak=_streak(standing.streak),
        calendar_url=urls.calendar(rules),
        board_url=urls.daily_board(rules, text),
    )


def _go(standing: Standing) -> str:
    if standing.running:
        return _("Go on")
    return _("Play again") if standing.mark else _("Play")


def _state(standing: Standing) -> str:
    """How a player stands with a deal, in words."""
    if standing.moves is not None:
        return ngettext("Won in %(count)s move.", "Won in %(count)s moves.", standing.moves)
    if standing.running:
        moves = standing.running[0].moves
        return ngettext("Begun; %(count)s move so far.", "Begun; %(count)s moves so far.", moves)
    return _("Tried, not won.") if standing.mark else _("Not begun.")


def _streak(streak: Streak) -> str:
    """A streak in words; nothing where there never was one."""
    if not streak.longest:
        return ""
    longest = number(streak.longest)
    if not streak.current:
        return _("Longest row: %(longest)s.", longest=longest)
    return ngettext(
        "%(count)s day in a row; the longest row: %(longest)s.",
        "%(count)s days in a row; the longest row: %(longest)s.",
        streak.current,
        longest=longest,
    )


def _calendar_page(rules: RuleSet, month: Month, now: date) -> CalendarPage:
    before, after = month.first - timedelta(days=1), month.first + timedelta(days=32)
    name = words.rules_name(rules)
    return CalendarPage(
        title=f"{name}, {language.month_text(month.first)}",
        rules_name=name,
        month_name=language.month_text(month.first),
        weekdays=language.weekdays(),
        weeks=tuple(_weeks(rules, month, now)),
        streak=_streak(month.streak),
        back_url=urls.calendar(rules, f"{before:%Y-%m}") if before >= FIRST_DAY else "",
        next_url=urls.calendar(rules, f"{after:%Y-%m}") if after.replace(day=1) <= now else "",
        today_url=urls.daily(rules, now.isoformat()),
        board_url=urls.daily_board(rules, now.isoformat()),
    )


def _weeks(rules: RuleSet, month: Month, now: date) -> Iterable[tuple[DayView | None, ...]]:
    first = month.first - timedelta(days=month.first.weekday())
    while first.replace(day=1) <= month.first:
        days = (first + timedelta(days=place) for place in range(7))
        yield tuple(_day(rules, day, month, now) if day.month == month.first.month else None for day in days)
        first += timedelta(days=7)


def _day(rules: RuleSet, day: date, month: Month, now: date) -> DayView:
    mark = month.marks.get(day)
    parts = (language.day_text(day), _("today") if day == now else "", _mark_name(mark))
    return DayView(
        number=day.day,
        url=urls.daily(rules, day.isoformat()) if day <= now else "",
        name=", ".join(filter(None, parts)),
        mark=_MARK_CLASSES[mark],
        today=day == now,
    )


def _mark_name(mark: Mark | None) -> str:
    match mark:
        case "in time":
            return pgettext("daily deal", "won")
        case "late":
            return pgettext("daily deal", "won late")
        case "tried":
            return pgettext("daily deal", "not won")
        case None:
            return ""
