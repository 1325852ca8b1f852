"""The journal of a count."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.commands.journal import Journal
from app.commands.odds import counted
from app.rules.cards import Unreadable
from app.rules.ruleset import NAMED
from app.solver.odds import Chunk, Plan, Tally, count

CHUNKS = {
    Chunk(1, 50, fewest=True): Tally(50, 30, 1, 50, 2, ((40, 3), (51, 25))),
    Chunk(51, 500, fewest=False): Tally(500, 300),
    Chunk(551, 7, fewest=False): Tally(7, 7),
}
RULES = NAMED["endless"]


def written(path: Path) -> bytes:
    """A whole journal."""
    with Journal(path, RULES, 1_000) as journal:
        for chunk, tally in CHUNKS.items():
            journal.add(chunk, tally)
    return path.read_bytes()


def test_what_was_noted_is_found_again(tmp_path: Path) -> None:
    written(tmp_path / "journal")
    with Journal(tmp_path / "journal", RULES, 1_000) as journal:
        assert journal.done == CHUNKS


@settings(deadline=None)
@given(share=st.floats(0, 1))
def test_a_journal_that_was_torn_anywhere_holds_what_was_whole_and_takes_the_rest(
    tmp_path_factory: pytest.TempPathFactory, share: float
) -> None:
    path = tmp_path_factory.mktemp("torn") / "journal"
    whole = written(path)
    path.write_bytes(whole[: round(share * len(whole))])
    with Journal(path, RULES, 1_000) as journal:
        assert journal.done.items() <= CHUNKS.items()
        for chunk in CHUNKS.keys() - journal.done.keys():
            journal.add(chunk, CHUNKS[chunk])
    with Journal(path, RULES, 1_000) as journal:
        assert journal.done == CHUNKS


@pytest.mark.parametrize(("slug", "nodes"), [("open", 1_000), ("endless", 2_000)])
def test_the_journal_of_another_count_is_refused_and_left_as_it_is(tmp_path: Path, slug: str, nodes: int) -> None:
    whole = written(tmp_path / "journal")
    with pytest.raises(Unreadable, match="the journal of another count"):
        Journal(tmp_path / "journal", NAMED[slug], nodes)
    assert (tmp_path / "journal").read_bytes() == whole


@pytest.mark.parametrize("text", [b"my diary\n", b"{}\n", b"[1]\nx", b"\xff\xfe", b"\n", b'{"rules": "d1rx"}\n'])
def test_a_file_that_is_no_journal_is_refused_and_left_as_it_is(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(text)
    with pytest.raises(Unreadable, match="is no journal of odds"):
        Journal(path, RULES, 1_000)
    assert path.read_bytes() == text


def test_a_count_goes_on_from_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    plan = Plan(RULES, 130, measured=10)
    whole = counted(plan, jobs=1, journal=path)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    path.write_bytes(b"".join(lines[:-1]))
    assert counted(plan, jobs=1, journal=path) == whole
    assert path.read_bytes() == b"".join(lines)


def test_a_count_of_more_deals_goes_on_from_one_of_fewer(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    counted(Plan(RULES, 500), jobs=1, journal=path)
    before = path.read_bytes()
    more = counted(Plan(RULES, 600), jobs=1, journal=path)
    assert path.read_bytes().startswith(before)
    assert len(path.read_bytes().splitlines()) == 3
    assert more.tally == count(RULES, Chunk(1, 600, fewest=False))


def test_a_count_that_is_done_is_not_done_again(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, RULES, 1_000) as journal:
        journal.add(Chunk(1, 7, fewest=False), Tally(7, 6))
    assert counted(Plan(RULES, 7, nodes=1_000), jobs=1, journal=path).tally == Tally(7, 6)
