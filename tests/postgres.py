"""A PostgreSQL of our own, thrown away afterwards: Debian's server on a socket and a port of loopback."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

_BINARIES = Path("/usr/lib/postgresql")
_USER = "postgres"
_PASSWORD = "throw-away"  # noqa: S105 - of a server that nobody else reaches.


def binaries() -> Path | None:
    """Where Debian keeps the newest server's programs, or None where it is not installed."""
    found = sorted(_BINARIES.glob("*/bin"), key=lambda path: int(path.parent.name))
    return found[-1] if found else None


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Postgres:
    """A cluster in a folder of its own; ``sync`` False leaves the disk out, for tests that need no power cut."""

    def __init__(self, *, sync: bool = False) -> None:
        found = binaries()
        assert found is not None, "PostgreSQL is not installed"
        self._binaries = found
        self._folder = Path(tempfile.mkdtemp(prefix="pyramid-pg-"))
        self.port = free_port()
        self._sync = sync

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Make the cluster if need be, and start it."""
        data = self._folder / "data"
        if not data.exists():
            if os.getuid() == 0:
                shutil.chown(self._folder, _USER)
            secret = self._folder / "password"
            secret.write_text(_PASSWORD, "utf-8")
            secret.chmod(0o644)
            # To prove that one knows the password takes both sides milliseconds, at every connection.
            auth = "scram-sha-256" if self._sync else "trust"
            made = ("--username", _USER, "--pwfile", str(secret), "--auth", auth, "--encoding", "UTF8")
            self._run("initdb", "--pgdata", str(data), *made, "--locale", "C.UTF-8", "--no-sync")
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            **({} if self._sync else {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}),
        }
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        log = str(self._folder / "log")
        self._run("pg_ctl", "--pgdata", str(data), "--log", log, "--options", options, "--wait", "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop the server: ``fast`` as an operator would, ``immediate`` as a crash would."""
        self._run("pg_ctl", "--pgdata", str(self._folder / "data"), "--mode", how, "--wait", "stop")

    def address(self, database: str = "postgres") -> str:
        """The address of one of its databases."""
        return f"postgresql://{_USER}:{_PASSWORD}@127.0.0.1:{self.port}/{database}"

    def create(self, database: str, template: str = "template0") -> str:
        """Make a database, as a copy of another; its address."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            # The names are the tests' own.
            connection.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}"'.encode())
        return self.address(database)

    def _run(self, program: str, *arguments: str) -> None:
        user = {"user": _USER, "group": pwd.getpwnam(_USER).pw_gid} if os.getuid() == 0 else {}
        done = subprocess.run(
            [self._binaries / program, *arguments],
            cwd=self._folder,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if program == "initdb" else subprocess.DEVNULL,
            text=True,
            check=False,
            **user,  # type: ignore[call-overload] # the keys are subprocess's own.
        )
        assert done.returncode == 0, done.stdout or (self._folder / "log").read_text("utf-8")
