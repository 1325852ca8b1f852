"""The command line: ``python -m app``."""

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path

import uvicorn
from pydantic import ValidationError

from app import __version__
from app.config import Settings
from app.main import create_app
from app.rules.cards import Unreadable
from app.rules.deal import read_deal
from app.rules.ruleset import IllegalRuleSet, read_rules
from app.rules.show import table_text
from app.rules.state import start
from app.store.engine import check

_STOP_SECONDS = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status, 0 for success and 2 for what cannot be read."""
    asked = _parser().parse_args(_with_command(list(sys.argv[1:] if arguments is None else arguments)))
    try:
        return int(asked.command(asked))
    except ValidationError as error:
        print(f"pyramid: {_fault(error)}", file=sys.stderr)
    except (Unreadable, IllegalRuleSet, OSError) as error:
        print(f"pyramid: {error}", file=sys.stderr)
    return 2


def serve(asked: argparse.Namespace) -> int:
    """Migrate the database and serve until stopped."""
    given = {name: getattr(asked, name) for name in ("host", "port", "data") if getattr(asked, name) is not None}
    settings = Settings(**given)
    check(settings.data)
    app = create_app(settings)
    # What was made by now stays for good: the collector need not look at it again while players wait.
    gc.collect()
    gc.freeze()
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_STOP_SECONDS,
    )
    return 0


def deal(asked: argparse.Namespace) -> int:
    """Print the opening table of a deal."""
    print(table_text(start(read_rules(asked.rules), read_deal(asked.seed).deck)))
    return 0


def _with_command(arguments: list[str]) -> list[str]:
    """The arguments with ``serve`` in front where no command is named."""
    named = arguments and (not arguments[0].startswith("-") or arguments[0] in {"-h", "--help", "--version"})
    return arguments if named else ["serve", *arguments]


def _fault(error: ValidationError) -> str:
    """What is wrong with a setting, and where it comes from."""
    fault = error.errors(include_url=False)[0]
    name = str(fault["loc"][0])
    return f"{name} (--{name} or PYRAMID_{name.upper()}): {fault['msg']}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m app", description="Pyramid Solitaire, rules on the server.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", metavar="serve | deal")
    served = commands.add_parser("serve", help="migrate the database and serve (the default)")
    served.add_argument("--host", help="the address to listen on")
    served.add_argument("--port", type=int, help="the port to listen on; 0 takes a free one")
    served.add_argument("--data", type=Path, help="the folder of the database, made if missing")
    served.set_defaults(command=serve)
    dealt = commands.add_parser("deal", help="print a deal's opening table")
    dealt.add_argument("rules", metavar="RULES", help="a rule set: endless, classic, … or a code such as d1r2o")
    dealt.add_argument("seed", metavar="SEED", help="a seed, or a whole deck without spaces")
    dealt.set_defaults(command=deal)
    return parser


if __name__ == "__main__":
    sys.exit(main())
