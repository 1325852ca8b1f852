from collections.abc import Callable

import pytest
from sqlalchemy import Connection

from app.play.errors import NotFound
from app.play.games import Games
from app.play.players import Players
from app.play.together.links import Links
from app.rules.deal import read_deal
from app.rules.moves import DRAW
from app.rules.ruleset import DEFAULT
from tests.conftest import Clock, Numbered


@pytest.fixture
def links(games: Games, clock: Clock) -> Links:
    return Links(games, clock, Numbered("link-"))


@pytest.fixture
def finished(games: Games, connection: Connection) -> tuple[str, str]:
    """The token of a player and the id of a game that he has given up."""
    token, game_id = begun(connection, games)
    games.leave(connection, token, game_id)
    return token, game_id


def begun(connection: Connection, games: Games) -> tuple[str, str]:
    table, token = games.create(connection, None, DEFAULT, read_deal("a"))
    assert token is not None
    assert table.id is not None
    games.act(connection, token, table.id, 0, DRAW)
    return token, table.id


def test_whoever_has_the_key_sees_the_game(
    links: Links, connection: Connection, games: Games, finished: tuple[str, str]
) -> None:
    token, game_id = finished
    key = links.share(connection, token, game_id, "replay")
    assert links.shared(connection, key, "replay") == games.show(connection, token, game_id)
    assert links.key_of(connection, token, game_id, "replay") == key


def test_a_game_that_is_shared_twice_has_one_key(
    links: Links, connection: Connection, finished: tuple[str, str]
) -> None:
    assert links.share(connection, *finished, "replay") == links.share(connection, *finished, "replay")


def test_a_key_of_one_kind_opens_nothing_of_the_other(
    links: Links, connection: Connection, finished: tuple[str, str]
) -> None:
    replay = links.share(connection, *finished, "replay")
    challenge = links.share(connection, *finished, "challenge")
    assert replay != challenge
    links.shared(connection, challenge, "challenge")
    with pytest.raises(NotFound):
        links.shared(connection, replay, "challenge")
    with pytest.raises(NotFound):
        links.shared(connection, challenge, "replay")


def test_a_withdrawn_link_leads_nowhere_and_the_next_one_is_another(
    links: Links, connection: Connection, finished: tuple[str, str]
) -> None:
    key, kept = (links.share(connection, *finished, kind) for kind in ("replay", "challenge"))
    links.withdraw(connection, *finished, "replay")
    with pytest.raises(NotFound):
        links.shared(connection, key, "replay")
    assert links.key_of(connection, *finished, "replay") is None
    links.shared(connection, kept, "challenge")
    # There is nothing left to withdraw, which is as well.
    links.withdraw(connection, *finished, "replay")
    assert links.share(connection, *finished, "replay") != key


def test_a_game_that_is_still_played_is_not_shared(links: Links, connection: Connection, games: Games) -> None:
    token, game_id = begun(connection, games)
    with pytest.raises(NotFound):
        links.share(connection, token, game_id, "replay")


@pytest.mark.parametrize("stranger", [None, "x" * 43, "other"])
@pytest.mark.parametrize("use_case", [Links.share, Links.withdraw, Links.key_of])
def test_nobody_else_makes_or_withdraws_or_reads_the_link(  # noqa: PLR0913, PLR0917 - fixtures.
    links: Links,
    connection: Connection,
    games: Games,
    finished: tuple[str, str],
    stranger: str | None,
    use_case: Callable[..., object],
) -> None:
    token = begun(connection, games)[0] if stranger == "other" else stranger
    key = links.share(connection, *finished, "replay")
    for game_id in (finished[1], "nothing"):
        with pytest.raises(NotFound):
            use_case(links, connection, token, game_id, "replay")
    assert links.key_of(connection, *finished, "replay") == key


@pytest.mark.parametrize("key", ["", "x", "x" * 43, "x" * 5_000, "\0" * 43, "link-%", "ä" * 43])
def test_a_key_that_nobody_made_opens_nothing(
    links: Links, connection: Connection, finished: tuple[str, str], key: str
) -> None:
    links.share(connection, *finished, "replay")
    with pytest.raises(NotFound):
        links.shared(connection, key, "replay")


def test_a_link_ends_with_its_game(
    links: Links, connection: Connection, players: Players, finished: tuple[str, str]
) -> None:
    key = links.share(connection, *finished, "replay")
    players.remove(connection, players.disown(connection, finished[0]))
    with pytest.raises(NotFound):
        links.shared(connection, key, "replay")
