"""Queries about links: keys that lead whoever knows them to a game."""

from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from app.store.tables import links


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A row of the table of links, as tables.py describes its columns."""

    key: str
    kind: str
    game: str
    created_at: int


def add(connection: Connection, link: StoredLink) -> None:
    """Keep a new link. Raises IntegrityError where the key is taken or the game has a link of that kind."""
    connection.execute(insert(links), asdict(link))


def find(connection: Connection, key: str, kind: str) -> StoredLink | None:
    """The link with a key, if it is of a kind."""
    return _one(connection, links.c.key == key, links.c.kind == kind)


def of_game(connection: Connection, game_id: str, kind: str) -> StoredLink | None:
    """The link of a kind that leads to a game."""
    return _one(connection, links.c.game == game_id, links.c.kind == kind)


def drop(connection: Connection, game_id: str, kind: str) -> None:
    """No link of a kind leads to a game any more."""
    connection.execute(delete(links).where(links.c.game == game_id, links.c.kind == kind))


def _one(connection: Connection, *where: ColumnElement[bool]) -> StoredLink | None:
    columns = (links.c.key, links.c.kind, links.c.game, links.c.created_at)
    row = connection.execute(select(*columns).where(*where)).first()
    return StoredLink(*row) if row else None
