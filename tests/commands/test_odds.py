"""python -m app odds."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from app.__main__ import main
from app.commands.journal import Journal
from app.commands.odds import counted, odds_text, save
from app.rules.ruleset import NAMED
from app.solver.odds import NODES, Chunk, Odds, Plan, Tally, count, odds_json, read_odds
from app.solver.solve import BACKEND
from tests.commands.run import SECONDS, arguments_of
from tests.web.server import ROOT, environment

TALLY = Tally(1000, 646, 2, 100, 1, ((40, 20), (41, 40), (90, 1)))


def test_the_odds_are_told_in_words_and_the_journal_is_named_by_the_rule_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["odds", "--rules", "endless", "--deals", "100", "--fewest", "10", "--jobs", "1"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    tally = count(NAMED["endless"], Chunk(1, 100, fewest=False))
    assert f"winnable   {tally.winnable} = {tally.winnable}.000%" in told.out
    assert [path.name for path in tmp_path.iterdir()] == ["odds-endless.jsonl"]


def test_words_name_all_that_was_counted() -> None:
    text = odds_text(Odds(NAMED["endless"], 1, 5_000, TALLY))
    for words in (
        "1,000, numbers 1 to 1000",
        "646 = 64.600%",
        "unknown    2 (more than 5,000 nodes)",
        "of 61 winnable ones among the first 100; of 1 more they stayed unknown",
        "least 40, quartiles 40 41 41, most 90, mean 41.48",
    ):
        assert words in text


def test_the_odds_are_told_in_json_and_saved_by_rule_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "odds.json"
    save(Odds(NAMED["classic"], 1, 5_000, TALLY), kept)
    save(Odds(NAMED["endless"], 1, 5_000, TALLY), kept)
    journal = str(tmp_path / "journal")
    asked = ["odds", "--rules", "endless", "--deals", "30", "--fewest", "10", "--jobs", "1", "--journal", journal]
    assert main([*asked, "--json", "--save", str(kept)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert read_odds(told).tally.deals == 30
    assert json.loads(kept.read_text()) == {
        "classic": odds_json(Odds(NAMED["classic"], 1, 5_000, TALLY)),
        "endless": told,
    }
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("odds")] == ["odds.json"]


def test_numbers_begin_where_they_are_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = str(tmp_path / "journal")
    asked = ["odds", "--rules", "endless", "--deals", "20", "--first", "500", "--fewest", "0", "--jobs", "1", "--json"]
    assert main([*asked, "--journal", journal]) == 0
    assert read_odds(json.loads(capsys.readouterr().out)).tally == count(NAMED["endless"], Chunk(500, 20, fewest=False))


@pytest.mark.skipif(BACKEND == "plain", reason="takes a minute in plain Python")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_count_that_is_ended_leaves_no_process_and_goes_on_where_it_was(tmp_path: Path, end: signal.Signals) -> None:
    journal = tmp_path / "journal"
    asked = ["odds", "--rules", "classic", "--deals", "2000", "--jobs", "2", "--journal", str(journal)]
    with subprocess.Popen(
        arguments_of(*asked),
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        wait_for_lines(journal, 3)
        process.send_signal(end)
        # The processes hold these pipes as well: they end when the last of them does.
        out, told = process.communicate(timeout=SECONDS)
    assert out == b""
    assert process.returncode == (-9 if end == signal.SIGKILL else 128 + end)
    assert (b"goes on from" in told) is (end != signal.SIGKILL)
    assert b"Traceback" not in told
    before = journal.read_bytes()
    counted(Plan(NAMED["classic"], 300, measured=300), jobs=1, journal=journal)
    assert journal.read_bytes().startswith(before)
    assert 3 <= before.count(b"\n") < 41
    with Journal(journal, NAMED["classic"], NODES) as kept:
        assert {chunk.first for chunk in kept.done} >= set(range(1, 300, 50))


def wait_for_lines(path: Path, lines: int) -> None:
    """Wait until a file has so many lines."""
    until = time.monotonic() + SECONDS
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "--rules"),
        (["--rules", "open"], "--deals"),
        (["--rules", "nope", "--deals", "1"], "nope"),
        (["--rules", "open", "--deals", "0"], "--deals"),
        (["--rules", "open", "--deals", "1", "--first", "a"], "--first"),
        (["--rules", "open", "--deals", "1", "--first", "-1"], "--first"),
        (["--rules", "open", "--deals", "1", "--jobs", "0"], "--jobs"),
        (["--rules", "open", "--deals", "1", "--fewest", "-2"], "--fewest"),
        (["--rules", "open", "--deals", "1", "--journal", "/nowhere/x"], "/nowhere/x: No such file"),
        (["--rules", "open", "--deals", "1", "--journal", str(ROOT / "README.md")], "is no journal of odds"),
    ],
)
def test_what_cannot_be_read_ends_with_status_2_and_a_message(
    capsys: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    try:
        status: object = main(["odds", *arguments])
    except SystemExit as end:
        status = end.code
    assert status == 2
    told = capsys.readouterr()
    assert word in told.err
    assert told.out == ""
