"""The command line: ``python -m app``."""

import io
import signal
import sys
from collections.abc import Sequence
from types import FrameType


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status: 0 for success, that of a signal that ended it, else as arguments.py says."""
    given = _with_command(list(sys.argv[1:] if arguments is None else arguments))
    try:
        _prepare(serving=given[0] == "serve")
        from app.commands.run import run  # noqa: PLC0415 - it takes longest to load, and Ctrl+C is heard meanwhile.

        return run(given)
    except KeyboardInterrupt as error:
        return 128 + (error.number if isinstance(error, _Ended) else signal.SIGINT)


def _with_command(arguments: list[str]) -> list[str]:
    """The arguments with ``serve`` in front where no command is named."""
    named = arguments and (not arguments[0].startswith("-") or arguments[0] in {"-h", "--help", "--version"})
    return arguments if named else ["serve", *arguments]


def _prepare(*, serving: bool) -> None:
    """Let what a command has begun be undone when a signal ends it, and let any name be printed.

    A server ends in its own way. What is ignored already, as by nohup, stays so.
    """
    for name in () if serving else ("SIGTERM", "SIGHUP"):
        # Windows has no SIGHUP.
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


class _Ended(KeyboardInterrupt):
    """A signal came that ends the program, another than that of Ctrl+C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _end(number: int, _frame: FrameType | None) -> None:
    raise _Ended(number)


if __name__ == "__main__":
    sys.exit(main())
