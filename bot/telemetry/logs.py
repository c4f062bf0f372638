"""Logs: lines for a terminal or JSON for a machine, with the ids of the match and the interaction.

No message of a user is logged, and no secret: the addresses of Discord's webhooks contain one.
"""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

import discord

from bot.edge import cut_pages
from bot.telemetry.reach import UNREACHABLE, reason

_interaction: ContextVar[int | None] = ContextVar("interaction", default=None)
_match: ContextVar[int | None] = ContextVar("match", default=None)

_WEBHOOK = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]+")
"""Its last part lets anyone write in the bot's name for 15 minutes."""

_LIBRARIES = ("discord", "alembic", "asyncio")
"""Their INFO lines tell an operator nothing and are shown at DEBUG; their DEBUG lines, which may have messages in them,
never are. (SQLAlchemy speaks only if it is told to.)"""

_RETRY_SECONDS = 5.0
"""Seconds that discord.py waits where its line does not say how long."""


def bind_interaction(interaction: int) -> None:
    """Binds what this task logs from now on to an interaction."""
    _interaction.set(interaction)


def bind_match(match: int) -> None:
    """Binds what this task logs from now on to a match."""
    _match.set(match)


def redact(text: str) -> str:
    """Returns the text without the secrets in Discord's addresses, and with one line in place of each page."""
    return _WEBHOOK.sub(r"\1[secret]", cut_pages(text))


class _Ids(logging.Filter):
    """A filter that adds the ids of the task to each record, and takes secrets and pages out of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage()), None
        ids = {"match": getattr(record, "match", None) or _match.get(), "interaction": _interaction.get()}
        record.ids = {name: number for name, number in ids.items() if number is not None}
        return True


class Lines(logging.Formatter):
    """The format of lines, for a terminal or the journal."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s%(suffix)s")

    def format(self, record: logging.LogRecord) -> str:
        ids: dict[str, int] = getattr(record, "ids", {})
        record.suffix = " [" + " ".join(f"{name} {number}" for name, number in ids.items()) + "]" if ids else ""
        return redact(super().format(record))


class Json(logging.Formatter):
    """The format of JSON, an object a line."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: str(number) for name, number in getattr(record, "ids", {}).items()},  # too long for some readers
        }
        if record.exc_info:
            entry["error"] = redact(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


def shorten_retry(record: logging.LogRecord) -> bool:
    """Makes one line of discord.py's traceback of a connection that failed and will be tried again."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, UNREACHABLE) and isinstance(record.args, tuple):
        shard, seconds = (*record.args, _RETRY_SECONDS)[:2]
        record.msg = "shard %s: Discord can't be reached (%s). Trying again in %.0f s."
        record.args = (shard, reason(error), seconds)
        record.exc_info, record.levelno, record.levelname = None, logging.WARNING, "WARNING"
    return True


def set_up(level: str, form: Literal["text", "json"]) -> None:
    """Logs to stderr, where systemd and Docker collect it."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Lines())
    handler.addFilter(_Ids())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    own = logging.getLogger().level
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(logging.INFO if own == logging.DEBUG else max(own, logging.WARNING))
    logging.getLogger("discord.shard").addFilter(shorten_retry)
    # discord.py warns of what we do on purpose: nothing here speaks.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
