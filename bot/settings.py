"""What the outside decides: the environment, a `.env` file and a folder of secrets, read once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, Self

from pydantic import AliasChoices, Field, HttpUrl, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from storage import address, file_of

SECRETS = Path("/run/secrets")
"""Where Docker and Podman mount secrets: the file `kropka_token` holds the token."""

DATA = Path("data")
"""Where the databases are unless a setting says otherwise."""

LOCAL = ("127.0.0.1", "localhost")

DEFAULT_REQUESTS = 120
"""Requests a minute of one player: a move by the keypad is four clicks."""


def _folders_of_secrets() -> list[Path]:
    """Docker's, and the one in which systemd gives a service its credentials."""
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    return [SECRETS, *([Path(credentials)] if credentials else [])]


class BadSettings(Exception):
    """One sentence that names the setting; never its value, which may be the token."""


class Settings(BaseSettings):
    """Every setting; `KROPKA_TOKEN` and so on in the environment."""

    model_config = SettingsConfigDict(
        env_prefix="KROPKA_", env_file=".env", env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    token: SecretStr | None = None
    database: str | None = Field(None, repr=False, validation_alias=AliasChoices("KROPKA_DATABASE", "DATABASE_URL"))
    """`sqlite+aiosqlite:///PATH` or `postgresql+asyncpg://USER:PASSWORD@HOST/NAME`; without it, a file in `data`."""
    discord: HttpUrl | None = None
    """A stand-in on this machine that takes Discord's place."""
    port: int = Field(8420, ge=0, le=65535)
    """Where the try-out serves its chat page; 0 takes any free one."""
    thinkers: int = Field(1, ge=0, le=16)
    """Processes in which the computer thinks. 0: nobody can play against it or ask it for help."""
    pace: float = Field(0, ge=0, le=60)
    """Seconds that the computer takes for a move at least, as people do."""
    requests: int = Field(DEFAULT_REQUESTS, ge=1, le=1_000_000)
    """Clicks and commands a minute that each person may make, a quarter of them at once."""
    dot_dash: bool = False
    """Whether Dot Dash is offered. Its author, Phil Leduc, asks those who offer it to the public to write to him."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    sentry: SecretStr | None = None
    """Where Sentry takes reports of failures; without it, nowhere."""
    shards: int | None = Field(None, ge=1)
    """How many gateway shards all processes keep together; without it, as many as Discord recommends."""
    processes: int = Field(1, ge=1)
    """How many processes share them; each then keeps its part, on a PostgreSQL database."""
    status_host: str = "127.0.0.1"
    status_port: int | None = Field(None, ge=0, le=65535)
    """Where `/healthz` and `/metrics` are served; without it, nowhere."""

    @field_validator("discord")
    @classmethod
    def _on_this_machine(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is not None and address.host not in LOCAL:
            raise ValueError("it must be an address on this machine (127.0.0.1), since it takes the token")
        return address

    @field_validator("database")
    @classmethod
    def _known(cls, database: str | None) -> str | None:
        return database and address(database).render_as_string(hide_password=False)

    @model_validator(mode="after")
    def _one_division(self) -> Self:
        if self.processes > 1 and (self.shards is None or file_of(self.address()) is not None):
            raise ValueError("KROPKA_PROCESSES needs KROPKA_SHARDS and a PostgreSQL database")
        return self

    def address(self, name: str = "kropka") -> str:
        """The database; without the setting, a file of that name."""
        return self.database or f"sqlite+aiosqlite:///{DATA / name}.db"

    def secret(self) -> str:
        """The token. Raises BadSettings."""
        if self.token is None:
            raise BadSettings("KROPKA_TOKEN: it is missing. `kropka run` alone, with no setting, is the try-out.")
        return self.token.get_secret_value()

    @classmethod
    def read(cls) -> Settings:
        """Raises BadSettings."""
        try:
            folders = [folder for folder in _folders_of_secrets() if folder.is_dir()]
            return cls(_secrets_dir=folders or None)  # type: ignore[call-arg]
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            sentence = f"{first['msg'].removeprefix('Value error, ')}."
            if not first["loc"]:  # it is about more than one
                raise BadSettings(sentence) from None
            name = "_".join(str(part) for part in first["loc"]).upper()
            named = "KROPKA_DATABASE (or DATABASE_URL)" if name == "KROPKA_DATABASE" else f"KROPKA_{name}"
            raise BadSettings(f"{named}: {sentence}") from None
