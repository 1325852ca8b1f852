"""Makes the README's pictures and its short animation from real games, by a browser. From the project's root:

    python -m tests.pictures

The animation is filmed with the browser's own motion slowed down, and shown at its true pace.
"""

import tempfile
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app.web.deps import PREFERENCES_COOKIE
from tests.browser.conftest import ARGUMENTS, browser_path
from tests.browser.player import Player, Visitor
from tests.playthroughs import wins
from tests.web.losing import LOSABLE, RULES, TO_LOSS
from tests.web.server import ROOT, Server

FOLDER = ROOT / "static" / "pictures"
DESK, PHONE, FILM = (1280, 720), (360, 640), (640, 360)
WIN, SHOWN = (next(win for win in wins() if win.rules == rules) for rules in ("endless", "open"))
FILMED = 24
"""How many moves, the last of the game, are filmed."""

SLOWER = 6
FRAME, PAUSE, END = 50, 260, 2_500
"""Milliseconds of a frame in motion, between two moves, and of the last one."""

MARGIN = 24


def player(browser: Browser, server: Server, size: tuple[int, int], **options: object) -> Player:
    screen = {"width": size[0], "height": size[1]}
    # Games that are played in no time need not tell it.
    untimed = {"name": PREFERENCES_COOKIE, "value": "timer%3Doff", "url": server.url}
    context = browser.new_context(base_url=server.url, viewport=screen, service_workers="block", **options)  # type: ignore[arg-type]
    context.add_cookies([untimed])
    return Visitor(context, server.url).player()


def shot(page: Page) -> Image.Image:
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def desk(browser: Browser, server: Server) -> Image.Image:
    """The middle of a game at a desk, with a card chosen."""
    one = player(browser, server, DESK, reduced_motion="reduce")
    game = one.visitor.begun("endless", WIN.deal, *WIN.actions[:14])
    one.open(f"/g/{game['id']}")
    first = next(action for action in WIN.actions[14:] if "+" in action).split("+")[0]
    one.card(first).click()
    one.page.mouse.move(0, 0)
    one.page.wait_for_timeout(300)
    return shot(one.page)


def phones(browser: Browser, server: Server) -> Image.Image:
    """Three phones side by side: a game that is lost, with the way back; a win; the look back at a game."""
    shots = []
    for scheme, path in (("light", "lost"), ("dark", "won"), ("light", "looked")):
        options = {"color_scheme": scheme, "device_scale_factor": 2, "reduced_motion": "reduce"}
        one = player(browser, server, PHONE, **options)
        rules, deal, actions = (RULES, LOSABLE, TO_LOSS) if path != "won" else ("endless", WIN.deal, WIN.actions)
        game = one.visitor.begun(rules, deal, *actions)["id"]
        if path == "looked":
            one.visitor.context.request.post(f"/g/{game}/leave", headers={"Sec-Fetch-Site": "same-origin"})
            one.open(f"/g/{game}/replay?at={len(actions) - 1}&looked=1")
            one.page.locator("#lookback .legend").scroll_into_view_if_needed()
        else:
            one.open(f"/g/{game}")
            one.page.locator(".verdict.lost button, .verdict.fewest p").first.wait_for()
        one.page.wait_for_timeout(300)
        shots.append(shot(one.page))
    width, height = shots[0].size
    sheet = Image.new("RGB", (3 * width + 2 * MARGIN, height), "white")
    for number, one_shot in enumerate(shots):
        sheet.paste(one_shot, (number * (width + MARGIN), 0))
    return sheet


def film(browser: Browser, server: Server) -> Iterator[tuple[Image.Image, int]]:
    """The end of a won game, move by move: frames, and how many milliseconds each is shown."""
    one = player(browser, server, FILM, device_scale_factor=1.5, reduced_motion="no-preference")
    game = one.visitor.begun("open", SHOWN.deal, *SHOWN.actions[:-FILMED])
    one.open(f"/g/{game['id']}")
    one.page.wait_for_timeout(500)
    motion = one.page.context.new_cdp_session(one.page)
    motion.send("Animation.enable")
    motion.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
    yield shot(one.page), 3 * PAUSE
    for action in SHOWN.actions[-FILMED:]:
        one.act(action)
        one.page.mouse.move(0, 0)
        while one.page.locator(".ghosts > *").count():
            started = time.monotonic()
            yield shot(one.page), FRAME
            one.page.wait_for_timeout(max(0, FRAME * SLOWER - 1_000 * (time.monotonic() - started)))
        yield shot(one.page), PAUSE
    motion.send("Animation.setPlaybackRate", {"playbackRate": 1})
    one.page.wait_for_timeout(2_000)
    yield shot(one.page), END


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "data") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        for name, picture in (("table", desk(browser, server)), ("phones", phones(browser, server))):
            picture.quantize(256).save(FOLDER / f"{name}.png", optimize=True)
        frames, shown = zip(*film(browser, server), strict=True)
        frames[0].save(
            FOLDER / "game.webp", save_all=True, append_images=frames[1:], duration=shown, loop=0, quality=45, method=6
        )
        browser.close()


if __name__ == "__main__":
    main()
