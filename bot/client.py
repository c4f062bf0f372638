"""The gateway client: it dispatches what Discord sends to the features, and knows none of them by name."""

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiohttp
import discord
import yarl

from bot.connection import Connection
from bot.interactions import admission, components
from bot.interactions.command_tree import CommandTree, Feature
from bot.interactions.components import Component
from bot.interactions.context import Context, Services
from bot.request import Interaction
from bot.services.gate import Gate
from bot.telemetry.metrics import Metrics
from play.ids import ChannelId, GuildId, MessageId, RoleId
from presentation.words.words import Languages
from storage.errors import Unavailable

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Handlers:
    """What the client does with what it hears; `services` are for the handlers of interactions."""

    services: Services
    read_message: Callable[[discord.Message], Awaitable[None]]
    note_guild: Callable[[dict[str, Any]], Awaitable[None]]
    forget_guild: Callable[[GuildId], Awaitable[None]]
    drop_cards: Callable[[ChannelId, Collection[MessageId]], Awaitable[None]]
    check_thread: Callable[[ChannelId], Awaitable[None]]
    forget_channel: Callable[[ChannelId], Awaitable[None]]
    let_all_vote: Callable[[GuildId, Callable[[RoleId], bool]], Awaitable[None]]
    drop_hints: Callable[[Collection[MessageId]], None]


class Kropka(Connection):
    """The bot. It needs no privileged intent: messages reach it that mention it, reply to it or are written to it."""

    handlers: Handlers

    def __init__(
        self,
        features: Sequence[Feature],
        languages: Languages,
        gate: Gate,
        metrics: Metrics,
        trace: aiohttp.TraceConfig,
        *,
        note_id: Callable[[int], None],
        count_games: Callable[[], Awaitable[int]],
        settle_seconds: float,
        connector: aiohttp.BaseConnector,
    ) -> None:
        """All that goes to Discord takes the `connector`; see Connection for the rest."""
        super().__init__(
            gate,
            metrics,
            trace,
            note_id=note_id,
            count_games=count_games,
            settle_seconds=settle_seconds,
            connector=connector,
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=0,  # no server is kept, so there are none to wait for
        )
        self.tree = CommandTree(self, languages, features)
        self._components = [component for feature in features for component in feature.components]
        self._forms = [form for feature in features for form in feature.forms]
        self.add_dynamic_items(*self._components)

    def serve(self, handlers: Handlers) -> None:
        """Hands on to `handlers` what it hears. They need the client, and the client needs them before it logs in."""
        self.handlers = handlers

    @property
    def services(self) -> Services:
        return self.handlers.services

    async def setup_hook(self) -> None:
        """Learns the ids of the commands, by which sentences mention them, before anything is posted."""
        await self.tree.load_ids()

    def take_in(self, parse: Callable[[dict[str, Any]], object], sent: dict[str, Any]) -> None:
        """Lets an interaction in, or turns it away."""
        admission.take_in(self.services, sent, parse, partial(components.retry_button, self._forms))

    async def on_interaction(self, interaction: Interaction) -> None:
        """Remembers what Discord says of the player, and takes what discord.py does not dispatch itself."""
        ctx = Context.of(interaction)
        ctx.services.locales.remember(interaction)
        await ctx.services.names.meet(interaction.user, ctx.guild)
        if interaction.type is discord.InteractionType.modal_submit:
            await components.dispatch_form(ctx, self._forms)
        elif interaction.type is discord.InteractionType.component:
            await admission.refuse_forged(ctx, self._answering(interaction.custom_id or ""))

    async def on_message(self, message: discord.Message) -> None:
        """Reads a message that may be a move."""
        await self.handlers.read_message(message)

    async def on_raw_message_delete(self, deleted: discord.RawMessageDeleteEvent) -> None:
        """Ends what hung on a message that was deleted: a challenge on its card, an answer to a move."""
        await self._forget_messages(deleted.channel_id, [deleted.message_id])

    async def on_raw_bulk_message_delete(self, deleted: discord.RawBulkMessageDeleteEvent) -> None:
        """Ends what hung on messages that were deleted together."""
        await self._forget_messages(deleted.channel_id, deleted.message_ids)

    async def _forget_messages(self, channel: int, messages: Iterable[int]) -> None:
        gone = [MessageId(each) for each in messages]
        self.handlers.drop_hints(gone)
        try:
            await self.handlers.drop_cards(ChannelId(channel), gone)
        except Unavailable as error:
            log.warning("challenges of channel %d may have lost their cards: %s", channel, error)

    async def on_thread_payload(self, thread: dict[str, Any]) -> None:
        """Reads what the gateway says of a thread that has changed: a locked one is closed to its players."""
        if not thread["thread_metadata"]["locked"]:
            return
        try:
            await self.handlers.check_thread(ChannelId(int(thread["id"])))
        except Unavailable as error:
            log.warning("a match may be in the locked thread %s: %s", thread["id"], error)

    async def on_channel_deleted(self, channel: ChannelId) -> None:
        """Ends and moves what was in a channel or thread that was deleted."""
        try:
            await self.handlers.forget_channel(channel)
        except Unavailable as error:
            log.warning("what was in channel %d stays: %s", channel, error)

    async def on_guild_payload(self, guild: dict[str, Any]) -> None:
        """Reads what the gateway says of a server: one that the bot has joined, or one where it has been for long."""
        await self.handlers.note_guild(guild)
        there = {int(role["id"]) for role in guild.get("roles", ())}
        if there:  # none in an outage of Discord
            await self._let_all_vote(int(guild["id"]), lambda role: role not in there)

    async def on_role_deleted(self, deleted: dict[str, Any]) -> None:
        """Lets all members vote where those with a deleted role did."""
        await self._let_all_vote(int(deleted["guild_id"]), lambda role: role == int(deleted["role_id"]))

    async def on_guild_left(self, guild: GuildId) -> None:
        """Drops what is posted for a server that the bot was removed from."""
        try:
            await self.handlers.forget_guild(guild)
        except Unavailable as error:
            log.warning("server %d keeps its home: %s", guild, error)

    async def _let_all_vote(self, guild: int, is_gone: Callable[[RoleId], bool]) -> None:
        try:
            await self.handlers.let_all_vote(GuildId(guild), is_gone)
        except Unavailable as error:
            log.warning("roles of server %d that are gone may have votes: %s", guild, error)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Logs what an event handler raised."""
        log.exception("%s failed", event_method)

    def _answering(self, custom_id: str) -> list[type[Component]]:
        """Returns the classes that answer a custom id."""
        return [each for each in self._components if each.id_form.pattern.fullmatch(custom_id)]


def use_stand_in(address: str) -> None:
    """Points discord.py at a stand-in, with all three addresses: with one alone it would look for the real gateway."""
    root = address.rstrip("/")
    discord.http.Route.BASE = f"{root}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{root}/gateway").with_scheme("ws")
    discord.asset.Asset.BASE = f"{root}/cdn"
