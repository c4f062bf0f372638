"""Checks of `kropka doctor` that ask the homeserver of the bot's account on Matrix."""

from collections.abc import AsyncIterator

import aiohttp

from bot.cli.findings import Answer, CannotAsk, CannotTell, Check, bad, good
from bot.settings import Settings
from matrix.homeserver import Homeserver, SignedOut, TooFast, Unreachable
from use_cases.worker import Undeliverable, Unsendable


class MatrixChecks:
    """The checks of one examination; `session` is the way out to the homeserver."""

    def __init__(self, settings: Settings, session: aiohttp.ClientSession) -> None:
        self._settings = settings
        self._session = session

    def checks(self) -> tuple[Check, ...]:
        """Returns the checks in their order."""
        return (Check("matrix", "Does the homeserver take the token?", self._token),)

    async def _token(self) -> AsyncIterator[Answer]:
        address, token = self._settings.matrix_homeserver, self._settings.matrix_token
        if address is None or token is None:
            raise CannotAsk("KROPKA_MATRIX_HOMESERVER or KROPKA_MATRIX_TOKEN isn't set, so Kropka isn't on Matrix")
        homeserver = Homeserver(str(address), token.get_secret_value().strip(), self._session)
        try:
            account = (await homeserver.who_am_i()).get("user_id")
        except SignedOut:
            yield bad("it doesn't know the token; sign the bot's account in once more, and set KROPKA_MATRIX_TOKEN")
        except (Unreachable, TooFast) as error:
            raise CannotTell(f"{error}; look at KROPKA_MATRIX_HOMESERVER: {address}") from error
        except (Undeliverable, Unsendable) as error:
            yield bad(f"it refuses to say whose the token is ({error})")
        else:
            yield good(f"it does: the bot is {account}")
