import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, func, select

from app.play.archive.moving import Moving
from app.play.errors import NotFound, Stale
from app.play.games import Games
from app.play.players import Players, code_text, read_code, read_name
from app.play.preferences import CHOICES, USUAL, Preferences, chosen, read_preferences
from app.rules.cards import Unreadable
from app.rules.deal import Seed, seeded
from app.rules.moves import DRAW
from app.rules.ruleset import DEFAULT
from app.store import solutions
from app.store.tables import metadata

DEAL = seeded(Seed("a"))

preferences = st.builds(Preferences, **{name: st.sampled_from(values) for name, values in CHOICES.items()})


def moving(players: Players, connection: Connection) -> Moving:
    """Moving house, all in one transaction."""

    async def run(use_case: Callable[[Connection], Any]) -> Any:  # noqa: ANN401 - as the door has it.
        return use_case(connection)

    return Moving(run, players)


def recovered(
    players: Players, connection: Connection, token: str | None, code: str, *, bring: bool
) -> tuple[str, Preferences]:
    return asyncio.run(moving(players, connection).recover(token, code, bring=bring))


def counts(connection: Connection) -> dict[str, int]:
    """How many rows each table has."""
    return {
        name: connection.scalar(select(func.count()).select_from(table)) or 0 for name, table in metadata.tables.items()
    }


def flag(nation: str) -> str:
    """The emoji of a nation's flag: a black one, letters of which nothing is seen, and their end."""
    return f"\U0001f3f4{''.join(chr(0xE0000 + ord(letter)) for letter in nation)}\U000e007f"


@pytest.mark.parametrize("nation", ["gbeng", "gbsct", "gbwls"])
def test_a_name_may_have_a_flag(nation: str) -> None:
    assert read_name(f"Ada {flag(nation)}") == f"Ada {flag(nation)}"


@pytest.mark.parametrize("name", ["Ada", "Ádám Kovács", "ප්‍රසන්න", "名前", "a" * 24, "<b>Bob</b>", "O’Hara ♠", "👩‍🚀"])
def test_a_name_is_kept_as_it_is(name: str) -> None:
    assert read_name(name) == name


@pytest.mark.parametrize(("text", "name"), [("", None), ("  \t ", None), ("  Ada   L. ", "Ada L."), ("A\u030a", "Å")])
def test_a_name_is_trimmed_and_composed(text: str, name: str | None) -> None:
    assert read_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "a" * 25,
        "a\x00b",
        "a\u202eb",
        "\u200d",
        "\u0301",
        "\u200b",
        "a\ud800",
        "a\u0085\x07",
        "\ufeffx",
        "\u3164",
        "\u115f",
        "\uffa0",
        "a\u2800",
        "Ada" + flag("gbeng")[1:],
        "Ada" + flag("gbeng")[:-1],
        "Ada" + flag("hello"),
    ],
)
def test_a_name_with_what_nobody_sees_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_name(text)


@given(st.text(max_size=60))
def test_any_text_is_a_name_or_refused(text: str) -> None:
    try:
        name = read_name(text)
    except Unreadable:
        return
    assert name is None or (1 <= len(name) <= 24 and read_name(name) == name)


@pytest.mark.parametrize("typed", ["4f7k 9q2m x0zd w8ht", "4F7K-9Q2M-XOZD-W8HT", " 4F7K9Q2MX0ZDW8HT\n"])
def test_a_code_is_read_as_people_write_it(typed: str) -> None:
    assert read_code(typed) == "4F7K9Q2MX0ZDW8HT"
    assert code_text(read_code(typed)) == "4F7K-9Q2M-X0ZD-W8HT"


@pytest.mark.parametrize("typed", ["", "4F7K", "4F7K-9Q2M-X0ZD-W8HU", "4F7K-9Q2M-X0ZD-W8HT-1", "٤" * 16, "\x00" * 16])
def test_another_text_is_no_code(typed: str) -> None:
    with pytest.raises(Unreadable):
        read_code(typed)


def test_codes_are_random_and_of_eighty_bits(players: Players, games: Games, connection: Connection) -> None:
    token = games.create(connection, None, DEFAULT, DEAL)[1]
    codes = {players.new_code(connection, token) for _ in range(200)}
    assert len(codes) == 200
    assert {len(code) for code in codes} == {16}
    assert len(set("".join(codes))) == 32


def test_a_code_brings_the_player_to_another_browser(players: Players, games: Games, connection: Connection) -> None:
    table, token = games.create(connection, None, DEFAULT, DEAL)
    code = players.new_code(connection, token)
    new_token, _ = recovered(players, connection, None, code, bring=False)
    assert games.show(connection, new_token, table.id or "").id == table.id
    assert games.show(connection, token, table.id or "").id == table.id


def test_a_newer_code_makes_the_older_one_void(players: Players, games: Games, connection: Connection) -> None:
    token = games.create(connection, None, DEFAULT, DEAL)[1]
    old, new = players.new_code(connection, token), players.new_code(connection, token)
    with pytest.raises(NotFound):
        recovered(players, connection, None, old, bring=False)
    recovered(players, connection, None, new, bring=False)


def test_the_games_of_the_browser_come_along(players: Players, games: Games, connection: Connection) -> None:
    token = games.create(connection, None, DEFAULT, DEAL)[1]
    code = players.new_code(connection, token)
    table, here = games.create(connection, None, DEFAULT, DEAL)
    new_token, _ = recovered(players, connection, here, code, bring=True)
    assert games.show(connection, new_token, table.id or "").id == table.id
    assert players.find(connection, here) is None
    assert counts(connection)["players"] == 1


def test_without_bringing_them_the_old_token_leads_to_nobody(
    players: Players, games: Games, connection: Connection
) -> None:
    token = games.create(connection, None, DEFAULT, DEAL)[1]
    code = players.new_code(connection, token)
    table, here = games.create(connection, None, DEFAULT, DEAL)
    acted = games.act(connection, here, table.id or "", 0, DRAW)
    recovered(players, connection, here, code, bring=False)
    with pytest.raises((NotFound, Stale)):
        games.act(connection, here, table.id or "", acted.table.version, DRAW)


def test_recovering_oneself_loses_nothing(players: Players, games: Games, connection: Connection) -> None:
    table, token = games.create(connection, None, DEFAULT, DEAL)
    code = players.new_code(connection, token)
    new_token, _ = recovered(players, connection, token, code, bring=True)
    assert games.show(connection, new_token, table.id or "").id == table.id


def test_of_a_solution_that_both_have_seen_the_earlier_time_stays(
    players: Players, games: Games, connection: Connection
) -> None:
    token = games.create(connection, None, DEFAULT, DEAL)[1]
    here = games.create(connection, None, DEFAULT, DEAL)[1]
    player, other = players.require(connection, token), players.require(connection, here)
    solutions.keep(connection, other, [("endless", "a", 10), ("endless", "b", 30), ("endless", "c", 5)])
    solutions.keep(connection, player, [("endless", "a", 20), ("endless", "b", 20)])
    recovered(players, connection, here, players.new_code(connection, token), bring=True)
    assert solutions.page(connection, player, None, 9) == [
        ("endless", "a", 10),
        ("endless", "b", 20),
        ("endless", "c", 5),
    ]


def test_preferences_come_with_the_player(players: Players, games: Games, connection: Connection) -> None:
    wanted = chosen({"suits": "four", "theme": "dark"})
    token = games.create(connection, None, DEFAULT, DEAL, wanted)[1]
    code = players.new_code(connection, token)
    assert recovered(players, connection, None, code, bring=False)[1] == wanted
    players.prefer(connection, token, USUAL)
    assert recovered(players, connection, None, code, bring=False)[1] == USUAL


def test_a_forgotten_player_leaves_nothing(players: Players, games: Games, connection: Connection) -> None:
    before = counts(connection)
    table, token = games.create(connection, None, DEFAULT, DEAL)
    games.act(connection, token, table.id or "", 0, DRAW)
    players.new_code(connection, token)
    players.give_token(connection, token, USUAL)
    asyncio.run(moving(players, connection).forget(token))
    assert counts(connection) == before
    with pytest.raises((NotFound, Stale)):
        games.act(connection, token, table.id or "", 1, DRAW)


def test_any_number_of_games_comes_along_or_is_deleted(players: Players, games: Games, connection: Connection) -> None:
    token = games.create(connection, None, DEFAULT, DEAL)[1]
    code = players.new_code(connection, token)
    here = games.create(connection, None, DEFAULT, DEAL)[1]
    for _ in range(450):
        games.create(connection, here, DEFAULT, DEAL)
    new_token = recovered(players, connection, here, code, bring=True)[0]
    assert counts(connection)["games"] == 452
    assert counts(connection)["players"] == 1
    asyncio.run(moving(players, connection).forget(new_token))
    assert counts(connection)["games"] == counts(connection)["players"] == 0


def test_a_further_token_plays_as_the_same_player(players: Players, games: Games, connection: Connection) -> None:
    table, token = games.create(connection, None, DEFAULT, DEAL)
    further = players.give_token(connection, token, USUAL)
    assert further != token
    assert games.act(connection, further, table.id or "", 0, DRAW).table.version == 1


@pytest.mark.parametrize("name", ["rename", "new_code", "disown"])
def test_what_needs_a_player_is_refused_without_one(players: Players, connection: Connection, name: str) -> None:
    arguments = {"rename": {"name": "Ada"}}.get(name, {})
    for token in (None, "x" * 43):
        with pytest.raises(NotFound):
            getattr(players, name)(connection, token, **arguments)


@given(preferences)
def test_preferences_are_read_back_as_they_were_written(wanted: Preferences) -> None:
    assert read_preferences(wanted.text) == wanted
    assert len(wanted.text) <= 256


@given(st.text(max_size=300))
def test_any_text_gives_some_preferences(text: str) -> None:
    wanted = read_preferences(text)
    assert read_preferences(wanted.text) == wanted


@pytest.mark.parametrize("fields", [{"theme": "pink"}, {"colour": "red"}, {"tell": ""}])
def test_a_choice_that_does_not_exist_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(Unreadable):
        chosen(fields)
