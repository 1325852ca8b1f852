"""Makes the icons of the installed game from static/icon.svg. A deliberate command, from the project's root:

    python -m tests.icons

The maskable one has its ground up to the edge, and its cards within the circle that every system leaves of it.
"""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw

from app.web.preview.shapes import outlines
from tests.web.server import ROOT

SVG = "{http://www.w3.org/2000/svg}"
UNITS = 32
FINER = 4
"""Each pixel is drawn as so many in each direction, and their mean is kept."""
SAFE = 0.68
"""What a maskable icon's drawing measures of the usual one: its corners then lie within 40 % of the middle."""

ICONS = {"icon-192": (192, 1.0), "icon-512": (512, 1.0), "icon-maskable": (512, SAFE)}
"""The size in pixels, and the scale of the drawing."""


def drawn(size: int, scale: float) -> Image.Image:
    """The icon; at the usual scale with its round corners, which are transparent, else on a full square."""
    root = ET.parse(ROOT / "static" / "icon.svg").getroot()  # noqa: S314 - a file of ours.
    ground, cards, diamond = root[0], root[1], root[2]
    unit = size * FINER / UNITS
    image = Image.new("RGBA", (size * FINER, size * FINER), ground.attrib["fill"] if scale < 1 else (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)

    def placed(*numbers: float) -> list[float]:
        return [((number - UNITS / 2) * scale + UNITS / 2) * unit for number in numbers]

    def rectangle(shape: ET.Element, margin: float, fill: str) -> None:
        left, top, wide, high = (float(shape.get(name, 0)) for name in ("x", "y", "width", "height"))
        box = placed(left - margin, top - margin, left + wide + margin, top + high + margin)
        pen.rounded_rectangle(box, (float(shape.attrib["rx"]) + margin) * scale * unit, fill)

    if scale == 1:
        rectangle(ground, 0, ground.attrib["fill"])
    stroke = float(cards.attrib["stroke-width"]) / 2
    for card in cards.iter(f"{SVG}rect"):
        rectangle(card, stroke, cards.attrib["stroke"])
        rectangle(card, -stroke, cards.attrib["fill"])
    for outline in outlines(diamond.attrib["d"]):
        pen.polygon([number for point in outline for number in placed(*point)], diamond.attrib["fill"])
    return image.resize((size, size), Image.Resampling.LANCZOS)


def icons() -> Iterator[tuple[str, Image.Image]]:
    """Each icon by its name."""
    for name, (size, scale) in ICONS.items():
        yield name, drawn(size, scale)


if __name__ == "__main__":
    for icon_name, icon in icons():
        icon.save(ROOT / "static" / "pictures" / f"{icon_name}.png", optimize=True)
