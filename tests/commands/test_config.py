"""python -m app config: the settings in effect, where each comes from, and no secret."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.config import Settings, variable
from tests.commands.run import command
from tests.web.server import ROOT

SECRET = "s3cr+t/x"  # noqa: S105 - this is what must not be shown.


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, str]]:
    """Each variable's value and origin."""
    found = {}
    for line in capsys.readouterr().out.splitlines():
        setting, origin = line.split("  # ")
        (text,) = shlex.split(setting)
        name, _, value = text.partition("=")
        found[name] = value, origin
    return found


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)


def test_every_setting_is_told_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 0
    found = told(capsys)
    assert list(found) == [variable(field) for field in Settings.model_fields]
    folder = found.pop("PYRAMID_DATA")
    assert folder == ("data", f"default: {Path('data').absolute()}")
    assert {origin for _, origin in found.values()} == {"default"}
    assert found["PYRAMID_PORT"] == ("8000", "default")
    assert found["PYRAMID_HSTS"] == ("false", "default")


def test_it_is_told_whether_a_setting_comes_from_the_environment_or_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "port").write_text("9000\n", "utf-8")
    monkeypatch.setenv("PYRAMID_PORT_FILE", str(tmp_path / "port"))
    monkeypatch.setenv("PYRAMID_DATA", "/some where")
    assert main(["config"]) == 0
    found = told(capsys)
    assert found["PYRAMID_PORT"] == ("9000", f"file {tmp_path / 'port'}")
    assert found["PYRAMID_DATA"] == ("/some where", "environment")


def test_of_an_empty_variable_the_default_is_told_as_such_where_it_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("PYRAMID_PORT", "PYRAMID_HOST"):
        monkeypatch.setenv(name, "")
    assert main(["config"]) == 0
    found = told(capsys)
    assert found["PYRAMID_PORT"] == ("8000", "default")
    assert found["PYRAMID_HOST"] == ("", "environment")


def test_what_is_told_gives_the_same_settings_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMID_TRUSTED_PROXIES", "10.0.0.0/8, 127.0.0.1")
    monkeypatch.setenv("PYRAMID_HSTS", "true")
    before = Settings()
    assert main(["config"]) == 0
    for name, (value, _) in told(capsys).items():
        monkeypatch.setenv(name, value)
    assert Settings() == before


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"postgresql://me:{SECRET}@host:5432/name", "postgresql://me:***@host:5432/name"),
        (f"postgresql://me:a:{SECRET}@host/name", "postgresql://me:***@host/name"),
        (f"postgresql://me:a%40b{SECRET}@host/name", "postgresql://me:***@host/name"),
        (f"postgres://host/name?user=me&password={SECRET}&sslmode=require", "postgres://host/name?***"),
        ("postgresql://me@host/name", "postgresql://me@host/name"),
        ("postgresql://[::1]:5432/name", "postgresql://[::1]:5432/name"),
    ],
)
def test_no_password_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str, shown: str
) -> None:
    monkeypatch.setenv("PYRAMID_DATABASE", address)
    assert main(["config"]) == 0
    output = capsys.readouterr()
    assert f"PYRAMID_DATABASE={shlex.quote(shown)}  # environment\n" in output.out
    assert SECRET not in output.out + output.err


@pytest.mark.parametrize("asked", [["config"], ["migrate"], ["backup", "/nowhere/x"]], ids=lambda asked: str(asked[0]))
def test_a_variable_that_names_no_setting_is_warned_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: list[str]
) -> None:
    monkeypatch.setenv("PYRAMID_PROT", "9000")
    monkeypatch.setenv("PYRAMID_DATA", str(tmp_path))
    main(asked)
    told_ = capsys.readouterr().err
    assert "WARNING: PYRAMID_PROT names no setting" in told_
    assert "Is PYRAMID_PORT meant?" in told_


def test_what_gives_a_setting_twice_or_cannot_be_read_ends_with_status_2_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "empty").touch()
    (tmp_path / "blank").write_text(" \n", "utf-8")
    for path, word in (
        (tmp_path / "none", "No such file"),
        (tmp_path, "is no file"),
        (tmp_path / "bytes", "PYRAMID_DATABASE_FILE"),
        (tmp_path / "empty", "is empty"),
        (tmp_path / "blank", "is empty"),
    ):
        monkeypatch.setenv("PYRAMID_DATABASE_FILE", str(path))
        assert main(["config"]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.count("\n") == 1
        assert word in output.err
        assert str(path) in output.err
    monkeypatch.setenv("PYRAMID_DATABASE", "postgresql://host/name")
    assert main(["config"]) == 2
    assert "both set" in capsys.readouterr().err


def test_a_setting_that_is_wrong_is_told_by_its_variable_and_a_secret_not_repeated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMID_DATABASE", f"mysql://me:{SECRET}@host/name")
    assert main(["config"]) == 2
    told_ = capsys.readouterr().err
    assert "PYRAMID_DATABASE" in told_
    assert "--database" not in told_
    assert SECRET not in told_
    monkeypatch.delenv("PYRAMID_DATABASE")
    monkeypatch.setenv("PYRAMID_LOG_FORMAT", "xml")
    assert main(["config"]) == 2
    assert "PYRAMID_LOG_FORMAT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("PORT", "x", "port (--port or PYRAMID_PORT): “x” is no whole number"),
        ("PORT", "70000", "port (--port or PYRAMID_PORT): “70000” is more than 65535"),
        ("BACKUPS", "0", "“0” is less than 1"),
        ("READ_SECONDS", "0", "“0” is not more than 0"),
        ("READ_SECONDS", "soon", "“soon” is no number"),
        ("HSTS", "perhaps", "“perhaps” is neither true nor false"),
        ("LOG_FORMAT", "xml", "“xml” is not 'console' or 'json'"),
        ("BASE_PATH", "/d", "“/d” cannot be used: it begins like an address of the game's own"),
        ("TRUSTED_PROXIES", "nginx", "“nginx” cannot be used: it is addresses, and networks such as"),
        ("TRUSTED_PROXIES", "10.0.0.1/8", "with zeros behind 24 bits"),
        ("READ_SECONDS", "nan", "“nan” is no finite number"),
        ("METRICS_PORT", "8000", "“8000” cannot be used: it is PYRAMID_PORT"),
    ],
)
def test_what_is_wrong_with_a_setting_is_told_in_plain_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, given: str, said: str
) -> None:
    monkeypatch.setenv(f"PYRAMID_{name}", given)
    assert main(["config"]) == 2
    told_ = capsys.readouterr().err
    assert said in told_
    assert told_.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PORT", "is no whole number"),
        ("DATABASE", "it is an address such as"),
        ("SYNCHRONOUS", "is not 'FULL' or 'NORMAL'"),
        ("TRUSTED_PROXIES", "it is addresses"),
        ("PUBLIC_URL", "it is http:// or https://"),
        ("HSTS", "is neither true nor false"),
        ("READ_SECONDS", "is no number"),
    ],
)
def test_what_is_wrong_with_a_setting_from_a_file_is_told_by_the_file_and_nothing_that_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    (tmp_path / "secret").write_text(f"127.0.0.1,{SECRET}", "utf-8")
    monkeypatch.setenv(f"PYRAMID_{name}_FILE", str(tmp_path / "secret"))
    assert main(["config"]) == 2
    told_ = capsys.readouterr().err
    assert told_.startswith(f"pyramid: PYRAMID_{name}_FILE: what {tmp_path / 'secret'} holds ")
    assert said in told_
    assert told_.count("\n") == 1
    assert SECRET not in told_


def test_a_file_is_not_blamed_for_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "port").write_text("9000", "utf-8")
    monkeypatch.setenv("PYRAMID_PORT_FILE", str(tmp_path / "port"))
    assert main(["config", "--port", "70000"]) == 2
    assert "port (--port or PYRAMID_PORT): “70000” is more than" in capsys.readouterr().err


def test_what_does_not_hold_one_line_of_text_is_told_by_its_variable_and_never_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "lines").write_text(f"{SECRET}\n9000\n", "utf-8")
    (tmp_path / "nothing").write_text(f"{SECRET}\0", "utf-8")
    (tmp_path / "large").write_text(SECRET * 1_000_000, "utf-8")
    for path, word in (
        (tmp_path / "fifo", "is no file"),
        (Path("/dev/zero"), "is no file"),
        (tmp_path / "lines", "one line of text"),
        (tmp_path / "nothing", "one line of text"),
        (tmp_path / "large", "64 KB"),
    ):
        for name in ("PYRAMID_PORT_FILE", "PYRAMID_DATABASE_FILE"):
            monkeypatch.setenv(name, str(path))
            assert main(["config"]) == 2
            told_ = capsys.readouterr().err
            assert told_.startswith(f"pyramid: {name}: {path} ")
            assert word in told_
            assert SECRET not in told_
            monkeypatch.delenv(name)


def test_a_file_may_be_a_link_its_text_begin_with_a_mark_and_its_variable_be_in_small_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "port").write_text("\ufeff9000\r\n", "utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "port")
    monkeypatch.setenv("pyramid_port_file", str(tmp_path / "link"))
    monkeypatch.setenv("pyramid_prot", "9001")
    assert main(["config"]) == 0
    output = capsys.readouterr()
    assert f"PYRAMID_PORT=9000  # file {tmp_path / 'link'}\n" in output.out
    assert "pyramid_prot names no setting; it has no effect. Is PYRAMID_PORT meant?" in output.err
    monkeypatch.setenv("pyramid_port", "9001")
    assert main(["config"]) == 2
    assert "both set" in capsys.readouterr().err


@pytest.mark.parametrize("asked", [[], ["x"], ["postgresql"]], ids=["alone", "with a name", "with a kind"])
def test_an_empty_name_of_the_folder_is_refused_by_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: list[str]
) -> None:
    names = {"": "serve config migrate backup doctor", "x": "backup restore", "postgresql": "transfer"}
    monkeypatch.chdir(tmp_path)
    for name in names["".join(asked)].split():
        with pytest.raises(SystemExit) as end:
            main([name, *asked, "--data", ""])
        assert end.value.code == 2
        assert "argument --data: the name is empty" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_password_with_an_at_is_refused_before_a_part_of_it_is_taken_for_the_host(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMID_DATABASE", "postgresql://me:hush@tail@host/name")
    assert main(["config"]) == 2
    told_ = capsys.readouterr().err
    assert "%40" in told_
    assert "hush" not in told_
    assert "tail" not in told_


def test_metrics_may_have_the_port_s_number_on_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRAMID_METRICS_PORT", "8000")
    monkeypatch.setenv("PYRAMID_HOST", "192.168.1.5")
    assert main(["config"]) == 0
    monkeypatch.setenv("PYRAMID_HOST", "0.0.0.0")  # noqa: S104 - it is not listened on.
    assert main(["config"]) == 2


def test_words_are_read_in_either_case_and_nothing_is_the_default_where_it_means_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, given in {"SYNCHRONOUS": "normal", "LOG_LEVEL": "INFO", "PORT": "", "DATA": "", "HSTS": ""}.items():
        monkeypatch.setenv(f"PYRAMID_{name}", given)
    monkeypatch.setenv("PYRAMID_TRUSTED_PROXIES", "")
    settings = Settings()
    assert (settings.synchronous, settings.log_level, settings.port) == ("NORMAL", "info", 8000)
    assert (settings.data, settings.hsts, settings.trusted_proxies) == (Path("data"), False, "")


def test_an_option_wins_and_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PYRAMID_PORT", "9000")
    assert main(["config", "--port", "9001", "--data", "/some where"]) == 0
    found = told(capsys)
    assert found["PYRAMID_PORT"] == ("9001", "option --port")
    assert found["PYRAMID_DATA"] == ("/some where", "option --data")


def test_the_readme_s_file_gives_commands_by_hand_the_settings_of_the_server(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (script,) = re.findall(r"^```sh\n(#!/bin/sh\n.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    (settings,) = re.findall(r"^```sh\n(PYRAMID_.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    given = f"# ours\n{settings}PYRAMID_DATABASE='postgresql://me:a$b@host/name?x=1&y=2'\n"
    (tmp_path / "env").write_text(given, "utf-8")
    places = {"/etc/pyramid.env": tmp_path / "env", "/srv/pyramid13/.venv/bin/python": sys.executable}
    for place, here in places.items():
        assert place in script
        script = script.replace(place, str(here))
    (tmp_path / "pyramid").write_text(script, "utf-8")
    (tmp_path / "pyramid").chmod(0o755)
    done = subprocess.run([tmp_path / "pyramid", "config"], cwd=tmp_path, env={}, capture_output=True, check=True)
    lines = done.stdout.decode().splitlines()
    assert {"PYRAMID_HOST=0.0.0.0  # environment", "PYRAMID_DATA=/var/lib/pyramid  # environment"} < set(lines)
    assert "PYRAMID_DATABASE='postgresql://me:***@host/name?***'  # environment" in lines


def test_it_runs_as_a_program() -> None:
    done = command("config")
    assert done.returncode == 0, done.stderr
    assert b"PYRAMID_PORT=8000  # default" in done.stdout
