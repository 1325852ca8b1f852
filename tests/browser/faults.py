"""What stands wrong on a screen: out of sight, one thing over another, too small, hard to read."""

from typing import Any

from tests.browser.player import Player

ENLARGED = (180, 320)
"""What a screen of 360 by 640 holds at a zoom of 200 %, in px of the style."""
TARGETS = """() => [...document.querySelectorAll("main a, header a, button, summary, select, input, textarea")]
    .filter((one) => one.checkVisibility() && one.type !== "hidden")
    .map((one) => {
        const {width, height} = (one.closest("label") ?? one).getBoundingClientRect();
        return [one.textContent.trim() || one.name, width, height];
    })"""

# A card's marks are its rank, by the ink of its letters, and the suit beside it, which the style draws.
LOOK = """() => {
    const round = (...edges) => edges.map((edge) => Math.round(edge * 100) / 100);
    const box = ({left, top, right, bottom}) => round(left, top, right, bottom);
    const ink = document.createElement("canvas").getContext("2d");
    const rank = (card) => {
        const range = document.createRange();
        range.selectNodeContents(card);
        const line = range.getBoundingClientRect();
        const style = getComputedStyle(card);
        ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const size = ink.measureText(card.textContent);
        const base = line.top + (line.height - size.fontBoundingBoxAscent - size.fontBoundingBoxDescent) / 2
            + size.fontBoundingBoxAscent;
        return round(line.left, base - size.actualBoundingBoxAscent, line.right, base + size.actualBoundingBoxDescent);
    };
    const suit = (card) => {
        const edge = card.getBoundingClientRect();
        const style = getComputedStyle(card, "::before");
        const [top, left, width] = [style.top, style.left, style.width].map(parseFloat);
        const x = edge.left + card.clientLeft + left;
        const y = edge.top + card.clientTop + top;
        return round(x, y, x + width, y + width);
    };
    const onTop = (card, [left, top, right, bottom]) => [[left, top], [right, top], [left, bottom], [right, bottom]]
        .every(([x, y]) => document.elementFromPoint(x, y) === card);
    const visible = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility());
    const named = (all) => visible(all).map((one) =>
        [one.id || one.className || one.tagName, box(one.getBoundingClientRect())]);
    // Some words are there for the ear only.
    const texts = visible("header > a, nav > *, h1, .best, .others p, .score span, .piles small, .controls > *,"
        + " .notice > p:not(.after), .notice > .key, .after .key, .verdict > *")
        .filter((one) => getComputedStyle(one).clipPath === "none");
    const start = (one) => one.textContent.trim().slice(0, 30);
    const faint = (one) => one && (getComputedStyle(one).opacity < 1 || faint(one.parentElement));
    return {
        page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
        cards: visible("#table [name=card]").map((card) => {
            const [r, s] = [rank(card), suit(card)];
            return {code: card.value, place: card.id, open: !card.hasAttribute("aria-disabled"),
                box: box(card.getBoundingClientRect()), rank: r, suit: s,
                seen: {rank: onTop(card, r), suit: onTop(card, s)}};
        }),
        piles: named(".piles .back, .piles .bare, .piles .pile, #draw"),
        targets: named("a, button:not([name=card]), summary"),
        keys: named(".key"),
        asides: named(".others a"),
        texts: texts.map((one) => [start(one), box(one.getBoundingClientRect())]),
        cut: visible(".best, h1 > *").filter((one) => one.scrollWidth > one.clientWidth).map(start),
        faint: texts.filter((one) => !one.matches("[aria-disabled]") && faint(one)).map(start),
        left: document.querySelector("#table.left") !== null,
    };
}"""

Box = list[float]


def apart(one: Box, other: Box) -> bool:
    """Whether two boxes share no point; a hair's breadth is forgiven."""
    hair = 0.6
    return (
        one[2] <= other[0] + hair or other[2] <= one[0] + hair or one[3] <= other[1] + hair or other[3] <= one[1] + hair
    )


def inside(one: Box, width: float, height: float) -> bool:
    return one[0] >= 0 and one[1] >= 0 and one[2] <= width + 0.5 and one[3] <= height + 0.5


def faults(player: Player, width: int, height: int) -> list[str]:
    """Everything that stands wrong on a screen."""
    look: dict[str, Any] = player.page.evaluate(LOOK)
    cards, piles, targets, texts = look["cards"], look["piles"], look["targets"], look["texts"]
    wrong = [f"scrolls: {look['page']}"] if look["page"][0] > width or look["page"][1] > height else []
    everything = [(card["place"], card["box"]) for card in cards] + piles + targets + texts
    wrong += [f"out of sight: {name} {box}" for name, box in everything if not inside(box, width, height)]
    for card in cards:
        wrong += [f"hidden {mark} of {card['code']}" for mark, seen in card["seen"].items() if not seen]
        if not apart(card["rank"], card["suit"]):
            wrong.append(f"rank over suit on {card['code']}: {card['rank']} {card['suit']}")
        for over in cards[cards.index(card) + 1 :]:
            if not (apart(over["box"], card["rank"]) and apart(over["box"], card["suit"])):
                wrong.append(f"{over['code']} lies on the rank or suit of {card['code']}")
        if card["open"] and not look["left"] and card["box"][2] - card["box"][0] < 44:
            wrong.append(f"narrow: {card['code']} {card['box']}")
    pyramid = [(card["place"], card["box"]) for card in cards if card["place"].startswith("r")]
    aside = [*piles, *texts]
    wrong += [f"{place} touches {name}" for place, box in pyramid for name, other in aside if not apart(box, other)]
    wrong += [
        f"{name} touches {other_name}"
        for at, (name, box) in enumerate(texts)
        for other_name, other in [*texts[at + 1 :], *piles]
        if not apart(box, other) and name not in other_name and other_name not in name
    ]
    wrong += [f"cut off: {text}" for text in look["cut"]]
    wrong += [f"hard to read: {text}" for text in look["faint"]]
    return wrong + small(look, width, height)


def small(look: dict[str, Any], width: int, height: int) -> list[str]:
    """The targets that are too small; 44 px are asked for where there is room, and always of what looks like a key."""
    least = {"targets": 24, "keys": 44 if height >= 416 else 36}
    if min(width, height) >= 700:
        # A link within a line of text is no higher than the line lets it be.
        look = look | {"targets": [target for target in look["targets"] if target not in look["asides"]]}
        least["targets"] = 44
    return [
        f"small: {name} {box}"
        for kind, pixels in least.items()
        for name, box in look[kind]
        if min(box[2] - box[0], box[3] - box[1]) < pixels - 0.1
    ]
