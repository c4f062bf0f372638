"""The Discord client: events in, use cases called, nothing remembered."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
import yarl
from discord import app_commands

from bot.audience import Audience
from bot.challenges import bargain, offers
from bot.challenges.cards import Cards
from bot.challenges.haggling import Haggling
from bot.coach import puzzles
from bot.coach.teacher import Teacher
from bot.commands import (
    career,
    challenge,
    help,  # noqa: A004 - the command is called so
    ladder,
    leaderboard,
    learn,
    life,
    play,
    rules,
    settings,
    teach,
    tournament,
)
from bot.commands import imports as imported
from bot.commands import privacy as privately
from bot.community import histories, imports, leaderboards, privacy, profiles, tournaments
from bot.community.honours import Wardrobe
from bot.community.news import Teller
from bot.connection import Connection
from bot.display import more
from bot.display.announcer import Announcer
from bot.display.boards import Boards
from bot.guide import lesson, manual, rulebook
from bot.interactions import buttons, errors, forms, gate
from bot.interactions.answers import ANSWER_SECONDS
from bot.interactions.doors import Doors
from bot.interactions.limits import POSTS, Limits, Pace, Rate
from bot.interactions.request import Request
from bot.lane import Lane
from bot.life import clocks, ending, offering, plans, rematch, vacations
from bot.names import Names
from bot.setup import house, podium, preferences
from bot.translator import Translator
from bot.turns import keypad, moves
from bot.turns.replies import Replies
from play.crier import Crier
from play.herald import Herald
from play.ids import UserId
from play.refused import Refused
from play.steward import Steward
from play.tournaments.organising import Organising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.abc import Snowflake

    from bot.words import Languages
    from play.store import WatchedStore
    from play.tables import Tables

log = logging.getLogger(__name__)

Interaction: TypeAlias = "discord.Interaction[Kropka]"

BUTTONS = (
    *buttons.BUTTONS,
    *keypad.BUTTONS,
    *lesson.BUTTONS,
    *manual.BUTTONS,
    *more.BUTTONS,
    *offers.BUTTONS,
    *puzzles.BUTTONS,
    *bargain.ITEMS,
    *preferences.ITEMS,
    *house.ITEMS,
    *podium.ITEMS,
    *rulebook.ITEMS,
    *offering.BUTTONS,
    *ending.BUTTONS,
    *clocks.BUTTONS,
    *plans.BUTTONS,
    *vacations.BUTTONS,
    *rematch.BUTTONS,
    *histories.BUTTONS,
    *imports.BUTTONS,
    *profiles.BUTTONS,
    *leaderboards.BUTTONS,
    *tournaments.BUTTONS,
    *privacy.BUTTONS,
)
"""The templates that answer clicks."""

FORMS = (*moves.FORMS, *bargain.FORMS, *preferences.FORMS, *plans.FORMS)
"""The templates that answer forms."""


class Tree(app_commands.CommandTree[Any]):
    """The slash commands in all languages; whatever they raise is explained to the person.

    Matches are offered by the rules of `presets`.
    """

    def __init__(self, client: discord.Client, languages: Languages, presets: Sequence[str]) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self._languages, words = languages, languages.of()
        commands: tuple[app_commands.Command[Any, Any, None] | app_commands.Group, ...] = (
            *challenge.commands(words, presets),
            *play.commands(words),
            *life.commands(words),
            life.moderation(words),
            *settings.commands(words),
            *rules.commands(words, presets),
            *help.commands(words),
            *learn.commands(words),
            *teach.commands(words),
            *career.commands(words),
            *imported.commands(words),
            *leaderboard.commands(words),
            *tournament.commands(words, presets),
            *privately.commands(words),
            *ladder.commands(words),
        )
        for command in commands:
            self.add_command(command)
        self._ids: dict[str, int] = {}

    async def ids(self) -> dict[str, int]:
        """The ids of the commands by name, which Discord is asked for once; none where it does not say."""
        if not self._ids:
            with suppress(discord.HTTPException):
                self._ids = {command.name: command.id for command in await self.fetch_commands()}
        return self._ids

    async def sync(self, *, guild: Snowflake | None = None) -> list[app_commands.AppCommand]:
        """Tells Discord the commands in all languages."""
        await self.set_translator(Translator(self._languages))
        return await super().sync(guild=guild)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        if not await gate.admitted(interaction):
            return False
        if interaction.type is discord.InteractionType.autocomplete or _as_declared(interaction):
            return True
        await errors.answer(interaction, Refused("bad_command"))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        if isinstance(error, app_commands.CommandInvokeError):
            await errors.answer(interaction, error.original)
        elif isinstance(error, _MISFITS):
            await errors.answer(interaction, Refused("bad_command"))
        else:
            await errors.answer(interaction, error)


_MISFITS = (app_commands.TransformerError, app_commands.CommandSignatureMismatch, app_commands.CommandNotFound)
"""A command as it is not declared here: made up, or by a Discord that knows another version of it."""


def _as_declared(interaction: Interaction) -> bool:
    """Whether the options are of their lists and within their bounds: Discord sees to that, and discord.py does not."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return True
    given = ((each, getattr(interaction.namespace, each.name, None)) for each in command.parameters)
    return all(value is None or _allows(parameter, value) for parameter, value in given)


_TYPES = {discord.AppCommandOptionType.string: str, discord.AppCommandOptionType.integer: int}


def _allows(parameter: app_commands.Parameter, value: Any) -> bool:
    if not isinstance(value, _TYPES.get(parameter.type, object)):
        return False
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    size: Any = len(value) if isinstance(value, str) else value
    least, most = parameter.min_value, parameter.max_value
    return (least is None or least <= size) and (most is None or size <= most)


class Kropka(Connection):
    """The bot. It needs no privileged intent: messages reach it that mention it, reply to it or are written to it."""

    def __init__(
        self,
        tables: Tables,
        store: WatchedStore,
        languages: Languages,
        presets: Sequence[str],
        limits: Limits | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        processes: int = 1,
    ) -> None:
        """`answer_seconds` is how long an answer may take before the click is acknowledged; `processes` share what
        Discord lets one bot do."""
        super().__init__(
            limits or Limits(),
            intents=discord.Intents(guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=0,  # without the guilds intent there are none to wait for
        )
        self.tables = tables
        self.tournaments = Organising(store, tables, tables.seeds)
        self.store = store
        self.languages = languages
        self.audience = Audience(self)
        self.names = Names(self)
        self.boards = Boards(store, self.names)
        self.lane = Lane(self.meters)
        self.teacher = Teacher(self)
        self.doors = Doors(self, Pace(Rate(max(1, POSTS.burst // processes), POSTS.every * processes)))
        self.announcer = Announcer(self)
        self.herald = Herald(store, self.announcer)
        self.replies = Replies(self)
        self.cards = Cards(self)
        self.crier = Crier(store, Teller(self))
        self.steward = Steward(store, Wardrobe(self))
        self.presets = presets
        self.answer_seconds = answer_seconds
        self.purposes = (Haggling, preferences.Mine, house.Ours)
        self.overview = more.shown
        self.tree = Tree(self, languages, presets)
        self.add_dynamic_items(*BUTTONS)

    def itself(self) -> UserId:
        """The bot's own account."""
        assert self.user is not None, "the bot is logged in"
        return UserId(self.user.id)

    async def on_interaction(self, interaction: Interaction) -> None:
        self.audience.remember(interaction)
        self.names.remember(interaction.user, Request.of(interaction).guild)
        if interaction.type is discord.InteractionType.modal_submit:
            await forms.submitted(interaction, FORMS)
        elif interaction.type is discord.InteractionType.component:
            await gate.turn_away_forged(interaction, _fitting(interaction.custom_id or ""))

    async def on_message(self, message: discord.Message) -> None:
        await self.replies.read(message)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("%s failed", event_method)

    async def close(self) -> None:
        """Lets running handlers end, then leaves Discord."""
        await self.lane.close()
        await self.settle()
        await self.replies.close()
        await self.announcer.close()
        await super().close()


def _fitting(custom_id: str) -> list[type[discord.ui.DynamicItem[Any]]]:
    """The templates that answer a custom id."""
    return [button for button in BUTTONS if button.__discord_ui_compiled_template__.fullmatch(custom_id)]


def use_stand_in(address: str) -> None:
    """Points discord.py at a stand-in, with all three addresses: with one alone it would look for the real gateway."""
    root = address.rstrip("/")
    discord.http.Route.BASE = f"{root}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{root}/gateway").with_scheme("ws")
    discord.asset.Asset.BASE = f"{root}/cdn"
