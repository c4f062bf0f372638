"""The Discord client: events in, use cases called, nothing remembered."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
import yarl
from discord import app_commands

from bot import errors, moves
from bot.announcer import Announcer
from bot.boards import Boards
from bot.buttons import BUTTONS
from bot.commands import challenge, help, play  # noqa: A004 - the command is called so
from bot.names import Names
from bot.replies import Replies
from bot.request import Request
from play.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.words import Languages, Words
    from play.store import Store
    from play.tables import Tables

log = logging.getLogger(__name__)

Interaction: TypeAlias = "discord.Interaction[Kropka]"

SETTLING = 5.0
"""Seconds that running handlers get to end when the bot is told to stop."""


class Tree(app_commands.CommandTree[Any]):
    """The slash commands, described in `words`; whatever they raise is explained to the person.

    Matches are offered by the rules of `presets`.
    """

    def __init__(self, client: discord.Client, words: Words, presets: Sequence[str]) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        for command in (*challenge.commands(words, presets), *play.commands(words), *help.commands(words)):
            self.add_command(command)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        original = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await errors.answer(interaction, original)


class Kropka(discord.AutoShardedClient):
    """The bot. It needs no privileged intent: messages reach it that mention it, reply to it or are written to it."""

    def __init__(self, tables: Tables, store: Store, languages: Languages, presets: Sequence[str]) -> None:
        super().__init__(
            intents=discord.Intents(guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=0,  # without the guilds intent there are none to wait for
        )
        self.tables = tables
        self.store = store
        self.languages = languages
        self.names = Names(self)
        self.boards = Boards(store, self.names)
        self.announcer = Announcer(self)
        self.replies = Replies(self)
        self.tree = Tree(self, languages.of(), presets)
        self.add_dynamic_items(*BUTTONS)

    def words(self, interaction: Interaction) -> Words:
        """For what one person reads alone."""
        return self.languages.of(str(interaction.locale))

    def words_here(self, interaction: Interaction) -> Words:
        """For what everybody in a channel reads."""
        return self.languages.of(interaction.guild_locale and str(interaction.guild_locale))

    async def on_interaction(self, interaction: Interaction) -> None:
        self.names.remember(interaction.user, Request.of(interaction).guild)
        if interaction.type is discord.InteractionType.modal_submit:
            await moves.submitted(interaction)
        elif interaction.type is discord.InteractionType.component and not _known(interaction.custom_id or ""):
            await errors.answer(interaction, Refused("old_button"))

    async def on_message(self, message: discord.Message) -> None:
        await self.replies.read(message)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("%s failed", event_method)

    async def close(self) -> None:
        """Lets running handlers end, then leaves Discord."""
        handlers = [task for task in asyncio.all_tasks() if task.get_name().startswith(_HANDLERS)]
        if handlers:
            await asyncio.wait(handlers, timeout=SETTLING)
        await self.replies.close()
        await super().close()


_HANDLERS = ("CommandTree-invoker", "discord-ui-dynamic-item", "discord.py: on_")
"""What discord.py calls the tasks in which it runs us; it offers no list of them."""


def _known(custom_id: str) -> bool:
    return any(button.__discord_ui_compiled_template__.fullmatch(custom_id) for button in BUTTONS)


def use_stand_in(address: str) -> None:
    """Points discord.py at a stand-in, with all three addresses: with one alone it would look for the real gateway."""
    root = address.rstrip("/")
    discord.http.Route.BASE = f"{root}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{root}/gateway").with_scheme("ws")
    discord.asset.Asset.BASE = f"{root}/cdn"
