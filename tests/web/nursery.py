"""A process that has loaded the program and runs none of it: servers are forked from it, without a second of imports.

What it is asked on its socket, one connection each: ``{"arguments", "environment", "folder", "log"}`` in a line. It
answers with the number of the process, and when that has ended with its status."""

import gc
import json
import os
import runpy
import select
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

# What ``python -m app serve`` loads by and by.
LOADED = (
    "app.commands.backend",
    "app.commands.serve",
    "app.main",
    "app.server",
    "alembic.command",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
)


def serve(path: Path) -> None:
    """Fork for whoever asks, until standard input is closed."""
    for name in LOADED:
        import_module(name)
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as door:
        # Whoever sees the path may connect.
        made = path.with_suffix(".made")
        door.bind(str(made))
        door.listen()
        made.rename(path)
        while True:
            ready, _, _ = select.select([door, sys.stdin], [], [])
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass
            if sys.stdin in ready:
                return
            asked, _ = door.accept()
            if os.fork() == 0:
                door.close()
                if keep(asked):
                    # As ``python -m app``.
                    runpy.run_module("app", run_name="__main__", alter_sys=True)
                os._exit(0)
            asked.close()


def keep(asked: socket.socket) -> bool:
    """Fork once more: True in the server; in its parent, which tells of it, False when it has ended."""
    with asked, asked.makefile("rw") as stream:
        order = json.loads(stream.readline())
        if (pid := os.fork()) == 0:
            become(order)
            return True
        print(pid, file=stream, flush=True)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        try:
            print(status, file=stream, flush=True)
        except BrokenPipeError:
            os._exit(0)
    return False


def become(order: dict[str, object]) -> None:
    """Be as a process that was started so."""
    log = os.open(str(order["log"]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for at, file in ((0, os.open(os.devnull, os.O_RDONLY)), (2, log)):
        os.dup2(file, at)
        os.close(file)
    environment = order["environment"]
    arguments = order["arguments"]
    assert isinstance(environment, dict)
    assert isinstance(arguments, list)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(str(order["folder"]))
    sys.argv[1:] = arguments


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
