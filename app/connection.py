"""A connection of the server's: how long a request may take to arrive, and what is refused before the application."""

import asyncio
import re
from functools import lru_cache
from http import HTTPStatus
from ipaddress import IPv6Address
from typing import Any, cast

import httptools
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from app.web.layers.guard import HEADERS

MOST_HEAD = 16 * 1024
"""How many bytes the head of a request may have: its line and its headers."""

_MOST_WAITING = 100
"""How many requests may wait for the answer to an earlier one on their connection; no browser sends a second."""
_STEADY = 32 * 1024
"""With so many bytes a second a body may take longer: somebody sends us a large file."""
_LINGER_SECONDS = 2
"""How long what a refused client still sends is thrown away: to close at once would take the answer from it."""
_LEAST_TAKEN = 16 * 1024
"""So many bytes of an answer are to be taken in the time that a request has to arrive, or it is given up."""
_STOP_SECONDS = 2
"""When the server is to stop: how long a body may still take to arrive, and an answer to be taken."""

_HOST = re.compile(rb"(?:[A-Za-z0-9._~-]+|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{0,5}))?")
_MOST_PORT = 65_535

_WORDS = {
    HTTPStatus.BAD_REQUEST: b"This request cannot be read.\n",
    HTTPStatus.REQUEST_TIMEOUT: b"This request took too long to arrive.\n",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: b"The head of this request is too large.\n",
}
"""For whoever sends what no browser does; English, as for programs."""
_SAFE = "".join(f"{name.lower()}: {text}\r\n" for name, text in HEADERS.items()).encode()


class _Refused(Exception):  # noqa: N818 - named as it is met.
    """A head that no application sees, and with which status it is refused."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class Connection(HttpToolsProtocol):
    """uvicorn's, which waits for ever, takes a head of any size and one without a Host.

    Here a request, head and body, has ``read_seconds`` to arrive: the first from the connection's first moment,
    a further one from its first byte; a body that comes steadily may take longer. A head of more than 16 KB, none or
    two or an unreadable Host, and whatever cannot be parsed is refused. A client that does not take its answer is
    left. None of it costs the usual request a timer: one is set only where a part is missing.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        read_seconds: float,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._read_seconds = read_seconds
        self._deadline: asyncio.TimerHandle | None = None
        self._since = 0.0
        # Of the request that is being read: whether it has begun and not ended, whether that is still its head,
        # how many bytes of it came before those at hand, and how many of these came together with an earlier request.
        self._arriving = False
        self._heading = False
        self._bytes = 0
        self._shared = 0
        # How many bytes are at hand, whether a request ended within them, and whether further ones are thrown away.
        self._at_hand = 0
        self._ended = False
        self._deaf = False
        self._stopping = False
        # The one that is being answered, which uvicorn forgets as soon as the next was read.
        self._answered: RequestResponseCycle | None = None
        # How much of the answers was not taken yet, and when that is looked at again.
        self._untaken = 0
        self._look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn.
        """The time for the first request begins."""
        super().connection_made(transport)
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more, and nobody is there to be answered."""
        self._disarm()
        self._look_no_more()
        self._unset_keepalive_if_required()
        if self._answered is not None:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; refuse what cannot be read, and time what is not whole."""
        if self._deaf:
            return
        self._unset_keepalive_if_required()
        self._ended = False
        self._at_hand = len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # Answered as if it had not asked; what comes next may be in another protocol.
            self._disarm()
            self._deaf = True
            self.cycle.keep_alive = False
        except httptools.HttpParserError as fault:
            why = fault.__context__
            self._refuse(why.status if isinstance(why, _Refused) else HTTPStatus.BAD_REQUEST)
        else:
            self._time()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._arriving = self._heading = True
        self._bytes = self._shared = 0

    def on_headers_complete(self) -> None:
        """The head is whole: refuse it, or have it answered."""
        self._check_head()
        super().on_headers_complete()
        self._heading = False
        if not self.cycle.keep_alive:
            self.cycle.transport = cast("asyncio.Transport", _Ending(self))
        # Trailers are none of the application's headers: a proxy may not have looked at them.
        self.headers = []

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._arriving = False
        self._ended = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """An answer is written; if it was the last, it must be taken in time."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch()

    def pause_writing(self) -> None:
        """The client takes its answer more slowly than it is written."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """The client took most of it."""
        super().resume_writing()
        self._look_no_more()

    def timeout_keep_alive_handler(self) -> None:
        """No further request came."""
        self._hang_up()

    def end(self) -> None:
        """Hang up after the last answer; while a request is still arriving, in a way that lets the client read it."""
        if self._arriving:
            self.pipeline.clear()
            self._linger()
        else:
            self.transport.close()

    def shutdown(self) -> None:
        """Stop after the answer to what was begun; a slow client has little time."""
        self._stopping = True
        if self.pipeline and self._answered is not None:
            # What waits for an earlier answer was not begun, and is not.
            self.pipeline.clear()
            self.cycle = self._answered
            self._deaf = True
        super().shutdown()
        if not self.transport.is_closing() and (self._is_answering() or not self._deaf):
            self._arm(_STOP_SECONDS)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _check_head(self) -> None:
        """Raise _Refused for a head that is too large, or one too many, or that does not say which host it asks."""
        if len(self.pipeline) >= _MOST_WAITING:
            raise _Refused(HTTPStatus.BAD_REQUEST)
        # Hardly ever so much came that it has to be counted.
        if self._bytes + self._at_hand > MOST_HEAD and self._size_of_head() > MOST_HEAD:
            raise _Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        hosts = [text for name, text in self.headers if name == b"host"]
        if len(hosts) != 1 and (hosts or self.parser.get_http_version() != "1.0"):
            raise _Refused(HTTPStatus.BAD_REQUEST)
        if hosts and not _is_host(hosts[0]):
            raise _Refused(HTTPStatus.BAD_REQUEST)
        if self.parser.should_upgrade() and _has_body(self.headers):
            # The parser does not read a body behind such a head.
            raise _Refused(HTTPStatus.BAD_REQUEST)

    def _size_of_head(self) -> int:
        return len(self.url) + sum(len(name) + len(text) + len(": \r\n") for name, text in self.headers)

    def _time(self) -> None:
        """Set, keep or end the time for a request after some bytes that could be read."""
        if self._ended:
            self._disarm()
            self._shared = self._at_hand
        if self._arriving:
            self._bytes += self._at_hand
            if self._heading and self._bytes - self._shared > MOST_HEAD:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            elif self._deadline is None:
                self._arm()
        elif self.cycle is None or self.cycle.response_complete:
            if self._ended:
                # It was answered before its end came; now a further one may come.
                self.timeout_keep_alive_task = self.loop.call_later(
                    self.timeout_keep_alive, self.timeout_keep_alive_handler
                )
            elif self._deadline is None:
                # Blank lines, of which no request came.
                self._arm()

    def _arm(self, seconds: float | None = None) -> None:
        self._disarm()
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(self._read_seconds if seconds is None else seconds, self._expire)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """The time is over: hang up, unless an earlier request is being answered, or a large one comes steadily."""
        if self._stopping and self.transport.get_write_buffer_size():
            self.transport.abort()
        elif self._is_answering() or self._is_steady():
            self._deadline = self.loop.call_later(self._read_seconds, self._expire)
        elif self._arriving:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self._hang_up()

    def _is_steady(self) -> bool:
        """Whether a body comes fast enough to be waited for, and somebody waits for it."""
        if self._heading or not self._arriving or self._stopping or self.cycle.response_started:
            return False
        return self._bytes >= _STEADY * (self.loop.time() - self._since)

    def _hang_up(self) -> None:
        self.transport.close()
        self._watch()

    def _watch(self) -> None:
        """Look after a while whether the client takes what was written."""
        self._untaken = self.transport.get_write_buffer_size()
        if self._untaken and self._look is None:
            self._look = self.loop.call_later(self._read_seconds, self._look_again)

    def _look_again(self) -> None:
        self._look = None
        if self.transport.get_write_buffer_size() > max(self._untaken - _LEAST_TAKEN, 0):
            self.transport.abort()
        else:
            self._watch()

    def _look_no_more(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None

    def _is_answering(self) -> bool:
        """Whether a request that is whole waits for its answer."""
        cycle = self.cycle
        return bool(self.pipeline) or not (cycle is None or cycle.response_complete or cycle.more_body)

    def _refuse(self, status: HTTPStatus) -> None:
        """Tell what is wrong where no other answer is under way, and hang up."""
        if self._is_answering():
            self._disarm()
            self._deaf = True
            self.cycle.keep_alive = False
            return
        if self._arriving and not self._heading:
            if self.cycle.response_started:
                self._hang_up()
                return
            # The application has begun with it: it hears that nobody is there.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.write(self._refusal(status))
        self._linger()

    def _linger(self) -> None:
        """Say nothing more, and throw away what still comes, for a while."""
        self._deaf = True
        self.transport.write_eof()
        self.flow.resume_reading()
        self._disarm()
        self._deadline = self.loop.call_later(_LINGER_SECONDS, self._hang_up)

    def _refusal(self, status: HTTPStatus) -> bytes:
        date = b"".join(b"%b: %b\r\n" % header for header in self.server_state.default_headers)
        text = _WORDS[status]
        return b"%b%b%bcontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%b" % (
            STATUS_LINE[status],
            date,
            _SAFE,
            len(text),
            text,
        )


class _Ending:
    """What the last answer of a connection is written to: that it hangs up is the connection's to do."""

    __slots__ = ("_connection", "is_closing", "write")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.is_closing = connection.transport.is_closing
        self.write = connection.transport.write

    def close(self) -> None:
        """Hang up, in the connection's way."""
        self._connection.end()


@lru_cache(maxsize=256)
def _is_host(text: bytes) -> bool:
    """Whether a Host header is a name or an address, and perhaps a port, of which an address can be built."""
    found = _HOST.fullmatch(text)
    if found is None or int(found[2] or 0) > _MOST_PORT:
        return False
    try:
        return found[1] is None or IPv6Address(found[1].decode()) is not None
    except ValueError:
        return False


def _has_body(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name == b"transfer-encoding" or (name == b"content-length" and text != b"0") for name, text in headers)
