"""Settings: read once from the environment, a `.env` file and a folder of secrets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self, get_args, get_origin
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

from dotenv.parser import Binding, parse_stream
from pydantic import (
    AliasChoices,
    Field,
    HttpUrl,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from bot.way_out import WayOut

SECRETS = Path("/run/secrets")
"""The folder in which Docker and Podman mount secrets: the file `kropka_token` has the token."""

DATA = Path("data")
"""The folder of the databases unless a setting says otherwise."""

ENV_FILE, ENCODING = Path(".env"), "utf-8-sig"
"""The file of settings in the working directory. Editors of Windows put a mark at its beginning."""

SECRET = (
    *("token", "matrix_token", "telegram_token", "database", "proxy", "sentry", "feedback", "support", "source"),
    *("terms", "privacy"),
)
"""Settings whose value is never shown; an address may contain a password."""

SOURCES_OF_TOKENS = {
    "token": "the developer portal",
    "matrix_token": "the answer of the homeserver",
    "telegram_token": "what @BotFather says",
}

USELESS_WITHOUT = {
    "matrix_homeserver": "matrix_token",
    "matrix_token": "matrix_homeserver",
    "client_secret": "web_url",
    "web_host": "web_url",
    "web_port": "web_url",
    "status_host": "status_port",
}
"""Settings that do nothing without another one."""

PROXY_KINDS = {"http": "http", "socks5": "socks5", "socks5h": "socks5"}
"""The kinds of proxies, by how an address begins: each looks up the names of hosts itself, as curl's socks5h does."""

MAX_CREDENTIAL = 255
"""Characters of a name or password that SOCKS takes."""

NEARNESS = 0.85
"""How like a setting's whole name another name is, of 1, that is taken for a slip of the pen."""

MAX_SHOWN = 60
"""Characters of a value that are shown."""

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


def system_variables() -> dict[str, str]:
    """Returns what a process needs of the environment to start at all: on Windows where the system is."""
    return {name: value for name, value in os.environ.items() if name.upper() == "SYSTEMROOT"}


class BadSettings(Exception):
    """A setting that cannot be used: one sentence that names it and says what to do, and never shows a secret."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """What the operator offers to the public beside the bot: pages, and a place for feedback. Each may be missing."""

    support: str | None = None
    source: str | None = None
    terms: str | None = None
    privacy: str | None = None
    feedback: SecretStr | None = None
    """See CHANNEL and WEBHOOK."""
    web: str | None = None
    """The address of the web board."""
    client_secret: SecretStr | None = None
    """With it the web board is an Activity of Discord as well."""
    can_invite: bool = True
    """Whether Discord can add the bot to servers: not the stand-in's."""


class StatusSettings(BaseSettings):
    """The settings that `kropka health` needs."""

    model_config = SettingsConfigDict(
        env_prefix="KROPKA_",
        env_file=ENV_FILE,
        env_file_encoding=ENCODING,
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    status_host: str = "127.0.0.1"
    status_port: int | None = Field(None, ge=0, le=65535)
    """The port of `/healthz` and `/metrics`; none without it."""

    @classmethod
    def read(cls, secrets: Path = SECRETS) -> Self:
        """Reads the settings. Raises BadSettings."""
        _check_env_file()
        try:
            folders = [folder for folder in _folders_of_secrets(secrets) if folder.is_dir()]
            return cls(_secrets_dir=folders or None)  # type: ignore[call-arg]
        except ValidationError as error:
            raise BadSettings(_sentence(error.errors(include_url=False)[0])) from None


class Settings(StatusSettings):
    """All settings; `KROPKA_TOKEN` and so on in the environment."""

    token: SecretStr | None = None
    matrix_homeserver: HttpUrl | None = None
    """The address of the homeserver of the bot's account on Matrix: https, or http on this machine."""
    matrix_token: SecretStr | None = None
    """The access token of that account; Kropka isn't on Matrix without both."""
    telegram_token: SecretStr | None = None
    """The token of a bot on Telegram, as @BotFather tells it: the program plays there, too, or there alone."""
    telegram_address: str = Field("https://api.telegram.org", repr=False)
    """The address of the Bot API: another one for a Bot API server of one's own."""
    database: str | None = Field(None, repr=False, validation_alias=AliasChoices("KROPKA_DATABASE", "DATABASE_URL"))
    """`sqlite+aiosqlite:///PATH` or `postgresql+asyncpg://USER:PASSWORD@HOST/NAME`; without it, a file in `data`."""
    proxy: SecretStr | None = None
    """The address of a proxy for all that goes out; without it, the proxy that standard variables name."""
    discord: HttpUrl | None = None
    """The address of a stand-in for Discord on this machine."""
    port: int = Field(8420, ge=0, le=65535)
    """The port of the try-out's chat page; 0 takes any free one."""
    thinkers: int = Field(1, ge=0, le=16)
    """Processes in which the computer thinks. With 0 it neither plays nor helps."""
    threads: int = Field(1, ge=1, le=8)
    """Cores that each of these processes uses for a move."""
    pace: float = Field(0, ge=0, le=60)
    """Seconds that the computer takes for a move at least, as people do."""
    requests: int = Field(DEFAULT_REQUESTS, ge=1, le=1_000_000)
    """Clicks and commands a minute of each player, a quarter of them at once."""
    dot_dash: bool = False
    """Whether Dot Dash is offered. Its author, Phil Leduc, asks everyone who offers it to the public for permission."""
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
    web_url: HttpUrl | None = None
    """The address at which browsers reach the web board: https, or http on this machine; no web board without it."""
    client_secret: SecretStr | None = None
    """The application's client secret, by which the web board is an Activity too; only links to it without one."""
    web_host: str = "127.0.0.1"
    """The address on which the web board listens, behind a reverse proxy."""
    web_port: int = Field(8422, ge=0, le=65535)
    shards: int | None = Field(None, ge=1)
    """Gateway shards of all processes together; without it, as many as Discord recommends."""
    processes: int = Field(1, ge=1)
    """Processes that share them, on a PostgreSQL database."""

    @field_validator("token", "matrix_token", "telegram_token")
    @classmethod
    def _in_one_piece(cls, token: SecretStr | None, about: ValidationInfo) -> SecretStr | None:
        if token is not None and not re.fullmatch(r"[!-~]+", token.get_secret_value().strip()):
            source = SOURCES_OF_TOKENS[about.field_name or "token"]
            raise ValueError(f"This isn't a token. Copy the token alone from {source}, without spaces.")
        return token

    @field_validator("matrix_homeserver")
    @classmethod
    def _takes_a_token(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is not None and (
            (address.scheme != "https" and address.host not in LOCAL)
            or address.path not in (None, "/")
            or any(sign in str(address) for sign in "?#@")
        ):
            raise ValueError("it must be an https address without a path, such as https://matrix.example")
        return address

    @field_validator("proxy")
    @classmethod
    def _known_proxy(cls, address: SecretStr | None) -> SecretStr | None:
        return address and SecretStr(proxy_address(address.get_secret_value()))

    @field_validator("discord")
    @classmethod
    def _on_this_machine(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is not None and address.host not in LOCAL:
            raise ValueError(f"It takes the token, so it must be on this machine. {_usable('discord')}")
        return address

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_capitals(cls, level: object) -> object:
        return level.upper() if isinstance(level, str) else level

    @field_validator("support", "source", "terms", "privacy")
    @classmethod
    def _public(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is not None and (
            address.scheme != "https" or address.username or address.password or len(str(address)) > MAX_LINK
        ):
            raise ValueError(f"it must be an https address of at most {MAX_LINK} characters, without a password")
        return address

    @field_validator("web_url")
    @classmethod
    def _reachable(cls, address: HttpUrl | None) -> HttpUrl | None:
        if address is None:
            return None
        is_safe = address.scheme == "https" or address.host in LOCAL
        if not is_safe or address.path not in (None, "/") or any(sign in str(address) for sign in "?#@"):
            raise ValueError(
                "it must be an https address without a path or anything after it, such as https://kropka.example"
            )
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
        from storage import address  # `kropka health` does without the database, which takes long to load

        return database and address(database).render_as_string(hide_password=False)

    @model_validator(mode="after")
    def _one_division(self) -> Self:
        from storage import file_of

        if self.processes > 1 and (self.shards is None or file_of(self.address()) is not None):
            raise ValueError(
                f"KROPKA_PROCESSES: {self.processes} processes need KROPKA_SHARDS, and a PostgreSQL database in"
                " KROPKA_DATABASE. Set both, or leave KROPKA_PROCESSES out."
            )
        return self

    @model_validator(mode="after")
    def _one_reader(self) -> Self:
        if self.processes > 1 and self.matrix_token is not None:
            raise ValueError(
                "KROPKA_MATRIX_TOKEN: one process reads Matrix, and KROPKA_PROCESSES says that there are"
                f" {self.processes}. Run one more bot for Matrix, or leave one of the two settings out."
            )
        return self

    def address(self, name: str = "kropka") -> str:
        """Returns the address of the database; without the setting, a file of that name."""
        return self.database or f"sqlite+aiosqlite:///{DATA / name}.db"

    def present_address(self) -> str:
        """Returns the address of the database for upkeep: the try-out's in a folder that has no other."""
        is_tryout = self.token is None and not (DATA / "kropka.db").exists() and (DATA / "tryout.db").exists()
        return self.address("tryout" if is_tryout else "kropka")

    def way_to(self, host: str = "discord.com") -> WayOut:
        """Returns the way to a host and all that belongs to it: through KROPKA_PROXY, or by the standard variables.

        Raises BadSettings.
        """
        from bot.way_out import STRAIGHT, WayOut  # `kropka health` does without aiohttp

        if self.proxy is not None:
            return WayOut(self.proxy)
        proxies = getproxies_environment()
        address = proxies.get("https") or proxies.get("all")
        if address is None or self.discord is not None or proxy_bypass(host):
            return STRAIGHT
        try:
            return WayOut(SecretStr(proxy_address(address)))
        except ValueError as error:
            raise BadSettings(f"HTTPS_PROXY (or ALL_PROXY): {error} Or name {host} in NO_PROXY.") from None

    def way_to_homeserver(self) -> WayOut:
        """Returns the way to the homeserver. Raises BadSettings."""
        from bot.way_out import STRAIGHT

        host = self.matrix_homeserver.host if self.matrix_homeserver else None
        return self.way_to(host) if host and host not in LOCAL else STRAIGHT

    def hosting(self) -> Hosting:
        """Returns what the operator offers to the public."""
        support, source, terms, privacy = (
            str(page) if page else None for page in (self.support, self.source, self.terms, self.privacy)
        )
        site = str(self.web_url).rstrip("/") if self.web_url else None
        return Hosting(support, source, terms, privacy, self.feedback, site, self.client_secret if site else None)

    @property
    def secure_site(self) -> str | None:
        """The address of the web board, if browsers reach it by https, as Telegram asks of a Mini App."""
        return str(self.web_url).rstrip("/") if self.web_url is not None and self.web_url.scheme == "https" else None

    @property
    def has_chat(self) -> bool:
        """Whether the token of a chat platform beside Discord is set."""
        return self.telegram_token is not None or self.has_matrix

    @property
    def has_matrix(self) -> bool:
        """Whether the bot has an account on Matrix."""
        return self.matrix_homeserver is not None and self.matrix_token is not None

    def useless(self) -> Iterator[str]:
        """Yields a sentence for each setting that does nothing as the others are. The try-out has a site of its own."""
        for name, needed in USELESS_WITHOUT.items():
            if self.token is not None and name in self.model_fields_set and getattr(self, needed) is None:
                yield f"KROPKA_{name.upper()} does nothing without KROPKA_{needed.upper()}. Set both, or neither."

    def secret(self) -> str:
        """Returns the token, that of another platform without Discord: links are signed by it. Raises BadSettings."""
        token = self.token or self.telegram_token or (self.matrix_token if self.has_matrix else None)
        if token is None:
            raise BadSettings(
                "KROPKA_TOKEN: it's missing. Write KROPKA_TOKEN= and the bot's token into the file"
                f" {ENV_FILE.resolve()}."
            )
        return token.get_secret_value()


def proxy_address(given: str) -> str:
    """Returns the address of a proxy as `bot.way_out` takes it. Raises ValueError, which doesn't show it."""
    try:
        parts = urlsplit(given.strip() if "://" in given else f"http://{given.strip()}")
        kind = PROXY_KINDS[parts.scheme]
        named = [unquote(each) for each in (parts.username, parts.password) if each is not None]
        if (
            parts.hostname
            and parts.port
            and (parts.path or "/", parts.query, parts.fragment) == ("/", "", "")
            and len(named) != 1
            and all(each.isascii() and each.isprintable() and 0 < len(each) <= MAX_CREDENTIAL for each in named)
        ):
            return f"{kind}://{parts.netloc}"
    except (KeyError, ValueError):
        pass
    raise ValueError(
        "This isn't a proxy's address. Use http://HOST:PORT or socks5://NAME:PASSWORD@HOST:PORT, with %40 for @, %2F"
        " for / and %23 for #."
    )


def _sentence(error: ErrorDetails) -> str:
    """Returns what is wrong with a setting, and what it may be."""
    if not error["loc"]:  # it is about more than one
        return error["msg"].removeprefix("Value error, ")
    name = "_".join(str(part) for part in error["loc"]).upper().removeprefix("KROPKA_").lower()
    named = "KROPKA_DATABASE (or DATABASE_URL)" if name in ("database", "database_url") else f"KROPKA_{name.upper()}"
    if error["type"] == "value_error":
        return f"{named}: {error['msg'].removeprefix('Value error, ')}"
    given = "This value" if name in SECRET else f"“{printable(str(error['input']))}”"
    return f"{named}: {given} isn't valid. {_usable(name)}"


def _usable(name: str) -> str:
    """Returns what a setting may be."""
    if name == "discord":
        return "Use an address such as http://127.0.0.1:8420."
    field = Settings.model_fields[name]
    kinds = get_args(field.annotation) or (field.annotation,)
    if get_origin(field.annotation) is Literal:
        return f"Use {', '.join(kinds[:-1])} or {kinds[-1]}."
    if bool in kinds:
        return "Use yes or no."
    bounds = {side: getattr(each, side) for each in field.metadata for side in ("ge", "le") if hasattr(each, side)}
    least, most = bounds.get("ge"), bounds.get("le")
    number = "a number" if float in kinds else "a whole number"
    return f"Use {number} from {least} to {most}." if most else f"Use {number}, {least} or more."


def printable(text: str) -> str:
    """Returns a text from outside as a line shows it."""
    line = "".join(each if each.isprintable() else "?" for each in text)
    return line if len(line) <= MAX_SHOWN else f"{line[:MAX_SHOWN]}…"


def unknown_settings(secrets: Path = SECRETS) -> Iterator[str]:
    """Yields a sentence for each name that is like a setting's and is none, with the nearest one."""
    files = [file for folder in _folders_of_secrets(secrets) if folder.is_dir() for file in folder.iterdir()]
    names = {*os.environ, *(each.key for each in _env_lines() if each.key), *(file.name for file in files)}
    known = [field.upper() for field in Settings.model_fields]
    whole = [f"KROPKA_{name}" for name in known]
    for name in sorted(names):
        begin, _, rest = name.upper().partition("_")
        if begin == "KROPKA" and rest not in known:
            near = get_close_matches(rest, known, 1)
            advice = f"Did you mean KROPKA_{near[0]}?" if near else f"There are {', '.join(known)} after KROPKA_."
            yield f"{printable(name)} isn't a setting of Kropka. {advice}"
        elif begin != "KROPKA" and (near := get_close_matches(name.upper(), whole, 1, NEARNESS)):
            yield f"{printable(name)} isn't a setting of Kropka. Did you mean {near[0]}?"


def with_folder(address: str) -> str:
    """Returns the address of a database, and creates the folder of its file. Raises BadSettings."""
    from storage import file_of

    if (file := file_of(address)) is not None:
        make_folder(file.parent)
    return address


def make_folder(folder: Path) -> None:
    """Creates a folder of the bot's data, for the owner alone. Raises BadSettings."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadSettings(
            f"KROPKA_DATABASE: the folder {folder} can't be made ({os.strerror(error.errno or 0)})."
            " Choose another place."
        ) from error


def _env_lines() -> list[Binding]:
    """Returns the lines of the `.env` file; none without one. Raises BadSettings."""
    try:
        with ENV_FILE.open(encoding=ENCODING) as file:
            return list(parse_stream(file))
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise BadSettings(f"{ENV_FILE.resolve()} isn't text in UTF-8. Save it in that encoding.") from None
    except OSError as error:
        raise BadSettings(f"{ENV_FILE.resolve()} can't be read ({error.strerror}).") from None


def _check_env_file() -> None:
    """Raises BadSettings for a line of the `.env` file that sets nothing."""
    for line in _env_lines():
        if line.error or (line.key is not None and line.value is None):
            raise BadSettings(
                f"{ENV_FILE.resolve()}, line {line.original.line}: this isn't a setting. Write NAME=VALUE."
            )
