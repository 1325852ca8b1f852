"""python -m app config: the settings in effect, where each comes from, and no secret."""

import shlex
from pathlib import Path

import pytest

from app.__main__ import main
from app.config import Settings, variable
from tests.commands.run import command

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
        (f"postgresql://me:a:{SECRET}@x@host/name", "postgresql://me:***@host/name"),
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
    assert "WARNING: PYRAMID_PROT names no setting" in capsys.readouterr().err


def test_what_gives_a_setting_twice_or_cannot_be_read_ends_with_status_2_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for path, word in (
        (tmp_path / "none", "No such file"),
        (tmp_path, "directory"),
        (tmp_path / "bytes", "PYRAMID_DATABASE_FILE"),
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


def test_it_runs_as_a_program() -> None:
    done = command("config")
    assert done.returncode == 0, done.stderr
    assert b"PYRAMID_PORT=8000  # default" in done.stdout
