"""A line between browser and server that counts every byte, and can be slow."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PACKET = 1460
_QUIET = 1.0


class Line:
    """A way to a server on this machine; ``down`` and ``up`` count the bytes in both directions, heads included."""

    def __init__(self, port: int, round_trip: float = 0, bits_down: float = 1e9, bits_up: float = 1e9) -> None:
        """A line to a port; seconds there and back, bits per second. A new connection takes one more round trip."""
        self.port = 0
        self.down = self.up = 0
        self._server_port = port
        self._round_trip = round_trip
        self._rates = {"down": bits_down / 8, "up": bits_up / 8}
        self._free = {"down": 0.0, "up": 0.0}
        self._packet = PACKET
        self._used_at = 0.0
        self._loop = asyncio.new_event_loop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def reset(self) -> None:
        """Count from nothing again."""
        self.down = self.up = 0

    def trickle(self, bits_down: float, packet: int) -> None:
        """From now on no more comes in a second than so many bits, and at a time than so many bytes."""
        self._rates["down"] = bits_down / 8
        self._packet = packet

    def rest(self) -> None:
        """Wait until nothing has come for a second."""
        self._used_at = time.monotonic()
        while time.monotonic() - self._used_at < _QUIET:
            time.sleep(0.05)

    @contextmanager
    def running(self) -> Iterator["Line"]:
        """The line, in a thread of its own."""
        thread = threading.Thread(target=self._loop.run_forever)
        thread.start()
        opening = asyncio.start_server(self._carry, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(opening, self._loop).result()
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(self._hang_up(server), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    async def _hang_up(self, server: asyncio.Server) -> None:
        server.close()
        under_way = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ahead, back = await asyncio.open_connection("127.0.0.1", self._server_port)
        try:
            await asyncio.sleep(self._round_trip)
            await asyncio.gather(self._pump(reader, back, "up"), self._pump(ahead, writer, "down"))
        except asyncio.CancelledError:
            # The line is taken down; a task that ends so would be told of.
            pass
        finally:
            writer.close()
            back.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        """Hand on what comes, half a round trip later and no faster than the line is."""
        while piece := await _piece(reader, self._packet):
            now = self._used_at = time.monotonic()
            self._free[way] = max(now, self._free[way]) + len(piece) / self._rates[way]
            # By the clock, as the time until then would have to be counted anew each time: no piece passes another.
            self._loop.call_at(self._free[way] + self._round_trip / 2, _hand_on, writer, piece)
            setattr(self, way, getattr(self, way) + len(piece))
        self._loop.call_at(max(time.monotonic(), self._free[way]) + self._round_trip, writer.close)


async def _piece(reader: asyncio.StreamReader, most: int) -> bytes:
    """A packet at the most; nothing at the end."""
    try:
        return await reader.read(most)
    except ConnectionError:
        return b""


def _hand_on(writer: asyncio.StreamWriter, piece: bytes) -> None:
    if not writer.is_closing():
        writer.write(piece)
