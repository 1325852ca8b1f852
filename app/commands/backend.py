"""What is said, loudly, where the compiled search is missing."""

import sys
from collections.abc import Callable

from app.solver.solve import BACKEND, MOST_NODES_PLAIN

PLAIN = (
    "the solver is NOT COMPILED: its twin in plain Python serves, a thousand times slower, and gives up after "
    f"{MOST_NODES_PLAIN:,} nodes. Install a C compiler (Debian: apt install gcc python3-dev), then run "
    "“pip install --force-reinstall --no-deps -e .” in the project's folder"
)


def on_stderr(sentence: str) -> None:
    """A warning where a command has no log."""
    print(f"pyramid: WARNING: {sentence}", file=sys.stderr, flush=True)


def warn_if_plain(tell: Callable[[str], None] = on_stderr) -> None:
    """Say that the solver is slow, where it is."""
    if BACKEND == "plain":
        tell(f"{PLAIN}.")
