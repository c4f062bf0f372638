"""Settings: read once from the environment, a `.env` file and a folder of secrets."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import AliasChoices, Field, HttpUrl, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from storage import address, file_of

SECRETS = Path("/run/secrets")
"""The folder in which Docker and Podman mount secrets: the file `kropka_token` has the token."""

DATA = Path("data")
"""The folder of the databases unless a setting says otherwise."""

LOCAL = ("127.0.0.1", "localhost")

MAX_LINK = 512
"""Characters of an address behind a button; Discord's limit."""

CHANNEL = re.compile(r"\d{17,20}")
WEBHOOK = re.compile(
    r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/(?P<id>\d{17,20})/(?P<token>[\w.-]{60,200})"
)
"""Where feedback goes: the id of a channel, or the address of a webhook, which is a secret."""

DEFAULT_REQUESTS = 120
"""Requests a minute of one player: a move by the keypad is four clicks."""


def _folders_of_secrets(mounted: Path) -> list[Path]:
    """Returns Docker's folder, and the one in which systemd gives a service its credentials."""
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    return [mounted, *([Path(credentials)] if credentials else [])]


class BadSettings(Exception):
    """A setting that cannot be used: one sentence that names it, never its value, which may be the token."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """What the operator offers to the public beside the bot: pages, and a place for feedback. Each may be missing."""

    support: str | None = None
    source: str | None = None
    terms: str | None = None
    privacy: str | None = None
    feedback: SecretStr | None = None
    """See CHANNEL and WEBHOOK."""
    can_invite: bool = True
    """Whether Discord can add the bot to servers: not the stand-in's."""


class Settings(BaseSettings):
    """All settings; `KROPKA_TOKEN` and so on in the environment."""

    model_config = SettingsConfigDict(
        env_prefix="KROPKA_", env_file=".env", env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    token: SecretStr | None = None
    database: str | None = Field(None, repr=False, validation_alias=AliasChoices("KROPKA_DATABASE", "DATABASE_URL"))
    """`sqlite+aiosqlite:///PATH` or `postgresql+asyncpg://USER:PASSWORD@HOST/NAME`; without it, a file in `data`."""
    discord: HttpUrl | None = None
    """The address of a stand-in for Discord on this machine."""
    port: int = Field(8420, ge=0, le=65535)
    """The port of the try-out's chat page; 0 takes any free one."""
    thinkers: int = Field(1, ge=0, le=16)
    """Processes in which the computer thinks. With 0 it neither plays nor helps."""
    pace: float = Field(0, ge=0, le=60)
    """Seconds that the computer takes for a move at least, as people do."""
    requests: int = Field(DEFAULT_REQUESTS, ge=1, le=1_000_000)
    """Clicks and commands a minute of each player, a quarter of them at once."""
    dot_dash: bool = False
    """Whether Dot Dash is offered. Its author, Phil Leduc, asks those who offer it to the public to write to him."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    sentry: SecretStr | None = None
    """The address for error reports to Sentry; none without it."""
    support: HttpUrl | None = None
    """The invitation to a server where users get help."""
    source: HttpUrl | None = None
    """The page of the source code."""
    terms: HttpUrl | None = None
    """The page of the terms of service; that of `privacy` the privacy policy."""
    privacy: HttpUrl | None = None
    feedback: SecretStr | None = None
    """Where `/feedback` goes: the id of a channel, or the address of a webhook of Discord; no command without it."""
    shards: int | None = Field(None, ge=1)
    """Gateway shards of all processes together; without it, as many as Discord recommends."""
    processes: int = Field(1, ge=1)
    """Processes that share them, on a PostgreSQL database."""
    status_host: str = "127.0.0.1"
    status_port: int | None = Field(None, ge=0, le=65535)
    """The port of `/healthz` and `/metrics`; none without it."""

    @field_validator("discord")
    @classmethod
    def _on_this_machine(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is not None and address.host not in LOCAL:
            raise ValueError("it must be an address on this machine (127.0.0.1), since it takes the token")
        return address

    @field_validator("support", "source", "terms", "privacy")
    @classmethod
    def _public(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is not None and (
            address.scheme != "https" or address.username or address.password or len(str(address)) > MAX_LINK
        ):
            raise ValueError(f"it must be an https address of at most {MAX_LINK} characters, without a password")
        return address

    @field_validator("feedback")
    @classmethod
    def _deliverable(cls, target: SecretStr | None) -> SecretStr | None:
        if target is not None and not any(each.fullmatch(target.get_secret_value()) for each in (CHANNEL, WEBHOOK)):
            raise ValueError("it must be the id of a channel, or the address of a webhook of Discord")
        return target

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
        """Returns the address of the database; without the setting, a file of that name."""
        return self.database or f"sqlite+aiosqlite:///{DATA / name}.db"

    def hosting(self) -> Hosting:
        """Returns what the operator offers to the public."""
        support, source, terms, privacy = (
            str(page) if page else None for page in (self.support, self.source, self.terms, self.privacy)
        )
        return Hosting(support, source, terms, privacy, self.feedback)

    def secret(self) -> str:
        """Returns the token. Raises BadSettings."""
        if self.token is None:
            raise BadSettings("KROPKA_TOKEN: it is missing. `kropka run` alone, with no setting, is the try-out.")
        return self.token.get_secret_value()

    @classmethod
    def read(cls, secrets: Path = SECRETS) -> Settings:
        """Reads all settings. Raises BadSettings."""
        try:
            folders = [folder for folder in _folders_of_secrets(secrets) if folder.is_dir()]
            return cls(_secrets_dir=folders or None)  # type: ignore[call-arg]
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            sentence = f"{first['msg'].removeprefix('Value error, ')}."
            if not first["loc"]:  # it is about more than one
                raise BadSettings(sentence) from None
            name = "_".join(str(part) for part in first["loc"]).upper()
            named = "KROPKA_DATABASE (or DATABASE_URL)" if name == "KROPKA_DATABASE" else f"KROPKA_{name}"
            raise BadSettings(f"{named}: {sentence}") from None
