"""The program run by a user who owns nothing here."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.store.earlier import laid
from tests.web.server import ROOT, environment

STRANGER = 12_345

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def run(*arguments: str, before: tuple[str, ...] = ()) -> tuple[subprocess.CompletedProcess[str], float]:
    """What the program does, and how many seconds that takes."""
    began = time.monotonic()
    done = subprocess.run(
        [*before, sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return done, time.monotonic() - began


def run_as_a_stranger(*arguments: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """The same as a user who owns nothing here."""
    return run(*arguments, before=("setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"))


@contextmanager
def data_of_a_stranger() -> Iterator[Path]:
    """A folder of that user's with the database of an earlier version, in one that he may enter but not write."""
    with TemporaryDirectory() as above:
        Path(above).chmod(0o755)
        data = Path(above) / "data"
        database = laid("0004", data)
        for path in (data, database):
            os.chown(path, STRANGER, STRANGER)
        yield data
