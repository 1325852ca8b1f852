"""Five languages: every word is translated and said, with its numbers in place, on every page."""

import re
import socket
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from babel.support import NullTranslations
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.play.preferences import USUAL, _read, read_preferences
from app.rules.cards import PACK, Unreadable
from app.web import language, words
from app.web.language import CODES, NAMES, Language
from tests.catalogues import TRANSLATED, extracted, read, updated
from tests.conftest import beside
from tests.playthroughs import wins
from tests.web.api import Api
from tests.web.reading import Element, read_html
from tests.web.server import Server

pytestmark = pytest.mark.shown

WIN = next(win for win in wins() if win.rules == "endless")
HELD = re.compile(r"%\((\w+)\)s")
TAG = re.compile(r"<[^>]+>")
WORDS = re.compile(r"(?<![\w-])[^\W\d_]{2,}(?![\w-])")
PREVIEWED = {"og:title", "og:description", "og:image:alt"}
NAMED = ("aria-label", "title", "placeholder", "alt")

SPOKEN_BY_NOBODY = {*["Pyramid", "UTC", "Enter", "Esc", "Ada", "JSON", "CSV"], *" ".join(NAMES.values()).split()}
"""Names, and what stands on keys."""


class Marks(NullTranslations):
    """A language in which every message is the English one between brackets."""

    def gettext(self, message: object) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, count: int) -> str:
        return f"⟦{one if count == 1 else many}⟧"

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - as its kind has it.
        return f"⟦{message}⟧"


def texts(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def messages(catalogue: Catalog) -> dict[tuple[object, str | None], Message]:
    return {(message.id, message.context): message for message in catalogue if message.id}


@pytest.fixture
def addresses(client: TestClient, api: Api) -> list[str]:
    """An address of every kind of page, as someone finds it who has played."""
    won = api.act(api.create(rules="endless", seed=WIN.deal), *WIN.actions)["id"]
    running, left, paused = (
        api.act(api.create(rules=rules, seed=seed), "draw")["id"]
        for rules, seed in (("d3p3r0va", "win-5"), ("open", "win-2"), ("strict", "1"))
    )
    post = {"headers": {"Sec-Fetch-Site": "same-origin"}}
    client.post("/you/name", data={"name": "Ada"}, **post)
    client.post(f"/g/{left}/leave", **post)
    client.post(f"/g/{won}/challenge", **post)
    client.post(f"/g/{paused}", data={"version": "1", "pause": "on"}, **post)
    challenge = read_html(client.get(f"/g/{won}/result").text).one(id="dare")["data-path"]
    return [
        *("/", "/new?deck=6c", "/new?seed=%C3%A4", "/learn", "/learn?step=3", "/learn?step=6", "/learn?card=7s"),
        *("/learn?card=4h", "/settings", "/settings?kept=1", "/d/open/win-2", "/d/three-piles/1", "/daily"),
        *(f"/g/{game}" for game in (won, running, left, paused)),
        *(f"/g/{won}?told=1", f"/g/{running}?told=1", f"/g/{running}/leave", f"/g/{won}/result", challenge),
        *(f"/g/{won}/replay?at=9&looked=1", f"/g/{left}/replay?looked=1", f"/s/endless/{WIN.deal}", "/s/classic/1"),
        *(f"/b/endless/{WIN.deal}", "/b/d3p3r0va/42", "/daily/endless/calendar", "/daily/classic/2026-11-01"),
        *("/me", "/me/games", "/me/import", "/me/import?imported=2&known=1", "/you", "/you/delete", "/recover"),
        *("/offline", "/nothing", "/d/nope/a", "/d/endless/%C3%A4"),
    ]


# ---- The catalogues ----


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated_and_none_is_left_over(code: str) -> None:
    sources, kept = messages(extracted()), messages(read(code))
    assert kept.keys() == sources.keys()
    assert [message.id for message in kept.values() if not all(texts(message)) or message.fuzzy] == []
    assert not read(code).obsolete


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_catalogue_is_as_the_command_writes_it(code: str) -> None:
    assert updated(code) == (language.CATALOGUES / f"{code}.po").read_bytes()


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_form_of_a_plural_is_there(code: str) -> None:
    forms = get_plural(code).num_plurals if code != "ceb" else 2
    kept = read(code)
    assert kept.num_plurals == forms
    assert {len(texts(message)) for message in kept if not isinstance(message.id, str)} == {forms}


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_is_filled_in_is_the_same_in_every_translation(code: str) -> None:
    for message in messages(read(code)).values():
        for text in texts(message):
            assert set(HELD.findall(text)) == set(HELD.findall(ids(message)[-1])), (message.id, text)
            # Each message is filled in where it is said, by the same names.
            assert text.replace("%%", "").count("%") == len(HELD.findall(text)), text
            assert Counter(re.findall(r"\{\d\}", text)) == Counter(re.findall(r"\{\d\}", ids(message)[-1])), text


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_the_markup_and_the_ends_of_its_source(code: str) -> None:
    for message in messages(read(code)).values():
        source = ids(message)[-1]
        for text in texts(message):
            assert Counter(TAG.findall(text)) == Counter(TAG.findall(source)), (source, text)
            assert (text[0] == " ", text[-1] == " ") == (source[0] == " ", source[-1] == " "), (source, text)
            assert text.endswith(("…", ".", "?", "!")) == source.endswith(("…", ".", "?", "!")), (source, text)


@pytest.mark.usefixtures("spoken")
def test_the_name_of_a_card_on_the_table_has_its_parts_between_commas() -> None:
    # static/table.js reads them.
    card, covers = PACK[6], PACK[3:5]
    name = words.table_card(card, words.place_name(3), covers)
    assert name.split(", ")[0] == words.card_name(card)
    assert len(name.split(", ")) == 4, name
    assert {words.card_name(card).count(",") for card in PACK} == {0}
    assert len({words.card_name(card) for card in PACK}) == 52


# ---- The pages ----


def test_no_page_says_a_word_that_is_not_in_the_catalogues(
    client: TestClient, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    marked = Language("en", language.language("en").locale, Marks())
    monkeypatch.setattr(language, "language", lambda _code: marked)
    months = {word for names in months_and_days(marked) for word in names}
    assert {
        (path.partition("?")[0], word)
        for path in addresses
        for page in [read_html(client.get(path).text)]
        for text in (" ".join(texts_of(page)), *told_of(page))
        for word in WORDS.findall(outside(text))
        if word not in SPOKEN_BY_NOBODY | months
    } == set()


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_page_is_shown_in_every_language(client: TestClient, addresses: list[str], code: str) -> None:
    english = {" ".join(text.split()) for message in extracted() if message.id for text in ids(message)}
    same = {text for message in read(code) if message.id for text in texts(message)}
    client.headers["accept-language"] = code
    for path in (*addresses, "/rules"):
        answer = client.get(path)
        page = read_html(answer.text)
        assert page.one("html")["lang"] == code, path
        assert answer.status_code < 500, path
        assert {text for text in (*texts_of(page), *told_of(page)) if text in english - same} == set(), path


def test_the_rules_have_the_same_parts_in_every_language(client: TestClient) -> None:
    shapes = set()
    for code in CODES:
        page = read_html(client.get("/rules", headers={"accept-language": code}).text)
        parts = page.one("main").all()
        shapes.add(
            tuple(sorted(Counter(part.tag for part in parts if part.tag in {"h1", "h2", "dl", "dt", "figure"}).items()))
        )
        assert {part["id"] for part in parts if part.tag == "div" and "id" in part.attributes} >= set(words.RULE_NAMES)
    assert len(shapes) == 1


# ---- Which language ----


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("hu", "hu"),
        ("hu-HU,hu;q=0.9,en;q=0.8", "hu"),
        ("zxx-DE,zxx;q=0.9,it;q=0.5,ms;q=0.7", "ms"),
        ("IT-it", "it"),
        ("ceb, *;q=0.1", "ceb"),
        ("zxx", "en"),
        ("", "en"),
        ("*", "en"),
        ("hu;q=0", "en"),
        ("hu;q=0, it", "it"),
        ("en;q=0.25, it;q=0.3333", "it"),
        ("hu;q=high, it;q=0.1", "it"),
        ("it;q=0.5, hu; Q = 0.9", "hu"),
        ("it;q=0.5, hu;q=0.5", "it"),
        (", ;q=, ;;q=1,hu", "hu"),
        ("x" * 10_000, "en"),
    ],
)
def test_a_browser_is_answered_in_the_language_it_likes_best(client: TestClient, accepted: str, expected: str) -> None:
    answer = client.get("/", headers={"accept-language": accepted})
    assert read_html(answer.text).one("html")["lang"] == expected
    assert {"Accept-Language", "Cookie"} <= set(answer.headers["vary"].split(", "))


def test_a_chosen_language_goes_before_the_browsers(client: TestClient) -> None:
    kept = client.post("/settings", data={"language": "it"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert kept.status_code == 303
    page = read_html(client.get("/settings", headers={"accept-language": "hu"}).text)
    assert page.one("html")["lang"] == "it"
    assert [one["value"] for one in page.all("input", name="language") if "checked" in one.attributes] == ["it"]
    assert {one["value"] for one in page.all("input", name="language")} == {"", *CODES}


def test_one_players_language_is_not_anothers(app: FastAPI, client: TestClient) -> None:
    other = beside(client, app)
    client.headers["accept-language"], other.headers["accept-language"] = "hu", "ms"
    seen = [read_html(asker.get("/d/endless/a").text).one("html")["lang"] for asker in (client, other, client)]
    assert seen == ["hu", "ms", "hu"]
    hu, ms = (asker.get("/d/endless/a").text for asker in (client, other))
    assert "treff" in hu
    assert "treff" not in ms


def test_programs_are_answered_in_english(client: TestClient, api: Api) -> None:
    client.headers["accept-language"] = "hu"
    client.cookies.set("pyramid_settings", "language%3Dhu")
    game = api.create(rules="endless", seed="a")
    refused = api.post(game["id"], 0, "redeal")
    assert refused.json()["detail"] == "The waste goes back only when the stock is empty."
    brought = client.post("/me/import", content="x", headers={"content-type": "text/plain"})
    assert brought.json()["title"] == "That cannot be read"


def test_two_requests_in_a_row_on_a_connection_are_each_answered_in_their_own(server: Server) -> None:
    asks = "GET /learn HTTP/1.1\r\nHost: {0}\r\nAccept-Language: hu\r\n\r\n"
    asks += "GET /api/v1/games/nothing HTTP/1.1\r\nHost: {0}\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(asks.format(f"127.0.0.1:{server.port}").encode())
        answers = b"".join(iter(lambda: connection.recv(65_536), b"")).decode("utf-8", "replace")
    assert 'lang="hu"' in answers
    assert '"title":"Not found"' in answers


def test_errors_are_told_in_the_players_language(client: TestClient) -> None:
    page = read_html(client.get("/new?deck=6c", headers={"accept-language": "it"}).text)
    assert page.one("p", role="alert").text.startswith("Mancano: Ac, 2c, 3c")


def test_what_goes_with_a_move_is_told_in_the_players_language(client: TestClient) -> None:
    headers = {"accept-language": "hu", "hx-request": "true", "Sec-Fetch-Site": "same-origin"}
    answer = client.post("/d/endless/a", data={"version": "0", "action": "draw"}, headers=headers)
    live = read_html(answer.text).one(id="live").text
    assert live
    assert "Turned" not in live


def test_a_request_without_headers_is_answered_in_english() -> None:
    language.speak("hu")
    language.listen("", "")
    assert language.spoken() == "en"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ("12,345", "9.4", "57%", "3 November 2026", "November 2026", "3 Nov 2026, 08:05", "Mon", "a, b and c")),
        (
            "ceb",
            ("12,345", "9.4", "57%", "Nobyembre 3, 2026", "Nobyembre 2026", "Nob 3, 2026, 08:05", "Lun", "a, b, ug c"),
        ),
        (
            "hu",
            (
                "12\u00a0345",
                "9,4",
                "57%",
                "2026. november 3.",
                "2026. november",
                "2026. nov. 3., 08:05",
                "H",
                "a, b és c",
            ),
        ),
        ("it", ("12.345", "9,4", "57%", "3 novembre 2026", "novembre 2026", "3 nov 2026, 08:05", "lun", "a, b e c")),
        ("ms", ("12,345", "9.4", "57%", "3 November 2026", "November 2026", "3 Nov 2026, 08:05", "Isn", "a, b dan c")),
    ],
)
def test_numbers_dates_and_lists_are_those_of_the_language(code: str, said: tuple[str, ...]) -> None:
    at = datetime(2026, 11, 3, 8, 5, tzinfo=UTC)
    language.speak(code)
    try:
        counted = (language.number(12_345), language.number(9.4, 1), language.percent(0.57))
        days = (language.day_text(at.date()), language.month_text(at.date()), language.minute_text(at))
        assert (*counted, *days, language.weekdays()[0], language.listed("abc")) == said
        too_long = Unreadable("a game of more than %(most)s actions is not replayed", most=12_345)
        assert said[0] in language.error_text(too_long)
    finally:
        language.speak(language.SOURCE)


def test_a_cookie_of_any_length_is_not_kept(client: TestClient) -> None:
    kept = _read.cache_info().currsize
    for number in range(20):
        cookie = f"pyramid_settings=language%3Dhu%26x%3D{number}{'x' * 5_000}"
        answer = client.get("/", headers={"cookie": cookie})
        assert read_html(answer.text).one("html")["lang"] == "en"
    assert read_preferences(f"theme=dark&{'x' * 600}") == USUAL
    assert read_preferences("theme=dark").theme == "dark"
    assert _read.cache_info().currsize <= kept + 2


def test_the_manifest_and_the_offline_page_are_the_same_for_all_who_ask_for_the_same(client: TestClient) -> None:
    for path in ("/manifest.webmanifest", "/manifest.webmanifest?language=it", "/offline?language=it"):
        answers = {client.get(path, headers={"accept-language": code}).text for code in CODES}
        assert len(answers) == 1, path


@pytest.fixture(params=CODES)
def spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each language in turn."""
    language.speak(request.param)
    yield
    language.speak(CODES[0])


def texts_of(element: Element) -> Iterator[str]:
    """All texts of a page that are read, in the order of the document."""
    if element.tag not in {"script", "style", "kbd"}:
        for part in element.content:
            if isinstance(part, Element):
                yield from texts_of(part)
            elif part.strip():
                yield " ".join(part.split())


def told_of(page: Element) -> Iterator[str]:
    """What a page tells by attributes: to ears, and where its link is shown."""
    for element in page.all():
        yield from (element[name] for name in NAMED if element.attributes.get(name))
        if element.attributes.get("property") in PREVIEWED:
            yield element["content"]


def outside(text: str) -> str:
    """What of a text stands outside of all brackets."""
    depth, left = 0, []
    for character in text:
        depth += (character == "⟦") - (character == "⟧")
        left.append(" " if depth or character == "⟧" else character)
    return "".join(left)


def months_and_days(spoken: Language) -> Iterator[list[str]]:
    for width in ("wide", "abbreviated"):
        yield list(spoken.locale.months["format"][width].values())
        yield list(spoken.locale.days["format"][width].values())
