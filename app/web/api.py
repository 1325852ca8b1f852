"""The JSON API, so that programs can play; errors are problem+json, and every refusal of an action carries the game."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse

from app.play.games import open_deal
from app.rules.cards import Unreadable
from app.rules.deal import Deal, Seed, read_deck, read_seed, seeded
from app.rules.moves import read_action
from app.rules.ruleset import DEFAULT, read_rules
from app.web.deps import Body, read_json, remember, rooms, token
from app.web.gamejson import DealJson, GameJson, deal_json, game_json
from app.web.pages import named_deal

router = APIRouter(prefix="/api/v1", tags=["play"])


class NewGame(BaseModel):
    """A game to begin: by a seed, by a whole deck, or, with neither, by a fresh random seed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rules: str = DEFAULT.slug
    seed: str | None = None
    deck: str | None = None


class NewAction(BaseModel):
    """An action, and the version of the game at which it was chosen."""

    model_config = ConfigDict(extra="forbid", strict=True)

    version: Annotated[int, Field(ge=0, le=999_999_999)]
    action: str


def _takes(body_type: type[Body]) -> dict[str, Any]:
    """The documentation of a request's body, which read_json reads."""
    content = {"application/json": {"schema": body_type.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}


@router.get("/deals/{rules}/{seed}")
async def show_deal(request: Request, rules: str, seed: str) -> DealJson:  # noqa: ARG001 - documented parameters.
    """A deal as it opens; nothing is kept of it. ``seed`` may be a whole deck, as in deal links."""
    return deal_json(open_deal(*named_deal(request)))


@router.post("/games", status_code=201, response_model=GameJson, openapi_extra=_takes(NewGame))
async def create_game(request: Request) -> JSONResponse:
    """A new game. Its player is whoever sends the cookie; without one, the answer sets it."""
    room, asked = rooms(request), await read_json(request, NewGame)
    rules, deal = read_rules(asked.rules), _asked_deal(asked, room.fresh_seed)
    table, new_token = await room.run(partial(room.games.create, token=token(request), rules=rules, deal=deal))
    response = JSONResponse(game_json(table), 201, {"Location": f"/api/v1/games/{table.id}"})
    remember(request, response, new_token)
    return response


@router.get("/games/{game}", response_model=GameJson)
async def show_game(request: Request, game: str) -> JSONResponse:
    """A game as it stands."""
    room = rooms(request)
    return JSONResponse(game_json(await room.run(partial(room.games.show, token=token(request), game_id=game))))


@router.post("/games/{game}/actions", response_model=GameJson, openapi_extra=_takes(NewAction))
async def act(request: Request, game: str) -> JSONResponse:
    """An action: ``draw``, ``redeal``, ``undo``, ``redo``, a king ``Kd``, or a pair ``6d+7h`` in either order."""
    room, asked = rooms(request), await read_json(request, NewAction)
    action = read_action(asked.action)
    use_case = partial(room.games.act, token=token(request), game_id=game, version=asked.version, action=action)
    return JSONResponse(game_json((await room.run(use_case)).table))


@router.post("/games/{game}/leave", response_model=GameJson)
async def leave(request: Request, game: str) -> JSONResponse:
    """Give a game up; no action is taken on it any more."""
    room = rooms(request)
    return JSONResponse(game_json(await room.run(partial(room.games.leave, token=token(request), game_id=game))))


def _asked_deal(asked: NewGame, fresh_seed: Callable[[], str]) -> Deal:
    if asked.seed is not None and asked.deck is not None:
        raise Unreadable("give a seed or a deck, not both")
    if asked.deck is not None:
        return Deal(read_deck(asked.deck))
    return seeded(read_seed(asked.seed) if asked.seed is not None else Seed(fresh_seed()))
