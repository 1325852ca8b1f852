"""The settings, from environment variables with the prefix ``PYRAMID_``."""

import re
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


class Settings(BaseSettings):
    """Where the server listens and what it keeps; every field has a default that works."""

    model_config = SettingsConfigDict(env_prefix="PYRAMID_", frozen=True, extra="ignore")

    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(8000, ge=0, le=65_535, description="The port to listen on; 0 takes a free one.")
    data: Path = Field(Path("data"), description="The folder of the database; made if missing.")
    synchronous: Literal["FULL", "NORMAL"] = Field(
        "FULL",
        description="FULL: an answered move survives a power cut. NORMAL: faster; the last moves before one may not.",
    )
    public_url: str = Field(
        "",
        description="Where the server is reached from outside, as https://cards.example.org, for pictures in links.",
    )
    unfinished_days: int = Field(
        365, ge=0, le=36_500, description="Unfinished games untouched for so many days are removed; 0 keeps all."
    )

    @field_validator("public_url")
    @classmethod
    def _whole(cls, url: str) -> str:
        """The address without a slash at its end; anything but scheme, host and port is refused."""
        url = url.removesuffix("/")
        if url and not _ADDRESS.fullmatch(url):
            raise ValueError("it is http:// or https://, a host and perhaps a port, without a path or a query")
        return url
