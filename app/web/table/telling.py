"""What a table tells of its chances, as far as its player wants to know."""

from functools import partial

from starlette.requests import Request

from app.play.advice.coach import Hint
from app.play.archive.records import best
from app.play.errors import NotFound, Stale, TooBusy
from app.play.table import Table
from app.play.together.challenges import Challenge, Result
from app.rules.cards import Card
from app.rules.moves import Discard, Draw, Redeal
from app.rules.state import Outcome, is_won, outcome
from app.web import advice, urls, words
from app.web.deps import from_htmx, preferences, rooms, token, who
from app.web.language import gettext as _
from app.web.table.views import NO_VERDICT, Notice, Shown, TableView, VerdictKind, VerdictView, table_view


def drawn(request: Request, table: Table, shown: Shown) -> TableView:
    """The view of a table, as its player wants to see it."""
    wanted = preferences(request)
    return table_view(table, shown, timed=wanted.timed, hints=wanted.hinted)


def told_at_once(request: Request, table: Table) -> VerdictView:
    """What is known at once; the rest has to be asked for."""
    if not _wants(request, table) or table.id is None:
        return NO_VERDICT
    coach = rooms(request).coach
    if table.game.won_after is not None:
        return _to_ask(request, table, "thinking", "")
    known = coach.at_once(table.game)
    if known is None:
        return _to_ask(request, table, "thinking", _(advice.THINKING))
    if known.winnable:
        return VerdictView("winnable", _(advice.CAN_BE_WON), version=table.version)
    back = coach.known_way_back(table.game)
    if back is None:
        return _to_ask(request, table, "lost", advice.verdict_lost(None, sure=False))
    return _lost(table, back, sure=False)


async def told_in_full(request: Request, table: Table) -> VerdictView:
    """What the solver finds out."""
    if not _wants(request, table):
        return NO_VERDICT
    coach, asker, game = rooms(request).coach, who(request), table.game
    if game.won_after is not None:
        return await _won(request, table)
    try:
        verdict = await coach.verdict(asker, game.state)
    except TooBusy:
        return VerdictView("unknown", _(words.TOO_BUSY), version=table.version)
    if verdict.winnable is None:
        return VerdictView("unknown", _(advice.NOT_KNOWN), version=table.version)
    if verdict.winnable:
        return VerdictView("winnable", _(advice.CAN_BE_WON), version=table.version)
    try:
        back, sure = await coach.way_back(asker, game)
    except TooBusy:
        back, sure = None, False
    return _lost(table, back, sure=sure)


def news(request: Request, table: Table, verdict: VerdictView, *, back: bool = False) -> str:
    """What is to be heard of a verdict: with the move that lost a game that it is lost; after a win how good it was.

    That is told together with the win, whose own word may not have been heard to its end. Who has just gone ``back``
    to where the game can be won is told so.
    """
    if back and verdict.kind == "winnable":
        return words.sentence(verdict.text)
    if verdict.kind == "fewest":
        timed = preferences(request).timed
        return f"{words.won(table.game.moves, table.seconds if timed else None)} {verdict.text}"
    return verdict.text if verdict.kind == "lost" and verdict.back == 1 else ""


async def challenge_of(request: Request, table: Table) -> Challenge | None:
    """The challenge that a game was begun from; None where there is none, or it was withdrawn."""
    room, key = rooms(request), table.origin.challenge
    if key is None:
        return None
    try:
        return await room.run(partial(room.challenges.meet, token=token(request), key=key))
    except NotFound:
        return None


async def own_best(request: Request, table: Table, *, won: bool = False) -> str:
    """What the player who asks did best by a table's rules, and on its deal; ``won`` when this game has just been.

    Beside a game that is over nothing stands: of a win its own word tells.
    """
    if table.over and not won:
        return ""
    found = await rooms(request).run(partial(best, token=token(request), rules=table.rules, deal=table.deal))
    if found.moves is None:
        return ""
    timed = preferences(request).timed
    seconds, deal_seconds = (
        time // 1000 if timed and time is not None else None for time in (found.time, found.deal_time)
    )
    if won:
        return words.best_after(table.game.moves, table.seconds, found.moves, seconds)
    return words.best(found.moves, seconds, found.deal_moves, deal_seconds)


async def take_hint(
    request: Request, asker: str | None, game_id: str, version: int | None = None
) -> tuple[Hint, Table]:
    """A hint, counted once there is one, and its game then; it ends a pause.

    ``version`` is the one that it was asked for at; None: the current one. Raises as Games.hinted(), and TooBusy.
    """
    room = rooms(request)
    table = await room.run(partial(room.games.show, token=asker, game_id=game_id))
    if version is not None and version != table.version and not table.left:
        raise Stale(table)
    hint = await room.coach.hint(who(request), table.game.state)
    return hint, await room.run(partial(room.games.hinted, token=asker, game_id=game_id, version=table.version))


async def hint_shown(request: Request, table: Table, half: int) -> Shown:
    """A hint as hint_on() shows it, or that the solver is too busy for one."""
    try:
        hint = await rooms(request).coach.hint(who(request), table.game.state)
    except TooBusy:
        return Shown(notice=Notice("hint", _(words.TOO_BUSY)), verdict=told_at_once(request, table))
    return hint_on(request, table, hint, half)


def hint_on(request: Request, table: Table, hint: Hint, half: int) -> Shown:
    """The first half of a hint (what kind of move) or the whole (which cards), as it stands on the table."""
    cards = frozenset(hint.move.cards) if half > 1 and isinstance(hint.move, Discard) else frozenset[Card]()
    text = advice.hint_whole(hint.move) if half > 1 else advice.hint_kind(hint.move)
    more = _(advice.HINT_MORE) if half == 1 and isinstance(hint.move, Discard) else ""
    # Who does not want to be told of a loss is not told by a hint either.
    truth = advice.hint_truth(hint.verdict.winnable) if preferences(request).tell == "lost" else ""
    notice = Notice("hint", " ".join(filter(None, (text, truth))), more)
    stock = isinstance(hint.move, Draw | Redeal)
    return Shown(hinted=cards, stock=stock, notice=notice, verdict=told_at_once(request, table))


def _wants(request: Request, table: Table) -> bool:
    if table.left or table.paused or not table.version:
        return False
    if table.game.won_after is not None:
        # What is undone after a win changes nothing any more.
        return is_won(table.game.state)
    wish = preferences(request).tell
    return wish == "lost" or (wish == "stuck" and outcome(table.game.state) is Outcome.STUCK)


def _to_ask(request: Request, table: Table, kind: VerdictKind, text: str) -> VerdictView:
    """What is said until the solver has been asked; htmx need not be told how that is done without script."""
    game_id = table.id or ""
    plainly = "" if from_htmx(request) else urls.with_verdict(game_id)
    return VerdictView(kind, text, url=urls.verdict(game_id, table.version), ask_url=plainly, version=table.version)


def _lost(table: Table, back: int | None, *, sure: bool) -> VerdictView:
    way = advice.way_back(back) if back else ""
    return VerdictView("lost", advice.verdict_lost(back, sure=sure), back or 0, way, version=table.version)


async def _against(request: Request, table: Table) -> str:
    """How a won game compares with the one that it was a challenge to beat."""
    met = await challenge_of(request, table)
    if met is None or met.theirs is None or met.mine:
        return ""
    own = Result(won=True, moves=table.game.moves, seconds=table.seconds, hints=table.hints)
    return words.compared(own, met.theirs, met.sender, timed=preferences(request).timed)


async def _won(request: Request, table: Table) -> VerdictView:
    """What there is to say of a win; a game that began in the middle of another is measured by nothing."""
    if table.opening:
        return NO_VERDICT
    try:
        best = await rooms(request).judge.fewest(who(request), table)
        fewest = advice.fewest(best.moves, table.game.moves) if best.moves is not None else ""
    except TooBusy:
        fewest = _(words.TOO_BUSY)
    parts = (await _against(request, table), fewest, await own_best(request, table, won=True))
    text = " ".join(filter(None, parts))
    return VerdictView("fewest", text, version=table.version) if text else NO_VERDICT
