"""The JSON API, so that programs can play; errors are problem+json, and every refusal of an action carries the game."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse

from app.play.errors import Unauthorized
from app.play.games import open_deal
from app.play.players import read_name
from app.play.table import Table
from app.rules.deal import Deal, Seed, asked_deal, read_deck, seeded
from app.rules.moves import action_text, read_action
from app.rules.ruleset import DEFAULT, RuleSet, read_rules
from app.web.archive.records import RecordsJson, records_json
from app.web.deps import Body, own_game, preferences, read_json, remember, rooms, token, who
from app.web.description import refusals
from app.web.layers.below import base_of
from app.web.metered import charge, run_dear
from app.web.replay.lookbackjson import LookBackJson, lookback_json
from app.web.replay.replays import told_better
from app.web.table.gamejson import (
    DealJson,
    GameJson,
    HintJson,
    NameJson,
    SolutionJson,
    TokenJson,
    VerdictJson,
    deal_json,
    game_json,
    verdict_word,
)
from app.web.table.pages import named_deal, saw_solution, solved
from app.web.table.telling import take_hint

_WITH_BODY = (403, 413, 415, 422, 429)
"""What may become of a post with a body."""

LOOK_BACK_SECONDS = 10.0
"""How long a program waits for a look back before it is told what is known."""


async def _admit(request: Request) -> None:
    """Charge a post, and refuse a bearer whom nobody knows; he would become a new player by chance.

    Raises TooFast or Unauthorized.
    """
    if request.method == "POST":
        charge(request)
    room = rooms(request)
    if "authorization" in request.headers and await room.run(partial(room.players.find, token=token(request))) is None:
        raise Unauthorized


router = APIRouter(prefix="/api/v1", tags=["play"], dependencies=[Depends(_admit)], responses=refusals(401, 500, 503))


class NewGame(BaseModel):
    """A game to begin: by a seed, by a whole deck, or, with neither, by a fresh random seed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rules: str = DEFAULT.slug
    seed: str | None = None
    deck: str | None = None


class ToSolve(BaseModel):
    """A deck to solve, and the rules to play it by."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rules: str
    deck: str


class NewName(BaseModel):
    """A display name of 1 to 24 characters; null takes the old one away."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str | None


class NewAction(BaseModel):
    """An action, and the version of the game at which it was chosen."""

    model_config = ConfigDict(extra="forbid", strict=True)

    version: Annotated[int, Field(ge=0, le=999_999_999)]
    action: str


def _takes(body_type: type[Body]) -> dict[str, Any]:
    """The documentation of a request's body, which read_json reads."""
    content = {"application/json": {"schema": body_type.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}


@router.get("/deals/{rules}/{seed}", responses=refusals(404))
async def show_deal(request: Request, rules: str, seed: str) -> DealJson:  # noqa: ARG001 - documented parameters.
    """A deal as it opens; nothing is kept of it. ``seed`` may be a whole deck, as in deal links."""
    return deal_json(open_deal(*named_deal(request)), base_of(request))


@router.post("/players", status_code=201, responses=refusals(403, 429))
async def give_token(request: Request) -> TokenJson:
    """A token, to be sent as ``Authorization: Bearer``: of the player who asks, or of a new one."""
    room = rooms(request)
    use_case = partial(room.players.give_token, token=token(request), preferences=preferences(request))
    return TokenJson(token=await run_dear(request, use_case))


@router.get("/me/records")
async def show_records(request: Request) -> RecordsJson:
    """The statistics of the player who asks, over all and by rule set, and his last finished games."""
    return await records_json(request)


@router.post("/me/name", openapi_extra=_takes(NewName), responses=refusals(*_WITH_BODY, 404))
async def rename(request: Request) -> NameJson:
    """The name under which the player who asks stands on boards; a player without one stands on none."""
    room, asked = rooms(request), await read_json(request, NewName)
    name = read_name(asked.name or "")
    await room.run(partial(room.players.rename, token=token(request), name=name))
    return NameJson(name=name)


@router.post(
    "/games",
    status_code=201,
    response_model=GameJson,
    openapi_extra=_takes(NewGame),
    responses=refusals(*_WITH_BODY),
)
async def create_game(request: Request) -> JSONResponse:
    """A new game. Its player is whoever sends the cookie; without one, the answer sets it."""
    room, asked = rooms(request), await read_json(request, NewGame)
    rules, deal = read_rules(asked.rules), asked_deal(asked.seed, asked.deck) or seeded(Seed(room.fresh_seed()))
    use_case = partial(
        room.games.create, token=token(request), rules=rules, deal=deal, preferences=preferences(request)
    )
    table, new_token = await run_dear(request, use_case)
    response = JSONResponse(game_json(table, base_of(request)), 201, {"Location": f"/api/v1/games/{table.id}"})
    remember(request, response, new_token)
    return response


@router.get("/games/{game}", response_model=GameJson, responses=refusals(404))
async def show_game(request: Request, game: str) -> JSONResponse:  # noqa: ARG001 - documented.
    """A game as it stands."""
    return _game(request, await own_game(request))


@router.post(
    "/games/{game}/actions",
    response_model=GameJson,
    openapi_extra=_takes(NewAction),
    responses=refusals(*_WITH_BODY, 404, 409),
)
async def act(request: Request, game: str) -> JSONResponse:
    """An action: ``draw``, ``redeal``, ``undo``, ``redo``, a king ``Kd``, or a pair ``6d+7h`` in either order."""
    room, asked = rooms(request), await read_json(request, NewAction)
    action = read_action(asked.action)
    use_case = partial(room.games.act, token=token(request), game_id=game, version=asked.version, action=action)
    acted = await room.run(use_case)
    if acted.wins:
        room.judge.judge_later(acted.table)
    return _game(request, acted.table)


@router.post("/games/{game}/leave", response_model=GameJson, responses=refusals(403, 404, 409, 429))
async def leave(request: Request, game: str) -> JSONResponse:
    """Give a game up; no action is taken on it any more."""
    room = rooms(request)
    return _game(request, await room.run(partial(room.games.leave, token=token(request), game_id=game)))


@router.post("/games/{game}/pause", response_model=GameJson, responses=refusals(403, 404, 429))
async def pause(request: Request, game: str) -> JSONResponse:
    """Pause a game: the clock stands still, and no card is told until the next action or ``resume``."""
    return await _paused(request, game, on=True)


@router.post("/games/{game}/resume", response_model=GameJson, responses=refusals(403, 404, 429))
async def resume(request: Request, game: str) -> JSONResponse:
    """Go on with a paused game."""
    return await _paused(request, game, on=False)


@router.get("/games/{game}/verdict", responses=refusals(404, 429))
async def show_verdict(request: Request, game: str) -> VerdictJson:  # noqa: ARG001 - documented.
    """Whether the game can still be won; ``undos`` lead to the last position where it could. Nothing while paused."""
    room, table = rooms(request), await own_game(request)
    if table.paused:
        return VerdictJson(verdict=None, undos=None)
    verdict = await room.coach.verdict(who(request), table.game.state)
    lost = verdict.winnable is False
    undos = (await room.coach.way_back(who(request), table.game))[0] if lost else None
    return VerdictJson(verdict=verdict_word(verdict.winnable), undos=undos)


@router.get("/games/{game}/lookback", responses=refusals(404, 429))
async def show_lookback(request: Request, game: str) -> LookBackJson:  # noqa: ARG001 - documented.
    """Where a game that is won or given up could still be won, and what lost it; after ten seconds, what is known."""
    room, table = rooms(request), await own_game(request)
    found = await room.lookbacks.whole(table, LOOK_BACK_SECONDS)
    await told_better(request, table, found)
    return lookback_json(found)


@router.get("/games/{game}/hint", responses=refusals(404, 409, 422, 429))
async def show_hint(request: Request, game: str) -> HintJson:
    """A move that keeps the game winnable, where the solver knows one. It is counted, once between two actions.

    Asking for it ends a pause.
    """
    hint, table = await take_hint(request, token(request), game)
    action = action_text(hint.move) if hint.move is not None else None
    return HintJson(action=action, verdict=verdict_word(hint.verdict.winnable), hints=table.hints)


@router.get("/deals/{rules}/{seed}/solution", responses=refusals(404, 429))
async def show_solution(request: Request, rules: str, seed: str) -> SolutionJson:  # noqa: ARG001 - documented.
    """Whether a deal can be won, in how few moves, and such a line."""
    return await _solution(request, *named_deal(request))


@router.post("/solve", openapi_extra=_takes(ToSolve), responses=refusals(*_WITH_BODY))
async def solve(request: Request) -> SolutionJson:
    """The same for a whole deck."""
    asked = await read_json(request, ToSolve)
    return await _solution(request, read_rules(asked.rules), Deal(read_deck(asked.deck)))


def _game(request: Request, table: Table) -> JSONResponse:
    return JSONResponse(game_json(table, base_of(request)))


async def _paused(request: Request, game: str, *, on: bool) -> JSONResponse:
    room = rooms(request)
    use_case = partial(room.games.pause, token=token(request), game_id=game, on=on)
    return _game(request, await room.run(use_case))


async def _solution(request: Request, rules: RuleSet, deal: Deal) -> SolutionJson:
    verdict = await solved(request, rules, deal)
    await saw_solution(request, rules, deal, verdict)
    line = [action_text(move) for move in verdict.line] if verdict.line is not None else None
    return SolutionJson(rules=rules.slug, verdict=verdict_word(verdict.winnable), moves=verdict.moves, line=line)
