"""Statistics, history and bests, against a slow recount of the games by the rules alone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, select, update

from app.play.archive.records import Best, Cursor, Line, Records, best, each_once, read_cursor
from app.play.archive.statistics import FORSAKEN_MS, Figures, Fold, Statistics
from app.play.games import Games
from app.play.players import Players
from app.rules.cards import Unreadable
from app.rules.deal import read_deal
from app.rules.game import begin
from app.rules.moves import DRAW, REDO, UNDO, Action, read_action
from app.rules.ruleset import NAMED, RuleSet, read_rules
from app.rules.state import is_won, start
from app.store import records as stored
from app.store.database.schema import migrate
from app.store.records import Row
from app.store.tables import games as games_table
from tests import databases
from tests.conftest import Clock, Numbered
from tests.playthroughs import Win, wins

WINS = wins()
ENDLESS = next(win for win in WINS if win.rules == "endless")


@dataclass
class Kept:
    """What the test itself knows of a game: when each action was taken, and what became of it."""

    rules: RuleSet
    deal: str
    actions: list[tuple[int, Action]] = field(default_factory=list)
    left: bool = False
    hinted: set[int] = field(default_factory=set)
    onward: bool = False
    fewest: int | None = None

    def win(self) -> tuple[int, int] | None:
        """Moves and milliseconds of the first win, by the rules."""
        game = begin(start(self.rules, read_deal(self.deal).deck))
        for number, (at, action) in enumerate(self.actions, 1):
            game = game.act(action)
            if is_won(game.state):
                return number, at - self.actions[0][0]
        return None


class Diary:
    """A player who writes down what he does."""

    def __init__(self, games: Games, records: Records, connection: Connection, clock: Clock) -> None:
        self.games, self.records, self.connection, self.clock = games, records, connection, clock
        self.kept: dict[str, Kept] = {}
        self.token: str | None = None

    def begin(self, win: Win = ENDLESS, count: int | None = None) -> str:
        """A game of a golden deal, its first actions taken (None: all, which win it)."""
        deal = win.deal.replace(" ", "")
        table, new = self.games.create(self.connection, self.token, read_rules(win.rules), read_deal(deal))
        self.token = new or self.token
        game_id = table.id or ""
        self.kept[game_id] = Kept(table.rules, deal)
        for action in win.actions[:count]:
            self.act(game_id, read_action(action))
        return game_id

    def act(self, game_id: str, action: Action) -> None:
        """An action, a second and a bit after the last."""
        self.clock.tick(1.001)
        kept = self.kept[game_id]
        self.games.act(self.connection, self.token, game_id, len(kept.actions), action)
        kept.actions.append((self.clock(), action))

    def any_action(self, game_id: str, number: int) -> None:
        """One of the actions that are legal."""
        legal = self.games.show(self.connection, self.token, game_id).game.legal_actions()
        if legal and not self.kept[game_id].left:
            self.act(game_id, legal[number % len(legal)])

    def leave(self, game_id: str) -> None:
        kept = self.kept[game_id]
        kept.left = kept.left or not kept.win()
        self.games.leave(self.connection, self.token, game_id)

    def hint(self, game_id: str) -> None:
        kept = self.kept[game_id]
        if not kept.left:
            table = self.games.hinted(self.connection, self.token, game_id, len(kept.actions))
            # After the first win a hint is none for that game.
            if table.game.won_after is None:
                kept.hinted.add(len(kept.actions))

    def onward(self, game_id: str) -> str:
        """A game from the start of another, with an action of its own."""
        self.clock.tick(1)
        table = self.games.show(self.connection, self.token, game_id)
        onward, _ = self.games.play_on(self.connection, self.token, table, 0)
        self.kept[onward.id or ""] = Kept(onward.rules, self.kept[game_id].deal, onward=True)
        self.act(onward.id or "", DRAW)
        return onward.id or ""

    def solved(self, game_id: str, more: int) -> None:
        """The solver tells of a won game by how much it was longer than needed."""
        win = self.kept[game_id].win()
        if win is not None:
            self.kept[game_id].fewest = win[0] - more
            self.connection.execute(update(games_table).where(games_table.c.id == game_id).values(fewest=win[0] - more))

    def statistics(self) -> Statistics:
        return asyncio.run(self.records.statistics(self.token))

    def end(self, game: Kept) -> str:
        """Won, lost or open, as the page defines it."""
        if game.win():
            return "won"
        another = any(other.actions and other.actions[0][0] > game.actions[0][0] for other in self.kept.values())
        # A hint is no action: it does not touch a game.
        forsaken = self.clock() - game.actions[-1][0] >= FORSAKEN_MS
        return "lost" if game.left or (another and forsaken) else "open"

    def figures(self, rules: RuleSet | None = None) -> Figures:
        """The figures, each counted by itself from the games in the diary."""
        played = [game for game in self.kept.values() if game.actions and not game.onward]
        played = [game for game in played if rules in {None, game.rules}]
        played.sort(key=lambda game: game.actions[0][0])
        ends = [self.end(game) for game in played]
        won = [win for game in played if (win := game.win()) is not None]
        known = [game for game in played if game.fewest is not None]
        finished = [end for end in ends if end != "open"]
        runs = [0]
        for end in finished:
            runs = [*runs[:-1], runs[-1] + 1] if end == "won" else [*runs, 0]
        return Figures(
            played=len(played),
            won=ends.count("won"),
            lost=ends.count("lost"),
            streak=runs[-1],
            longest_streak=max(runs),
            fewest_moves=min((moves for moves, _ in won), default=None),
            best_time=min((time for _, time in won), default=None),
            average_moves=sum(moves for moves, _ in won) / len(won) if won else None,
            average_time=sum(time for _, time in won) / len(won) if won else None,
            perfect=sum((game.win() or (0, 0))[0] == game.fewest for game in known),
            known=len(known),
            hints=sum(len(game.hinted) for game in played),
        )


def run_on(connection: Connection) -> Callable[[Callable[[Connection], Any]], Awaitable[Any]]:
    """What the door does, on a connection at hand."""

    async def run(use_case: Callable[[Connection], Any]) -> Any:  # noqa: ANN401 - whatever the use case returns.
        return use_case(connection)

    return run


def new_diary(connection: Connection, prefix: str = "") -> Diary:
    clock = Clock()
    players = Players(clock, Numbered(f"key-{prefix}-"))
    players.start(connection)
    games = Games(players, clock)
    return Diary(games, Records(run_on(connection), players, clock), connection, clock)


@pytest.fixture
def diary(connection: Connection) -> Diary:
    return new_diary(connection)


@pytest.fixture(scope="module")
def kept_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A database for all examples; each is rolled back."""
    engine = databases.opened(tmp_path_factory.mktemp("records"))
    migrate(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three games a visit of the door."""
    monkeypatch.setattr(stored, "CHUNK", 3)


GAME = st.integers(0, 7)
WAITS = st.sampled_from((0.0, 3_600.0, 86_399.999, 86_400.0, 100_000.0))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("win"), st.integers(0, len(WINS) - 1), st.just(0)),
        st.tuples(st.just("part"), st.integers(0, len(WINS) - 1), st.integers(0, 12)),
        st.tuples(st.just("act"), GAME, st.integers(0, 40)),
        st.tuples(st.just("again"), GAME, st.just(0)),
        st.tuples(st.just("solved"), GAME, st.integers(0, 1)),
        st.tuples(st.sampled_from(("leave", "hint", "onward")), GAME, st.just(0)),
        st.tuples(st.just("wait"), st.just(0), WAITS),
    ),
    max_size=14,
)


def follow(diary: Diary, step: tuple[str, int, float]) -> None:
    what, number, more = step
    diary.clock.tick(0.001)
    own = [game_id for game_id, kept in diary.kept.items() if not kept.onward]
    match what:
        case "win":
            diary.begin(WINS[number])
        case "part":
            diary.begin(WINS[number], int(more))
        case "wait":
            diary.clock.tick(more)
        case _ if own:
            follow_in(diary, own[number % len(own)], what, int(more))


def follow_in(diary: Diary, game_id: str, what: str, more: int) -> None:
    """A step in a game that is there."""
    match what:
        case "act":
            diary.any_action(game_id, more)
        case "again" if is_won(diary.games.show(diary.connection, diary.token, game_id).game.state):
            # Back from a win and into it once more.
            diary.act(game_id, UNDO)
            diary.act(game_id, REDO)
        case "solved":
            diary.solved(game_id, more)
        case "leave" if diary.kept[game_id].actions:
            diary.leave(game_id)
        case "hint":
            diary.hint(game_id)
        case "onward":
            diary.onward(game_id)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@example(steps=[("win", 0, 0), ("act", 0, 0), ("hint", 0, 0)])
@pytest.mark.usefixtures("small_chunks")
def test_the_figures_are_those_of_the_games_replayed(kept_engine: Engine, steps: list[tuple[str, int, float]]) -> None:
    with kept_engine.connect() as connection, connection.begin() as transaction:
        diary = new_diary(connection)
        for step in steps:
            follow(diary, step)
        found = diary.statistics()
        assert found.total == diary.figures()
        played = {game.rules for game in diary.kept.values() if game.actions and not game.onward}
        assert dict(found.by_rules) == {rules: diary.figures(rules) for rules in played}
        assert [game.won for game in found.recent].count(True) == found.total.won
        assert len(found.recent) == found.total.won + found.total.lost
        transaction.rollback()


@st.composite
def many_rows(draw: st.DrawFn) -> list[Row]:
    """Games in the order of their beginning, as the store tells of them."""
    choose, rows, begun_at = draw(st.randoms(use_true_random=False)), list[Row](), 0
    for _ in range(draw(st.integers(0, 120))):
        begun_at += choose.randint(0, 3)
        rules, hints = choose.choice(("endless", "classic", "d1r2o")), choose.randint(0, 2)
        if choose.random() < 0.5:
            won_at, moves = begun_at + choose.randint(0, 9), choose.randint(15, 18)
            fewest = choose.choice((None, 15, 16))
            rows.append((rules, begun_at, won_at, won_at, None, moves, won_at - begun_at, hints, fewest))
        else:
            touched_at = begun_at + choose.randint(0, 9)
            left_at = choose.choice((None, None, touched_at))
            rows.append((rules, begun_at, touched_at, None, left_at, None, None, hints, None))
    return rows


@given(rows=many_rows(), piece=st.integers(1, 130), old=st.integers(0, 400))
def test_figures_counted_in_pieces_are_those_counted_at_once(rows: list[Row], piece: int, old: int) -> None:
    now, last_begun = FORSAKEN_MS + old, rows[-1][1] if rows else 0
    pieces, whole = Fold(now, last_begun), Fold(now, last_begun)
    for at in range(0, len(rows), piece):
        pieces.add(rows[at : at + piece])
    whole.add(rows)
    assert pieces.statistics() == whole.statistics()


def outcome_of(diary: Diary) -> tuple[int, int, int]:
    total = diary.statistics().total
    return total.played, total.won, total.lost


def test_nobody_has_no_records(diary: Diary) -> None:
    for token in (None, "x" * 43):
        assert asyncio.run(diary.records.statistics(token)) == Statistics()
        assert diary.records.history(diary.connection, token).lines == ()
        assert best(diary.connection, token, NAMED["endless"], read_deal("a")) == Best()


def test_a_game_without_an_action_is_not_played(diary: Diary) -> None:
    diary.begin(count=0)
    assert diary.statistics() == Statistics()
    assert diary.records.history(diary.connection, diary.token).lines == ()


def test_a_game_is_lost_after_24_hours_and_not_a_millisecond_before(diary: Diary) -> None:
    diary.begin(count=1)
    first_touched = diary.clock()
    diary.begin(count=1)
    diary.clock.milliseconds = first_touched + FORSAKEN_MS - 1
    assert outcome_of(diary) == (2, 0, 0)
    diary.clock.milliseconds += 1
    assert outcome_of(diary) == (2, 0, 1)


def test_the_game_begun_last_is_not_lost_by_waiting(diary: Diary) -> None:
    diary.begin(count=1)
    diary.clock.tick(1_000_000)
    assert outcome_of(diary) == (1, 0, 0)


def test_a_return_makes_a_lost_game_open_again(diary: Diary) -> None:
    forsaken = diary.begin(count=1)
    diary.begin()
    diary.clock.tick(86_400)
    assert outcome_of(diary) == (2, 1, 1)
    assert diary.statistics().total.streak == 1
    diary.act(forsaken, DRAW)
    assert outcome_of(diary) == (2, 1, 0)


def test_a_game_given_up_is_lost_at_once(diary: Diary) -> None:
    diary.leave(diary.begin(count=1))
    assert outcome_of(diary) == (1, 0, 1)


def test_a_win_is_one_win_with_its_first_time_whatever_is_undone(diary: Diary) -> None:
    game_id = diary.begin()
    before = diary.statistics()
    diary.clock.tick(50)
    for action in (UNDO, REDO, UNDO, UNDO):
        diary.act(game_id, action)
    diary.begin(count=1)
    diary.clock.tick(200_000)
    after = diary.statistics()
    assert replace(after.total, played=1) == before.total
    assert after.recent == before.recent


def test_what_is_played_onward_counts_nowhere_but_is_another_game_begun(diary: Diary) -> None:
    game_id = diary.begin(count=1)
    diary.onward(game_id)
    diary.clock.tick(86_400)
    assert outcome_of(diary) == (1, 0, 1)
    assert [line.onward for line in diary.records.history(diary.connection, diary.token).lines] == [True, False]


def test_an_imported_game_counts(diary: Diary) -> None:
    diary.begin()
    diary.connection.execute(update(games_table).values(source="imported"))
    assert outcome_of(diary) == (1, 1, 0)


def test_another_player_has_records_of_his_own(diary: Diary, connection: Connection) -> None:
    diary.begin()
    other = new_diary(connection, "o")
    other.begin(count=2)
    assert (outcome_of(diary), outcome_of(other)) == ((1, 1, 0), (1, 0, 0))


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("count", [2, 3, 4, 6, 7, 11])
def test_games_of_the_very_same_time_are_all_read_once(diary: Diary, count: int) -> None:
    for number in range(2 * count):
        diary.begin(count=1 if number % 2 else None)
    diary.connection.execute(update(games_table).values(begun_at=5, touched_at=6))
    assert outcome_of(diary) == (2 * count, count, 0)


def test_a_game_that_is_won_while_it_is_read_counts_once() -> None:
    seen: Row = ("endless", 10, 20, None, None, None, None, 0, None)
    still: Row = ("endless", 11, 20, None, None, None, None, 0, None)
    won: Row = ("endless", 10, 31, 31, None, 20, 21, 0, None)
    assert each_once([seen, still], [won], 30) == [still, won]
    assert each_once([seen, still], [], 30) == [seen, still]


def plans(connection: Connection, use_case: Callable[[], object]) -> list[str]:
    """How SQLite goes about each statement that a use case runs."""
    asked: list[str] = []
    driver: Any = connection.connection.driver_connection
    driver.set_trace_callback(asked.append)
    use_case()
    driver.set_trace_callback(None)
    return [row[3] for text in asked for row in driver.execute(f"EXPLAIN QUERY PLAN {text}").fetchall()]


@pytest.mark.sqlite
def test_statistics_read_covering_indexes_and_no_row(diary: Diary) -> None:
    diary.begin()
    player = diary.connection.scalar(select(games_table.c.player))
    for read, index in ((stored.won, "ix_games_won"), (stored.unwon, "ix_games_unwon")):
        (plan,) = plans(diary.connection, partial(read, diary.connection, player))
        assert plan.startswith(f"SEARCH games USING COVERING INDEX {index} (player=? AND ")
    (plan,) = plans(diary.connection, partial(stored.last_begun, diary.connection, player))
    assert plan == "SEARCH games USING COVERING INDEX ix_games_history (player=?)"


def test_the_best_are_those_of_the_player_by_these_rules_and_on_this_deal(diary: Diary, connection: Connection) -> None:
    rules, deal = read_rules(ENDLESS.rules), read_deal(ENDLESS.deal)
    diary.begin(count=5)
    assert best(connection, diary.token, rules, deal) == Best()
    diary.begin()
    moves, time = diary.kept[diary.begin()].win() or (0, 0)
    new_diary(connection, "o").begin()
    assert best(connection, diary.token, rules, deal) == Best(moves, time, moves, time)
    assert best(connection, diary.token, rules, read_deal("other")) == Best(moves, time, None, None)
    assert best(connection, diary.token, NAMED["classic"], deal) == Best()
    diary.connection.execute(update(games_table).values(source="onward"))
    assert best(connection, diary.token, rules, deal) == Best()


def test_the_fewest_moves_and_the_best_time_may_be_of_different_games(diary: Diary, connection: Connection) -> None:
    slow, hasty = diary.begin(), diary.begin()
    for game_id, moves, won_in in ((slow, 20, 9_000), (hasty, 30, 8_000)):
        mine = games_table.c.id == game_id
        connection.execute(update(games_table).where(mine).values(moves=moves, won_in=won_in))
    found = best(connection, diary.token, read_rules(ENDLESS.rules), read_deal(ENDLESS.deal))
    assert found == Best(20, 8_000, 20, 8_000)


@pytest.mark.sqlite
def test_the_best_is_found_by_indexes_however_many_wins_there_are(diary: Diary, connection: Connection) -> None:
    game_id = diary.begin()
    ask = partial(best, connection, diary.token, read_rules(ENDLESS.rules), read_deal("other"))
    used = " ".join(plans(connection, ask))
    assert "SCAN games" not in used
    for wanted in (
        "ix_games_best (player=? AND rules=?",
        "ix_games_fastest (player=? AND rules=?",
        "ix_games_deal (rules=? AND deal=? AND player=?",
    ):
        assert wanted in used
    before = steps_of(connection, ask)
    copies(connection, game_id, 2_000)
    assert steps_of(connection, ask) <= before + 5


def steps_of(connection: Connection, use_case: Callable[[], object]) -> int:
    """How many steps of its machine SQLite takes, in tens."""
    driver: Any = connection.connection.driver_connection
    taken = []
    driver.set_progress_handler(lambda: taken.append(1) and None, 10)
    use_case()
    driver.set_progress_handler(None, 10)
    return len(taken)


def copies(connection: Connection, game_id: str, count: int) -> None:
    """The same game many times more, each begun a second later."""
    (row,) = connection.execute(select(games_table).where(games_table.c.id == game_id)).mappings()
    later = [
        {**row, "id": f"copy{number:05}", "begun_at": row["begun_at"] + 1_000 * number}
        for number in range(1, count + 1)
    ]
    if later:
        connection.execute(games_table.insert(), later)


def pages(diary: Diary, rules: RuleSet | None = None) -> list[tuple[Line, ...]]:
    """All pages of the history, newest first; the way back leads over the very same ones."""
    show = partial(diary.records.history, diary.connection, diary.token, rules)
    there = [show()]
    while there[-1].older is not None:
        there.append(show(before=there[-1].older))
    back = [there[-1]]
    while back[-1].newer is not None:
        back.append(show(after=back[-1].newer))
    assert [page.lines for page in back[::-1][1:]] == [page.lines for page in there[1:]]
    assert back[-1].lines[:1] == there[0].lines[:1]
    return [page.lines for page in there]


@pytest.mark.parametrize(("count", "sizes"), [(1, [1]), (50, [50]), (51, [50, 1]), (100, [50, 50]), (101, [50, 50, 1])])
def test_the_history_has_pages_of_50_games_newest_first(diary: Diary, count: int, sizes: list[int]) -> None:
    copies(diary.connection, diary.begin(), count - 1)
    found = pages(diary)
    assert [len(page) for page in found] == sizes
    lines = [line for page in found for line in page]
    assert len({line.id for line in lines}) == count
    assert [line.begun_at for line in lines] == sorted((line.begun_at for line in lines), reverse=True)


def test_games_begun_at_the_very_same_time_stand_in_the_history_once_each(diary: Diary) -> None:
    copies(diary.connection, diary.begin(), 120)
    diary.connection.execute(update(games_table).values(begun_at=7))
    lines = [line.id for page in pages(diary) for line in page]
    assert lines == sorted(set(lines), reverse=True)
    assert len(lines) == 121


def test_the_history_of_a_rule_set_has_its_games_only(diary: Diary) -> None:
    for win in WINS:
        diary.begin(win)
        diary.begin(win, 3)
    for win in WINS:
        (page,) = pages(diary, read_rules(win.rules))
        assert [(line.rules.slug, line.end) for line in page] == [(win.rules, "open"), (win.rules, "won")]
    assert [len(page) for page in pages(diary)] == [2 * len(WINS)]


def test_the_history_tells_how_a_game_ended(diary: Diary) -> None:
    left, won = diary.begin(count=1), diary.begin()
    diary.leave(left)
    diary.begin(count=1)
    diary.clock.tick(86_400)
    diary.begin(next(win for win in WINS if win.is_deck), 2)
    lines = diary.records.history(diary.connection, diary.token).lines
    assert [line.end for line in lines] == ["open", "lost", "won", "left"]
    moves, won_in = diary.kept[won].win() or (0, 0)
    assert [(line.moves, line.won_in) for line in lines] == [(2, None), (1, None), (moves, won_in), (1, None)]
    assert [line.seed is None for line in lines] == [True, False, False, False]


@pytest.mark.sqlite
def test_the_history_is_found_by_its_index(diary: Diary) -> None:
    copies(diary.connection, diary.begin(), 60)
    show = partial(diary.records.history, diary.connection, diary.token)
    place = Cursor(diary.clock(), "x")
    for rules in (None, read_rules(ENDLESS.rules)):
        for asked in ({}, {"before": place}, {"after": replace(place, begun_at=0)}):
            used = plans(diary.connection, partial(show, rules, **asked))
            assert used[-1].startswith("SEARCH games USING INDEX ix_games_history (player=? AND ")
            assert not [plan for plan in used if "TEMP B-TREE" in plan]


@given(at=st.integers(-(10**15) + 1, 10**15 - 1), game_id=st.from_regex(r"[A-Za-z0-9_-]{1,32}", fullmatch=True))
def test_a_cursor_is_read_back_from_its_text(at: int, game_id: str) -> None:
    assert read_cursor(Cursor(at, game_id).text) == Cursor(at, game_id)


@pytest.mark.parametrize(
    "text", ["", "1", ".", "1.", ".x", "x.1", "1.x y", "1.é", f"{10**15}.x", "1." + "x" * 33, "١.x", "1.x\n"]
)
def test_a_text_that_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_cursor(text)
