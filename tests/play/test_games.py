"""The use cases around a game, each on a connection of its own."""

import string
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, select

from app.play.errors import GameLeft, Illegal, NotFound, Stale
from app.play.games import Games, New, open_deal, random_id
from app.play.players import Players
from app.play.table import Table
from app.rules.deal import Deal, Seed, seeded
from app.rules.moves import DRAW, REDO, UNDO, read_action
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import Reason
from app.store.database.schema import migrate
from app.store.tables import games as games_table
from tests import databases
from tests.conftest import Clock, Numbered
from tests.playthroughs import wins
from tests.strategies import chosen, randomness, rule_sets, seeds

ENDLESS, DEAL = NAMED["endless"], seeded(Seed("a"))
KING, PAIR = read_action("Kc"), read_action("6c+7d")
KEY = "k" * 43


def create(games: Games, connection: Connection, deal: Deal = DEAL) -> tuple[str, str]:
    """The id of a new player's new game, and his token."""
    table, token = games.create(connection, None, ENDLESS, deal)
    assert table.id is not None
    assert token is not None
    return table.id, token


def test_an_opened_deal_is_kept_nowhere(connection: Connection) -> None:
    table = open_deal(ENDLESS, DEAL)
    assert (table.id, table.version, table.left) == (None, 0, False)
    assert connection.execute(select(games_table)).all() == []


def test_a_known_player_gets_no_second_token(games: Games, connection: Connection) -> None:
    _, token = create(games, connection)
    _, again = games.create(connection, token, ENDLESS, DEAL)
    assert again is None


def test_a_token_that_nobody_has_is_not_adopted(games: Games, connection: Connection) -> None:
    table, token = games.create(connection, "x" * 43, ENDLESS, DEAL)
    assert token not in {None, "x" * 43}
    with pytest.raises(NotFound):
        games.show(connection, "x" * 43, table.id or "")


def test_each_action_is_one_version_further(games: Games, connection: Connection) -> None:
    game_id, token = create(games, connection)
    for version, action in enumerate((DRAW, KING, PAIR, UNDO, REDO, DRAW)):
        acted = games.act(connection, token, game_id, version, action)
        assert (acted.table.version, acted.action, acted.token) == (version + 1, action, None)
        assert acted.before is not None
        assert games.show(connection, token, game_id) == acted.table


def test_a_repeat_brings_the_table_and_tells_that_nothing_was_applied(games: Games, connection: Connection) -> None:
    game_id, token = create(games, connection)
    first = games.act(connection, token, game_id, 0, KING)
    again = games.act(connection, token, game_id, 0, KING)
    assert again.before is None
    assert again.table == first.table


@pytest.mark.parametrize("version", [0, 1, 3, 10**9])
def test_a_stale_action_carries_the_table_as_it_stands(games: Games, connection: Connection, version: int) -> None:
    game_id, token = create(games, connection)
    games.act(connection, token, game_id, 0, DRAW)
    now = games.act(connection, token, game_id, 1, PAIR).table
    with pytest.raises(Stale) as refused:
        games.act(connection, token, game_id, version, KING)
    assert refused.value.table == now == games.show(connection, token, game_id)


def test_an_illegal_action_carries_the_table_and_the_reason(games: Games, connection: Connection) -> None:
    game_id, token = create(games, connection)
    with pytest.raises(Illegal) as refused:
        games.act(connection, token, game_id, 0, UNDO)
    assert refused.value.why.reason is Reason.NOTHING_TO_UNDO
    assert refused.value.table == games.show(connection, token, game_id)


def test_another_player_finds_nothing(games: Games, connection: Connection) -> None:
    game_id, _ = create(games, connection)
    _, stranger = create(games, connection)
    use_cases: list[Callable[[], object]] = [
        lambda: games.show(connection, stranger, game_id),
        lambda: games.show(connection, None, game_id),
        lambda: games.act(connection, stranger, game_id, 0, DRAW),
        lambda: games.leave(connection, stranger, game_id),
    ]
    for use_case in use_cases:
        with pytest.raises(NotFound):
            use_case()


def test_a_game_that_was_left_takes_no_action(games: Games, connection: Connection) -> None:
    game_id, token = create(games, connection)
    games.act(connection, token, game_id, 0, DRAW)
    left = games.leave(connection, token, game_id)
    assert left.left
    for action in (DRAW, UNDO, KING):
        with pytest.raises(GameLeft) as refused:
            games.act(connection, token, game_id, 1, action)
        assert refused.value.table == left
    assert games.leave(connection, token, game_id) == left


def test_a_transaction_that_falls_through_is_as_if_it_had_never_been(games: Games, engine: Engine) -> None:
    with engine.begin() as connection:
        game_id, token = create(games, connection)
    with engine.connect() as connection, connection.begin() as transaction:
        games.act(connection, token, game_id, 0, KING)
        games.act(connection, token, game_id, 1, DRAW)
        transaction.rollback()
    with engine.begin() as connection:
        assert games.show(connection, token, game_id).version == 0
        assert games.act(connection, token, game_id, 0, DRAW).table.version == 1
        assert games.show(connection, token, game_id).game.line == (DRAW,)


def test_what_another_program_played_meanwhile_is_never_overwritten(
    games: Games, players: Players, engine: Engine, clock: Clock
) -> None:
    elsewhere = Games(players, clock, Numbered("e", 16))
    with engine.begin() as connection:
        game_id, token = create(games, connection)
    with engine.connect() as connection, connection.begin() as transaction:
        games.act(connection, token, game_id, 0, KING)
        transaction.rollback()
    with engine.begin() as connection:
        elsewhere.act(connection, token, game_id, 0, DRAW)
    with engine.begin() as connection:
        acted = games.act(connection, token, game_id, 1, PAIR)
    assert acted.table.game.line == (DRAW, PAIR)
    with engine.begin() as connection:
        elsewhere.act(connection, token, game_id, 2, UNDO)
        with pytest.raises(Stale) as refused:
            games.act(connection, token, game_id, 2, KING)
        assert refused.value.table == elsewhere.show(connection, token, game_id)
        elsewhere.leave(connection, token, game_id)
        with pytest.raises(GameLeft):
            games.act(connection, token, game_id, 3, DRAW)


# The first action on a deal.


def test_the_first_action_begins_a_game_with_it(games: Games, connection: Connection) -> None:
    acted = games.begin(connection, None, open_deal(ENDLESS, DEAL), New(KEY), KING)
    assert acted.token is not None
    assert acted.table.version == 1
    assert games.show(connection, acted.token, acted.table.id or "") == acted.table


def test_the_first_action_again_is_the_same_game_for_old_and_new_players(games: Games, connection: Connection) -> None:
    first = games.begin(connection, None, open_deal(ENDLESS, DEAL), New(KEY), KING)
    without_cookie = games.begin(connection, None, open_deal(ENDLESS, DEAL), New(KEY), KING)
    with_cookie = games.begin(connection, first.token, open_deal(ENDLESS, DEAL), New(KEY), KING)
    assert without_cookie.table == with_cookie.table == first.table
    assert without_cookie.token == first.token
    assert with_cookie.token is None


def test_the_first_action_of_an_unknown_token_again_brings_the_new_one(games: Games, connection: Connection) -> None:
    first = games.begin(connection, "x" * 43, open_deal(ENDLESS, DEAL), New(KEY), KING)
    again = games.begin(connection, "x" * 43, open_deal(ENDLESS, DEAL), New(KEY), KING)
    assert first.token == again.token
    assert first.token not in {None, "x" * 43}


def test_a_known_players_game_is_not_given_to_whoever_knows_its_key(games: Games, connection: Connection) -> None:
    _, token = create(games, connection)
    games.begin(connection, token, open_deal(ENDLESS, DEAL), New(KEY), KING)
    _, stranger = create(games, connection)
    for other in (None, stranger, "x" * 43):
        with pytest.raises(NotFound):
            games.begin(connection, other, open_deal(ENDLESS, DEAL), New(KEY), KING)


def test_an_illegal_first_action_begins_nothing(games: Games, connection: Connection) -> None:
    with pytest.raises(Illegal) as refused:
        games.begin(connection, None, open_deal(ENDLESS, DEAL), New(KEY), UNDO)
    assert refused.value.table == open_deal(ENDLESS, DEAL)
    assert connection.execute(select(games_table)).all() == []


# Time.


def test_time_stands_still_from_the_first_win(games: Games, connection: Connection, clock: Clock) -> None:
    table, token = won(games, connection, clock)
    seconds = table.seconds
    assert seconds == table.version - 1
    clock.tick(1000)
    back = games.act(connection, token, table.id or "", table.version, UNDO).table
    assert (back.seconds, back.game.moves) == (seconds, table.game.moves)
    clock.tick(1000)
    again = games.act(connection, token, table.id or "", back.version, REDO).table
    assert (again.seconds, again.game.moves) == (seconds, table.game.moves)


def won(games: Games, connection: Connection, clock: Clock) -> tuple[Table, str]:
    """A game won with one action a second."""
    win = next(win for win in wins() if not win.is_deck)
    table, token = games.create(connection, None, NAMED[win.rules], seeded(Seed(win.deal)))
    assert token is not None
    for version, action in enumerate(win.actions):
        table = games.act(connection, token, table.id or "", version, read_action(action)).table
        if version < len(win.actions) - 1:
            clock.tick(1)
    assert table.game.won_after == len(win.actions)
    return table, token


def test_a_clock_that_is_set_back_makes_no_game_shorter(games: Games, connection: Connection, clock: Clock) -> None:
    win = next(win for win in wins() if not win.is_deck)
    table, token = games.create(connection, None, NAMED[win.rules], seeded(Seed(win.deal)))
    game_id = table.id or ""
    for version, action in enumerate(win.actions):
        seconds = 10 * max(0, version - 1)
        if version == 5:
            clock.tick(-3_600 - 10)
            assert games.show(connection, token, game_id).seconds == seconds
        if version == 10:
            # Between a pause and its end as well.
            assert games.pause(connection, token, game_id, on=True).seconds == seconds
            clock.tick(-86_400)
            assert games.pause(connection, token, game_id, on=False).seconds == seconds
        table = games.act(connection, token, game_id, version, read_action(action)).table
        clock.tick(10)
    # Ten seconds a move, but for the one in which the clock was set back: how long that took is not known.
    assert table.seconds == 10 * (len(win.actions) - 2)
    (row,) = connection.execute(select(games_table.c.won_in)).all()
    assert row.won_in == 1_000 * table.seconds


def test_the_clock_before_the_first_action_does_not_count(games: Games, connection: Connection, clock: Clock) -> None:
    table, token = games.create(connection, None, ENDLESS, DEAL)
    clock.tick(-3_600)
    assert games.act(connection, token, table.id or "", 0, KING).table.seconds == 0
    clock.tick(7)
    assert games.show(connection, token, table.id or "").seconds == 7


def test_a_won_game_stays_won_and_cannot_be_left(games: Games, connection: Connection, clock: Clock) -> None:
    table, token = won(games, connection, clock)
    assert not games.leave(connection, token, table.id or "").left
    assert games.unfinished(connection, token) == ()


# Lists.


def test_unfinished_games_are_listed_last_touched_first(games: Games, connection: Connection, clock: Clock) -> None:
    first, token = create(games, connection)
    second = games.create(connection, token, NAMED["classic"], DEAL)[0].id or ""
    third = games.create(connection, token, ENDLESS, seeded(Seed("b")))[0].id or ""
    untouched = games.create(connection, token, ENDLESS, DEAL)[0].id or ""
    for game_id in (first, second, third):
        games.act(connection, token, game_id, 0, DRAW)
        clock.tick(1)
    games.act(connection, token, first, 1, DRAW)
    listed = games.unfinished(connection, token)
    assert [line.id for line in listed] == [first, third, second]
    assert untouched not in {line.id for line in listed}
    assert (listed[0].moves, listed[0].seed, listed[0].rules) == (2, "a", ENDLESS)
    assert [line.id for line in games.unfinished(connection, token, ENDLESS, DEAL)] == [first]
    assert games.unfinished(connection, None) == ()
    assert games.unfinished(connection, "x" * 43) == ()


def test_a_seeds_deal_and_the_same_cards_as_a_deck_are_two_deals(games: Games, connection: Connection) -> None:
    same_cards = Deal(DEAL.deck)
    game_id, token = create(games, connection, same_cards)
    games.act(connection, token, game_id, 0, DRAW)
    assert games.unfinished(connection, token, ENDLESS, DEAL) == ()
    (line,) = games.unfinished(connection, token, ENDLESS, same_cards)
    assert line.seed is None


# What is stored is the game.


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = databases.opened(tmp_path_factory.mktemp("data"), synchronous="NORMAL")
    migrate(engine)
    yield engine
    engine.dispose()


@given(rules=rule_sets(), seed=seeds(), random=randomness(), length=st.integers(min_value=0, max_value=60))
@settings(max_examples=40, deadline=None)
def test_a_stored_game_opened_anew_is_the_game_that_was_shown(
    database: Engine, rules: RuleSet, seed: Seed, random: Random, length: int
) -> None:
    clock = Clock()
    players = Players(clock)
    with database.begin() as connection:
        players.start(connection)
        games = Games(players, clock)
        table, token = games.create(connection, None, rules, seeded(seed))
        for version in range(length):
            actions = table.game.legal_actions()
            if not actions:
                break
            table = games.act(connection, token, table.id or "", version, chosen(random, actions)).table
    with database.begin() as connection:
        assert Games(players, clock).show(connection, token, table.id or "") == table


def test_ids_are_long_and_tell_nothing() -> None:
    ids = [random_id() for _ in range(10_000)]
    assert len(set(ids)) == 10_000
    assert {len(game_id) for game_id in ids} == {16}
    alphabet = set(string.ascii_letters + string.digits + "-_")
    assert set("".join(ids)) == alphabet
    for place in range(16):
        assert {game_id[place] for game_id in ids} == alphabet


def test_the_installations_secret_makes_the_tokens_its_own(players: Players, connection: Connection) -> None:
    again, elsewhere = Players(Numbered("other-")), Players(Numbered("third-"))
    again.start(connection)
    assert again.token_begun_with(KEY) == players.token_begun_with(KEY)
    assert elsewhere.token_begun_with(KEY) != players.token_begun_with(KEY)
    assert players.token_begun_with(KEY) != players.token_begun_with(KEY + "x")


def test_a_table_knows_its_version(games: Games, connection: Connection) -> None:
    game_id, token = create(games, connection)
    table = games.show(connection, token, game_id)
    assert replace(table, game=table.game.act(DRAW)).version == 1


def test_a_long_game_is_folded_once_and_not_with_every_move(games: Games, connection: Connection) -> None:
    table, token = games.create(connection, None, ENDLESS, DEAL)
    for version in range(0, 1_004, 2):
        games.act(connection, token, table.id or "", version, DRAW)
        games.act(connection, token, table.id or "", version + 1, UNDO)
    first = games.show(connection, token, table.id or "").game
    assert first.actions == 1_004
    assert games.show(connection, token, table.id or "").game is first


def test_a_hint_ends_a_pause(games: Games, connection: Connection, clock: Clock) -> None:
    table, token = games.create(connection, None, ENDLESS, DEAL)
    games.act(connection, token, table.id or "", 0, DRAW)
    games.pause(connection, token, table.id or "", on=True)
    clock.tick(60)
    hinted = games.hinted(connection, token, table.id or "", 1)
    assert (hinted.paused, hinted.seconds, hinted.hints) == (False, 0, 1)
