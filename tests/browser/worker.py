"""A browser whose service worker minds the pages, and which may lose its connection."""

from playwright.sync_api import expect

from tests.browser.player import Player

REACHES_NOTHING = ("net::ERR", "Failed to fetch", "FetchEvent")

KEPT = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
    return found.sort();
}"""

READY = """async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
        await new Promise((go) => navigator.serviceWorker.addEventListener("controllerchange", go, {once: true}));
}"""


def go_on(player: Player) -> None:
    """See the cards, also where the table took a break when its page was left."""
    expect(player.page.locator("#table")).to_be_visible()
    if player.page.locator("#resume").count():
        player.page.locator("#resume").click()
    player.page.locator("#table [name=card]").first.wait_for()
