"""A browser without script: opens pages, presses buttons, follows redirects."""

from typing import Any
from urllib.parse import urljoin

import httpx2

from tests.web.reading import Element, fields_of, read_html

OWN_FORM = {"Sec-Fetch-Site": "same-origin"}
HTMX = {**OWN_FORM, "HX-Request": "true"}


class Browser:
    """A visitor with a page before him; ``status`` is that of the page."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client
        self.path = "/"
        self.page = Element("", {})
        self.status = 0

    def open(self, path: str) -> Element:
        """The page at an address, redirects followed."""
        return self._read(self.client.get(path), path)

    def press(self, button: Element) -> Element:
        """The page after pressing a button."""
        action, fields = fields_of(button)
        path = resolved(self.path, action)
        return self._read(self.client.post(path, data=fields, headers=OWN_FORM), path)

    def card(self, code: str) -> Element:
        """Press a card."""
        return self.press(self.page.one("button", name="card", value=code))

    def act(self, action: str) -> Element:
        """Press the button of an action, or card after card."""
        if action in {"draw", "redeal", "undo", "redo"}:
            return self.press(self.page.one("button", name="action", value=action))
        for code in action.split("+"):
            self.card(code)
        return self.page

    def _read(self, answer: httpx2.Response, path: str) -> Element:
        while answer.status_code in {303, 308}:
            path = resolved(path, answer.headers["location"])
            answer = self.client.get(path)
        self.path, self.status, self.page = path, answer.status_code, read_html(answer.text)
        return self.page


def headers_of(answer: httpx2.Response) -> dict[str, str]:
    """An answer's headers, but for the id that every request has of its own."""
    return {name: text for name, text in answer.headers.items() if name != "x-request-id"}


def resolved(path: str, reference: str) -> str:
    """A reference seen from a page; "?" alone is the page without its query."""
    if reference.startswith("?"):
        return path.partition("?")[0] + reference.rstrip("?")
    return urljoin(path, reference)


def codes(element: Element) -> list[str]:
    """The codes of the cards that are shown, in order."""
    return [card["value"] for card in element.all("button", name="card")]


def post_form(
    client: httpx2.Client,
    path: str,
    headers: dict[str, str] | None = None,
    **fields: Any,  # noqa: ANN401
) -> httpx2.Response:
    """The answer to a form of ours; redirects are not followed."""
    return client.post(path, data=fields, headers=OWN_FORM if headers is None else headers)
