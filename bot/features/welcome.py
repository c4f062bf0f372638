"""First contact: a card greets each server that the bot joins, and answers players who mention the bot or write to it.

GUILD_CREATE comes for a new server, and also for every server at each start and after each outage. Nothing in it says
which of these it is, so the time at which the bot joined decides.

Source: https://discord.com/developers/docs/events/gateway-events#guild-create
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import discord
from discord.utils import parse_time

from bot.interactions import custom_ids as ids
from bot.interactions.context import Coach
from bot.interactions.layout import Control, Part, button, files, layout, picture_file
from bot.request import Request, own_id
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import is_final
from bot.services.guild_directory import from_top, permissions_in
from bot.services.locales import Locales
from bot.services.web_links import WebLinks
from play.community.greeting import Greeting
from play.ids import ChannelId, GuildId, Millis, UserId
from presentation.words.words import Words
from renderer.board import draw
from rules.registry import DEFAULT, make_game
from storage.errors import Unavailable
from use_cases.greetings import Greetings
from use_cases.worker import Undeliverable

log = logging.getLogger(__name__)

Json = Mapping[str, Any]

NEEDED = discord.Permissions(view_channel=True, send_messages=True, embed_links=True, attach_files=True)
"""What a greeting needs in its channel."""

READ = discord.Permissions(view_channel=True)
"""What everybody needs to see it there."""

TEXTS = (discord.ChannelType.text.value, discord.ChannelType.news.value)
"""The kinds of channels to greet in."""

RESERVED = ("rules_channel_id", "public_updates_channel_id", "safety_alerts_channel_id")
"""Channels that are no place to greet, however many read them."""

MOVES = ("F6", "C4", "E7", "G5", "D4", "F3", "C5")
"""A short game from the cross: the first player captures a dot, and with the last move another one."""


class Join(NamedTuple):
    """When the bot joined a server."""

    guild: GuildId
    at: Millis


def read_join(guild: Json) -> Join | None:
    """Returns the join of the server of GUILD_CREATE; None during an outage of it, when only its id is known."""
    if guild.get("unavailable") or not (joined := parse_time(guild.get("joined_at"))):
        return None
    return Join(GuildId(int(guild["id"])), Millis(int(joined.timestamp() * 1000)))


def choose_channel(guild: Json, own_id: UserId) -> ChannelId | None:
    """Returns where to greet: the system channel, else the first text channel that everybody reads.

    None if the bot may not write in any of them.
    """
    roles = _own_roles(guild, own_id)
    found = (each["id"] for each in _candidates(guild) if permissions_in(guild, each, roles, own_id) >= NEEDED)
    channel = next(found, None)
    return ChannelId(int(channel)) if channel else None


def _candidates(guild: Json) -> Iterable[Json]:
    """Returns the channels in which the greeting makes sense, the best first."""
    texts = [each for each in from_top(guild["channels"]) if each["type"] in TEXTS]
    reserved = {guild.get(each) for each in RESERVED}
    yield from (each for each in texts if each["id"] == guild.get("system_channel_id"))
    for each in texts:
        if each["id"] not in reserved and permissions_in(guild, each, {guild["id"]}, None) >= READ:
            yield each


def _own_roles(guild: Json, own_id: UserId) -> set[str]:
    """Returns the ids of the bot's roles: that of everybody, the one that came with it, and those it was given."""
    own = next((each for each in guild["members"] if int(each["user"]["id"]) == own_id), None)
    managed = (each["id"] for each in guild["roles"] if (each.get("tags") or {}).get("bot_id") == str(own_id))
    return {guild["id"], *managed, *(own["roles"] if own else ())}


def welcome_card(
    words: Words, *, has_computer: bool, guides: str | None, in_private: bool = False, is_greeting: bool = False
) -> dict[str, Any]:
    """Returns the card, as a message takes it once, with a link to the `guides` if they have an address.

    A direct message offers no challenge: there is no opponent in it. The greeting of a new server tells of home posts.
    """
    picture = picture_file(draw_welcome(), "kropka-welcome", words("welcome.picture"))
    buttons: list[Control] = []
    if has_computer:
        buttons.append(button(ids.NEWCOMER(), words("welcome.play"), discord.ButtonStyle.primary))
    buttons.append(button(ids.PATH(chapter=0), words("welcome.learn")))
    if not in_private:
        buttons.append(button(ids.CHALLENGE_SOMEONE(), words("welcome.challenge")))
    buttons.append(button(ids.PLAY_PANEL(flexible=1), words("seek.door")))
    if guides:
        buttons.append(discord.ui.Button[Any](label=words("web.help.title"), url=guides))
    parts: list[Part] = [picture, words("welcome.text"), buttons]
    if is_greeting:
        parts.append(f"-# {words('welcome.home')}")
    return {"view": layout(parts), "files": files(parts)}


@cache
def draw_welcome() -> bytes:
    """Draws the board after the short game, once: it is the same for all. Takes 30 ms."""
    game = make_game(DEFAULT, {"size": "9x9"})
    position = game.start(0)
    for move in MOVES:
        position = position.play(game.parse(move))
    return draw(position.picture(), None)


class Greeter:
    """Implements use_cases.workers.news_relay.Greeter."""

    def __init__(
        self,
        client: discord.Client,
        greetings: Greetings,
        channels: ChannelMessenger,
        locales: Locales,
        coach: Coach,
        links: WebLinks | None,
    ) -> None:
        self._client = client
        self._greetings = greetings
        self._channels = channels
        self._locales = locales
        self._coach = coach
        self._guides = links.guides if links else None

    async def note_guild(self, guild: dict[str, Any]) -> None:
        """Notes a server of which the gateway tells, if the bot has joined it lately."""
        join = read_join(guild)
        if join is None:
            return
        try:
            if not await self._greetings.is_due(*join):
                return
            channel = await asyncio.to_thread(choose_channel, guild, own_id(self._client))
            if channel is None:
                log.info("server %d is not greeted: there is no channel for it", join.guild)
                return
            self._locales.remember_guild(guild)
            await self._greetings.add(Greeting(join.guild, channel, join.at))
        except Unavailable as error:
            log.warning("server %d may not be greeted: %s", join.guild, error)

    async def greet(self, greeting: Greeting) -> None:
        """See use_cases.workers.news_relay.Greeter."""
        card = await self._card(await self._locales.for_guild(greeting.guild), is_greeting=True)
        try:
            await self._channels.post(greeting.channel, card, f"hi:{greeting.guild}", guild=greeting.guild)
        except discord.HTTPException as error:
            if is_final(error):
                raise Undeliverable(str(error)) from error
            raise

    async def introduce(self, message: discord.Message, request: Request) -> None:
        """Answers a message with the card."""
        in_private = request.guild is None
        locales = self._locales
        words = await (
            locales.for_user(request.user, None) if in_private else locales.for_guild(request.guild, request.user)
        )
        card = (await self._card(words, in_private=in_private))()
        try:
            await message.reply(view=card["view"], files=card["files"], mention_author=False)
        except discord.HTTPException as error:
            log.info("message %d is not answered: %s", message.id, error)

    async def _card(self, words: Words, **options: bool) -> Callable[[], dict[str, Any]]:
        """Returns what makes the card anew for each try, since sending uses it up."""
        await asyncio.to_thread(draw_welcome)
        return partial(welcome_card, words, has_computer=self._coach.has_computer, guides=self._guides, **options)
