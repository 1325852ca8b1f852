"""A real nginx before real servers, as an ordinary process with all its files in one folder."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

_START_SECONDS = 10
_SITE = """daemon off;
master_process off;
pid {folder}/pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    {temporary}
{servers}
}}
"""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def nginx_path() -> str:
    """Where nginx is; a test ends here where there is none."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is not None:
        return found
    why = "no nginx is installed"
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that nobody but itself vouches for, and its key."""
    key, signed = folder / "own.key", folder / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    names = ["-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, *names, "-keyout", str(key), "-out", str(signed)], check=True, capture_output=True)
    return signed, key


class Nginx:
    """nginx with some ``server`` blocks; ``ports`` are those on which they listen."""

    def __init__(self, folder: Path, servers: str, ports: Sequence[int]) -> None:
        """Lay everything into a new folder; nothing is started yet."""
        folder.mkdir()
        self._command = [nginx_path(), "-e", "stderr", "-p", str(folder), "-c", str(folder / "conf")]
        self._ports = ports
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in _TEMPORARY)
        (folder / "conf").write_text(_SITE.format(folder=folder, temporary=temporary, servers=servers), "utf-8")

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not all(map(_listens, self._ports)):
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.01)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=10)

    @property
    def log(self) -> str:
        """What nginx complained of."""
        return self._log.read_text("utf-8")


def _listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0
