"""python -m app solve."""

import json
import os
import pty
import signal
import subprocess
import time
from io import StringIO
from pathlib import Path

import pytest

from app.__main__ import main
from app.commands.solve import Answer, Fault, answers
from app.rules.deal import Seed, deck_text, seeded
from app.rules.moves import read_action
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import Outcome, apply, outcome, start
from app.solver.solve import BACKEND, MOST_NODES
from tests.commands.run import SECONDS, arguments_of, command
from tests.web.server import ROOT, environment

DECKS = [deck_text(seeded(Seed(str(number))).deck) for number in range(1, 13)]
needs_the_compiled_search = pytest.mark.skipif(BACKEND == "plain", reason="its budget is too small")


def told(out: bytes | str) -> list[dict[str, object]]:
    """The objects of an output, one a line."""
    return [json.loads(line) for line in out.splitlines()]


def assert_wins(rules: RuleSet, deck: str, line: object) -> None:
    """A line is legal from beginning to end and wins."""
    assert isinstance(line, list | tuple)
    state = start(rules, seeded_deck(deck))
    for text in line:
        action = read_action(text)
        assert action not in {"undo", "redo"}
        state = apply(state, action)
    assert outcome(state) is Outcome.WON


def seeded_deck(deck: str) -> tuple[int, ...]:
    return seeded(Seed(str(DECKS.index(deck) + 1))).deck


@pytest.mark.parametrize("slug", ["endless", "open", "three-piles"])
@needs_the_compiled_search
def test_every_line_wins_in_as_many_moves_as_are_told(slug: str) -> None:
    found = list(answers(DECKS, NAMED[slug], fewest=True, nodes=MOST_NODES))
    quick = list(answers(DECKS, NAMED[slug], fewest=False, nodes=MOST_NODES))
    assert len(found) == len(quick) == len(DECKS)
    for deck, answer, verdict in zip(DECKS, found, quick, strict=True):
        assert isinstance(answer, Answer)
        assert isinstance(verdict, Answer)
        assert (verdict.verdict, verdict.moves, verdict.line) == (answer.verdict, None, None)
        if answer.verdict == "winnable":
            assert answer.line is not None
            assert answer.moves == len(answer.line)
            assert_wins(NAMED[slug], deck, answer.line)
        else:
            assert (answer.verdict, answer.moves, answer.line) == ("lost", None, None)


def test_blank_lines_and_remarks_are_skipped_and_counted() -> None:
    lines = ["# source: nowhere", "", DECKS[0], "  ", "  # more", "Ac 2c", DECKS[1] + "\r\n"]
    first, fault, last = answers(lines, NAMED["endless"], fewest=False, nodes=1_000)
    assert isinstance(first, Answer)
    assert fault == Fault("missing: 3c, 4c, 5c, 6c, 7c and 45 more.", 6)
    assert isinstance(last, Answer)


def test_one_json_object_a_line_comes_out_in_order_and_a_line_that_is_no_deck_is_named() -> None:
    given = "\n".join([DECKS[0], DECKS[1].replace("Ac", "Zc"), DECKS[2]]).encode()
    done = command("solve", "--rules", "endless", "--verdict-only", given=given)
    assert done.returncode == 2
    first, fault, last = told(done.stdout)
    assert set(first) == set(last) == {"verdict", "moves", "line", "nodes", "ms"}
    assert set(fault) == {"error", "line_number"}
    assert fault["line_number"] == 2
    assert done.stderr.decode().splitlines() == [f"pyramid: line 2: {fault['error']}"]
    assert "Zc" in str(fault["error"])
    assert "missing: Ac" in str(fault["error"])


def test_any_bytes_are_answered() -> None:
    junk = [b"\xff\xfe\x00", b"x" * 100_000, b"\x00" * 60, "—".encode() * 52]
    given = b"\xef\xbb\xbf" + b"\n".join([DECKS[0].encode(), *junk, DECKS[1].encode()])
    done = command("solve", "--rules", "endless", "--verdict-only", "-", given=given)
    assert done.returncode == 2
    assert [answer.get("line_number") for answer in told(done.stdout)] == [None, 2, 3, 4, 5, None]
    assert b"Traceback" not in done.stderr


def test_a_file_is_answered_as_standard_input_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "decks.txt").write_text("\n".join(DECKS[:2]))
    verdicts = []
    for file in (str(tmp_path / "decks.txt"), "-"):
        monkeypatch.setattr("sys.stdin", StringIO("\n".join(DECKS[:2])))
        assert main(["solve", "--rules", "d1r1o", "--verdict-only", file]) == 0
        answered = capsys.readouterr()
        assert answered.err == ""
        verdicts.append([answer["verdict"] for answer in told(answered.out)])
    assert verdicts[0] == verdicts[1]
    assert len(verdicts[0]) == 2


def test_nothing_in_gives_nothing_out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(""))
    assert main(["solve", "--rules", "endless"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "--rules"),
        (["--rules", "nope"], "nope"),
        (["--rules", "d1p3r0"], "three waste piles need draw 3"),
        (["--rules", "open", "--nodes", "0"], "“0”"),
        (["--rules", "open", "--nodes", "-1"], "-1"),
        (["--rules", "open", "--nodes", "1e3"], "1e3"),
        (["--rules", "open", "--nodes", "٣"], "whole number"),
        (["--rules", "open", "--nodes", "9" * 5_000], "whole number"),
        (["--rules", "open", "/nowhere/decks.txt"], "/nowhere/decks.txt: No such file"),
        (["--rules", "open", "/"], "/: Is a directory"),
    ],
)
def test_what_cannot_be_read_ends_with_status_2_and_a_message(
    capsys: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    try:
        status: object = main(["solve", *arguments])
    except SystemExit as end:
        status = end.code
    assert status == 2
    told = capsys.readouterr()
    assert word in told.err
    assert told.out == ""


@needs_the_compiled_search
def test_a_budget_that_is_used_up_leaves_the_verdict_unknown() -> None:
    found = list(answers(DECKS, NAMED["open"], fewest=True, nodes=1))
    assert {answer.verdict for answer in found if isinstance(answer, Answer)} == {"unknown", "lost"}


@needs_the_compiled_search
def test_a_budget_too_small_for_the_fewest_moves_still_tells_whether_a_deck_can_be_won() -> None:
    found, quick = (
        [answer for answer in answers(DECKS, NAMED["open"], fewest=fewest, nodes=1_000) if isinstance(answer, Answer)]
        for fewest in (True, False)
    )
    assert [answer.verdict for answer in found] == [answer.verdict for answer in quick]
    unproven = [
        (deck, answer.line) for deck, answer in zip(DECKS, found, strict=True) if answer.line and not answer.moves
    ]
    assert len(unproven) > 2
    for deck, line in unproven:
        assert_wins(NAMED["open"], deck, line)


def test_a_reader_who_leaves_is_no_error() -> None:
    with subprocess.Popen(
        arguments_of("solve", "--rules", "endless", "--verdict-only"),
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write((DECKS[0] + "\n").encode())
        process.stdin.flush()
        # Each answer is there before the next deck is asked for.
        assert told(process.stdout.readline())[0]["moves"] is None
        process.stdout.close()
        process.stdin.write((DECKS[1] + "\n").encode())
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(SECONDS) == 141


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_end_it_without_a_traceback(end: signal.Signals) -> None:
    with subprocess.Popen(
        arguments_of("solve", "--rules", "endless", "--verdict-only"),
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((DECKS[0] + "\n").encode())
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(end)
        assert process.wait(SECONDS) == 128 + end
        assert process.stderr is not None
        assert process.stderr.read() == b""


def on_a_terminal(arguments: list[str], *, seconds: float) -> str:
    """What stands on the terminal that is a command's standard error, fed with two decks, some seconds apart."""
    screen, terminal = pty.openpty()
    with subprocess.Popen(
        arguments_of(*arguments),
        cwd=ROOT,
        env=environment(TERM="xterm"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        assert process.stdin is not None
        assert process.stdout is not None
        for deck in DECKS[:2]:
            process.stdin.write((deck + "\n").encode())
            process.stdin.flush()
            process.stdout.readline()
            time.sleep(seconds)
        process.stdin.close()
        seen = b""
        try:
            while piece := os.read(screen, 65_536):
                seen += piece
        except OSError:
            # This is how Linux says that nobody holds the terminal any more.
            pass
        os.close(screen)
    return seen.decode()


def test_more_than_a_second_of_work_shows_a_bar_on_a_terminal_and_less_does_not() -> None:
    arguments = ["solve", "--rules", "endless", "--verdict-only"]
    assert "2 decks" in on_a_terminal(arguments, seconds=1.2)
    assert on_a_terminal(arguments, seconds=0) == ""
