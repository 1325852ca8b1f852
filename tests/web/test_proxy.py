"""Behind a real nginx, set up as the README says: at the root and below a path, over https and over plain http."""

import re
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import httpx2
import pytest

from app.play.slowdown import FREE
from tests.playthroughs import wins
from tests.web.api import SEED
from tests.web.browser import Browser, post_form
from tests.web.nginx import Nginx, certificate, free_port, nginx_path
from tests.web.server import ROOT, Server

BASE = "/pyramid"
URLENCODED = {"Content-Type": "application/x-www-form-urlencoded"}


def examples() -> list[str]:
    """The pieces of nginx's configuration in the README: a whole one, and another location."""
    found = re.findall(r"^```nginx\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(found) == 2
    return found


LOCATION = re.compile(r"    location / \{.*?\n    \}\n", re.DOTALL)


def configured(name: str, server: int, port: int, location: str = "") -> str:
    """The README's configuration under a name of its own, to a server on one port and for clients on another."""
    text = examples()[0]
    if location:
        text, count = LOCATION.subn(location, text)
        assert count == 1
    for old, new in (("127.0.0.1:8000", f"127.0.0.1:{server}"), ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")):
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert "http://pyramid" in text
    return text.replace("upstream pyramid", f"upstream {name}").replace("http://pyramid", f"http://{name}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game is reached: through which proxy, below which path."""

    url: str
    base: str
    trust: ssl.SSLContext

    def client(self, **headers: str) -> httpx2.Client:
        return httpx2.Client(base_url=self.url, timeout=30, headers=headers, trust_env=False, verify=self.trust)


@dataclass(frozen=True, slots=True)
class Street:
    """All places, and the servers behind them: ``root`` and ``below`` believe nginx, ``wary`` believes nobody."""

    places: dict[str, Place]
    root: Server
    below: Server
    wary: Server


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    nginx_path()
    folder = tmp_path_factory.mktemp("street")
    signed, key = certificate(folder)
    trust = ssl.create_default_context(cafile=str(signed))
    names = ("root", "left", "off", "lan", "bare")
    ports = {name: free_port() for name in names}
    with ExitStack() as stack:
        root = stack.enter_context(Server(folder / "root"))
        below = stack.enter_context(Server(folder / "below", PYRAMID_BASE_PATH=BASE))
        wary = stack.enter_context(Server(folder / "wary", PYRAMID_TRUSTED_PROXIES=""))
        location = examples()[1]
        plain = configured("lan", root.port, ports["lan"]).replace(" ssl;", ";")
        servers = [
            configured("root", root.port, ports["root"]),
            configured("left", below.port, ports["left"], location),
            configured("off", below.port, ports["off"], location.replace("http://pyramid;", "http://pyramid/;")),
            re.sub(r" +ssl_.*\n", "", plain),
            f"server {{ listen 127.0.0.1:{ports['bare']}; location / {{ proxy_pass {root.url}; }} }}",
        ]
        text = "\n".join(servers).replace("/etc/ssl/cards.pem", str(signed)).replace("/etc/ssl/cards.key", str(key))
        stack.enter_context(Nginx(folder / "nginx", text, list(ports.values())))
        places = {
            name: Place(
                f"{'http' if name in {'lan', 'bare'} else 'https'}://127.0.0.1:{port}",
                BASE if name in {"left", "off"} else "",
                trust,
            )
            for name, port in ports.items()
        }
        yield Street(places, root, below, wary)


SAFE = pytest.mark.parametrize("name", ["root", "left", "off"])
COOKIES = {
    "root": ("__Host-pyramid_player", "/"),
    "left": ("__Secure-pyramid_player", BASE),
    "off": ("__Secure-pyramid_player", BASE),
}


@SAFE
def test_a_whole_game_is_played_through_https(street: Street, name: str) -> None:
    place, won = street.places[name], wins()[2]
    with place.client() as client:
        browser = Browser(client)
        browser.open(f"{place.base}/d/{won.rules}/{won.deal}")
        for action in won.actions:
            browser.act(action)
            assert browser.path.startswith(f"{place.base}/g/")
        result = browser.open(f"{browser.path.partition('?')[0]}/result").one(id="result")
        assert result["data-path"] == f"{place.base}/d/{won.rules}/{won.deal}"
        assert {(cookie.name, cookie.path, cookie.secure) for cookie in client.cookies.jar} == {(*COOKIES[name], True)}


@SAFE
def test_what_a_page_needs_is_found(street: Street, name: str) -> None:
    place = street.places[name]
    with place.client() as client:
        page = Browser(client).open(f"{place.base}/d/endless/a")
        needed = [link["href"] for link in page.all("link") if link["rel"] != "expect"]
        needed += [script["src"] for script in page.all("script")]
        needed += [f"{place.base}/sw.js", f"{place.base}/offline", page.one("meta", property="og:image")["content"]]
        assert {path: client.get(path).status_code for path in needed} == dict.fromkeys(needed, 200)


@SAFE
def test_a_cookie_over_https_goes_over_https_alone(street: Street, name: str) -> None:
    place = street.places[name]
    with place.client() as client:
        answer = post_form(client, f"{place.base}/d/endless/a", version="0", action="draw")
        cookie, path = COOKIES[name]
        value, *flags = answer.headers["set-cookie"].split("; ")
        assert value.startswith(f"{cookie}=")
        assert set(flags) == {"HttpOnly", "Max-Age=34560000", f"Path={path}", "SameSite=lax", "Secure"}
        assert answer.headers["location"].startswith(f"{place.base}/g/")


def test_in_the_home_network_a_cookie_is_kept_over_plain_http(street: Street) -> None:
    for name in ("lan", "bare"):
        with street.places[name].client() as client:
            answer = post_form(client, "/d/endless/a", version="0", action="draw")
            value, *flags = answer.headers["set-cookie"].split("; ")
            assert value.startswith("pyramid_player=")
            assert set(flags) == {"HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=lax"}
            assert client.get(answer.headers["location"]).status_code == 200


@pytest.mark.parametrize("name", ["root", "left", "off", "lan", "bare"])
def test_no_redirect_names_a_host(street: Street, name: str) -> None:
    place = street.places[name]
    with place.client() as client:
        answers = [
            post_form(client, f"{place.base}/d/endless/a", version="0", action="draw"),
            post_form(client, f"{place.base}/settings", theme="dark", next="/rules"),
            client.get(f"{place.base}/new?seed=a"),
            client.get(f"{place.base}/d/d1rx/a"),
            client.get(f"{place.base}/daily/endless"),
        ]
        if name == "left":
            answers.append(client.get(place.base))
        for answer in answers:
            assert answer.status_code in {301, 303, 308}
            assert answer.headers["location"].startswith(f"{place.base}/"), answer.url
            assert client.get(answer.headers["location"]).status_code in {200, 303}
        # A slash too many leads nowhere; nobody puts it right by an absolute address.
        assert client.get(f"{place.base}/rules/").status_code == 404


@SAFE
def test_programs_are_told_addresses_that_lead_somewhere(street: Street, name: str) -> None:
    place = street.places[name]
    with place.client() as client:
        answer = client.post(f"{place.base}/api/v1/games", json={"rules": "endless", "seed": SEED})
        assert client.get(answer.headers["location"]).json() == answer.json()
        assert answer.json()["link"] == f"{place.base}/d/endless/{SEED}"
        assert client.get(answer.json()["link"]).status_code == 200


def test_a_large_file_reaches_the_game(street: Street) -> None:
    with street.places["left"].client() as client:
        files = {"file": ("games.json", b"x" * 3_000_000, "application/json")}
        answer = client.post(f"{BASE}/me/import", files=files, headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status_code == 422
        assert "pyramid" in answer.text.lower()


# ---- What is believed ----


def secure(answer: httpx2.Response) -> bool:
    """Whether the server took a request for one over https."""
    assert answer.status_code == 303
    return "Secure" in answer.headers["set-cookie"].split("; ")


def wrong_codes(client: httpx2.Client, addresses: list[str], path: str = "/recover") -> list[int]:
    """The answers to wrong recovery codes, each of which says that it is sent on for another address."""
    forwarded = [{"X-Forwarded-For": address, "Sec-Fetch-Site": "none"} for address in addresses]
    return [post_form(client, path, headers, code="0000-0000-0000-0000").status_code for headers in forwarded]


GUESSES = FREE + 2
"""So many wrong guesses of one client are too many."""


def others(number: int) -> list[str]:
    """Addresses of a network of their own, none of which was used before."""
    return [f"198.51.{number}.{host}" for host in range(1, GUESSES + 1)]


def test_a_proxy_that_is_trusted_is_believed_and_nobody_else(street: Street) -> None:
    """Both servers are asked by the same peer; only one has been told that it is a proxy."""
    said = {"X-Forwarded-Proto": "https", "Sec-Fetch-Site": "none"}
    with street.root.client() as client:
        assert secure(post_form(client, "/d/endless/a", said, version="0", action="draw"))
        assert wrong_codes(client, others(1)) == [422] * GUESSES
    with street.wary.client() as client:
        assert not secure(post_form(client, "/d/endless/a", said, version="0", action="draw"))
        assert 429 in wrong_codes(client, others(1))


def test_of_a_chain_the_last_address_that_is_no_proxys_counts(street: Street) -> None:
    with street.root.client() as client:
        assert 429 in wrong_codes(client, [f"{spoofed}, 203.0.113.7" for spoofed in others(2)])
        assert 429 in wrong_codes(client, [f"{spoofed}, 203.0.113.8, 127.0.0.1" for spoofed in others(3)])
        assert 429 not in wrong_codes(client, [f"203.0.113.9, {real}" for real in others(4)])


@pytest.mark.parametrize(
    "given", ["", ",", "unknown", "_hidden", "127.0.0.1", "x" * 5_000, "1.2.3.4:99999", "[::1", "\xff"]
)
def test_an_address_that_is_none_breaks_nothing(street: Street, given: str) -> None:
    with street.root.client() as client:
        headers = {"X-Forwarded-For": given.encode("latin-1"), "X-Forwarded-Proto": given.encode("latin-1")}
        assert client.get("/", headers=headers).status_code == 200


def test_nginx_lets_no_client_say_who_he_is(street: Street) -> None:
    for name in ("root", "left", "off"):
        place = street.places[name]
        with place.client() as client:
            said = {"X-Forwarded-Proto": "http", "Sec-Fetch-Site": "none"}
            path = f"{place.base}/d/endless/a"
            assert secure(post_form(client, path, said, version="0", action="draw"))
    with street.places["lan"].client() as client:
        said = {"X-Forwarded-Proto": "https", "Sec-Fetch-Site": "none"}
        assert not secure(post_form(client, "/d/endless/a", said, version="0", action="draw"))
    # They are all the client's that nginx sees; those who guessed are told to wait whatever they send.
    with street.places["left"].client() as client:
        assert 429 in wrong_codes(client, others(5), f"{BASE}/recover")


# ---- Forms of other sites ----

SITES = {"same-origin": True, "none": True, "same-site": False, "cross-site": False, "": None}
"""Whether what a browser says of a form's site is enough; None where it says nothing."""

ORIGINS = {"own": True, "other": False, "other port": False, "null": False, "": True}


@pytest.mark.parametrize("name", ["root", "left", "off", "lan"])
@pytest.mark.parametrize("site", SITES)
def test_forms_of_other_sites_are_refused_behind_a_proxy_on_any_port(street: Street, name: str, site: str) -> None:
    place = street.places[name]
    scheme = place.url.partition("://")[0]
    origins = {
        "own": place.url,
        "other": f"{scheme}://evil.example",
        "other port": f"{scheme}://127.0.0.1",
        "null": "null",
    }
    with place.client() as client:
        for origin, is_own in ORIGINS.items():
            said = {"Sec-Fetch-Site": site, "Origin": origins.get(origin, "")}
            headers = {name: text for name, text in said.items() if text}
            answer = post_form(client, f"{place.base}/d/endless/a", headers, version="0", action="draw")
            wanted = is_own if SITES[site] is None else SITES[site]
            assert answer.status_code == (303 if wanted else 403), origin
            assert ("set-cookie" in answer.headers) == wanted


def test_a_proxy_that_asks_by_a_name_of_its_own_needs_no_setting(street: Street) -> None:
    """nginx without any header of its own sends the server's address as Host."""
    place = street.places["bare"]
    host = place.url.removeprefix("http://")
    with place.client() as client:
        for headers, status in (
            ({"Sec-Fetch-Site": "same-origin", "Origin": place.url}, 303),
            ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 303),
            ({"Origin": place.url, "X-Forwarded-Host": host}, 303),
            ({"Origin": place.url, "X-Forwarded-Host": f"{host}, inner.example"}, 303),
            ({"Origin": place.url}, 403),
            ({"Origin": "http://evil.example", "X-Forwarded-Host": host}, 403),
            ({"Origin": "null", "X-Forwarded-Host": host}, 403),
            ({"Sec-Fetch-Site": "cross-site", "Origin": place.url, "X-Forwarded-Host": host}, 403),
        ):
            answer = post_form(client, "/d/endless/a", headers, version="0", action="draw")
            assert answer.status_code == status, headers


def test_the_host_that_was_asked_is_written_nowhere(street: Street) -> None:
    evil = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example;proto=https"}
    for name in ("root", "left", "off", "lan"):
        place = street.places[name]
        with place.client(**evil) as client:
            for path in (
                "/",
                "/d/endless/a",
                "/new?seed=a",
                "/d/d1rx/a",
                "/daily/endless",
                "/nothing",
                "/rules/",
                "/sw.js",
            ):
                answer = client.get(place.base + path)
                told = answer.text + "".join(text for _, text in answer.headers.items())
                assert "evil" not in told, path
