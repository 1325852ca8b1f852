"""HTML read through a parser: elements by id, tag and attribute, their text, and the forms as a browser sends them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "use", "path"}


@dataclass(eq=False)
class Element:
    """An element: its tag, its attributes (None where one has no value), and what it holds."""

    tag: str
    attributes: dict[str, str | None]
    parent: "Element | None" = None
    content: "list[Element | str]" = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        """The value of an attribute, which must be there."""
        text = self.attributes[name]
        return text if text is not None else ""

    @property
    def text(self) -> str:
        """The text in an element, its spaces made single ones."""
        return " ".join("".join(self._texts()).split())

    @property
    def children(self) -> "list[Element]":
        """The elements right below."""
        return [child for child in self.content if isinstance(child, Element)]

    def all(self, tag: str = "", **wanted: str) -> "list[Element]":
        """The elements below with a tag and with some attributes, in the order of the document."""
        return [
            element
            for element in self._below()
            if tag in {"", element.tag} and all(element.attributes.get(name) == text for name, text in wanted.items())
        ]

    def one(self, tag: str = "", **wanted: str) -> "Element":
        """The only such element."""
        found = self.all(tag, **wanted)
        assert len(found) == 1, (tag, wanted, len(found))
        return found[0]

    def within(self, tag: str) -> "Element | None":
        """The nearest element around this one with a tag."""
        around = self.parent
        while around is not None and around.tag != tag:
            around = around.parent
        return around

    def _below(self) -> "Iterator[Element]":
        for child in self.children:
            yield child
            yield from child._below()  # noqa: SLF001 - of the same class.

    def _texts(self) -> Iterator[str]:
        for part in self.content:
            if isinstance(part, str):
                yield part
            else:
                yield from part._texts()  # noqa: SLF001 - of the same class.


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice"
        element = Element(tag, dict(attrs), self._open)
        self._open.content.append(element)
        if tag not in VOID:
            self._open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.content.append(Element(tag, dict(attrs), self._open))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.tag == tag, f"</{tag}> closes <{self._open.tag}>"
        assert self._open.parent is not None
        self._open = self._open.parent

    def handle_data(self, data: str) -> None:
        self._open.content.append(data)

    def finish(self) -> Element:
        self.close()
        assert self._open is self.root, f"<{self._open.tag}> is never closed"
        ids = [element["id"] for element in self.root.all() if "id" in element.attributes]
        assert len(set(ids)) == len(ids), "an id stands twice"
        return self.root


def read_html(text: str) -> Element:
    """The document or fragment in a text; fails where tags do not match, or an attribute or an id stands twice."""
    reader = _Reader()
    reader.feed(text)
    return reader.finish()


def fields_of(button: Element) -> tuple[str, dict[str, str]]:
    """Where a button's form is sent to, and the fields that pressing the button sends."""
    form = _form_of(button)
    assert form["method"].lower() == "post"
    fields = {hidden["name"]: hidden["value"] for hidden in form.all("input", type="hidden")}
    if "name" in button.attributes:
        fields[button["name"]] = button["value"]
    return form["action"], fields


def _form_of(button: Element) -> Element:
    if "form" not in button.attributes:
        around = button.within("form")
        assert around is not None, "the button stands in no form"
        return around
    root = button
    while root.parent is not None:
        root = root.parent
    return root.one("form", id=button["form"])


def cells_of(lines: Iterable[Element]) -> list[list[str]]:
    """The texts of the cells of each row of a table."""
    return [[cell.text for cell in line.all("td")] for line in lines]
