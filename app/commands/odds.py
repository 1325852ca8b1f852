"""``python -m app odds``: how many of the numbered deals can be won."""

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path

from app.commands.journal import Journal
from app.commands.progress import Bar
from app.solver.odds import Chunk, Odds, Plan, Tally, chunks, count, odds_json, spread

_BAR = 40


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
