"""The Discord client: events in, use cases called, nothing remembered."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
import yarl
from discord import app_commands

from bot.connection import Connection
from bot.features.challenges import buttons as offers
from bot.features.challenges import commands as challenge
from bot.features.challenges import terms_panel
from bot.features.challenges.cards import Cards
from bot.features.challenges.counter_offers import Haggling
from bot.features.coach import commands as teach
from bot.features.coach import puzzles
from bot.features.coach.coach import Teacher
from bot.features.help import help_command, learn_command, lesson, manual, rulebook, rules_command
from bot.features.ladder import commands as ladder
from bot.features.ladder.news import Teller
from bot.features.leaderboards import commands as leaderboard
from bot.features.leaderboards import leaderboards
from bot.features.leaderboards.roles import Wardrobe
from bot.features.match import action_commands, more_panel
from bot.features.match import commands as play
from bot.features.match.actions import clocks, conditional_moves, endings, rematch, vacations
from bot.features.match.actions import offers as offering
from bot.features.match.message import Boards
from bot.features.match.publisher import Announcer
from bot.features.match.turn import keypad, typed_moves
from bot.features.match.turn.replies import Replies
from bot.features.players import commands as career
from bot.features.players import histories, privacy, profiles
from bot.features.players import privacy_commands as privately
from bot.features.records import commands as imported
from bot.features.records import imports
from bot.features.settings import commands as settings
from bot.features.settings import personal, role_rewards, server
from bot.features.tournaments import commands as tournament
from bot.features.tournaments import tournaments
from bot.i18n.translator import Translator
from bot.interactions import admission, buttons, errors, modals
from bot.interactions.responses import ANSWER_SECONDS
from bot.request import Request
from bot.services.channels import Doors
from bot.services.job_pool import Lane
from bot.services.locales import Audience
from bot.services.names import Names
from bot.services.rate_limits import POSTS, Limits, Pace, Rate
from play.ids import UserId
from play.refusal import Reason, Refused
from play.workers.news_relay import NewsRelay
from play.workers.outbox_relay import OutboxRelay
from play.workers.role_sync import RoleSync
from play.workers.worker import MAX_PLAY_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS, Backoff, Timing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.abc import Snowflake

    from bot.i18n.words import Languages
    from play.services.use_cases import UseCases
    from play.store.store import WatchedStore

log = logging.getLogger(__name__)

Interaction: TypeAlias = "discord.Interaction[Kropka]"

BUTTONS = (
    *buttons.BUTTONS,
    *keypad.BUTTONS,
    *lesson.BUTTONS,
    *manual.BUTTONS,
    *more_panel.BUTTONS,
    *offers.BUTTONS,
    *puzzles.BUTTONS,
    *terms_panel.ITEMS,
    *personal.ITEMS,
    *server.ITEMS,
    *role_rewards.ITEMS,
    *rulebook.ITEMS,
    *offering.BUTTONS,
    *endings.BUTTONS,
    *clocks.BUTTONS,
    *conditional_moves.BUTTONS,
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

FORMS = (*typed_moves.FORMS, *terms_panel.FORMS, *personal.FORMS, *conditional_moves.FORMS)
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
            *action_commands.commands(words),
            action_commands.moderation(words),
            *settings.commands(words),
            *rules_command.commands(words, presets),
            *help_command.commands(words),
            *learn_command.commands(words),
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
        if not await admission.admitted(interaction):
            return False
        if interaction.type is discord.InteractionType.autocomplete or _as_declared(interaction):
            return True
        await errors.answer(interaction, Refused(Reason.BAD_COMMAND))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        if isinstance(error, app_commands.CommandInvokeError):
            await errors.answer(interaction, error.original)
        elif isinstance(error, _MISFITS):
            await errors.answer(interaction, Refused(Reason.BAD_COMMAND))
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
        use_cases: UseCases,
        store: WatchedStore,
        languages: Languages,
        presets: Sequence[str],
        limits: Limits | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        processes: int = 1,
        min_backoff_seconds: float = MIN_BACKOFF_SECONDS,
    ) -> None:
        """`answer_seconds` is how long an answer may take before the click is acknowledged; `processes` share what
        Discord lets one bot do; what fails is tried again after `min_backoff_seconds`."""
        super().__init__(
            limits or Limits(),
            intents=discord.Intents(guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=0,  # without the guilds intent there are none to wait for
        )
        self.use_cases = use_cases
        self.events = use_cases.events
        self.matches = use_cases.matches
        self.challenges = use_cases.challenges
        self.actions = use_cases.actions
        self.moderation = use_cases.moderation
        self.clocks = use_cases.clocks
        self.tournaments = use_cases.tournaments
        self.ladders = use_cases.ladders
        self.store = store
        self.languages = languages
        self.audience = Audience(self)
        self.names = Names(self)
        self.boards = Boards(store, self.names)
        self.lane = Lane(self.meters)
        self.teacher = Teacher(self)
        self.doors = Doors(self, Pace(Rate(max(1, POSTS.burst // processes), POSTS.every * processes)))
        self.announcer = Announcer(self)
        prompt = Timing(backoff=Backoff(min_backoff_seconds, MAX_PLAY_BACKOFF_SECONDS))
        self.herald = OutboxRelay(store, self.announcer, prompt)
        self.replies = Replies(self)
        self.cards = Cards(self)
        timing = Timing(backoff=Backoff(min_backoff_seconds))
        self.crier = NewsRelay(store, Teller(self), timing)
        self.steward = RoleSync(store, Wardrobe(self), timing)
        self.presets = presets
        self.answer_seconds = answer_seconds
        self.purposes = (Haggling, personal.Mine, server.Ours)
        self.overview = more_panel.shown
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
            await modals.submitted(interaction, FORMS)
        elif interaction.type is discord.InteractionType.component:
            await admission.turn_away_forged(interaction, _fitting(interaction.custom_id or ""))

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
