"""What is seen while cards move: no place is empty for a moment where a card lies all the time."""

import pytest
from playwright.sync_api import expect

from tests.browser.addresses import WINS
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

# By the time a table has changed: the likenesses in the air, and how much is seen of each card that was not there.
WATCH = """() => {
    const cards = () => [...document.querySelectorAll("#table [name=card]")];
    let before = [];
    document.addEventListener("htmx:before:swap", () => { before = cards().map((card) => card.value); });
    document.addEventListener("htmx:after:swap", ({detail}) => {
        if (!detail.ctx.sourceEvent) return;
        const air = [...document.querySelectorAll(".ghosts [name=card]")].map((ghost) => ghost.getAttribute("value"));
        const come = cards().filter((card) => !before.includes(card.value));
        window.met = {air, come: come.map((card) => [card.value, Number(getComputedStyle(card).opacity)])};
    });
}"""


@pytest.mark.parametrize("rules", ["endless", "three-piles", "open"])
def test_the_waste_and_an_open_stock_are_never_a_hole(visit: Visit, rules: str) -> None:
    player = visit(reduced_motion="no-preference").player()
    win = WINS[rules]
    player.open(f"/d/{rules}/{win.deal}")
    player.page.evaluate(WATCH)
    covered = uncovered = 0
    for action in win.actions[:18]:
        waste = player.every("#table .waste [name=card]", "value")
        player.act(action)
        met = player.page.evaluate("met")
        if action == "draw":
            # What is covered lies there until what covers it has come.
            gone = set(waste) - set(player.every("#table .waste [name=card]", "value"))
            assert gone <= set(met["air"]), (action, gone, met)
            covered += len(gone)
        else:
            # What lay below is seen at once.
            assert all(opacity == 1 for _, opacity in met["come"]), (action, met)
            uncovered += len(met["come"])
    assert covered
    assert uncovered
    expect(player.page.locator(".ghosts > *")).to_have_count(0)
