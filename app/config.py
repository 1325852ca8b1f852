"""The settings, from environment variables with the prefix ``PYRAMID_``."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

PREFIX = "PYRAMID_"
_FILE = "_FILE"
_OURS = rf"{PREFIX}(?!TEST_)"
_NEAR = 0.8
_MOST_BYTES = 65_536
"""Of a file that holds one setting."""

_ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
_BASE_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]*[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")
_OWN_NAMES = re.compile(
    r"/(?:[bcdgprs]|api|daily|healthz|learn|manifest\.webmanifest|me|new|offline|readyz|recover|rules|settings|static"
    r"|sw\.js|version|you)(?:/|$)"
)
"""What the game's own addresses begin with; of a path that began so, nobody could tell whether it was still there."""

_DATABASE = re.compile(r"postgres(?:ql)?://[!-~]+")
_USER = re.compile(r"[^:/]*(?::[^@]*)?@")
"""What stands before the host in such an address: SQLAlchemy reads a password up to the first @."""

_ALL_ADDRESSES = {"", "0.0.0.0", "::"}  # noqa: S104 - names only.
_MAY_BE_EMPTY = {"host", "database", "public_url", "base_path", "trusted_proxies"}
_READ: dict[str, Callable[[str], object]] = {
    "synchronous": str.upper,
    "log_format": str.lower,
    "log_level": str.lower,
    "data": Path,
}

Port = Annotated[int, Field(ge=0, le=65_535)]


class Settings(BaseSettings):
    """Where the server listens, what it keeps and what it allows; every field has a default that works.

    Each may also come from a file, which the variable of the same name with ``_FILE`` behind it names.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="ignore", hide_input_in_errors=True, allow_inf_nan=False
    )

    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: Port = Field(8000, description="The port to listen on; 0 takes a free one.")
    data: Path = Field(Path("data"), description="The folder of the database and its backups; made if missing.")
    database: SecretStr = Field(
        SecretStr(""),
        description="A PostgreSQL database, as postgresql://user:password@host/name; empty: SQLite in the data folder.",
    )
    synchronous: Literal["FULL", "NORMAL"] = Field(
        "FULL",
        description="FULL: an answered move survives a power cut. NORMAL: faster; the last moves before one may not.",
    )
    public_url: str = Field(
        "",
        description="Where the server is reached from outside, as https://cards.example.org, for pictures in links.",
    )
    base_path: str = Field("", description="The path below which a proxy offers the server, as /pyramid.")
    trusted_proxies: str = Field(
        "127.0.0.1,::1",
        description="Addresses and networks, with commas between, whose X-Forwarded-For and -Proto are believed.",
    )
    hsts: bool = Field(default=False, description="Whether answers over https bind browsers to https for a year.")
    unfinished_days: int = Field(
        365, ge=0, le=36_500, description="Unfinished games untouched for so many days are removed; 0 keeps all."
    )
    backups: int = Field(5, ge=1, le=1_000, description="How many of the backups made before migrations are kept.")
    read_seconds: float = Field(
        10,
        gt=0,
        le=3_600,
        description="How long a request may take to arrive, head and body; then its connection is closed.",
    )
    player_rate: float = Field(
        20, ge=0, le=1_000_000, description="How many actions a second a player may make in the long run; 0: any."
    )
    network_rate: float = Field(
        200, ge=0, le=1_000_000, description="How many actions a second may come from one network; 0: any."
    )
    log_format: Literal["console", "json"] = Field("console", description="How the log is written.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="The least that is logged.")
    log_requests: bool = Field(default=False, description="Whether every request is logged, or only those that fail.")
    metrics_host: str = Field("127.0.0.1", description="The address on which Prometheus metrics are offered.")
    metrics_port: Port = Field(0, description="The port on which Prometheus metrics are offered; 0: nowhere.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - part of the signature.
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - part of the signature.
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given in the program wins over the environment and its files."""
        return init_settings, env_settings, _Files(settings_cls)

    @field_validator("*", mode="before")
    @classmethod
    def _as_meant(cls, given: object, info: ValidationInfo) -> object:
        """Words in either case; and the default in place of nothing, which Compose makes of an unset ``${PORT}``.

        A folder's name need not be UTF-8, which pydantic would ask of a text.
        """
        name = str(info.field_name)
        if given == "" and name not in _MAY_BE_EMPTY:
            return cls.model_fields[name].get_default()
        return _READ[name](given) if name in _READ and isinstance(given, str) else given

    @field_validator("public_url")
    @classmethod
    def _whole(cls, url: str) -> str:
        """The address without a slash at its end; anything but scheme, host and port is refused."""
        url = url.removesuffix("/")
        if url and not _ADDRESS.fullmatch(url):
            raise ValueError("it is http:// or https://, a host and perhaps a port, without a path or a query")
        return url

    @field_validator("base_path")
    @classmethod
    def _below(cls, path: str) -> str:
        """The path with a slash in front and none at its end; empty for the root."""
        path = path.removesuffix("/")
        if path and not _BASE_PATH.fullmatch(path):
            raise ValueError("it is a path such as /pyramid, of letters, digits and . _ ~ - between its slashes")
        if _OWN_NAMES.match(path):
            raise ValueError("it begins like an address of the game's own; another name will do, as /pyramid")
        return path

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, text: str) -> str:
        """Addresses and networks with commas between, without blanks; ``*`` for whoever connects."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        try:
            for part in parts:
                if part != "*":
                    ip_network(part)
        except ValueError:
            # What Python says repeats a part, which may be of a file that was not meant.
            raise ValueError(
                "it is addresses, and networks such as 172.30.13.0/24 with zeros behind 24 bits, with commas between"
            ) from None
        return "*" if "*" in parts else ",".join(parts)

    @field_validator("database")
    @classmethod
    def _address_of_database(cls, secret: SecretStr) -> SecretStr:
        """An address of PostgreSQL's, or nothing. It is not repeated in the error: it holds a password."""
        text = secret.get_secret_value().strip()
        if text and not _DATABASE.fullmatch(text):
            raise ValueError("it is an address such as postgresql://user:password@host/name")
        rest = text.partition("://")[2]
        place = rest[found.end() :] if (found := _USER.match(rest)) else rest
        if "@" in place.partition("?")[0]:
            raise ValueError("of two @ the first one belongs to the password: write %40 for it")
        return SecretStr(text)

    @field_validator("metrics_port")
    @classmethod
    def _another(cls, port: int, info: ValidationInfo) -> int:
        """A port of its own, where the two addresses are one or one of them is all."""
        if port and port == info.data.get("port"):
            hosts = {info.data.get("host"), info.data.get("metrics_host")}
            if len(hosts) == 1 or hosts & _ALL_ADDRESSES:
                raise ValueError("it is PYRAMID_PORT, where the game is; metrics need a port of their own")
        return port


class _Files(PydanticBaseSettingsSource):
    """Settings that a variable ending in ``_FILE`` names the file of, as Docker's and Podman's secrets are given."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:  # noqa: ANN401, ARG002 - pydantic's.
        """Not asked for: all values are told at once."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values, without the line's end that editors leave, or the mark that they put in front.

        Raises NoText where a file does not hold one line of text: a secret that was not written yet, for one.
        """
        found = {}
        for field in self.settings_cls.model_fields:
            path = file_of(field)
            if path:
                if variable(field) in variables():
                    raise Twice(variable(field))
                found[field] = _text_of(variable(field) + _FILE, Path(path))
        return found


def _text_of(name: str, path: Path) -> str:
    try:
        # What is no file may never end, and to open it may take for ever.
        if not stat.S_ISREG(path.stat().st_mode):
            raise NoText(name, path, "is no file")
        with path.open("rb") as file:
            held = file.read(_MOST_BYTES + 1)
        if len(held) > _MOST_BYTES:
            raise NoText(name, path, "holds more than 64 KB")
        text = held.decode("utf-8-sig").rstrip("\r\n")
    except OSError as error:
        raise NoText(name, path, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NoText(name, path, "holds no text in UTF-8") from None
    if not text.strip():
        raise NoText(name, path, "is empty")
    if not text.isprintable():
        raise NoText(name, path, "holds something else than one line of text")
    return text


class NoText(Exception):  # noqa: N818 - named as it is met.
    """A file that is to give a setting and does not hold one line of text."""

    def __init__(self, name: str, path: Path, fault: str) -> None:
        super().__init__(f"{name}: {path} {fault}")


class Twice(Exception):  # noqa: N818 - named as it is met.
    """A setting that both its variable and that of its file give."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} and {name}{_FILE} are both set; leave one of them out")


def variable(field: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + field.upper()


def file_of(field: str) -> str | None:
    """The file that the environment names for a setting."""
    return variables().get(variable(field) + _FILE)


def given(field: str) -> bool:
    """Whether the environment itself gives a setting; an empty variable mostly leaves it at its default."""
    text = variables().get(variable(field))
    return bool(text) or (text == "" and field in _MAY_BE_EMPTY)


def variables() -> dict[str, str]:
    """The environment; its names are read in either case, as Windows has them."""
    return {name.upper(): text for name, text in os.environ.items()}


def unknown(environment: Mapping[str, str]) -> list[str]:
    """The variables with our prefix that name no setting, by name: misspelt, or of another version."""
    known = {variable(field) + end for field in Settings.model_fields for end in ("", _FILE)}
    return sorted(name for name in _ours(environment) if name.upper() not in known)


def meant(name: str) -> str | None:
    """The variable that a misspelt one is nearest to; None where none is near."""
    known = [variable(field) + end for field in Settings.model_fields for end in ("", _FILE)]
    return next(iter(get_close_matches(name.upper(), known, 1, _NEAR)), None)


def _ours(environment: Iterable[str]) -> Iterable[str]:
    return (name for name in environment if re.match(_OURS, name, re.IGNORECASE))
