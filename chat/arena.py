"""The arena of the whole world on a chat: joining it, its standing, and its message in groups that follow it."""

from __future__ import annotations

import logging

from chat.messages import Button, Message
from chat.request import Request, Rows, button
from chat.services import Services
from play.competitions.arena import Arena, Follower
from play.ids import ChannelId, MessageId, Millis, UserId
from play.refusal import Reason, Refused
from presentation.arenas import arena_text, short_text
from presentation.words.words import Words
from use_cases.worker import Undeliverable, Unsendable, Unshowable

log = logging.getLogger(__name__)


async def arena_section(request: Request, words: Words) -> tuple[list[str], Rows]:
    """Returns the arena that goes on or gathers, for the panel of a person; nothing without one."""
    arena = await request.use_cases.arenas.newest()
    if arena is None or not arena.stage.is_open:
        return [], ()
    way = "pause" if request.user in arena.present else "join"
    return [short_text(arena, request.at, words)], [
        [_way(way, words.plain, request.user), _standing(words.plain)],
    ]


async def enter(request: Request, way: str, channel: ChannelId) -> str:
    """Lets the person join the arena, whose boards come into the channel, or pause; returns what they are told. Raises
    Refused."""
    arenas, words = request.use_cases.arenas, await request.words()
    if way == "join":
        await arenas.join(request.user, request.guild, channel, request.at)
        return words("arena.joined")
    if way != "pause":
        raise Refused(Reason.OLD_BUTTON)
    await arenas.pause(request.user)
    return words("arena.left")


async def show_standing(request: Request) -> None:
    """Tells the person the standing of the newest arena. Raises Refused (`arena_over`) before the first one."""
    arena, now = await request.use_cases.arenas.newest_at()
    if arena is None:
        raise Refused(Reason.ARENA_OVER)
    await request.answer(await _told(request.services, arena, now, await request.words()))


async def follow_row(request: Request, words: Words) -> list[Button]:
    """Returns the switch by which managers let their group follow the arenas."""
    assert request.guild is not None, "only groups follow"
    follows = await request.use_cases.arenas.follower(request.guild) is not None
    label = words(f"switch.arena.{'on' if follows else 'off'}")
    return [button(label, "follow", request.user, int(not follows))]


def _way(way: str, words: Words, *owner: UserId) -> Button:
    return button(words(f"arena.button.{way}"), "arena", *owner, text=way)


def _standing(words: Words) -> Button:
    return button(words("web.tournament.standings"), "arena", text="standing")


async def _told(services: Services, arena: Arena, now: Millis, words: Words) -> str:
    names = dict(zip(arena.users, await services.names.of_all(arena.users, None), strict=True))
    return arena_text(arena, names, now, words)


class ChatArenas:
    """Implements use_cases.competitions.arena_posts.ArenaDisplay over a platform."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._platform = services.platform

    async def show(self, follower: Follower, arena: Arena, now: Millis) -> MessageId:
        """See use_cases.competitions.arena_posts.ArenaDisplay."""
        words = await self._services.locales.for_guild(follower.guild)
        text = await _told(self._services, arena, now, words)
        message = Message(text, buttons=self._buttons(arena, words.plain))
        if follower.message is not None:
            try:
                await self._platform.edit(follower.channel, follower.message, message)
                return follower.message
            except (Undeliverable, Unsendable) as gone:
                log.info("arena %d gets another message: %s", arena.id, gone)
        try:
            return await self._platform.post(follower.channel, message, f"a{follower.message or arena.id:x}")
        except Unsendable as refused:
            raise Unshowable(str(refused)) from refused

    def _buttons(self, arena: Arena, words: Words) -> tuple[tuple[Button, ...], ...]:
        links = self._services.links
        ways = tuple(_way(way, words) for way in ("join", "pause")) if arena.stage.is_open else ()
        page = (Button(words("arena.button.page"), url=links.arena),) if links is not None else ()
        return tuple(row for row in (ways, page) if row)
