"""Where the rooms meet: the application, made from settings."""

import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from jinja2 import BytecodeCache
from sqlalchemy import Engine
from starlette.types import Lifespan

from app import __version__
from app.config import Settings
from app.play.advice.coach import BACKEND, Coach
from app.play.advice.judge import Judge
from app.play.advice.lookback import LookBacks
from app.play.archive.moving import Moving
from app.play.archive.portable import Portable
from app.play.archive.records import Records
from app.play.archive.tidying import Tidying
from app.play.games import Games, random_id
from app.play.limits import Limits
from app.play.players import Players, random_key
from app.play.readiness import Readiness
from app.play.slowdown import Slowdown
from app.play.together.boards import Boards
from app.play.together.challenges import Challenges
from app.play.together.daily import Dailies
from app.play.together.links import Links
from app.store.database.door import Door
from app.store.database.engine import open_engine
from app.store.database.schema import migrate
from app.web import api, health, learn, offline
from app.web.archive import history, portable, records, you
from app.web.assets import Assets
from app.web.deps import Rooms
from app.web.description import Described
from app.web.errors import handlers
from app.web.layers.guard import Guard
from app.web.layers.plain import PlainRoutes
from app.web.layers.watched import Watched, through
from app.web.metered import metered
from app.web.preview import preview
from app.web.preview.gallery import Gallery
from app.web.render import Renderer
from app.web.replay import replays
from app.web.table import actions, pages
from app.web.together import boards, challenges, daily

if TYPE_CHECKING:
    from app.watch.metrics import Metrics

ROOT = Path(__file__).resolve().parents[1]

ROUTES = (
    *actions.routes,
    *pages.routes,
    *learn.routes,
    *preview.routes,
    *replays.routes,
    *you.routes,
    *records.routes,
    *history.routes,
    *challenges.routes,
    *daily.routes,
    *boards.routes,
    *portable.routes,
    *offline.routes,
    *health.routes,
)
"""The pages and forms; whoever has a noun of his own lists its routes there."""

_DEALS = 10_000_000_000


def random_seed() -> str:
    """The number of a fresh deal: up to ten digits."""
    return str(secrets.randbelow(_DEALS))


def milliseconds() -> int:
    """The time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Sources:
    """The clock, in milliseconds since 1970, and the sources of randomness; all can be replaced, for tests."""

    now: Callable[[], int] = milliseconds
    fresh_id: Callable[[], str] = random_id
    fresh_key: Callable[[], str] = random_key
    fresh_seed: Callable[[], str] = random_seed


def create_app(settings: Settings, sources: Sources = Sources(), compiled: BytecodeCache | None = None) -> FastAPI:
    """The application; ``compiled`` keeps the templates' code for further ones in the same process."""
    engine = open_engine(settings.data, synchronous=settings.synchronous, address=settings.database.get_secret_value())
    metrics = _metrics(settings)
    door, assets = Door(engine, metrics.transaction if metrics else None), Assets(ROOT / "static")
    rooms = _rooms(settings, sources, door, Renderer(ROOT / "templates", assets.url, compiled), metrics)
    tidying = Tidying(door.run, rooms.moving, sources.now, settings.unfinished_days)
    app = Described(
        title="Pyramid 13",
        version=__version__,
        lifespan=_lifespan(engine, door, rooms, tidying),
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        servers=[{"url": settings.base_path}] if settings.base_path else None,
        redirect_slashes=False,
        exception_handlers=handlers(),
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.rooms = rooms
    # Entered by whoever runs the application: what is wrong with the port is then said before it starts.
    app.state.metrics = metrics.offered(settings.metrics_host, settings.metrics_port) if metrics else nullcontext()
    app.include_router(api.router)
    app.add_middleware(PlainRoutes, routes=[*metered(ROUTES), assets.route()], handlers=handlers())
    app.add_middleware(Guard, base=settings.base_path, hsts=settings.hsts)
    count = metrics.request if metrics else None
    app.add_middleware(Watched, through(settings.trusted_proxies), log_all=settings.log_requests, count=count)
    return app


def _metrics(settings: Settings) -> "Metrics | None":
    """What counts, where that is asked for."""
    if not settings.metrics_port:
        return None
    from app.watch.metrics import Metrics  # noqa: PLC0415 - few ask for it, and it takes its time and memory.

    return Metrics(__version__, BACKEND)


def _rooms(settings: Settings, sources: Sources, door: Door, render: Renderer, metrics: "Metrics | None") -> Rooms:
    """All that handlers work with."""
    now, fresh_key = sources.now, sources.fresh_key
    players = Players(now, fresh_key)
    games = Games(players, now, sources.fresh_id)
    links = Links(games, now, fresh_key)
    coach = Coach(door.run, metrics.solved if metrics else None)
    if metrics:
        metrics.ask_waiting(lambda: coach.waiting)
    return Rooms(
        run=door.run,
        readiness=Readiness(door.run),
        players=players,
        moving=Moving(door.run, players),
        slowdown=Slowdown(now),
        limits=Limits(players, now, settings.player_rate, settings.network_rate),
        games=games,
        coach=coach,
        judge=Judge(door.run, coach),
        lookbacks=LookBacks(coach),
        records=Records(door.run, players, now),
        portable=Portable(door.run, players, now),
        links=links,
        challenges=Challenges(links, players),
        dailies=Dailies(players, door.run, coach, now, fresh_key),
        boards=Boards(players, door.run, now),
        render=render,
        gallery=Gallery(settings.public_url + settings.base_path),
        fresh_key=fresh_key,
        fresh_seed=sources.fresh_seed,
    )


def _lifespan(engine: Engine, door: Door, rooms: Rooms, tidying: Tidying) -> Lifespan[FastAPI]:
    """From the migration of the database to the last answer; whatever works in the background ends before its door."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        migrate(engine)
        door.open()
        try:
            await door.run(rooms.players.start)
            await door.run(rooms.dailies.start)
            tidying.start()
            yield
        finally:
            for worker in (rooms.lookbacks, tidying, rooms.judge):
                await worker.close()
            rooms.coach.close()
            rooms.gallery.close()
            door.close()

    return lifespan
