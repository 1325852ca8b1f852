"""The progress bar of a command."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Self

from tqdm import tqdm

_DELAY_SECONDS = 1
_USUAL_SIZE = os.terminal_size((80, 24))


class Bar:
    """A bar on standard error, where that is a terminal and once there was a second of work.

    ``total`` None where it is not known how much there is to do; ``done`` was done before.
    """

    def __init__(self, total: int | None, noun: str, *, done: int = 0) -> None:
        columns, rows = _size()
        self._bar = tqdm(
            total=total,
            initial=done,
            unit=f" {noun}",
            disable=None,
            delay=_DELAY_SECONDS,
            leave=False,
            smoothing=0,
            miniters=1,
            ncols=columns,
            nrows=rows,
        )

    def move(self, done: int) -> None:
        """Count on: so many more are done."""
        self._bar.update(done)

    def aside(self) -> AbstractContextManager[None]:
        """Meanwhile there is no bar on the terminal, so that lines can be written."""
        if self._bar.disable or self._bar.last_print_t < self._bar.start_t + _DELAY_SECONDS:
            # It does not stand there yet, and making way would show it.
            return nullcontext()
        return tqdm.external_write_mode()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()


def _size() -> os.terminal_size:
    """Columns and rows of the terminal; a usual size where it has none, since tqdm shows nothing on no rows."""
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return _USUAL_SIZE
    return size if all(size) else _USUAL_SIZE
