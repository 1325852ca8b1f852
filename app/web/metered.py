"""What is charged, and to whom: each post as an action, what is dear by a word of its handler.

Whoever sits on the server's own machine is not charged: nothing stands between him and the server. A proxy there that
sends X-Forwarded-For names its clients, who are.
"""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.play.errors import TooFast
from app.play.limits import ACTION, DEAR
from app.web.deps import metered_network, rooms, token

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]


def metered(routes: Iterable[Route]) -> list[Route]:
    """Routes whose posts are charged as an action each, before anything of them is read."""
    return [
        Route(route.path, _charging(route.endpoint), methods=["POST"]) if route.methods == {"POST"} else route
        for route in routes
    ]


def charge(request: Request, cost: int = ACTION) -> None:
    """Charge whoever asks. Raises TooFast, and charges nothing then."""
    network = metered_network(request)
    if network is not None:
        rooms(request).limits.spend(token(request), network, cost)


async def run_dear(request: Request, use_case: Callable[[Connection], T], cost: int = DEAR) -> T:
    """The result of a use case that costs more than the action which was charged for its post.

    Raises TooFast before anything is changed, and what the use case raises.
    """
    room, network = rooms(request), metered_network(request)
    if network is None:
        return await room.run(use_case)
    try:
        charge(request, cost - ACTION)
    except TooFast:
        # Nor does the post cost anything: who comes back in time must be let in.
        charge(request, -ACTION)
        raise
    counted = partial(room.limits.counted, use_case=use_case, token=token(request), network=network, cost=cost)
    try:
        return await room.run(counted)
    except TooFast:
        # Spent at another server, or before this one began: what was not done costs nothing here either.
        charge(request, -cost)
        raise


async def charge_dear(request: Request, cost: int) -> None:
    """Charge for what is done afterwards, in many steps. Raises TooFast."""
    await run_dear(request, _nothing, cost)


def _charging(endpoint: Endpoint) -> Endpoint:
    async def charging(request: Request) -> Response:
        charge(request)
        return await endpoint(request)

    return charging


def _nothing(_connection: Connection) -> None:
    """A use case that is charged for what others do."""
