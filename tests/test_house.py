"""What the documents and the templates promise, held against the code."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from pydantic import SecretStr
from starlette.routing import BaseRoute, Route

from app import __version__
from app.commands.run import COMMANDS
from app.config import Settings
from app.main import ROUTES
from app.rules.ruleset import NAMED
from app.rules.told import Told
from app.web import api
from app.web.errors import BROKEN, FORGED, MEETINGS
from tests.web.server import ROOT

README = (ROOT / "README.md").read_text("utf-8")
MODULES = sorted((ROOT / "app").rglob("*.py"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SERVED = sorted(
    path
    for path in (ROOT / "static").rglob("*")
    if path.suffix in {".css", ".js", ".svg"} and "vendor" not in path.parts
)

HTMX_ATTRIBUTES = {
    "hx-get",
    "hx-post",
    "hx-trigger",
    "hx-status:4xx",
    "hx-target",
    "hx-swap",
    "hx-sync",
    "hx-status:5xx",
    "hx-swap-oob",
    "hx-target:inherited",
    "hx-swap:inherited",
    "hx-status:5xx:inherited",
    "hx-morph-skip",
}
"""What templates use of htmx: nothing of it runs script from an attribute, so the policy needs no exception."""


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def names_of(kind: type) -> set[str]:
    """The names of a class and of all that derive from it."""
    return {kind.__name__}.union(*map(names_of, kind.__subclasses__()))


def untold(path: Path) -> Iterator[str]:
    """Where a module makes an error for players of something else than a message, with its values, or another error."""
    kinds = names_of(Told)
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(call, ast.Call) and call.args and ast.unparse(call.func).rpartition(".")[2] in kinds:
            given = {value.arg or "**" for value in call.keywords}
            match call.args:
                case [ast.Constant(value=str(message))] if set(re.findall(r"%\((\w+)\)s", message)) == given:
                    pass
                # A constant in capitals is a text that is kept elsewhere.
                case [ast.Name(id=name) | ast.Attribute(attr=name)] if name.islower() and not given:
                    pass
                case _:
                    yield f"{relative(path)}:{call.lineno}: {ast.unparse(call)}"


def rows_of_readme() -> list[str]:
    """The first cell of each row of the README's tables."""
    return [line.split("|")[1].strip() for line in README.splitlines() if line.startswith("|")]


def addresses(routes: list[BaseRoute]) -> set[str]:
    """Methods and paths of routes, as the README writes them: ``GET /g/{game}``."""
    plain = [route for route in routes if isinstance(route, Route)]
    return {
        f"{method} {re.sub(':path}', '}', route.path)}"
        for route in plain
        for method in (route.methods or set()) - {"HEAD"}
    }


def test_the_rooms_of_the_house_stand_in_one_direction() -> None:
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_stands_in_the_readme_with_its_default(name: str) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| `PYRAMID_{name.upper()}`")]
    default = Settings.model_fields[name].default
    # As ``python -m app config`` prints it.
    text = default.get_secret_value() if isinstance(default, SecretStr) else str(default)
    told = text.lower() if isinstance(default, bool) else text
    assert row.split(" | ")[1] == (f"`{told}`" if told else "empty")


def test_the_readme_names_no_setting_that_does_not_exist() -> None:
    named = {cell.strip("`") for cell in rows_of_readme() if cell.startswith("`PYRAMID_")}
    assert named == {f"PYRAMID_{name.upper()}" for name in Settings.model_fields}


def test_every_address_stands_in_the_readme_and_no_other_does() -> None:
    served = addresses(list(ROUTES)) | {"GET /static/{name}", "GET /api/v1/openapi.json"}
    # FastAPI names its routes in their description.
    served |= {f"{method} {route.path}" for route in api.router.routes for method in getattr(route, "methods", ())}
    first_codes = [match[1] for cell in rows_of_readme() if (match := re.match(r"`((?:GET|POST) /[^`?]*)", cell))]
    assert sorted(first_codes) == sorted(served)


def test_every_kind_of_error_stands_in_the_readme_with_its_status() -> None:
    """What the framework refuses is named as well where a program meets it: a method that an address has not."""
    known = {(kind.kind, kind.status.value) for kind in (*MEETINGS.values(), FORGED, BROKEN)}
    table = README.partition("\n| type | status | what it means |\n")[2].partition("\n\n")[0]
    told = re.findall(r"^\| `([a-z-]+)` \| ([0-9]{3}) \| ", table, re.MULTILINE)
    assert sorted((kind, int(status)) for kind, status in told) == sorted({*known, ("method-not-allowed", 405)})


@pytest.mark.parametrize("slug", NAMED)
def test_every_named_rule_set_stands_in_the_readme_with_its_code(slug: str) -> None:
    assert f"| `{slug}` | `{NAMED[slug].code}` |" in README


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_readme(name: str) -> None:
    assert (ROOT / "app" / "commands" / f"{name}.py").exists()
    assert re.search(rf"^\| `{name}\b|`python -m app {name}\b|^python -m app {name}\b", README, re.MULTILINE)


def test_every_dependency_has_its_line_in_the_readme() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[^A-Za-z0-9-]", requirement)[0] for requirement in wanted}
    told = {name.strip() for cell in rows_of_readme() for name in cell.split(",")}
    assert names - told == set()


def test_an_error_for_players_is_made_of_a_message_with_its_values_or_of_another_error() -> None:
    assert [place for path in MODULES for place in untold(path)] == []


def test_no_test_is_imported_by_another() -> None:
    imports = re.compile(r"^\s*from [\w.]*\btest_\w+ import", re.MULTILINE)
    tests = (ROOT / "tests").rglob("*.py")
    assert [relative(path) for path in tests if imports.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=relative)
def test_a_template_uses_only_attributes_of_htmx_that_run_nothing(path: Path) -> None:
    used = set(re.findall(r"\b(?:data-)?(hx-[a-z:0-9-]+)", path.read_text("utf-8")))
    assert used <= HTMX_ATTRIBUTES


@pytest.mark.parametrize("path", TEMPLATES, ids=relative)
def test_a_fixed_address_in_a_template_is_served(path: Path) -> None:
    html = path.read_text("utf-8")
    posted = re.findall(r'method="post" action="(/[^"{?#]*)', html)
    got = re.findall(r'"(/[a-z/]*)"', re.sub(r'method="post" action="[^"]*"', "", html))
    assert {f"POST {one}" for one in posted} | {f"GET {one}" for one in got} <= addresses(list(ROUTES))


@pytest.mark.parametrize("path", TEMPLATES, ids=relative)
def test_a_template_has_no_script_or_style_within(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.findall(r"<style\b", text)
    assert not re.findall(r"""\s(?:on[a-z]+|style)\s*=""", text)
    assert not re.findall(r"javascript:", text, re.IGNORECASE)
    for attributes, content in re.findall(r"<script\b([^>]*)>(.*?)</script>", text, re.DOTALL):
        assert "src=" in attributes
        assert not content.strip()


@pytest.mark.parametrize("path", TEMPLATES + SERVED, ids=relative)
def test_nothing_is_loaded_from_another_host(path: Path) -> None:
    text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.findall(r"https?://|[\"'(]//", text)


@pytest.mark.parametrize("path", [path for path in TEMPLATES if path.name.startswith("_")], ids=relative)
def test_every_fragment_is_part_of_a_page(path: Path) -> None:
    pages_with_it = [page for page in TEMPLATES if page != path and f'"{path.name}"' in page.read_text("utf-8")]
    assert pages_with_it


@pytest.mark.parametrize("path", sorted((ROOT / "static" / "vendor").glob("*.js")), ids=relative)
def test_a_vendored_script_has_its_version_in_its_name_and_its_licence_beside_it(path: Path) -> None:
    found = re.fullmatch(r"(?P<name>[a-z]+-(?P<version>[0-9.]+))\.min\.js", path.name)
    assert found is not None
    assert found["version"] in path.read_text("utf-8")
    assert (path.parent / f"{found['name']}.LICENSE.txt").exists()
    assert found["version"] in README


# What is installed, and what is told of it.

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RUNTIME = [Requirement(text) for text in PROJECT["dependencies"]]
DEVELOPMENT = [Requirement(text) for text in PROJECT["optional-dependencies"]["dev"]]


def locked(name: str) -> dict[str, Version]:
    """The packages of a lock with their versions; each is pinned, and has the marks of its files."""
    text = re.sub(r"\\\n", " ", (ROOT / name).read_text("utf-8"))
    found = {}
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            wanted, *marks = line.split(" --hash=")
            assert marks, line
            assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", mark.strip()) for mark in marks), line
            requirement = Requirement(wanted.strip())
            (pin,) = requirement.specifier
            assert pin.operator == "=="
            found[canonicalize_name(requirement.name)] = Version(pin.version)
    return found


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("requirements.lock", RUNTIME), ("requirements-dev.lock", [*RUNTIME, *DEVELOPMENT])],
    ids=["runtime", "development"],
)
def test_a_lock_has_every_dependency_within_its_bounds(name: str, wanted: list[Requirement]) -> None:
    found = locked(name)
    assert len(found) > len(wanted)
    amiss = [
        str(requirement)
        for requirement in wanted
        if found.get(canonicalize_name(requirement.name)) not in requirement.specifier
    ]
    assert amiss == []


def test_what_is_tested_is_what_is_served() -> None:
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()
    assert not {canonicalize_name(one.name) for one in DEVELOPMENT} & set(locked("requirements.lock"))


PARTS = ["Breaking", "Added", "Changed", "Fixed", "Removed"]


def test_the_changelog_tells_of_this_version_and_first_of_what_breaks() -> None:
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    named = [section.split(maxsplit=1)[0] for section in sections]
    versions = [Version(name) for name in named if name != "Unreleased"]
    assert named.count("Unreleased") == (named[0] == "Unreleased")
    assert str(versions[0]) == __version__
    assert versions == sorted(set(versions), reverse=True)
    # The first version of all breaks nothing.
    for section in sections[:-1]:
        parts = re.findall(r"^### (.+)$", section, re.MULTILINE)
        assert parts == [part for part in PARTS if part in parts], section
        assert parts[0] == "Breaking", section
