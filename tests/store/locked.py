"""A database that another program has locked."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from app.store.database.engine import FILE_NAME
from tests.web.server import Server

LOCK = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("ROLLBACK")
"""


@contextmanager
def locked_for(server: Server, seconds: float) -> Iterator[None]:
    """Another program holds the database for some seconds from the beginning of the block."""
    command = [sys.executable, "-c", LOCK, str(server.data / FILE_NAME), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        yield
