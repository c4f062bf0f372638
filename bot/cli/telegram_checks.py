"""Checks of `kropka doctor` that ask Telegram."""

from collections.abc import AsyncIterator

import aiohttp

from bot.cli.findings import Answer, CannotAsk, CannotTell, Check, bad, good, hint
from bot.settings import Settings
from telegram.api import ApiError, BadToken, BotApi
from use_cases.worker import RetryLater


class TelegramChecks:
    """The checks of one examination."""

    def __init__(self, settings: Settings, http: aiohttp.ClientSession) -> None:
        self._settings = settings
        self._http = http

    def checks(self) -> tuple[Check, ...]:
        """Returns the checks; none without a token."""
        if self._settings.telegram_token is None:
            return ()
        return (Check("telegram", "Does Telegram take the token, and hear the bot moves in groups?", self._look),)

    async def _look(self) -> AsyncIterator[Answer]:
        token = self._settings.telegram_token
        if token is None:
            raise CannotAsk("KROPKA_TELEGRAM_TOKEN is not set")
        try:
            me = await BotApi(self._http, token.get_secret_value(), self._settings.telegram_address).call("getMe")
        except BadToken:
            yield bad("KROPKA_TELEGRAM_TOKEN: Telegram doesn't know it; copy it again from @BotFather")
            return
        except (RetryLater, ApiError) as error:
            raise CannotTell(f"{error}; look at KROPKA_PROXY and at your network") from error
        yield good(f"the bot is @{me['username']} on Telegram")
        hears = bool(me.get("can_read_all_group_messages"))
        yield (
            good("it hears moves typed in groups")
            if hears
            else hint(
                "it hears only commands and replies to its boards in groups; ask @BotFather for setprivacy, Disable"
            )
        )
