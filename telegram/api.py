"""The Bot API by HTTP: one call a method, and what its refusals mean.

Source: https://core.telegram.org/bots/api
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
import orjson

from use_cases.worker import RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)

ADDRESS: Final = "https://api.telegram.org"

CALL_SECONDS = 30.0
"""Seconds for a call, with a picture on a slow line."""

GONE = (
    *("chat not found", "bot was kicked", "bot is not a member", "user is deactivated", "group is deactivated"),
    *("message to edit not found", "message can't be edited", "message_id_invalid", "message thread not found"),
    *(
        "topic_closed",
        "topic_deleted",
        "chat_write_forbidden",
        "not enough rights",
        "have no rights",
        "peer_id_invalid",
    ),
    *("need administrator rights", "chat_admin_required", "user not found", "participant_id_invalid"),
    *("message to delete not found", "chat_send_photos_forbidden", "group chat was upgraded"),
)
"""Parts of descriptions of errors after which no try will ever help, in lower case."""

UNCHANGED: Final = "message is not modified"
TOO_OLD: Final = "query is too old"
BAD_ENTITIES: Final = "can't parse entities"
NO_TEXT: Final = "there is no text in the message to edit"
NOT_MEDIA: Final = "there is no caption in the message to edit"


class ApiError(Exception):
    """A refusal of Telegram: its `code`, its `description`, and where a group has gone that became a supergroup."""

    def __init__(self, code: int, description: str, migrated_to: int | None = None) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description.lower()
        self.migrated_to = migrated_to

    def says(self, part: str) -> bool:
        """Returns whether the description has this part."""
        return part in self.description


class BadToken(Exception):
    """Telegram does not know the token."""


class BotApi:
    """Calls methods. The token is in addresses, so none of them is ever logged."""

    def __init__(self, session: aiohttp.ClientSession, token: str, address: str = ADDRESS) -> None:
        self._session = session
        self._base = f"{address}/bot{token}"
        self._files = f"{address}/file/bot{token}"

    async def call(
        self,
        method: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        files: Mapping[str, tuple[str, bytes]] | None = None,
        seconds: float = CALL_SECONDS,
    ) -> Any:
        """Returns the result of a method. `files` are named in its parameters as `attach://<name>`.

        Raises ApiError, BadToken, and RetryLater where nothing is known of what became of the call, or where there
        were too many.
        """
        given = {name: value for name, value in (parameters or {}).items() if value is not None}
        try:
            return self._result(*await self._send(method, given, files or {}, seconds))
        except (aiohttp.ClientError, TimeoutError, OSError, orjson.JSONDecodeError) as error:
            raise RetryLater(f"Telegram is not reached: {type(error).__name__}") from None

    async def download(self, path: str, most: int) -> bytes:
        """Returns a file of `most` bytes at most. Raises RetryLater and Unsendable."""
        try:
            async with self._session.get(f"{self._files}/{path}", timeout=_timeout(CALL_SECONDS)) as answer:
                data = await answer.content.read(most + 1)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise RetryLater(f"Telegram gives no file: {type(error).__name__}") from None
        if len(data) > most:
            raise Unsendable("the file is too long")
        return data

    async def _send(
        self, method: str, given: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]], seconds: float
    ) -> tuple[int, Any]:
        body: dict[str, Any]
        if files:
            form = aiohttp.FormData()
            for name, value in given.items():
                form.add_field(name, value if isinstance(value, str) else orjson.dumps(value).decode())
            for name, (filename, data) in files.items():
                form.add_field(name, data, filename=filename)
            body = {"data": form}
        else:
            body = {"data": orjson.dumps(given), "headers": {"Content-Type": "application/json"}}
        async with self._session.post(f"{self._base}/{method}", timeout=_timeout(seconds), **body) as answer:
            return answer.status, orjson.loads(await answer.read())

    @staticmethod
    def _result(status: int, answer: Any) -> Any:
        if isinstance(answer, dict) and answer.get("ok"):
            return answer["result"]
        told = answer if isinstance(answer, dict) else {}
        code, description = int(told.get("error_code", status)), str(told.get("description", ""))
        more = told.get("parameters") or {}
        if code == 429:
            raise RetryLater("too many requests to Telegram", float(more.get("retry_after", 1)))
        if code >= 500:
            raise RetryLater(f"Telegram fails: {code}")
        if code in (401, 404):
            raise BadToken(description)
        raise ApiError(code, description, more.get("migrate_to_chat_id"))


def _timeout(seconds: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=seconds)


def meaning_of(error: ApiError) -> Exception:
    """Returns what a refusal means to a worker."""
    if error.code == 403 or any(map(error.says, GONE)):
        return Undeliverable(str(error))
    return Unsendable(str(error))
