"""The files of static/: read once, compressed once, and cached by browsers for as long as they do not change."""

import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deflate import gzip_compress
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.web.accepted import has_already
from app.web.html import takes_gzip

_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_COMPRESSED = {"image/png", "image/webp"}
_SMALLEST = 12


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file: its bytes, the same compressed, its media type and a mark that changes with its content."""

    plain: bytes
    zipped: bytes
    media_type: str
    mark: str


class Assets:
    """The static files below a folder, by their path in it."""

    def __init__(self, folder: Path) -> None:
        """Read every file below ``folder``, none that a link there leads to elsewhere; later changes are not seen."""
        self._files = {
            path.relative_to(folder).as_posix(): _read(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.resolve().is_relative_to(folder.resolve())
        }

    def url(self, name: str) -> str:
        """The address of a file, which changes with its content. Raises KeyError for a name that is no file."""
        return f"/static/{name}?v={self._files[name].mark}"

    def route(self) -> Route:
        """The route that serves the files."""
        return Route("/static/{name:path}", self._serve, methods=["GET"])

    async def _serve(self, request: Request) -> Response:
        asset = self._files.get(request.path_params["name"])
        if asset is None:
            return Response("Not found.\n", status_code=404, media_type="text/plain")
        zipped = len(asset.zipped) < len(asset.plain) and takes_gzip(request)
        headers = {
            "ETag": f'"{asset.mark}{"-gzip" if zipped else ""}"',
            "Vary": "Accept-Encoding",
            "Cache-Control": _FOR_EVER if request.query_params.get("v") == asset.mark else _ASK_AGAIN,
        }
        if has_already(request.headers, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        if zipped:
            headers["Content-Encoding"] = "gzip"
            return Response(asset.zipped, headers=headers, media_type=asset.media_type)
        return Response(asset.plain, headers=headers, media_type=asset.media_type)


# Several applications in one process, as in tests, share what they have read.
@cache
def _read(path: Path) -> Asset:
    plain = path.read_bytes()
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    # Pictures but drawings are compressed as they are.
    zipped = plain if media_type in _COMPRESSED else bytes(gzip_compress(plain, _SMALLEST))
    return Asset(plain, zipped, media_type, hashlib.sha256(plain).hexdigest()[:12])
