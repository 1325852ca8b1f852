"""The Docker image without Docker: its file is sound, and each of its steps is run, in a folder of its own.

What the file calls /srv and /data are folders below the test's own; the base image's Python is the one that tests run.
The second stage runs as a user who owns nothing, and may write to the data folder only.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import pytest
import yaml

from app.config import unknown
from tests.postgres import free_port
from tests.web.api import Api
from tests.web.server import ROOT, Server, environment

DOCKERFILE = ROOT / "Dockerfile"
UID = 12_345
"""A user that the system does not know, as with ``docker run --user``."""

# He may read all, as the Python that runs the tests may lie in somebody's home; of writing nothing is given to him.
AS_SOMEBODY = (
    "setpriv",
    f"--reuid={UID}",
    f"--regid={UID}",
    "--clear-groups",
    "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search",
)


@dataclass(frozen=True)
class Instruction:
    word: str
    rest: str


def instructions() -> list[list[Instruction]]:
    """The instructions of each stage, the lines that a backslash joins joined."""
    text = re.sub(r"\\\n", " ", DOCKERFILE.read_text("utf-8"))
    lines = [line.partition(" ") for line in text.splitlines() if line and not line.startswith("#")]
    stages: list[list[Instruction]] = []
    for word, _, rest in lines:
        if word == "FROM":
            stages.append([])
        stages[-1].append(Instruction(word, rest))
    return stages


def of(stage: list[Instruction], word: str) -> list[str]:
    return [instruction.rest for instruction in stage if instruction.word == word]


def settings(stage: list[Instruction]) -> dict[str, str]:
    return dict(pair.split("=", 1) for rest in of(stage, "ENV") for pair in shlex.split(rest))


def test_the_dockerfile_is_linted() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), "--no-color", DOCKERFILE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_is_run_by_somebody_who_is_not_root_and_keeps_what_it_keeps_in_data() -> None:
    *_, last = instructions()
    assert of(last, "USER") == ["10001:10001"]
    assert of(last, "VOLUME") == ["/data"]
    assert settings(last)["PYRAMID_DATA"] == "/data"
    assert of(last, "STOPSIGNAL") == ["SIGTERM"]


def compose_files() -> list[str]:
    return re.findall(r"```yaml\n# compose.yaml\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", compose_files(), ids=["SQLite", "PostgreSQL"])
def test_an_example_for_compose_names_what_is_there(text: str) -> None:
    file = yaml.safe_load(text)
    ours = file["services"]["pyramid"]
    assert unknown(ours.get("environment", {})) == []
    assert ours["read_only"]
    # Whatever the folder is called in which the file lies: else a clone that is renamed has lost its games.
    assert file["name"] == "pyramid"
    assert file["volumes"]["pyramid"] == {"name": "pyramid"}
    assert all(volume["name"] for volume in file["volumes"].values())
    volumes = {mount.split(":")[0] for service in file["services"].values() for mount in service.get("volumes", [])}
    assert volumes == set(file["volumes"])
    wanted = {name for service in file["services"].values() for name in service.get("secrets", [])}
    assert wanted == set(file.get("secrets", {}))


def test_the_game_behind_a_proxy_on_the_host_believes_the_network_that_it_has_and_is_reached_by_nobody_else() -> None:
    (text,) = re.findall(r"```yaml\n(services:.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    for file in (yaml.safe_load(text), yaml.safe_load(compose_files()[1])):
        ours, subnet = file["services"]["pyramid"], file["networks"]["default"]["ipam"]["config"][0]["subnet"]
        assert ours["environment"]["PYRAMID_TRUSTED_PROXIES"] == subnet
        assert all(port.startswith("127.0.0.1:") for port in ours.get("ports", []))


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, str]]:
    """The image's folders, by the names that the file has for them."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        # It is for somebody else.
        folder.chmod(0o755)
        named = {name: str(folder / name.strip("/")) for name in ("/srv", "/data", "/tmp")}  # noqa: S108 - names only.
        for path in named.values():
            Path(path).mkdir()
        yield named
        subprocess.run(["chmod", "-R", "u+w", folder], check=True)


def placed(text: str, places: dict[str, str]) -> str:
    """A text of the file with its folders where they are here."""
    return re.sub(r"(?<![\w/.])/(?:srv|data|tmp)\b", lambda found: places[found[0]], text)


@pytest.fixture(scope="module")
def built(places: dict[str, str]) -> dict[str, str]:
    """All steps of the first stage; the environment that it ends with."""
    first, *_ = instructions()
    home = Path(places["/srv"])
    # What ``python`` means in the base image.
    tools = home.parent / "bin"
    tools.mkdir()
    (tools / "python").symlink_to(
        sys.executable if sys.prefix == sys.base_prefix else Path(sys.base_prefix, "bin/python3")
    )
    env = environment(PATH=f"{tools}:{os.environ['PATH']}")
    for instruction in first:
        match instruction.word:
            case "ENV":
                for name, text in (pair.split("=", 1) for pair in shlex.split(instruction.rest)):
                    env[name] = placed(text.replace("$PATH", env["PATH"]), places)
            case "COPY":
                *sources, target = instruction.rest.split()
                for source in sources:
                    copy(ROOT / source, home / target)
            case "RUN":
                done = subprocess.run(  # noqa: S602 - as Docker does.
                    placed(instruction.rest, places),
                    shell=True,
                    cwd=home,
                    env=env,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == 0, done.stdout + done.stderr
            case _:
                assert instruction.word in {"FROM", "WORKDIR"}
    return env


def copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.mkdir(exist_ok=True)
        shutil.copy(source, target)
        return
    # As .dockerignore leaves out what was built or run here.
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.c"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_every_step_of_the_image_is_a_command_that_works_for_any_user_on_a_read_only_root(
    built: dict[str, str], places: dict[str, str]
) -> None:
    *_, last = instructions()
    home, port = Path(places["/srv"]), free_port()
    subprocess.run(["chmod", "-R", "a-w", home], check=True)
    Path(places["/data"]).chmod(0o1777)
    env = {name: placed(text.replace("$PATH", built["PATH"]), places) for name, text in settings(last).items()}
    env |= {"PYRAMID_PORT": str(port)}
    with subprocess.Popen(
        [*AS_SOMEBODY, *json.loads(of(last, "CMD")[0])], stderr=subprocess.PIPE, text=True, cwd=home, env=env
    ) as server:
        try:
            check = [*AS_SOMEBODY, *json.loads(of(last, "HEALTHCHECK")[0].partition("CMD ")[2])]
            deadline = time.monotonic() + 20
            while (
                done := subprocess.run(check, capture_output=True, text=True, check=False, cwd=home, env=env)
            ).returncode:
                assert server.poll() is None, server.communicate()[1]
                assert time.monotonic() < deadline, done.stderr
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
                assert client.get("/version").json()["solver"] == "compiled"
                api = Api(client)
                assert api.act(api.create(seed="a"), "draw", "Kc")["moves"] == 2
                assert client.get("/").status_code == 200
        finally:
            server.send_signal(signal.SIGTERM)
            before = time.monotonic()
            assert server.wait(timeout=10) == 0
            assert time.monotonic() - before < 5
    written = [path for path in Path(places["/data"]).rglob("*") if path.is_file()]
    assert written
    assert {path.stat().st_uid for path in written} == {UID}
    assert not [path for path in home.rglob("*") if path.stat().st_uid == UID]


def test_the_image_runs_and_asks_after_itself_by_nothing_but_its_own_python() -> None:
    *_, last = instructions()
    # No shell, and no curl or wget, which a slim image does not have.
    for text in (*of(last, "CMD"), of(last, "HEALTHCHECK")[0].partition("CMD ")[2]):
        assert json.loads(text)[:3] == ["python", "-m", "app"]
    assert not of(last, "ENTRYPOINT")
    assert not re.search(r"\b(?:curl|wget|apt-get|apk)\b", " ".join(of(last, "RUN")))


HOOK = """
import os, sys
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGING = {"os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.link", "os.symlink", "os.truncate", "os.chmod"}
CHANGING |= {"os.chown", "os.utime", "tempfile.mkstemp", "tempfile.mkdtemp", "sqlite3.connect"}
def told(event, arguments):
    path = arguments[0] if arguments else ""
    if event == "open" and isinstance(path, (str, bytes)) and arguments[2] & WRITING or event in CHANGING:
        os.write(2, f"WRITES: {os.path.abspath(os.fsdecode(path))}\\n".encode())
sys.addaudithook(told)
"""
OUTSIDE = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text('x'); print(pathlib.Path(sys.argv[1]).read_text())"


def written(log: str) -> set[Path]:
    """What a program with the hook said that it writes."""
    return {Path(line.removeprefix("WRITES: ")) for line in log.splitlines() if line.startswith("WRITES: ")}


def test_nothing_is_written_outside_of_the_data(tmp_path: Path) -> None:
    """Neither below the program, nor in a home or a folder for what is temporary."""
    *_, last = instructions()
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(HOOK, "utf-8")
    watched = {name: text for name, text in settings(last).items() if name.startswith("PYTHON")}
    watched["PYTHONPATH"] = str(tmp_path / "hook")
    control = [sys.executable, "-c", OUTSIDE, str(tmp_path / "seen")]
    seen = subprocess.run(control, env=environment(**watched), capture_output=True, text=True, check=True)
    assert written(seen.stderr) == {tmp_path / "seen"}

    data = tmp_path / "data"
    # SQLite's own file is told by its connection; that it makes none for what is temporary is a setting of its engine.
    with Server(data, loaded=False, PYRAMID_DATABASE="", **watched) as server, server.client() as client:
        api = Api(client)
        game = api.act(api.create(seed="a"), "draw", "Kc", "6c+7d")
        for path in ("/", "/daily/endless", "/me/export", "/p/endless/a", f"/g/{game['id']}/replay", "/readyz"):
            assert client.get(path).status_code in {200, 303}, path
        assert client.get("/api/v1/deals/endless/win-14/solution").json()["verdict"] == "winnable"
        large = client.post("/me/import", content=b"x" * 1_000_000, headers={"Content-Type": "text/plain"})
        assert large.status_code == 422
    found = written(server.log)
    assert found
    assert [path for path in found if not path.is_relative_to(data) and path != Path(os.devnull)] == []
