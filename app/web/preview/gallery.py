"""The pictures of openings: drawn one at a time on a thread of their own, and kept."""

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from app.play.errors import TooBusy
from app.play.recent import Recent
from app.web.preview.picture import Opening, draw_png

WAITING_MOST = 8
"""How many pictures may wait to be drawn, the one under way included."""

KEPT_MOST = 128


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as PNG, and a mark that changes with its content."""

    png: bytes
    mark: str


class Gallery:
    """The pictures; ``public_url`` is where the server is reached from outside, empty where that is not said."""

    def __init__(self, public_url: str = "", draw: Callable[[Opening], bytes] = draw_png) -> None:
        self.public_url = public_url
        self._draw = draw
        self._painter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="painter")
        self._kept = Recent[Opening, Picture](KEPT_MOST)
        self._under_way: dict[Opening, asyncio.Future[Picture]] = {}

    def close(self) -> None:
        """Draw no more."""
        self._painter.shutdown(cancel_futures=True)

    async def picture(self, seen: Opening) -> Picture:
        """The picture of an opening; whoever asks for the same meanwhile waits for the same. Raises TooBusy."""
        kept = self._kept.get(seen)
        if kept is not None:
            self._kept.keep(seen, kept)
            return kept
        under_way = self._under_way.get(seen)
        if under_way is None:
            if len(self._under_way) >= WAITING_MOST:
                raise TooBusy("too many pictures are asked for at once; please try again in a moment.")
            under_way = asyncio.ensure_future(self._drawn(seen))
            self._under_way[seen] = under_way
        # Whoever goes away takes the picture from nobody else.
        return await asyncio.shield(under_way)

    async def _drawn(self, seen: Opening) -> Picture:
        try:
            png = await asyncio.get_running_loop().run_in_executor(self._painter, self._draw, seen)
        finally:
            del self._under_way[seen]
        picture = Picture(png, hashlib.sha256(png).hexdigest()[:16])
        self._kept.keep(seen, picture)
        return picture
