"""`/link`: a person's accounts on several platforms, joined by a code that one gives and another takes."""

from __future__ import annotations

import logging

from chat.actions import Action
from chat.endings import close_question
from chat.messages import Message
from chat.request import Request, button
from chat.services import Services
from play.codes import read_code
from play.ids import Millis, UserId
from play.people.own_accounts import CODE_MILLIS
from play.refusal import Reason, Refused
from presentation.own_accounts import platform_name
from presentation.words.words import Words
from use_cases.worker import RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)


async def link(request: Request, typed: str) -> None:
    """Shows the person's accounts with a new code, or asks about the account that gave the `typed` one. Raises
    Refused."""
    words, own = await request.words(), request.services.own_accounts
    if typed:
        letters = read_code(typed)
        if letters is None:
            raise Refused(Reason.NO_LINK_CODE)
        details = await _details(request, await own.look_up(request.user, letters), words)
        rows = [[button(words.plain("own.button.join"), "join", text=letters)]]
        await request.answer(words("own.ask", **details), rows, private=True)
        return
    accounts, code = await own.of_user(request.user), await own.ask(request.user)
    lines = [words.markup.title(words("own.title"))]
    lines += [words.markup.item(words("own.line", **await _details(request, each, words))) for each in accounts]
    until = words.until(Millis(request.at + CODE_MILLIS), request.at)
    lines += [words("own.about"), words("own.code", code=code, when=until)]
    rows = [[button(words.plain("own.button.part"), "part")]] if len(accounts) > 1 else []
    await request.answer("\n".join(lines), rows, private=True)


async def join(request: Request, action: Action) -> None:
    """Joins the person's account with the one that gave the code. Raises Refused."""
    other, words = await request.services.own_accounts.join(request.user, action.text), await request.words()
    await close_question(request, "own.joined", **await _details(request, other, words))


async def part(request: Request, _: Action) -> None:
    """Takes the person's account from their others. Raises Refused."""
    await request.services.own_accounts.part(request.user)
    await close_question(request, "own.parted")


async def _details(request: Request, user: UserId, words: Words) -> dict[str, str]:
    """Returns the name of an account and its platform, for a sentence."""
    name = words.literal(await request.services.names.of(user, request.guild))
    return {"name": name, "platform": platform_name(user, words)}


class ChatAccountNotices:
    """Implements use_cases.own_accounts.AccountNotices for the people of one platform."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def tell_joined(self, user: UserId, other: UserId) -> None:
        """See use_cases.own_accounts.AccountNotices."""
        await self._tell("joined", user, other)

    async def tell_parted(self, user: UserId, other: UserId) -> None:
        """See use_cases.own_accounts.AccountNotices."""
        await self._tell("parted", user, other)

    async def _tell(self, what: str, user: UserId, other: UserId) -> None:
        words = await self._services.locales.for_user(user, None)
        name = words.literal(await self._services.names.of(other, None))
        text = words(f"own.told.{what}", name=name, platform=platform_name(other, words))
        try:
            await self._services.platform.tell(user, Message(text), f"o{what}{user:x}.{other:x}")
        except (RetryLater, Undeliverable, Unsendable) as error:
            log.info("user %d is not told that their account was %s: %s", user, what, error)
