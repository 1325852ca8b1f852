"""What is charged and what is refused, exactly, by a clock that is set."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from sqlalchemy import Connection, Engine, insert, select

from app.play.errors import NotFound, TooFast
from app.play.limits import ACTION, BURST_SECONDS, DEAR, IMPORT, Limits, Rate
from app.play.players import Players, token_hash
from app.store import limits as stored
from app.store import tables
from app.store.limits import StoredLimit
from tests.conftest import Clock

SECOND = 1_000_000
PLAYER, NETWORK = 20, 200
TOKEN, HOME = "t" * 43, "203.0.113.7"


def seconds_refused(work: Callable[[], object]) -> int:
    """After how many seconds one who is refused may try again; 0 for one who is not."""
    try:
        work()
    except TooFast as refused:
        return refused.seconds
    return 0


def spent(work: Callable[[], object]) -> int:
    """How often something can be done at once."""
    return next(times for times in range(100_000) if seconds_refused(work))


@pytest.fixture
def limits(players: Players, clock: Clock) -> Limits:
    return Limits(players, clock, PLAYER, NETWORK)


def new_player(connection: Connection, token: str = TOKEN) -> None:
    player = connection.execute(insert(tables.players).values(created_at=1)).inserted_primary_key
    assert player is not None
    connection.execute(insert(tables.tokens).values(hash=token_hash(token), player=player[0], created_at=1))


def kept(connection: Connection) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(select(tables.limits).order_by(tables.limits.c.key))]


@pytest.mark.parametrize("rate", [5, 8, 20, 200, 1_000])
def test_twenty_seconds_worth_may_come_at_once_and_no_action_more(rate: float) -> None:
    until, count = 0, 0
    while not seconds_refused(partial(Rate(rate).charged, until, SECOND, ACTION)):
        until, count = Rate(rate).charged(until, SECOND, ACTION), count + 1
    assert count == rate * BURST_SECONDS


@pytest.mark.parametrize("rate", [5, 20, 200])
def test_after_a_burst_each_action_comes_when_its_time_has_passed_and_not_a_microsecond_before(rate: float) -> None:
    each, now = round(SECOND / rate), 1_000 * SECOND
    until = now + BURST_SECONDS * SECOND
    assert seconds_refused(partial(Rate(rate).charged, until, now + each - 1, ACTION)) == 1
    assert Rate(rate).charged(until, now + each, ACTION) == until + each


def test_in_the_long_run_the_rate_is_kept_to_the_action() -> None:
    rate, until, taken = Rate(20), 0, 0
    for now in range(0, 100 * SECOND + 1, 10_000):
        with suppress(TooFast):
            until, taken = rate.charged(until, now, ACTION), taken + 1
    assert taken == 20 * 100 + 20 * BURST_SECONDS


def test_a_refusal_tells_the_first_whole_second_at_which_it_would_be_none() -> None:
    rate, now = Rate(8), 5 * SECOND
    until = now + BURST_SECONDS * SECOND
    wait = seconds_refused(partial(rate.charged, until, now, DEAR))
    assert wait == 2
    assert seconds_refused(partial(rate.charged, until, now + (wait - 1) * SECOND, DEAR)) == 1
    assert rate.charged(until, now + wait * SECOND, DEAR)


@pytest.mark.parametrize("rate", [0.001, 0.5, 3])
def test_whoever_is_idle_may_import_once_however_small_the_rate(rate: float) -> None:
    until = Rate(rate).charged(0, SECOND, ACTION)
    until = Rate(rate).charged(until, SECOND, IMPORT - ACTION)
    assert seconds_refused(partial(Rate(rate).charged, until, SECOND, ACTION)) == -(-ACTION // rate)


@pytest.mark.parametrize("rate", [1e-6, 1e-13, 1e-308, 5e-324])
def test_of_a_rate_next_to_none_the_times_still_fit_into_a_database(rate: float) -> None:
    now = 4_000_000_000 * SECOND
    assert now < Rate(rate).charged(now, now, IMPORT) < 2**63


def test_a_clock_that_is_set_back_locks_nobody_out_for_long() -> None:
    until = Rate(20).charged(0, 7_200 * SECOND, ACTION)
    assert Rate(20).charged(until, 3_600 * SECOND, ACTION) < 3_601 * SECOND


def test_a_player_has_400_actions_at_once_and_40_games(limits: Limits, clock: Clock) -> None:
    assert spent(partial(limits.spend, TOKEN, HOME)) == 400
    clock.tick(BURST_SECONDS)
    assert spent(partial(limits.spend, TOKEN, HOME, DEAR)) == 40
    clock.tick(BURST_SECONDS)
    assert spent(partial(limits.spend, TOKEN, HOME, IMPORT)) == 4


def test_a_network_has_ten_times_as_many_whoever_its_players_are(limits: Limits) -> None:
    for player in range(10):
        assert spent(partial(limits.spend, f"{player}" * 43, HOME)) == 400
    assert seconds_refused(partial(limits.spend, "x" * 43, HOME)) == 1
    assert seconds_refused(partial(limits.spend, None, HOME)) == 1
    assert spent(partial(limits.spend, None, "203.0.113.8")) == 4_000


def test_who_is_refused_is_not_charged_and_neither_is_his_network(limits: Limits, clock: Clock) -> None:
    assert spent(partial(limits.spend, TOKEN, HOME)) == 400
    for _ in range(10_000):
        assert seconds_refused(partial(limits.spend, TOKEN, HOME))
    assert spent(partial(limits.spend, None, HOME)) == 3_600
    for _ in range(10_000):
        assert seconds_refused(partial(limits.spend, "u" * 43, HOME))
    clock.tick(1)
    assert spent(partial(limits.spend, "u" * 43, HOME)) == 200


def test_what_is_given_back_can_be_spent_again_and_no_more_than_that(limits: Limits) -> None:
    assert spent(partial(limits.spend, TOKEN, HOME)) == 400
    limits.spend(TOKEN, HOME, -DEAR)
    assert spent(partial(limits.spend, TOKEN, HOME)) == DEAR
    limits.spend("u" * 43, HOME, -DEAR)
    assert spent(partial(limits.spend, "u" * 43, HOME)) == 400


def test_a_move_each_0_3_seconds_for_an_hour_is_never_refused(limits: Limits, clock: Clock) -> None:
    for move in range(12_000):
        limits.spend(TOKEN, HOME, DEAR if move % 60 == 0 else ACTION)
        clock.tick(0.3)


@pytest.mark.parametrize("rates", [(0, NETWORK), (PLAYER, 0), (0, 0)])
def test_a_rate_of_nought_is_no_limit(players: Players, clock: Clock, rates: tuple[float, float]) -> None:
    limits = Limits(players, clock, *rates)
    player = any(seconds_refused(partial(limits.spend, TOKEN, HOME)) for _ in range(401))
    networks = any(seconds_refused(partial(limits.spend, None, HOME)) for _ in range(4_001))
    assert (player, networks) == (rates[0] > 0, rates[1] > 0)


def test_the_memory_of_many_networks_and_players_is_bounded(limits: Limits, clock: Clock) -> None:
    for number in range(20_000):
        limits.spend(f"{number:043}", f"2001:db8:0:{number:x}::/64")
    assert len(limits._players._values) == len(limits._networks._values) == 16_384  # noqa: SLF001 - what is bounded.
    # Whoever came last is still known.
    assert spent(partial(limits.spend, f"{19_999:043}", HOME)) == 399
    clock.tick(1)


def test_what_is_dear_is_shared_by_the_servers_of_a_database(
    players: Players, connection: Connection, clock: Clock
) -> None:
    new_player(connection)
    servers = [Limits(players, clock, PLAYER, NETWORK) for _ in range(2)]
    done = [
        seconds_refused(partial(servers[turn % 2].counted, connection, lambda _: 1, TOKEN, HOME, DEAR)) == 0
        for turn in range(60)
    ]
    assert done == [True] * 40 + [False] * 20
    assert spent(partial(servers[0].counted, connection, lambda _: 1, None, HOME, DEAR)) == 360


def test_the_tokens_of_a_player_share_what_he_may_do_and_one_that_nobody_has_is_nobodys(
    limits: Limits, connection: Connection
) -> None:
    new_player(connection)
    ((player,),) = connection.execute(select(tables.players.c.id)).all()
    connection.execute(insert(tables.tokens).values(hash=token_hash("v" * 43), player=player, created_at=1))
    assert spent(partial(limits.counted, connection, lambda _: 1, TOKEN, HOME, DEAR)) == 40
    assert seconds_refused(partial(limits.counted, connection, lambda _: 1, "v" * 43, HOME, DEAR))
    limits.counted(connection, lambda _: 1, "w" * 43, HOME, DEAR)
    assert len(kept(connection)) == 2


def test_a_use_case_that_is_refused_is_not_begun_and_one_that_raises_is_not_charged(
    limits: Limits, connection: Connection
) -> None:
    def refuses(_connection: Connection) -> None:
        raise NotFound

    with pytest.raises(NotFound):
        limits.counted(connection, refuses, TOKEN, HOME, DEAR)
    assert kept(connection) == []
    assert limits.counted(connection, lambda _: "done", TOKEN, HOME, NETWORK * BURST_SECONDS) == "done"
    before = kept(connection)
    with pytest.raises(TooFast):
        limits.counted(connection, refuses, TOKEN, HOME, DEAR)
    assert kept(connection) == before


def test_nothing_that_is_kept_can_be_read(limits: Limits, connection: Connection) -> None:
    new_player(connection)
    limits.counted(connection, lambda _: 1, TOKEN, HOME, DEAR)
    keys = {key for key, *_ in kept(connection)}
    assert len(keys) == 2
    assert hashlib.sha256(f"network {HOME}".encode()).hexdigest() in keys
    assert all(len(str(key)) == 64 and HOME not in str(key) for key in keys)


def test_what_is_kept_last_counts_and_what_is_over_is_forgotten(engine: Engine) -> None:
    with engine.begin() as connection:
        stored.keep(connection, [StoredLimit("a", 1), StoredLimit("b", 2)])
        stored.keep(connection, [StoredLimit("a", 3, 4), StoredLimit("c", 5)])
        stored.keep(connection, [])
    with engine.begin() as connection:
        assert stored.find(connection, ["a", "b", "x"]) == {"a": StoredLimit("a", 3, 4), "b": StoredLimit("b", 2)}
        stored.forget(connection, 3)
        assert kept(connection) == [("a", 3, 4), ("c", 5, 0)]
