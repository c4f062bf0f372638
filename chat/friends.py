"""Games with a friend in another chat: who offers one gets a code, and who types it reads the terms and accepts."""

from __future__ import annotations

import re
from typing import Final

from chat.actions import Action
from chat.messages import Button
from chat.request import Request, Rows, button
from chat.strangers import channel_of, require_asked, wanted_terms
from play.clock import Speed
from play.codes import read_code
from play.community.seek import Seek, SeekId, SeekState
from play.refusal import Reason, Refused
from presentation.strangers import terms_details, wanted
from presentation.words.words import Words

_TYPED: Final = re.compile(r"\w{4}[-\s]\w{4}[-\s]\w{4}")


def find_code(typed: str) -> str | None:
    """Returns the letters of a code that is all of a typed line, in its three groups."""
    return read_code(typed) if _TYPED.fullmatch(typed.strip()) else None


async def show_invitation(request: Request, letters: str) -> None:
    """Asks the person whether they accept what a code offers. Each try counts. Raises Refused."""
    request.services.limits.count_code(request.user, request.guild)
    offered, words = await request.use_cases.friends.look_up(request.user, letters), await request.words()
    name = words.literal(await request.services.names.of(offered.user, None))
    take = button(words.plain("button.accept"), "befriend", request.user, text=letters)
    await request.answer(words("friend.ask", name=name, **terms_details(offered, words)), [[take]], private=True)


async def accept(request: Request, action: Action) -> None:
    """Takes what a code offers; the game comes into this place. Raises Refused."""
    require_asked(request, action)
    request.services.limits.count_code(request.user, request.guild)
    place = request.guild, await channel_of(request)
    await request.use_cases.friends.accept(request.user, action.text, *place)
    words = await request.words()
    await request.show(words("friend.taken"))


async def show_offer(request: Request, action: Action) -> None:
    """Shows the person's offer, or the ways to make one."""
    require_asked(request, action)
    await request.answer(*await _panel(request), private=True)


async def invite(request: Request, action: Action) -> None:
    """Offers a friend a game, which comes into this place, and tells the person alone its code. Raises Refused."""
    require_asked(request, action)
    if action.text not in set(Speed):
        raise Refused(Reason.OLD_BUTTON)
    terms, place = await wanted_terms(request, Speed(action.text)), (request.guild, await channel_of(request))
    made = await request.use_cases.friends.invite(request.user, *place, terms)
    words, links, (text, rows) = await request.words(), request.services.links, await _panel(request)
    by_link = [words("friend.link", url=links.friend(made.code))] if links is not None else []
    await request.answer("\n".join((words("friend.code", code=made.code), *by_link, text)), rows, private=True)


async def withdraw(request: Request, action: Action) -> None:
    """Withdraws the person's offer. Raises Refused."""
    require_asked(request, action)
    await request.use_cases.friends.withdraw(SeekId(action.number(1)), request.user)
    words = await request.words()
    await request.show(words("friend.withdrawn"))


async def _panel(request: Request) -> tuple[str, Rows]:
    words, offered = await request.words(), await request.use_cases.friends.of_user(request.user)
    if offered is None:
        return words("friend.about"), [[_way(request, speed, words.plain)] for speed in Speed]
    if offered.state is not SeekState.OFFERED:
        return words("seek.found"), ()
    return _waits(offered, words), [
        [button(words.plain("button.withdraw"), "retract", request.user, offered.id)],
    ]


def _way(request: Request, speed: Speed, words: Words) -> Button:
    return button(words(f"seek.button.{speed}"), "invite", request.user, text=speed)


def _waits(offered: Seek, words: Words) -> str:
    assert offered.ends is not None, "only those for a game a week have no end"
    return words("friend.waits", rules=wanted(offered, words), when=words.moment(offered.ends))
