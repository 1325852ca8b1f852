"""``python -m app odds``: how many of the numbered deals can be won."""

import argparse
import json
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

from app.commands.arguments import MOST_NODES_ASKED, RULES, WRONG, Commands, named, number, rules
from app.commands.backend import warn_if_plain
from app.commands.journal import Journal
from app.commands.progress import Bar
from app.solver.odds import NODES, Chunk, Odds, Plan, Tally, chunks, count, odds_json, spread
from app.solver.solve import BACKEND, MOST_NODES_PLAIN

_BAR = 40
_MOST_DEALS = 10_000_000_000
_MOST_JOBS = 1_024

_ODDS = """Counts how many of the deals FIRST, FIRST + 1, … can be won. What is done is kept in a journal: after
Ctrl+C, or with more deals, the same command goes on where it was."""


def add(commands: Commands) -> None:
    """The command's arguments."""
    odd = commands.add_parser("odds", help="count how many deals can be won", description=_ODDS)
    odd.add_argument("--rules", required=True, type=rules, metavar="RULES", help=RULES)
    odd.add_argument("--deals", required=True, type=number(1, _MOST_DEALS), help="how many deals")
    odd.add_argument(
        "--first", type=number(0, _MOST_DEALS), default=1, metavar="SEED", help="the first deal's number (%(default)s)"
    )
    odd.add_argument(
        "--fewest",
        type=number(0, _MOST_DEALS),
        metavar="M",
        help="find the fewest moves of the first M deals; 0 for none (all)",
    )
    odd.add_argument("--jobs", type=number(1, _MOST_JOBS), help="how many processes (one for each core)")
    odd.add_argument(
        "--nodes", type=number(1, MOST_NODES_ASKED), default=NODES, help="the budget for each deal (%(default)s)"
    )
    odd.add_argument("--journal", type=named, metavar="FILE", help="what is done already (odds-RULES.jsonl)")
    odd.add_argument("--json", action="store_true", help="print one JSON object")
    odd.add_argument("--save", type=named, metavar="FILE", help="put the result into a JSON file of rule sets as well")
    odd.set_defaults(command=odds)


def odds(asked: argparse.Namespace) -> int:
    """Count how many of the numbered deals can be won."""
    warn_if_plain()
    measured = asked.deals if asked.fewest is None else min(asked.fewest, asked.deals)
    plan = Plan(asked.rules, asked.deals, asked.first, measured, _budget(asked.nodes))
    journal = asked.journal or Path(f"odds-{asked.rules.slug}.jsonl")
    try:
        found = counted(plan, jobs=asked.jobs or cores(), journal=journal)
    except KeyboardInterrupt:
        print(f"pyramid: interrupted; the same command goes on from {journal}", file=sys.stderr)
        raise
    except BrokenProcessPool:
        print(
            f"pyramid: a process was killed, for want of memory? The same command goes on from {journal}",
            file=sys.stderr,
        )
        return WRONG
    print(json.dumps(odds_json(found)) if asked.json else odds_text(found))
    if asked.save:
        save(found, asked.save)
    return 0


def _budget(nodes: int) -> int:
    """The budget that a search really has, so that a journal does not mix two."""
    return nodes if BACKEND == "compiled" else min(nodes, MOST_NODES_PLAIN)


def counted(plan: Plan, *, jobs: int, journal: Path) -> Odds:
    """The odds that a plan asks for, counted by ``jobs`` processes; what the journal holds is not done again.

    A chunk is in the journal as soon as it is done. Raises BrokenProcessPool where a process was killed.
    """
    with Journal(journal, plan.rules, plan.nodes) as kept:
        asked = list(chunks(plan))
        total = sum((kept.done[chunk] for chunk in asked if chunk in kept.done), Tally())
        with Bar(plan.deals, "deals", done=total.deals) as bar:
            for chunk, tally in _all(plan, [chunk for chunk in asked if chunk not in kept.done], jobs):
                kept.add(chunk, tally)
                total += tally
                bar.move(tally.deals)
    return Odds(plan.rules, plan.first, plan.nodes, total)


def odds_text(odds: Odds) -> str:
    """The odds for a reader."""
    tally, (low, high) = odds.tally, odds.interval
    lines = [
        f"rules      {odds.rules.slug}",
        f"deals      {tally.deals:,}, numbers {odds.first} to {odds.first + tally.deals - 1}",
        f"winnable   {tally.winnable:,} = {odds.share:.3%}",
        f"95 %       {low:.3%} to {high:.3%} (Wilson)",
        f"unknown    {tally.unknown:,} (more than {odds.nodes:,} nodes)",
    ]
    return "\n".join([*lines, *_spread_lines(tally)])


def save(odds: Odds, path: Path) -> None:
    """Put the odds into a file of odds by rule set, one a line, in the place of those that it has of the rule set."""
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[odds.rules.slug] = odds_json(odds)
    lines = ",\n".join(f"  {json.dumps(slug)}: {json.dumps(kept[slug])}" for slug in sorted(kept))
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    fresh.replace(path)


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _spread_lines(tally: Tally) -> Iterator[str]:
    found = spread(tally.moves)
    if found is None:
        return
    low, middle, high = found.quartiles
    unknown = f"; of {tally.unmeasured:,} more they stayed unknown" if tally.unmeasured else ""
    yield f"fewest     of {found.won:,} winnable ones among the first {tally.measured:,}{unknown}"
    yield f"           least {found.least}, quartiles {low} {middle} {high}, most {found.most}, mean {found.mean:.2f}"
    yield ""
    widest = max(deals for _, deals in tally.moves)
    for length, deals in tally.moves:
        yield f"{length:>5} {deals:>8,} {'#' * round(_BAR * deals / widest)}".rstrip()


def _all(plan: Plan, left: list[Chunk], jobs: int) -> Iterator[tuple[Chunk, Tally]]:
    """What came of each chunk, as it is done."""
    counting = partial(count, plan.rules, nodes=plan.nodes)
    if jobs == 1 or len(left) <= 1:
        for chunk in left:
            yield chunk, counting(chunk)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(left)), context, _begin_job)
    try:
        waiting = {pool.submit(counting, chunk): chunk for chunk in left}
        for done in as_completed(waiting):
            yield waiting.pop(done), done.result()
    except BaseException:
        # What the processes have in hand is given up: a chunk can take minutes, and it is not lost for good.
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_job() -> None:
    """Leave Ctrl+C to the parent, and end with it even where it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
