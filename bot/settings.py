"""What the outside decides: the environment, a `.env` file and a folder of secrets, read once."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, HttpUrl, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

SECRETS = Path("/run/secrets")
"""Where Docker and Podman mount secrets: the file `kropka_token` holds the token."""

LOCAL = ("127.0.0.1", "localhost")


class BadSettings(Exception):
    """One sentence that names the setting; never its value, which may be the token."""


class Settings(BaseSettings):
    """Every setting; `KROPKA_TOKEN` and so on in the environment."""

    model_config = SettingsConfigDict(
        env_prefix="KROPKA_", env_file=".env", env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    token: SecretStr | None = None
    database: str | None = None
    """`sqlite+aiosqlite:///PATH`; without it, a file in the folder `data`."""
    discord: HttpUrl | None = None
    """A stand-in on this machine that takes Discord's place."""
    port: int = Field(8420, ge=0, le=65535)
    """Where the try-out serves its chat page; 0 takes any free one."""
    dot_dash: bool = False
    """Whether Dot Dash is offered. Its author, Phil Leduc, asks those who offer it to the public to write to him."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @field_validator("discord")
    @classmethod
    def _on_this_machine(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is not None and address.host not in LOCAL:
            raise ValueError("it must be an address on this machine (127.0.0.1), since it takes the token")
        return address

    @field_validator("database")
    @classmethod
    def _known(cls, database: str | None) -> str | None:
        if database is not None and not database.startswith("sqlite+aiosqlite:///"):
            raise ValueError("it must be sqlite+aiosqlite:///PATH")
        return database

    @classmethod
    def read(cls) -> Settings:
        """Raises BadSettings."""
        try:
            return cls(_secrets_dir=SECRETS if SECRETS.is_dir() else None)  # type: ignore[call-arg]
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            name = "_".join(str(part) for part in first["loc"]).upper()
            raise BadSettings(f"KROPKA_{name}: {first['msg'].removeprefix('Value error, ')}.") from None
