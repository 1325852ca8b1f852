"""The solver from outside: its answers, its threads, and what serves without a compiler."""

import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from hypothesis import given, settings

from app.rules.deal import Seed, shuffled
from app.rules.game import Game
from app.rules.ruleset import NAMED, read_rules
from app.rules.state import State, apply, is_won, legal_moves, start, state_text
from app.solver import solve as solving
from app.solver.solve import Answer, Lost, Solving, Unknown, Won, solve
from tests.rules.tables import table
from tests.solver.backends import Backend
from tests.strategies import games
from tests.web.server import ROOT

HARD = start(read_rules("d3r9"), shuffled(Seed("10")))
"""The fewest moves of this deal take the compiled search some seconds."""


def in_a_thread(search: Solving) -> tuple[threading.Thread, list[Answer]]:
    answers: list[Answer] = []
    thread = threading.Thread(target=lambda: answers.append(search.run()))
    thread.start()
    return thread, answers


def after(state: State, line: tuple[object, ...]) -> State:
    for move in line:
        state = apply(state, move)
    return state


def test_a_winnable_deal_is_won_by_its_line() -> None:
    state = start(NAMED["endless"], shuffled(Seed("2")))
    match solve(state, fewest=False):
        case Won(line=line, nodes=nodes):
            assert is_won(after(state, line))
            assert nodes > 0
        case answer:
            raise AssertionError(answer)


def test_every_move_of_a_line_is_one_of_the_legal_moves() -> None:
    state = table("king-tut", "6c / 5d --", "2c 7d Kc 8c", "")
    answer = solve(state)
    assert isinstance(answer, Won)
    for move in answer.line:
        assert move in legal_moves(state)
        state = apply(state, move)


def test_a_won_position_has_an_empty_line() -> None:
    assert solve(table("endless", "", "2c", "3c")) == Won((), 0)


def test_a_lost_position_is_lost() -> None:
    assert isinstance(solve(table("classic", "6c", "2c 3c", "7d 4c")), Lost)


def test_without_nodes_nothing_is_known() -> None:
    assert isinstance(solve(HARD, nodes=5), Unknown)


@settings(max_examples=40)
@given(game=games())
def test_the_fewest_moves_fall_by_one_along_their_line(game: Game) -> None:
    answer = solve(game.state, nodes=20_000 if solving.BACKEND == "compiled" else 200)
    if isinstance(answer, Won) and answer.line:
        rest = solve(apply(game.state, answer.line[0]))
        assert isinstance(rest, Won)
        assert len(rest.line) == len(answer.line) - 1


def test_a_search_that_was_cancelled_ends_soon_and_does_not_know(compiled: Backend) -> None:
    assert compiled
    search = Solving(HARD)
    thread, answers = in_a_thread(search)
    time.sleep(0.2)
    assert thread.is_alive()
    cancelled = time.monotonic()
    search.cancel()
    thread.join()
    # 50 ms are the promise, which tests/bench/solver.py measures; a shared machine may be slower.
    assert time.monotonic() - cancelled < 0.5
    (answer,) = answers
    assert isinstance(answer, Unknown)
    assert answer.nodes > 0


def test_a_search_that_was_cancelled_before_it_ran_does_not_know(backend: Backend) -> None:
    search = backend(solving.pack(HARD), 1_000, False)  # noqa: FBT003 - as it is built.
    search.cancel()
    assert search.run() == "unknown"


def test_other_threads_run_while_it_searches(compiled: Backend) -> None:
    assert compiled
    search = Solving(HARD)
    thread, _ = in_a_thread(search)
    for _ in range(30):
        time.sleep(0.001)
        # Were the lock of the interpreter held, the first sleep would have lasted until the search had ended.
        assert thread.is_alive()
    search.cancel()
    thread.join()


def test_where_memory_runs_out_it_is_not_known(compiled: Backend) -> None:
    assert compiled
    program = f"""
import os, resource
from pathlib import Path
from app.rules.state import read_state
from app.solver.solve import Unknown, solve
state = read_state({state_text(HARD)!r})
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
for quarters in range(4, 25):
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_AS, (taken + quarters * 262_144,) * 2)
        os._exit(isinstance(solve(state, nodes=20_000_000), Unknown))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"] * 21


def test_searches_in_several_threads_do_not_disturb_each_other() -> None:
    states = [start(NAMED["open"], shuffled(Seed(str(number)))) for number in range(8)]
    alone = [solve(state, fewest=False, nodes=300) for state in states]
    running = [in_a_thread(Solving(state, fewest=False, nodes=300)) for state in states]
    for thread, _ in running:
        thread.join()
    assert [answer for _, answers in running for answer in answers] == alone


def test_without_the_compiled_module_the_twin_answers(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    program = (
        "from app.rules.state import read_state\n"
        "from app.solver import solve\n"
        f"state = read_state({state_text(table('endless', '6c', '2c 7d', ''))!r})\n"
        "print(solve.BACKEND, len(solve.solve(state).line))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("plain 3\n", "")
