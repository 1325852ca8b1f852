"""The backs of the cards: chosen in the settings, worn by every page."""

import re

import pytest
from starlette.testclient import TestClient

from app.play.preferences import CHOICES
from tests.web.browser import Browser, post_form
from tests.web.reading import fields_of, read_html
from tests.web.server import ROOT


@pytest.mark.parametrize("back", CHOICES["back"])
def test_a_chosen_back_is_worn_by_every_page(client: TestClient, back: str) -> None:
    assert post_form(client, "/settings", back=back).status_code == 303
    for path in ("/d/endless/a", "/rules", "/learn", "/settings"):
        worn = read_html(client.get(path).text).one("html").attributes.get("data-back", CHOICES["back"][0])
        assert worn == back
    (checked,) = [
        radio["value"]
        for radio in read_html(client.get("/settings").text).all("input", name="back")
        if "checked" in radio.attributes
    ]
    assert checked == back


def test_every_back_is_shown_beside_its_choice_and_has_its_lines() -> None:
    style = (ROOT / "static" / "table.css").read_text("utf-8")
    assert set(re.findall(r"\[data-back=([a-z]+)\] \{ --lines: url", style)) == set(CHOICES["back"])


def test_a_back_that_is_none_is_refused(client: TestClient) -> None:
    assert post_form(client, "/settings", back="x").status_code == 422


def test_the_whole_form_of_the_settings_is_taken(client: TestClient) -> None:
    browser = Browser(client)
    page = browser.open("/settings")
    (save,) = [button for button in page.all("button") if button.text == "Save"]
    action, fields = fields_of(save)
    for radio in page.all("input", type="radio"):
        if "checked" in radio.attributes:
            fields[radio["name"]] = radio["value"]
    assert set(fields) == {"next", *CHOICES}
    assert post_form(client, action, **fields).status_code == 303
