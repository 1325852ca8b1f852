"""The description of the API (OpenAPI): what the framework cannot know of it, which is refusals and who may ask."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel, Field

from app.web.errors import BROKEN, FORGED, MEETINGS, TRY_AGAIN
from app.web.table.gamejson import GameJson

PROBLEM = "application/problem+json"

_COMPONENTS = "#/components/schemas/"
_RETRY = {"Retry-After": {"description": "in so many seconds", "schema": {"type": "integer"}}}
_WHO = {
    "token": {"type": "http", "scheme": "bearer", "description": "the token of `POST /api/v1/players`"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "pyramid_player", "description": "over https another name"},
}


class Problem(BaseModel):
    """Why something was refused, or could not be done (RFC 9457)."""

    type: str = Field(description="`urn:pyramid13:` and a word that stays the same")
    title: str
    status: int
    detail: str
    reason: str | None = Field(default=None, description="of an illegal action, in a word that stays the same")
    game: GameJson | None = Field(default=None, description="as it stands, where an action on it was refused")


class Described(FastAPI):
    """An application whose description tells of refusals as they are, and of who may ask."""

    def openapi(self) -> dict[str, Any]:
        """The description, made once."""
        described = super().openapi()
        schemas = described["components"]["schemas"]
        schemas["Problem"] = Problem.model_json_schema(ref_template=_COMPONENTS + "{model}")
        schemas["Problem"].pop("$defs", None)
        described["components"]["securitySchemes"] = _WHO
        # Nobody in particular may ask as well.
        described["security"] = [{name: []} for name in _WHO] + [{}]
        _forget_the_framework_s_own(described)
        return described


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The documentation of what a route may refuse, or fail with."""
    return {status: _refusal(HTTPStatus(status)) for status in statuses}


def _refusal(status: HTTPStatus) -> dict[str, Any]:
    kinds = [meeting.kind for meeting in (*MEETINGS.values(), FORGED, BROKEN) if meeting.status == status]
    return {
        "description": f"{status.phrase}: {', '.join(kinds)}",
        "content": {PROBLEM: {"schema": {"$ref": f"{_COMPONENTS}Problem"}}},
        **({"headers": _RETRY} if status in TRY_AGAIN else {}),
    }


def _forget_the_framework_s_own(described: dict[str, Any]) -> None:
    """Leave out the refusals that FastAPI would send; ours read what is sent themselves."""
    for methods in described["paths"].values():
        for operation in methods.values():
            if PROBLEM not in operation["responses"].get("422", {}).get("content", {PROBLEM: None}):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        described["components"]["schemas"].pop(name, None)
