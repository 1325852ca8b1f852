"""The command line: ``python -m app``."""

import argparse
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import FrameType

import uvicorn
from pydantic import ValidationError

from app import __version__
from app.commands.doctor import PLAIN, findings
from app.commands.odds import cores, counted, odds_text, save
from app.commands.solve import STANDARD_INPUT, solve_lines
from app.config import Settings
from app.main import create_app
from app.rules.cards import Unreadable
from app.rules.deal import read_deal
from app.rules.ruleset import IllegalRuleSet, RuleSet, read_rules
from app.rules.show import table_text
from app.rules.state import start
from app.solver.odds import NODES, Plan, odds_json
from app.solver.solve import BACKEND, MOST_NODES, MOST_NODES_PLAIN
from app.store.engine import check

_STOP_SECONDS = 3
_COLLECT = (10_000, 10, 1_000)
"""After how many new objects the collector looks at the youngest, and how rarely at the older ones."""
_MOST_NODES_ASKED = 100_000_000
_MOST_DEALS = 10_000_000_000
_MOST_JOBS = 1_024

_WRONG = 1
_UNREADABLE = 2
_INTERRUPTED = 128 + signal.SIGINT
_NOBODY_READS = 141
"""As of a program that SIGPIPE ended."""

_RULES = "a rule set: endless, classic, … or a code such as d1r2o"
_SOLVE = """Reads decks, one a line: 52 cards, the pyramid row by row from the top, then the stock; blank lines and
lines that begin with # are skipped. Writes one JSON object for each, in order: verdict (winnable, lost, or unknown
where the budget ran out), moves (the fewest) and line, nodes, ms (of the search). A line that is no deck is answered
by {"error", "line_number"} in its place, told on standard error as well, and makes the exit status 2."""
_ODDS = """Counts how many of the deals FIRST, FIRST + 1, … can be won. What is done is kept in a journal: after
Ctrl+C, or with more deals, the same command goes on where it was."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status, 0 for success and 2 for what cannot be read."""
    try:
        asked = _parser().parse_args(_with_command(list(sys.argv[1:] if arguments is None else arguments)))
        status = int(asked.command(asked))
        # A reader who left is noticed here, and not when Python ends.
        sys.stdout.flush()
    except ValidationError as error:
        print(f"pyramid: {_fault(error)}", file=sys.stderr)
    except BrokenPipeError:
        # Python would find the broken pipe once more when it ends, and say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NOBODY_READS
    except OSError as error:
        print(f"pyramid: {f'{error.filename}: {error.strerror}' if error.filename else error}", file=sys.stderr)
    except (Unreadable, IllegalRuleSet) as error:
        print(f"pyramid: {error}", file=sys.stderr)
    else:
        return status
    return _UNREADABLE


def serve(asked: argparse.Namespace) -> int:
    """Migrate the database and serve until stopped."""
    settings = _settings(asked, "host", "port", "data")
    check(settings.data)
    _warn()
    app = create_app(settings)
    # What was made by now stays for good: the collector need not look at it again while players wait. Nor should it
    # walk all the games in memory every few thousand moves, which takes it a tenth of a second: little of what is
    # made later is ever in a circle.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)
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


def solve(asked: argparse.Namespace) -> int:
    """Answer decks, one a line; 2 where a line was no deck."""
    _warn()
    try:
        faults = solve_lines(asked.file, asked.rules, fewest=not asked.verdict_only, nodes=asked.nodes)
    except KeyboardInterrupt:
        return _INTERRUPTED
    return _UNREADABLE if faults else 0


def odds(asked: argparse.Namespace) -> int:
    """Count how many of the numbered deals can be won."""
    _warn()
    signal.signal(signal.SIGTERM, _interrupt)
    measured = asked.deals if asked.fewest is None else min(asked.fewest, asked.deals)
    plan = Plan(asked.rules, asked.deals, asked.first, measured, _budget(asked.nodes))
    journal = asked.journal or Path(f"odds-{asked.rules.slug}.jsonl")
    try:
        found = counted(plan, jobs=asked.jobs or cores(), journal=journal)
    except KeyboardInterrupt:
        print(f"pyramid: interrupted; the same command goes on from {journal}", file=sys.stderr)
        return _INTERRUPTED
    except BrokenProcessPool:
        print(
            f"pyramid: a process was killed, for want of memory? The same command goes on from {journal}",
            file=sys.stderr,
        )
        return _WRONG
    print(json.dumps(odds_json(found)) if asked.json else odds_text(found))
    if asked.save:
        save(found, asked.save)
    return 0


def doctor(asked: argparse.Namespace) -> int:
    """Say whether this machine is fit to serve; 1 where something has to be mended."""
    found = list(findings(_settings(asked, "data").data, require_compiled=asked.require_compiled))
    print(*found, sep="\n")
    return _WRONG if any(finding.mark == "WRONG" for finding in found) else 0


def _settings(asked: argparse.Namespace, *names: str) -> Settings:
    """The settings, with the options that were given."""
    return Settings(**{name: getattr(asked, name) for name in names if getattr(asked, name) is not None})


def _warn() -> None:
    """Say loudly that the solver is slow, where it is."""
    if BACKEND == "plain":
        print(f"pyramid: WARNING: {PLAIN}.", file=sys.stderr, flush=True)


def _budget(nodes: int) -> int:
    """The budget that a search really has, so that a journal does not mix two."""
    return nodes if BACKEND == "compiled" else min(nodes, MOST_NODES_PLAIN)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _with_command(arguments: list[str]) -> list[str]:
    """The arguments with ``serve`` in front where no command is named."""
    named = arguments and (not arguments[0].startswith("-") or arguments[0] in {"-h", "--help", "--version"})
    return arguments if named else ["serve", *arguments]


def _fault(error: ValidationError) -> str:
    """What is wrong with a setting, and where it comes from."""
    fault = error.errors(include_url=False)[0]
    name = str(fault["loc"][0])
    return f"{name} (--{name} or PYRAMID_{name.upper()}): {fault['msg']}"


def _rules(text: str) -> RuleSet:
    try:
        return read_rules(text)
    except (Unreadable, IllegalRuleSet) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"“{text}” is no whole number from {least} to {most}")
        return int(text)

    return read


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m app", description="Pyramid Solitaire, rules on the server.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", metavar="serve | deal | solve | odds | doctor")
    for add in (_add_serve, _add_deal, _add_solve, _add_odds, _add_doctor):
        add(commands)
    return parser


def _add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    served = commands.add_parser("serve", help="migrate the database and serve (the default)")
    served.add_argument("--host", help="the address to listen on")
    served.add_argument("--port", type=int, help="the port to listen on; 0 takes a free one")
    served.add_argument("--data", type=Path, help="the folder of the database, made if missing")
    served.set_defaults(command=serve)


def _add_deal(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    dealt = commands.add_parser("deal", help="print a deal's opening table")
    dealt.add_argument("rules", metavar="RULES", help=_RULES)
    dealt.add_argument("seed", metavar="SEED", help="a seed, or a whole deck without spaces")
    dealt.set_defaults(command=deal)


def _add_solve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    solved = commands.add_parser("solve", help="say of decks whether and how they can be won", description=_SOLVE)
    solved.add_argument("--rules", required=True, type=_rules, metavar="RULES", help=_RULES)
    solved.add_argument("--verdict-only", action="store_true", help="no fewest moves, no line: sooner answered")
    solved.add_argument(
        "--nodes",
        type=_number(1, _MOST_NODES_ASKED),
        default=MOST_NODES,
        help="the budget for each deck: how many nodes the search may keep, about 60 bytes each (%(default)s)",
    )
    solved.add_argument(
        "file", nargs="?", type=Path, default=STANDARD_INPUT, metavar="FILE", help="- is standard input"
    )
    solved.set_defaults(command=solve)


def _add_odds(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    odd = commands.add_parser("odds", help="count how many deals can be won", description=_ODDS)
    odd.add_argument("--rules", required=True, type=_rules, metavar="RULES", help=_RULES)
    odd.add_argument("--deals", required=True, type=_number(1, _MOST_DEALS), help="how many deals")
    odd.add_argument(
        "--first", type=_number(0, _MOST_DEALS), default=1, metavar="SEED", help="the first deal's number (%(default)s)"
    )
    odd.add_argument(
        "--fewest",
        type=_number(0, _MOST_DEALS),
        metavar="M",
        help="find the fewest moves of the first M deals; 0 for none (all)",
    )
    odd.add_argument("--jobs", type=_number(1, _MOST_JOBS), help="how many processes (one for each core)")
    odd.add_argument(
        "--nodes", type=_number(1, _MOST_NODES_ASKED), default=NODES, help="the budget for each deal (%(default)s)"
    )
    odd.add_argument("--journal", type=Path, metavar="FILE", help="what is done already (odds-RULES.jsonl)")
    odd.add_argument("--json", action="store_true", help="print one JSON object")
    odd.add_argument("--save", type=Path, metavar="FILE", help="put the result into a JSON file of rule sets as well")
    odd.set_defaults(command=odds)


def _add_doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    looked = commands.add_parser("doctor", help="say whether this machine is fit to serve")
    looked.add_argument("--data", type=Path, help="the folder of the database")
    looked.add_argument("--require-compiled", action="store_true", help="a solver that is not compiled counts as wrong")
    looked.set_defaults(command=doctor)


if __name__ == "__main__":
    sys.exit(main())
