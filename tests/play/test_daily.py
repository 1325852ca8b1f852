"""The daily deals: one a day, winnable, nobody's to foretell; marks and streaks."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, insert, select, update

from app.play.advice.coach import Coach
from app.play.errors import NotFound
from app.play.games import Games, New, open_deal
from app.play.players import Players, random_key
from app.play.table import Origin
from app.play.together.daily import DAILY_RULES, FIRST_DAY, Dailies, Streak, day_of, streak
from app.rules.deal import Deal, Seed
from app.rules.moves import DRAW
from app.rules.ruleset import NAMED, RuleSet
from app.rules.state import start
from app.solver.solve import Won, solve
from app.store.database.schema import migrate
from app.store.tables import dailies as dailies_table
from app.store.tables import games as games_table
from tests import databases
from tests.conftest import Clock, Numbered

ENDLESS = NAMED["endless"]
TODAY = date(2027, 1, 15)
"""What the clock of the tests says."""

ONE_DAY = timedelta(days=1)


class Counting(Coach):
    """A coach who counts what he is asked for daily deals."""

    asked = 0

    async def can_be_won(self, rules: RuleSet, seed: Seed) -> bool:
        self.asked += 1
        return await super().can_be_won(rules, seed)


class Installation:
    """Daily deals on a database, with everything behind them."""

    def __init__(self, engine: Engine, clock: Clock, fresh: Callable[[], str] = random_key) -> None:
        self.engine = engine
        self.players = Players(clock, fresh)
        self.games = Games(self.players, clock, Numbered("g", 16))
        self.coach = Counting(self.run)
        self.dailies = Dailies(self.players, self.run, self.coach, clock, fresh)
        self.here(self.players.start)
        self.here(self.dailies.start)

    async def run(self, use_case: Callable[..., Any]) -> Any:  # noqa: ANN401 - whatever the use case returns.
        return self.here(use_case)

    def here(self, use_case: Callable[..., Any], **given: Any) -> Any:  # noqa: ANN401 - as above.
        with self.engine.begin() as connection:
            return use_case(connection, **given)

    def deal(self, rules: RuleSet = ENDLESS, day: date = TODAY) -> Deal:
        return asyncio.run(self.dailies.deal(rules, day))

    def begun(self, token: str | None, day: date, key: str = "k" * 43) -> tuple[str, str]:
        """The id of a game of a day's deal with one draw, and the token of its player."""
        opening = open_deal(ENDLESS, self.deal(day=day), Origin(daily=day.isoformat()))
        acted = self.here(self.games.begin, token=token, opening=opening, new=New(key), action=DRAW)
        return acted.table.id, token or acted.token

    def won(self, token: str | None, day: date, key: str = "k" * 43) -> str:
        """The token of a player who has won a day's deal."""
        game_id, token = self.begun(token, day, key)
        self.finish(token, game_id)
        return token

    def finish(self, token: str, game_id: str) -> None:
        """Win a game after its first action."""

        def play(connection: Connection) -> None:
            found = solve(self.games.show(connection, token, game_id).game.state, fewest=False)
            assert isinstance(found, Won)
            for version, move in enumerate(found.line, 1):
                self.games.act(connection, token, game_id, version, move)

        self.here(play)


@pytest.fixture
def house(engine: Engine, clock: Clock) -> Iterator[Installation]:
    house = Installation(engine, clock)
    yield house
    house.coach.close()


def at(clock: Clock, text: str) -> None:
    """Set the clock to a time of the form 2027-01-15T23:59:59.999, UTC."""
    clock.milliseconds = round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize("rules", DAILY_RULES, ids=lambda rules: rules.slug)
def test_every_days_deal_can_be_won(house: Installation, rules: RuleSet) -> None:
    days = [TODAY - ONE_DAY * back for back in range(12)]
    deals = [house.deal(rules, day) for day in days]
    assert all(isinstance(solve(start(rules, deal.deck), fewest=False), Won) for deal in deals)
    assert len({deal.seed for deal in deals}) == len(days)


def test_a_deal_is_the_same_for_everyone_who_uses_the_database(house: Installation, clock: Clock) -> None:
    seeds = [house.deal(rules).seed for rules in DAILY_RULES]
    another = Installation(house.engine, clock)
    assert [another.deal(rules).seed for rules in DAILY_RULES] == seeds
    assert another.coach.asked == 0
    another.coach.close()


def test_two_installations_that_lost_their_dailies_but_not_their_secret_find_the_same(
    house: Installation, clock: Clock
) -> None:
    seed = house.deal().seed
    house.here(lambda connection: connection.execute(dailies_table.delete()))
    another = Installation(house.engine, clock)
    assert another.deal().seed == seed
    another.coach.close()


def test_two_installations_have_different_deals(
    house: Installation, clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> None:
    engine = databases.opened(tmp_path_factory.mktemp("elsewhere"))
    migrate(engine)
    elsewhere = Installation(engine, clock)
    assert {elsewhere.deal(rules).seed for rules in DAILY_RULES}.isdisjoint(
        {house.deal(rules).seed for rules in DAILY_RULES}
    )
    elsewhere.coach.close()
    engine.dispose()


def test_a_seed_once_found_stays(house: Installation, clock: Clock) -> None:
    house.here(lambda c: c.execute(insert(dailies_table).values(rules="endless", day="2027-01-15", seed="kept")))
    assert house.deal() == Installation(house.engine, clock).deal()
    assert house.deal().seed == "kept"


def test_those_who_ask_at_once_share_one_search(house: Installation) -> None:
    async def ask() -> list[Deal]:
        return await asyncio.gather(*(house.dailies.deal(NAMED["classic"], TODAY) for _ in range(20)))

    first = asyncio.run(ask())
    asked = house.coach.asked
    house.here(lambda connection: connection.execute(dailies_table.delete()))
    alone = Installation(house.engine, Clock())
    assert {deal.seed for deal in first} == {alone.deal(NAMED["classic"]).seed}
    assert asked == alone.coach.asked
    alone.coach.close()


@pytest.mark.parametrize("day", [TODAY + ONE_DAY, TODAY + 300 * ONE_DAY, date.max, FIRST_DAY - ONE_DAY, date.min])
def test_a_day_to_come_or_before_the_calendar_has_no_deal(house: Installation, day: date) -> None:
    with pytest.raises(NotFound):
        house.deal(day=day)
    assert house.here(lambda connection: connection.execute(select(dailies_table)).all()) == []
    assert house.coach.asked == 0


@pytest.mark.parametrize("name", sorted(set(NAMED) - {rules.slug for rules in DAILY_RULES}))
def test_other_rule_sets_have_no_daily_deal(house: Installation, name: str) -> None:
    with pytest.raises(NotFound):
        house.deal(NAMED[name])


def test_a_day_begins_at_midnight_and_not_a_millisecond_before(house: Installation, clock: Clock) -> None:
    at(clock, "2027-01-15T23:59:59.999")
    with pytest.raises(NotFound):
        house.deal(day=TODAY + ONE_DAY)
    at(clock, "2027-01-16T00:00:00.000")
    assert house.deal(day=TODAY + ONE_DAY) != house.deal()


def test_the_first_day_of_the_calendar_has_a_deal(house: Installation) -> None:
    assert house.deal(day=FIRST_DAY).seed is not None


@pytest.mark.parametrize(
    ("begun", "won", "mark"),
    [
        ("2027-01-15T00:00:00.000", "2027-01-15T12:00:00.000", "in time"),
        ("2027-01-15T23:59:59.999", "2027-01-18T12:00:00.000", "in time"),
        ("2027-01-16T00:00:00.000", "2027-01-16T00:01:00.000", "late"),
    ],
)
def test_when_a_game_was_begun_decides_whether_its_win_is_late(
    house: Installation, clock: Clock, begun: str, won: str, mark: str
) -> None:
    at(clock, begun)
    game_id, token = house.begun(None, TODAY)
    assert house.here(house.dailies.month, token=token, rules=ENDLESS, first=date(2027, 1, 1)).marks == {TODAY: "tried"}
    at(clock, won)
    house.finish(token, game_id)
    assert house.here(house.dailies.month, token=token, rules=ENDLESS, first=date(2027, 1, 1)).marks == {TODAY: mark}


def test_a_win_in_time_counts_though_a_late_one_follows(house: Installation, clock: Clock) -> None:
    token = house.won(None, TODAY)
    clock.tick(86_400)
    house.won(token, TODAY, key="l" * 43)
    month = house.here(house.dailies.month, token=token, rules=ENDLESS, first=date(2027, 1, 1))
    assert (month.marks, month.streak) == ({TODAY: "in time"}, Streak(1, 1))


def test_a_streak_grows_day_by_day_and_ends_with_the_first_day_missed(house: Installation, clock: Clock) -> None:
    token, seen = None, []
    for back in range(3):
        token = house.won(token, TODAY + ONE_DAY * back, key=f"{back}" * 43)
        seen.append(month_streak(house, token))
        clock.tick(86_400)
    assert seen == [Streak(1, 1), Streak(2, 2), Streak(3, 3)]
    assert month_streak(house, token) == Streak(3, 3)  # Today is not yet won.
    clock.tick(86_400)
    assert month_streak(house, token) == Streak(0, 3)


def month_streak(house: Installation, token: str | None) -> Streak:
    return house.here(house.dailies.month, token=token, rules=ENDLESS, first=date(2027, 1, 1)).streak


def test_a_late_win_is_in_no_streak(house: Installation, clock: Clock) -> None:
    clock.tick(86_400)
    assert month_streak(house, house.won(None, TODAY)) == Streak(0, 0)


def test_a_game_that_was_not_played_here_is_in_no_streak(house: Installation) -> None:
    token = house.won(None, TODAY)
    house.here(lambda connection: connection.execute(update(games_table).values(source="imported")))
    assert month_streak(house, token) == Streak(0, 0)


def test_a_standing_tells_what_runs_and_what_was_won(house: Installation) -> None:
    deals = [(rules, house.deal(rules)) for rules in DAILY_RULES]

    def standings(token: str | None) -> Any:  # noqa: ANN401 - a tuple of standings.
        return house.here(house.dailies.standings, token=token, day=TODAY, deals=deals)

    assert {(one.mark, one.moves, one.running) for one in standings(None)} == {(None, None, ())}
    game_id, token = house.begun(None, TODAY)
    endless, classic, _ = standings(token)
    assert (endless.mark, endless.moves, [line.id for line in endless.running]) == ("tried", None, [game_id])
    assert (classic.mark, classic.running) == (None, ())
    house.won(token, TODAY, key="l" * 43)
    endless = standings(token)[0]
    assert (endless.mark, endless.streak) == ("in time", Streak(1, 1))
    assert endless.moves is not None


def test_only_games_of_that_very_daily_can_be_gone_on_with(house: Installation) -> None:
    deal = house.deal()
    _, token = house.here(house.games.create, token=None, rules=ENDLESS, deal=deal)
    acted = house.here(house.games.begin, token=token, opening=open_deal(ENDLESS, deal), new=New("m" * 43), action=DRAW)
    assert acted.table.id
    assert house.here(house.dailies.running, token=token, day=TODAY, rules=ENDLESS, deal=deal) == ()
    game_id, _ = house.begun(token, TODAY)
    (line,) = house.here(house.dailies.running, token=token, day=TODAY, rules=ENDLESS, deal=deal)
    assert line.id == game_id
    house.here(house.games.leave, token=token, game_id=game_id)
    assert house.here(house.dailies.running, token=token, day=TODAY, rules=ENDLESS, deal=deal) == ()


@pytest.mark.parametrize("first", [date(2027, 2, 1), date(2025, 12, 1), date(9999, 12, 1)])
def test_a_month_outside_of_the_calendar_is_not_found(house: Installation, first: date) -> None:
    with pytest.raises(NotFound):
        house.here(house.dailies.month, token=None, rules=ENDLESS, first=first)


@pytest.mark.sqlite
def test_the_index_alone_tells_which_days_were_won(house: Installation) -> None:
    token = house.won(None, TODAY)
    player = house.here(house.players.require, token=token)
    query = (
        "EXPLAIN QUERY PLAN SELECT rules, daily, min(begun_at) FROM games WHERE player = ? AND daily IS NOT NULL "
        "AND begun_at IS NOT NULL AND source = 'played' AND won_at IS NOT NULL GROUP BY rules, daily"
    )
    plan = house.here(lambda connection: connection.exec_driver_sql(query, (player,)).all())
    assert ["USING COVERING INDEX ix_games_daily" in row[3] for row in plan] == [True]


@given(
    st.sets(st.integers(min_value=0, max_value=25)),
    st.integers(min_value=0, max_value=25),
)
def test_a_streak_is_what_counting_day_by_day_gives(won: set[int], now: int) -> None:
    days = {FIRST_DAY + ONE_DAY * number for number in won}
    today = FIRST_DAY + ONE_DAY * now
    longest = length = 0
    for number in range(-1, 30):
        length = length + 1 if number in won else 0
        longest = max(longest, length)
    current = 0
    for number in range(now + 1):
        current = current + 1 if number in won else current if number == now else 0
    assert streak(days, today) == Streak(current, longest)


@pytest.mark.parametrize(
    ("milliseconds", "day"),
    [
        (0, date(1970, 1, 1)),
        (1_800_000_000_000, TODAY),
        (1_800_057_599_999, TODAY),
        (1_800_057_600_000, date(2027, 1, 16)),
    ],
)
def test_a_day_is_counted_by_utc(milliseconds: int, day: date) -> None:
    assert day_of(milliseconds) == day
