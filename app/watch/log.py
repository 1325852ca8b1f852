"""The log: one line for each thing that happens, on standard error, for people or as JSON."""

import logging
import re
import sys
from typing import Literal

from structlog.contextvars import merge_contextvars
from structlog.dev import ConsoleRenderer, plain_traceback
from structlog.processors import JSONRenderer, TimeStamper, format_exc_info
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict, Processor, WrappedLogger

Format = Literal["console", "json"]
Level = Literal["debug", "info", "warning", "error"]

FIELDS = ("method", "route", "status", "ms")
"""What a line may tell beside its words and the id of its request."""

_OURS = ("pyramid", "uvicorn")
_DETAIL = re.compile(r"\bDETAIL: .*")


def set_up(shape: Format, level: Level) -> None:
    """Write the log in a shape, from a level on, whichever library a line comes from.

    Other libraries tell no more than warnings, whatever the level: the statements of a database hold what no log may.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=[
                TimeStamper(fmt="iso", utc=True),
                add_log_level,
                add_logger_name,
                merge_contextvars,
                ExtraAdder(allow=FIELDS),
            ],
            processors=[ProcessorFormatter.remove_processors_meta, format_exc_info, _less, _rendered(shape)],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(logging.WARNING, _number(level)))
    for name in _OURS:
        logging.getLogger(name).setLevel(_number(level))
    logging.captureWarnings(capture=True)


def _less(_logger: WrappedLogger, _method: str, told: EventDict) -> EventDict:
    """A traceback without the rows that PostgreSQL shows in its complaints."""
    if "exception" in told:
        told["exception"] = _DETAIL.sub("DETAIL:  not shown", told["exception"])
    return told


def _rendered(shape: Format) -> Processor:
    if shape == "json":
        return JSONRenderer(ensure_ascii=False)
    # A traceback without the values of variables, which a prettier one would show.
    return ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0, exception_formatter=plain_traceback)


def _number(level: Level) -> int:
    return logging.getLevelNamesMapping()[level.upper()]
