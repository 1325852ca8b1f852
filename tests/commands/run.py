"""Running the program as its users do."""

import subprocess
import sys
from pathlib import Path

from tests.web.server import ROOT, environment

SECONDS = 30


def arguments_of(*arguments: str) -> list[str]:
    """``python -m app`` with some arguments."""
    return [sys.executable, "-m", "app", *arguments]


def command(
    *arguments: str, given: bytes = b"", folder: Path = ROOT, **settings: str
) -> subprocess.CompletedProcess[bytes]:
    """What the program does with some arguments, settings of the environment, and bytes on its standard input."""
    return subprocess.run(
        arguments_of(*arguments),
        cwd=folder,
        env=environment(PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8", **settings),
        input=given,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
