"""Servers forked from a process that has loaded the program; the nursery's other side."""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_LOAD_SECONDS = 30
_ONE = threading.Lock()


class Forked:
    """A process of the program, to be used like subprocess's."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], folder: Path, log: Path) -> None:
        """Begin; the arguments are those behind ``python -m app``, and what it says goes into ``log``."""
        self._line = socket.socket(socket.AF_UNIX)
        with _ONE:
            self._line.connect(_nursery())
        self._stream = self._line.makefile("rw")
        asked = {"arguments": arguments, "environment": environment, "folder": str(folder), "log": str(log)}
        print(json.dumps(asked), file=self._stream, flush=True)
        self.pid = int(self._stream.readline())
        self._status: int | None = None

    def poll(self) -> int | None:
        """The status of a process that has ended; a signal's number is negative. None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float) -> int:
        """The status, as soon as it has ended. Raises subprocess.TimeoutExpired if that takes longer, in seconds."""
        if self._status is None:
            self._line.settimeout(timeout or 0.0)
            try:
                told = self._line.recv(16, socket.MSG_PEEK)
            except (BlockingIOError, TimeoutError):
                raise subprocess.TimeoutExpired("serve", timeout) from None
            finally:
                self._line.settimeout(None)
            assert told, "the nursery is gone"
            self._status = int(self._stream.readline())
            self._stream.close()
            self._line.close()
        return self._status

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)


@cache
def _nursery() -> str:
    """The socket of this process's nursery, which ends with it."""
    folder = Path(tempfile.mkdtemp(prefix="pyramid-nursery-"))
    path = folder / "socket"
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYRAMID_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.web.nursery", str(path)], cwd=_ROOT, stdin=subprocess.PIPE, env=kept
    )

    def end() -> None:
        process.communicate()
        shutil.rmtree(folder)

    atexit.register(end)
    deadline = time.monotonic() + _LOAD_SECONDS
    while not path.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return str(path)
