"""The journal of a count: what came of each chunk of deals, so that a count that was ended goes on where it was."""

import json
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

from app.rules.cards import Unreadable
from app.rules.ruleset import RuleSet
from app.solver.odds import Chunk, Tally


class Journal:
    """A text file: a line that names the rule set and the budget, then a line for each chunk as it is done.

    A chunk is known again by its deals, so that a count of more deals goes on from one of fewer. Raises
    Unreadable where the file is another count's, or no journal at all; OSError where it cannot be opened.
    """

    def __init__(self, path: Path, rules: RuleSet, nodes: int) -> None:
        self._head = {"rules": rules.code, "nodes": nodes}
        head = json.dumps(self._head).encode()
        found = path.read_bytes() if path.exists() else b""
        first, ended, rest = found.partition(b"\n")
        # A count that was ended in its first moment has left nothing, or the first line torn.
        fresh = not ended and head.startswith(found)
        if not fresh:
            self._check(path, first)
        self.done = _read(rest)
        """The tallies that were found in the file, by chunk."""
        self._file = path.open("w" if fresh else "a", encoding="utf-8")
        if fresh:
            self._write(head.decode())
        elif not found.endswith(b"\n"):
            # The last line was torn when the count was ended; what follows must not be torn with it.
            self._write("")

    def add(self, chunk: Chunk, tally: Tally) -> None:
        """Note what came of a chunk."""
        kept = {"chunk": asdict(chunk), "tally": {**asdict(tally), "moves": dict(tally.moves)}}
        self._write(json.dumps(kept, separators=(",", ":")))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()

    def _check(self, path: Path, line: bytes) -> None:
        """Refuse a file that is not this count's."""
        try:
            head = json.loads(line)
        except ValueError:
            head = None
        if not isinstance(head, dict) or head.keys() != self._head.keys():
            raise Unreadable("%(path)s is no journal of odds; name another with --journal", path=str(path))
        if head != self._head:
            raise Unreadable(
                "%(path)s is the journal of another count (%(rules)s with --nodes %(nodes)s); "
                "name another with --journal",
                path=str(path),
                rules=str(head["rules"]),
                nodes=str(head["nodes"]),
            )


def _read(lines: bytes) -> dict[Chunk, Tally]:
    """The tallies that the lines tell; a line that was torn is left out."""
    done: dict[Chunk, Tally] = {}
    for line in lines.split(b"\n"):
        try:
            kept = json.loads(line)
            moves = tuple((int(length), int(deals)) for length, deals in kept["tally"].pop("moves").items())
            done[Chunk(**kept["chunk"])] = Tally(**kept["tally"], moves=moves)
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    return done
