"""A real server: the program under test as a process of its own."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx2

from tests import databases
from tests.web.forked import Forked

ROOT = Path(__file__).resolve().parents[2]

_RUNNING = re.compile(r"Uvicorn running on http://(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)")
_START_SECONDS = 30
_UNUSED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""The servers speak plain HTTP; every client would read all the certificates of the system for nothing."""


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
        *,
        loaded: bool = True,
        **settings: str,
    ) -> None:
        """A server not yet started; ``options`` None gives the port and the folder on the command line.

        Where the start itself is looked at, or what Python does by then, it is not from a program already ``loaded``.
        """
        self.data = data
        self.port = 0
        self._settings = {**({"PYRAMID_DATABASE": found} if (found := databases.address(data)) else {}), **settings}
        given = ("--port", "0", "--data", str(data)) if options is None else options
        self._arguments = [*arguments, *given]
        self._loaded = loaded
        self.status: int | None = None
        self._process: subprocess.Popen[bytes] | Forked | None = None
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

    def processor_seconds(self) -> float:
        """The processor time that the running process has taken so far, however busy the machine is."""
        # What clock_getcpuclockid() makes of a process.
        return time.clock_gettime((~self.pid << 3) | 2)

    def memory(self) -> int:
        """How many bytes of memory the running process has."""
        return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text("utf-8"))[0])

    @property
    def log(self) -> str:
        """What the server wrote."""
        return self._log.read_text("utf-8")

    def start(self) -> None:
        """Start, and wait until the server listens."""
        # Of the one before, nothing is there any more to be taken for this one's.
        self._log.write_bytes(b"")
        self._process = self._begun()
        deadline = time.monotonic() + _START_SECONDS
        while (running := _RUNNING.search(self.log)) is None:
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.01)
        self.port = int(running[1])

    def _begun(self) -> subprocess.Popen[bytes] | Forked:
        env = environment(**self._settings)
        if self._loaded:
            return Forked(self._arguments, env, ROOT, self._log)
        command = [sys.executable, "-m", "app", *self._arguments]
        with self._log.open("wb") as log:
            return subprocess.Popen(command, cwd=ROOT, stderr=log, env=env)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server as an operator would."""
        self._end(how)

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
        return httpx2.Client(base_url=self.url, timeout=30, headers=headers, trust_env=False, verify=_UNUSED)

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
