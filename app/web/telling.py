"""What a table tells of its chances, as far as its player wants to know."""

from starlette.requests import Request

from app.play.coach import Verdict
from app.play.errors import TooBusy
from app.play.table import Table
from app.rules.cards import Card
from app.rules.moves import Discard
from app.rules.state import Outcome, outcome
from app.web import urls, words
from app.web.deps import rooms, tell, who
from app.web.views import Notice, Shown, VerdictView


def told_at_once(request: Request, table: Table) -> VerdictView:
    """What is known at once; the rest has to be asked for."""
    if not _wants(request, table) or table.id is None:
        return VerdictView()
    coach, ask = rooms(request).coach, urls.verdict(table.id)
    if table.game.won_after is not None:
        return VerdictView("thinking", url=ask)
    known = coach.at_once(table.game)
    if known is None:
        return VerdictView("thinking", words.THINKING, url=ask)
    if known.winnable:
        return VerdictView("winnable", words.CAN_BE_WON)
    back = coach.known_way_back(table.game)
    return _lost(back, sure=False) if back else VerdictView("lost", words.verdict_lost(None, sure=False), url=ask)


async def told_in_full(request: Request, table: Table) -> VerdictView:
    """What the solver finds out."""
    if not _wants(request, table):
        return VerdictView()
    coach, asker, game = rooms(request).coach, who(request), table.game
    try:
        if game.won_after is not None:
            return _fewest(await coach.fewest(asker, game.states[0]), game.moves)
        verdict = await coach.verdict(asker, game.state)
        if verdict.winnable is None:
            return VerdictView("unknown", words.NOT_KNOWN)
        if verdict.winnable:
            return VerdictView("winnable", words.CAN_BE_WON)
        return _lost(await coach.way_back(asker, game), sure=True)
    except TooBusy:
        return VerdictView("unknown", words.TOO_BUSY)


async def hint_shown(request: Request, table: Table, half: int) -> Shown:
    """The first half of a hint (what kind of move) or the whole (which cards), as it stands on the table."""
    hint = await rooms(request).coach.hint(who(request), table.game.state)
    told = told_at_once(request, table)
    cards = frozenset(hint.move.cards) if half > 1 and isinstance(hint.move, Discard) else frozenset[Card]()
    text = words.hint_whole(hint.move) if half > 1 else words.hint_kind(hint.move)
    more = words.HINT_MORE if half == 1 and isinstance(hint.move, Discard) else ""
    notice = Notice("hint", text + words.hint_truth(hint.verdict.winnable), more)
    return Shown(hinted=cards, notice=notice, verdict=told)


def _wants(request: Request, table: Table) -> bool:
    if table.left or not table.version:
        return False
    wish, stuck = tell(request), outcome(table.game.state) is Outcome.STUCK
    return table.game.won_after is not None or wish == "lost" or (wish == "stuck" and stuck)


def _lost(back: int | None, *, sure: bool) -> VerdictView:
    return VerdictView(
        "lost", words.verdict_lost(back, sure=sure), back=back or 0, way=words.way_back(back) if back else ""
    )


def _fewest(best: Verdict, own: int) -> VerdictView:
    return VerdictView("fewest", words.fewest(best.moves, own)) if best.moves is not None else VerdictView()
