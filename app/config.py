"""The settings, from environment variables with the prefix ``PYRAMID_``."""

from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


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
