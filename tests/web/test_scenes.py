"""The pictures on the rules page show what the rules allow, and say the same in words."""

import gzip

import pytest
from starlette.testclient import TestClient

from app.rules.cards import PACK, card_text, read_card, value
from app.rules.ruleset import NAMED
from app.web import scenes
from app.web.scenes import Piece, Scene
from tests.web.reading import read_html

ALL = (scenes.TABLE, *scenes.MOVES, *scenes.SETS.values())


def pieces(scene: Scene) -> list[Piece]:
    """All cards of a picture."""
    found = [piece for row in (*scene.rows, *scene.waste, (scene.open,)) for piece in row]
    return [piece for piece in found if piece is not None]


def test_every_named_rule_set_has_its_picture() -> None:
    assert list(scenes.SETS) == list(NAMED)


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.caption)
def test_no_card_lies_twice_in_a_picture(scene: Scene) -> None:
    codes = [piece.code for piece in pieces(scene)]
    assert len(set(codes)) == len(codes)
    assert set(codes) <= set(map(card_text, PACK))


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.caption)
def test_what_goes_in_a_picture_adds_to_thirteen(scene: Scene) -> None:
    assert sum(value(read_card(piece.code)) for piece in pieces(scene) if piece.mark == "goes") in {0, 13}


def test_the_picture_of_the_table_is_an_opening() -> None:
    assert [len(row) for row in scenes.TABLE.rows] == [1, 2, 3, 4, 5, 6, 7]
    marks = {piece.mark for row in scenes.TABLE.rows[:-1] for piece in row if piece is not None}
    assert marks == {"covered"}
    assert {piece.mark for piece in scenes.TABLE.rows[-1] if piece is not None} == {""}


def test_every_picture_is_hidden_from_readers_and_told_by_its_caption(client: TestClient) -> None:
    page = read_html(client.get("/rules").text)
    figures = page.all("figure")
    assert [figure.one("figcaption").text for figure in figures] == [scene.caption for scene in ALL]
    for figure in figures:
        drawing, caption = figure.children
        assert (drawing["aria-hidden"], caption.tag) == ("true", "figcaption")
        assert not figure.all("button")
        assert not figure.all("a")


def test_the_rules_page_is_light(client: TestClient) -> None:
    assert len(gzip.compress(client.get("/rules").content, 5)) <= 12_000
