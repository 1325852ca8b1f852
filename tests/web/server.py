"""A real server: the program under test as a process of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx2

from tests import databases

ROOT = Path(__file__).resolve().parents[2]

_RUNNING = re.compile(r"Uvicorn running on http://127\.0\.0\.1:(\d+)")
_START_SECONDS = 30


def environment(**settings: str) -> dict[str, str]:
    """This process's environment without settings of ours, and then the given ones."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYRAMID_")}
    return {**kept, **settings}


class Server:
    """``python -m app serve`` on a data folder and a free port."""

    def __init__(
        self,
        data: Path,
        arguments: Sequence[str] = ("serve",),
        options: Sequence[str] | None = None,
        **settings: str,
    ) -> None:
        """A server not yet started; ``options`` None gives the port and the folder on the command line."""
        self.data = data
        self.port = 0
        self._settings = {**({"PYRAMID_DATABASE": found} if (found := databases.address(data)) else {}), **settings}
        given = ("--port", "0", "--data", str(data)) if options is None else options
        self._command = [sys.executable, "-m", "app", *arguments, *given]
        self.status: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._log = data.with_name(data.name + ".log")
        self._log.parent.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What the server wrote."""
        return self._log.read_text("utf-8")

    def start(self) -> None:
        """Start, and wait until the server listens."""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command, cwd=ROOT, stderr=log, env=environment(**self._settings))
        deadline = time.monotonic() + _START_SECONDS
        while (running := _RUNNING.search(self.log)) is None:
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.01)
        self.port = int(running[1])

    def stop(self) -> None:
        """End the server as an operator would."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the server as a power cut would, as far as the process is concerned."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self.status = self._process.wait(timeout=20)
            self._process = None

    def client(self, **headers: str) -> httpx2.Client:
        """A client of its own connection, without a cookie."""
        return httpx2.Client(base_url=self.url, timeout=30, headers=headers, trust_env=False)

    def raw(self, request: bytes) -> bytes:
        """What the server sends for some bytes, until it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            answer = b""
            try:
                connection.sendall(request)
                while piece := connection.recv(65_536):
                    answer += piece
            except ConnectionError:
                # A server may close while it is still being sent to; what it said before is its answer.
                pass
            return answer

    def hang_up(self, request: bytes) -> None:
        """Send some bytes and go away without waiting for an answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(request)
            time.sleep(0.1)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What the database holds."""
        return databases.rows(self.data, query)
