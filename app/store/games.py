"""Queries about games."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, Select, bindparam, delete, insert, or_, select, update

from app.store import tables
from app.store.database.hot import Hot
from app.store.tables import games, tokens


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A row of the table of games, as tables.py describes its columns."""

    id: str
    player: int
    begin_hash: str | None
    rules: str
    deal: str
    actions: str
    version: int
    moves: int
    outcome: str
    begun_at: int | None
    touched_at: int
    won_at: int | None
    left_at: int | None
    hints: int
    hinted_at: int | None
    source: str = "played"
    opening: str = ""
    daily: str | None = None
    challenge: str | None = None
    won_in: int | None = None
    fewest: int | None = None
    paused_at: int | None = None
    paused_for: int = 0


_AT_ONCE = 200
"""How many games are changed in one visit of the database, where it is a matter of all."""

_MINE = Hot(
    select(games)
    .join(tokens, tokens.c.player == games.c.player)
    .where(games.c.id == bindparam("id"), tokens.c.hash == bindparam("token_hash"))
)
_ANY = select(games).where(games.c.id == bindparam("id"))
_BEGUN = select(games).where(games.c.begin_hash == bindparam("begin_hash"))
_CHANGED = (
    "actions",
    "version",
    "moves",
    "outcome",
    "begun_at",
    "touched_at",
    "won_at",
    "left_at",
    "won_in",
    "paused_at",
    "paused_for",
)
_CHANGE = Hot(
    update(games)
    .where(games.c.id == bindparam("this"), games.c.version == bindparam("seen_version"))
    .where(games.c.actions == bindparam("seen_actions"), games.c.left_at.is_(None))
    .where(games.c.paused_for == bindparam("seen_paused_for"))
    .where(games.c.paused_at.is_not_distinct_from(bindparam("seen_paused_at")))
    .where(games.c.player == select(tokens.c.player).where(tokens.c.hash == bindparam("token_hash")).scalar_subquery())
    .values({name: bindparam(f"new_{name}") for name in _CHANGED})
)


def find(connection: Connection, game_id: str, token_hash: str) -> StoredGame | None:
    """The game with an id if it belongs to the player with a token, else None."""
    row = _MINE.run(connection, {"id": game_id, "token_hash": token_hash}).fetchone()
    return StoredGame(*row) if row else None


def find_any(connection: Connection, game_id: str) -> StoredGame | None:
    """The game with an id, whoever it belongs to, or None."""
    row = connection.execute(_ANY, {"id": game_id}).first()
    return StoredGame(*row) if row else None


def find_begun(connection: Connection, begin_hash: str) -> StoredGame | None:
    """The game that was begun under a key, whoever it belongs to, or None."""
    row = connection.execute(_BEGUN, {"begin_hash": begin_hash}).first()
    return StoredGame(*row) if row else None


def add(connection: Connection, game: StoredGame) -> None:
    """Keep a new game. Raises IntegrityError where its id or its begin key is taken."""
    connection.execute(insert(games), asdict(game))


def pause(connection: Connection, game: StoredGame) -> None:
    """Keep since when a game is paused, and how long its pauses took."""
    values = {"paused_at": game.paused_at, "paused_for": game.paused_for, "touched_at": game.touched_at}
    connection.execute(update(games).where(games.c.id == game.id).values(values))


def change(connection: Connection, token_hash: str, seen: StoredGame, game: StoredGame) -> bool:
    """Keep what became of a game if it still stands as it was seen, was not left, and is the player's with a token.

    Tells whether it was so.
    """
    values = {f"new_{name}": getattr(game, name) for name in _CHANGED}
    values |= {"this": seen.id, "seen_version": seen.version, "seen_actions": seen.actions, "token_hash": token_hash}
    values |= {"seen_paused_for": seen.paused_for, "seen_paused_at": seen.paused_at}
    return bool(_CHANGE.run(connection, values).rowcount == 1)


def count_hint(connection: Connection, game: StoredGame) -> None:
    """Count a hint at a game's version, once."""
    new = or_(games.c.hinted_at.is_(None), games.c.hinted_at != game.version)
    connection.execute(
        update(games).where(games.c.id == game.id, new).values(hints=games.c.hints + 1, hinted_at=game.version)
    )


def judge(connection: Connection, rules: str, deal: str, fewest: int) -> None:
    """Keep the fewest moves of a deal with the games in which it was won."""
    won = (games.c.rules == rules, games.c.deal == deal, games.c.won_at.is_not(None))
    connection.execute(update(games).where(*won, games.c.fewest.is_(None)).values(fewest=fewest))


def judged(connection: Connection, rules: str, deal: str) -> int | None:
    """The fewest moves of a deal as they are kept with a game in which it was won, whoever won it, or None."""
    of_deal = (games.c.rules == rules, games.c.deal == deal, games.c.won_at.is_not(None))
    return connection.scalar(select(games.c.fewest).where(*of_deal, games.c.fewest.is_not(None)).limit(1))


def move_some(connection: Connection, player: int, to: int) -> int:
    """Some games of a player become another one's; how many. Imported ones that the other has are dropped."""
    ids = list(connection.scalars(_some_of(player)))
    other = games.alias("other")
    same = (other.c[name] == games.c[name] for name in ("rules", "deal", "begun_at", "actions"))
    double = select(other.c.id).where(other.c.player == to, *same).exists()
    connection.execute(delete(games).where(games.c.id.in_(ids), games.c.source == "imported", double))
    connection.execute(update(games).where(games.c.id.in_(ids)).values(player=to))
    return len(ids)


def delete_some(connection: Connection, player: int) -> int:
    """Remove some games of a player; how many."""
    return connection.execute(delete(games).where(games.c.id.in_(_some_of(player)))).rowcount


def _some_of(player: int) -> Select[tuple[str]]:
    return select(games.c.id).where(games.c.player == player).limit(_AT_ONCE)


def expire(connection: Connection, first: int, last: int, before: int) -> int:
    """Remove the unfinished games of the players ``first`` to ``last`` not touched since ``before``; how many."""
    of_them = (games.c.player.between(first, last), games.c.touched_at < before)
    return connection.execute(delete(games).where(*of_them, tables.unfinished)).rowcount


def unfinished(
    connection: Connection, token_hash: str, most: int, *, rules: str | None = None, deal: str | None = None
) -> list[StoredGame]:
    """A player's games that were begun and neither won nor left, last touched first; of one deal if named."""
    query = (
        select(games)
        .join(tokens, tokens.c.player == games.c.player)
        .where(tokens.c.hash == token_hash, games.c.version > 0)
        .where(tables.unfinished)
        .order_by(games.c.touched_at.desc(), games.c.id)
        .limit(most)
    )
    if rules is not None and deal is not None:
        query = query.where(games.c.rules == rules, games.c.deal == deal)
    return [StoredGame(*row) for row in connection.execute(query)]
