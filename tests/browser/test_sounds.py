"""The quiet sounds of the table: nothing of them where they are not chosen, short and soft where they are."""

from typing import Any

import pytest
from playwright.sync_api import expect

from app.web.deps import PREFERENCES_COOKIE
from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.playthroughs import wins

pytestmark = pytest.mark.browser

DEAL = "/d/endless/a"
WIN = next(win for win in wins() if win.rules == "three-piles")

LOUDEST = 0.2
SOFTEST = 0.005
SHORT = 0.4
"""Seconds."""

AUDIBLE = 0.002
APART = 2
"""Seconds of the recording for each thing that is done."""

# Counts the contexts that are made and the sources that are started.
COUNT = """
    window.made = 0;
    window.started = 0;
    const Own = window.AudioContext;
    window.AudioContext = class extends Own { constructor(...options) { super(...options); window.made += 1; } };
    const start = AudioScheduledSourceNode.prototype.start;
    for (const Node of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
        const own = Node.prototype.start;
        Node.prototype.start = function (...times) { window.started += 1; return own.apply(this, times); };
    }
"""

# The table plays onto a recording in place of a loudspeaker; the test says at what time of it.
RECORD = """
    window.at = 0;
    window.AudioContext = class {
        constructor() {
            const tape = window.tape = new OfflineAudioContext(1, 44100 * 60, 44100);
            Object.defineProperty(tape, "currentTime", { get: () => window.at });
            return tape;
        }
    };
"""

# The loudest sample and the last audible one of each stretch, the latter in seconds from its beginning.
HEAR = """async ([apart, audible]) => {
    const samples = (await window.tape.startRendering()).getChannelData(0);
    const stretch = apart * 44100;
    return Array.from({ length: samples.length / stretch }, (_, at) => {
        const part = samples.slice(at * stretch, (at + 1) * stretch).map(Math.abs);
        const peak = part.reduce((most, one) => Math.max(most, one), 0);
        return [peak, (part.findLastIndex((one) => one > audible) + 1) / 44100];
    });
}"""


def hearing(visit: Visit, script: str = COUNT, **options: Any) -> Player:  # noqa: ANN401 - as Playwright takes them.
    """A player who has chosen to hear the table."""
    visitor = visit(first=script, **options)
    visitor.context.add_cookies([{"name": PREFERENCES_COOKIE, "value": "sound=on", "url": visitor.url}])
    return visitor.player()


def started(player: Player) -> int:
    """How many sources have been started since this was last asked."""
    found: int = player.page.evaluate("() => { const all = window.started; window.started = 0; return all; }")
    return found


def hear(player: Player) -> list[list[float]]:
    """The peak and the length of each stretch of the recording."""
    found: list[list[float]] = player.page.evaluate(HEAR, [APART, AUDIBLE])
    return found


def scripts(player: Player) -> list[str]:
    """The names of the scripts that a page loads."""
    return [source.rpartition("/")[2].partition("?")[0] for source in player.every("script", "src")]


def test_nothing_is_loaded_or_heard_unless_it_is_chosen(visit: Visit) -> None:
    player = visit(first=COUNT).player()
    player.open(DEAL)
    player.act("6c+7d", "draw", "undo")
    assert not [url for url in player.visitor.asked if "sounds" in url]
    assert player.page.evaluate("() => [window.made, window.started]") == [0, 0]


def test_sounds_are_chosen_in_the_settings_and_taken_back_there(player: Player) -> None:
    for choice in ("on", "off"):
        player.open("/settings")
        player.page.locator(f"[name=sound][value={choice}]").check()
        player.page.locator("form.settings button").click()
        expect(player.page.locator(f"[name=sound][value={choice}]")).to_be_checked()
        player.open(DEAL)
        assert ("sounds.js" in scripts(player)) == (choice == "on")


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_what_is_done_at_the_table_is_heard_at_once(visit: Visit, by: str) -> None:
    player = hearing(visit)
    player.open(DEAL)
    assert "sounds.js" in scripts(player)
    # Nothing is made before the first press.
    assert player.page.evaluate("() => [window.made, window.started]") == [0, 0]
    act = player.key_in if by == "keyboard" else player.act
    for action in ("6c+7d", "Kc", "draw", "undo", "undo", "redo"):
        act(action)
        assert started(player) > 0, action
    assert player.page.evaluate("() => window.made") == 1


def test_a_choice_is_heard_once_and_putting_it_back_is_not(visit: Visit) -> None:
    player = hearing(visit)
    player.open(DEAL)
    player.card("6c").click()
    assert started(player) > 0
    player.card("6c").click()
    assert started(player) == 0
    player.card("6c").click()
    tick = started(player)
    # It stays chosen while one draws: that is a draw and no choice.
    player.act("draw")
    draw = started(player)
    player.page.keyboard.press("Escape")
    player.act("draw")
    assert started(player) == draw
    player.card("2s").click()
    assert started(player) == tick


def test_a_finger_is_heard_from_its_first_tap(visit: Visit) -> None:
    player = hearing(visit, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    player.open(DEAL)
    player.card("6c").tap()
    assert started(player) > 0
    player.card("7d").tap()
    player.reaches(1)
    assert started(player) > 0


def test_a_dragged_pair_is_heard_as_it_is_lifted_and_as_it_goes(visit: Visit) -> None:
    player = hearing(visit)
    player.open(DEAL)
    player.card("2s").hover()
    player.page.mouse.down()
    player.page.mouse.move(0, 0, steps=3)
    assert started(player) > 0
    player.card("Jh").hover(force=True)
    player.page.mouse.up()
    player.reaches(1)
    assert started(player) > 0


def test_a_hint_a_pause_and_a_walk_are_silent(visit: Visit) -> None:
    player = hearing(visit)
    player.open(DEAL)
    player.act("draw")
    started(player)
    player.page.keyboard.press("ArrowUp")
    player.page.keyboard.press("h")
    expect(player.page.locator(".notice.hint")).to_be_visible()
    for notice in (1, 0):
        player.page.keyboard.press("p")
        expect(player.page.locator(".notice.paused")).to_have_count(notice)
    assert started(player) == 0


def test_every_sound_is_soft_and_short(visit: Visit) -> None:
    player = hearing(visit, RECORD)
    player.open(DEAL)
    # A choice, what follows from it, moves there and back, and a covered card.
    presses = [player.card("6c"), player.card("7d"), *map(player.page.locator, ["#stock", "#undo", "#undo", "#redo"])]
    versions = [0, 1, 2, 3, 4, 5, 5]
    for at, (press, version) in enumerate(zip([*presses, player.card("Jd")], versions, strict=True)):
        player.page.evaluate("(at) => { window.at = at; }", at * APART)
        player.click(press)
        player.reaches(version)
    *sounds, silence = hear(player)[: len(versions) + 1]
    for peak, length in sounds:
        assert SOFTEST < peak <= LOUDEST
        assert 0 < length <= SHORT
    assert silence == [0, 0]


def test_what_cannot_be_done_is_a_dull_knock_whoever_finds_out(visit: Visit) -> None:
    player = hearing(visit)
    game = player.visitor.begun("endless", "a", "draw")
    player.open(f"/g/{game['id']}")
    player.click(player.card("Jd"))
    knock = started(player)
    assert knock > 0
    player.page.keyboard.press("r")
    assert started(player) == knock
    # The server, when the table has changed elsewhere.
    player.visitor.expects("status of 409")
    player.visitor.api(f"/games/{game['id']}/actions", version=1, action="Kc")
    player.page.keyboard.press("d")
    player.reaches(2)
    expect(player.page.locator(".notice.stale")).to_be_visible()
    assert started(player) == knock


def test_a_wrong_second_card_that_the_server_takes_for_the_choice_is_heard_as_one(visit: Visit) -> None:
    player = hearing(visit)
    player.open(DEAL)
    player.click(player.card("6c"))
    tick = started(player)
    player.table.evaluate("(table) => { table.dataset.pairs += ' 6c+2s'; }")
    player.click(player.card("2s"))
    expect(player.card("2s")).to_have_attribute("aria-pressed", "true")
    assert started(player) == tick
    assert player.version == 0


def test_a_redeal_is_longest_and_still_short(visit: Visit) -> None:
    player = hearing(visit, RECORD)
    game = player.visitor.begun("endless", "a", *["draw"] * 24)
    player.open(f"/g/{game['id']}")
    player.act("redeal")
    peak, length = hear(player)[0]
    assert SOFTEST < peak <= LOUDEST
    assert SHORT / 2 < length <= SHORT


def test_a_win_is_heard_for_less_than_a_second_and_a_half(visit: Visit) -> None:
    player = hearing(visit, RECORD)
    game = player.visitor.begun(WIN.rules, WIN.deal, *WIN.actions[:-1])
    player.open(f"/g/{game['id']}")
    player.act(WIN.actions[-1])
    expect(player.page.locator(".notice.won")).to_be_visible()
    peak, length = hear(player)[0]
    assert SOFTEST < peak <= LOUDEST
    assert SHORT < length < 1.5
    # A won game that is opened again is silent.
    player.page.reload()
    player.page.keyboard.press("ArrowUp")
    assert {peak for peak, _ in hear(player)} == {0}


@pytest.mark.parametrize(
    "missing", ["delete window.AudioContext", "window.AudioContext = class { constructor() { throw new Error(); } }"]
)
def test_the_table_is_played_where_nothing_can_be_heard(visit: Visit, missing: str) -> None:
    player = hearing(visit, missing)
    player.open(DEAL)
    player.act("6c+7d", "draw", "undo", "redo")
    player.key_in("Kc")
    assert player.version == 5


def test_what_is_not_seen_is_not_heard(visit: Visit) -> None:
    player = hearing(visit)
    player.open(DEAL)
    player.act("draw")
    hide = """(state) => {
        Object.defineProperty(document, "hidden", { value: state === "hidden", configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    started(player)
    player.page.evaluate(hide, "hidden")
    player.act("draw")
    assert started(player) == 0
    player.page.evaluate(hide, "visible")
    player.act("draw")
    assert started(player) > 0


@pytest.mark.parametrize("path", ["/", "/learn", "/settings"])
def test_only_the_table_is_heard(visit: Visit, path: str) -> None:
    player = hearing(visit)
    player.open(path)
    is_table = player.page.locator("#table[data-version]").count() == 1
    assert ("sounds.js" in scripts(player)) == is_table


def test_a_replay_is_silent(visit: Visit) -> None:
    player = hearing(visit)
    game = player.visitor.begun("endless", "a", "draw", "Kc")
    player.open(f"/g/{game['id']}/replay")
    assert "replay.js" in scripts(player)
    assert "sounds.js" not in scripts(player)
