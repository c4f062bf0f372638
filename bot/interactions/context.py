"""What a handler gets: who asks, where and when, how to answer, and the services of the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import discord

from bot.interactions.deferral import Defer, Deferral, deferring
from bot.interactions.layout import Control, Part, StoredFile, files, layout
from bot.interactions.phone import fit_to_phone
from bot.request import Interaction, Request, needs_token
from bot.services.channels import ChannelMessenger
from bot.services.discord_clock import DiscordClock
from bot.services.discord_errors import ErrorCode
from bot.services.gate import Gate, Intake
from bot.services.guild_directory import GuildDirectory
from bot.services.job_pool import JobPool
from bot.services.locales import Locales
from bot.services.members import OwnTimeOuts
from bot.services.messages import DirectMessages, fit
from bot.services.names import Names
from bot.services.open_questions import OpenQuestions
from bot.services.short_answers import ShortAnswers
from bot.services.web_links import WebLinks
from bot.settings import Hosting
from bot.telemetry.metrics import Metrics
from opponent.captures import Oversight
from opponent.choice import Budget, Choice
from opponent.review import Review
from play.challenge.challenge import Challenge
from play.community.daily import Recap
from play.community.puzzle import Puzzle
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MessageId, Millis, UserId
from play.match.match import Match
from play.people.settings import PlayerSettings
from presentation.words.words import Languages, Words
from rules.game import AnyPosition
from storage import Database
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights
from use_cases.match_writer import InChannel, MatchRef
from use_cases.own_accounts import OwnAccounts
from use_cases.privacy import Privacy
from use_cases.web_sessions import WebSessions
from use_cases.workers.outbox_relay import OutboxRelay, Reservation
from use_cases.years import ServerYears


class RenderedBoard(Protocol):
    """A board as Discord takes it."""

    @property
    def content(self) -> str: ...

    @property
    def pictures(self) -> dict[str, Any]:
        """What `send` takes for the pictures, made anew each time, since sending uses it up."""

    @property
    def buttons(self) -> discord.ui.View: ...


class MatchRenderer(Protocol):
    """Renders matches as boards; implemented in bot/features/match."""

    async def render(
        self, match: Match, words: Words, *, pictured: bool = True, reader: UserId | None = None
    ) -> RenderedBoard:
        """Returns the board in the words and the look of its readers, or of its only `reader`."""

    async def tell(self, match: Match, words: Words, *, reader: UserId) -> str:
        """Returns in words what happened last, and how the match ended."""


class BoardPublisher(Protocol):
    """Brings boards to their channels; implemented in bot/features/match."""

    def can_answer(self, ctx: Context, match: Match) -> bool:
        """Returns whether what everybody in the channel of `match` sees can answer the interaction."""

    async def answer_with_board(self, ctx: Context, deferral: Deferral, match: Match, held: Reservation) -> bool:
        """Answers the click that made this version with its board. Returns False if the relay has to post it."""

    async def wait_for_board(self, match: Match, within: float) -> MessageId | None:
        """Returns the message of this version; None if it is not there `within` so many seconds."""


class ChallengeCards(Protocol):
    """Posts and redraws the cards of challenges; implemented in bot/features/challenges."""

    async def post(self, challenge: Challenge) -> MessageId:
        """Posts the card of a new challenge. Raises discord.HTTPException; then the challenge is withdrawn."""

    async def redraw_pressed(self, challenge: ChallengeId, ctx: Context) -> None:
        """Redraws the card whose button the interaction comes from."""

    async def tell_proposer(self, ended: Challenge, decliner: UserId | None = None) -> None:
        """Mentions the player whose offer has ended, since an edit of the card notifies nobody: the `decliner` has
        declined it, or (None) a moderator has withdrawn it."""


class Advisor(Protocol):
    """The computer, as it helps players."""

    async def help(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = ...) -> Choice:
        """Returns a choice for a player. Raises Refused (`computer_busy`, `lane_yours`)."""

    async def look(self, position: AnyPosition, move: str) -> Oversight | None:
        """Returns the captures that a move overlooks. Raises Refused (`computer_busy`, `lane_yours`)."""


class DailyCard(NamedTuple):
    """The daily, as everybody on a server sees it. Sending uses the `file` up."""

    text: str
    file: discord.File
    buttons: Sequence[Control]


class DailyPuzzle(NamedTuple):
    """Today's puzzle from a game of a server, as everybody there sees it. Sending uses the `file` up."""

    puzzle: Puzzle
    text: str
    file: discord.File
    buttons: Sequence[Control]


class PuzzlePosts(Protocol):
    """Puzzles in channels; implemented in bot/features/coach."""

    async def daily_card(self, guild: GuildId, day: str) -> DailyCard:
        """Returns the daily of a day for a server. Raises Refused where the picture cannot be drawn."""

    async def recap_text(self, guild: GuildId, recap: Recap) -> str:
        """Returns how the daily of a day went on a server."""

    async def daily_puzzle(self, guild: GuildId, channel: ChannelId, now: Millis) -> DailyPuzzle | None:
        """Returns today's puzzle from a game of a server, made if there was none yet of what all who read the channel
        can read; None where no game has one.

        Raises Refused where the picture cannot be drawn.
        """

    async def post_puzzle(self, guild: GuildId, channel: ChannelId, now: Millis) -> Puzzle | None:
        """Returns today's puzzle from a game of a server, posted in `channel` if it is nowhere yet; None where no game
        has one. Raises Refused."""

    async def name_solvers(self, puzzle: Puzzle) -> None:
        """Names in the post of a puzzle of a server who has solved it."""


class Coach(Protocol):
    """The computer's advice, and what it posts; implemented in bot/features/coach."""

    @property
    def posts(self) -> PuzzlePosts:
        """Returns what posts puzzles in channels."""

    @property
    def has_computer(self) -> bool:
        """Returns whether the computer thinks here."""

    def advisor(self, asker: int) -> Advisor:
        """Returns the computer as it helps a user or a server. Raises Refused (`no_computer`) where the operator has
        none."""

    async def review(self, match: Match, user: UserId) -> Review:
        """Returns the review of a match, made once, for a user, and stores what its players can learn. Raises
        Refused."""


@dataclass(frozen=True, slots=True)
class Boards:
    """How boards reach the players."""

    renderer: MatchRenderer
    publisher: BoardPublisher
    relay: OutboxRelay


@dataclass(frozen=True, slots=True)
class Services:
    """What handlers may use. What a feature offers to others is a protocol above."""

    use_cases: UseCases
    privacy: Privacy
    own_accounts: OwnAccounts
    server_years: ServerYears
    rights: ChannelRights
    presets: Sequence[str]
    """The rules that `/challenge` offers."""
    languages: Languages
    locales: Locales
    names: Names
    time_outs: OwnTimeOuts
    channels: ChannelMessenger
    direct: DirectMessages
    directory: GuildDirectory
    gate: Gate
    intake: Intake
    answers: ShortAnswers
    discord_clock: DiscordClock
    metrics: Metrics
    jobs: JobPool
    boards: Boards
    cards: ChallengeCards
    coach: Coach
    hosting: Hosting
    questions: OpenQuestions
    web_sessions: WebSessions
    web_links: WebLinks | None
    """The way to the web board; None without a site."""
    answer_seconds: float
    """Seconds that an answer may take before its click is acknowledged."""

    @property
    def store(self) -> Database:
        return self.use_cases.store


class Context:
    """An interaction as a handler sees it."""

    __slots__ = ("interaction", "request", "services", "shows_searches")

    def __init__(self, interaction: Interaction, services: Services) -> None:
        self.interaction = interaction
        self.services = services
        self.shows_searches = False
        self.request = Request.of(interaction, services.discord_clock.read)

    @classmethod
    def of(cls, interaction: Interaction) -> Context:
        """Returns the context of an interaction, made once: the one place that takes the services from the client."""
        known: Context | None = interaction.extras.get(cls)
        if known is None:
            known = interaction.extras[cls] = cls(interaction, interaction.client.services)
        return known

    @property
    def use_cases(self) -> UseCases:
        return self.services.use_cases

    @property
    def user(self) -> UserId:
        return self.request.user

    @property
    def guild(self) -> GuildId | None:
        return self.request.guild

    @property
    def channel(self) -> ChannelId:
        return self.request.channel

    @property
    def at(self) -> Millis:
        """When Discord received the interaction."""
        return self.request.at

    @property
    def key(self) -> IdempotencyKey:
        """The idempotency key of what the interaction does."""
        return self.request.key

    @property
    def here(self) -> InChannel:
        """The match of the channel."""
        return self.request.here

    async def account_in(self, match: Match) -> UserId:
        """Returns the account for which the player acts in a match: their own, or that of the side they vote for.

        Raises Refused for one who may not vote.
        """
        return await self.use_cases.votes.account_in(match, self.request.member)

    @property
    def is_panel(self) -> bool:
        """Whether the interaction comes from a private panel, which an answer can change."""
        message, kind = self.interaction.message, self.interaction.type
        pressed = kind in (discord.InteractionType.component, discord.InteractionType.modal_submit)
        return pressed and message is not None and message.flags.ephemeral and message.flags.components_v2

    async def load_match(self, ref: MatchRef) -> Match:
        """Returns a match, looked at from the server of the interaction, or else from the player's. Raises Refused."""
        return (await self.use_cases.matches.load(ref)).for_reader(self.user, self.guild)

    async def words(self) -> Words:
        """Returns the words for what this player alone reads."""
        return await self.services.locales.for_user(self.user, self.guild)

    async def settings(self) -> PlayerSettings:
        """Returns the player's settings."""
        async with self.services.store.read() as reader:
            return await reader.people.get(self.user)

    async def defer_private(self) -> None:
        """Acknowledges, and gains time for a private answer; decide only after this. Raises NotFound if too late."""
        await self._defer(ephemeral=True, thinking=True)
        if needs_token(self.interaction):
            # The next answer would take the place of this one and, like it, be private: also a board.
            with suppress(discord.NotFound):
                await self.interaction.delete_original_response()
        await self.services.channels.open_channel(self.interaction)

    async def defer_update(self) -> None:
        """Acknowledges, and gains time to change the message that the button hangs on."""
        await self._defer()
        await self.services.channels.open_channel(self.interaction)

    async def open_panel(self) -> None:
        """Acknowledges: a button of a private panel will change it, anything else will get a new one."""
        await (self.defer_update() if self.is_panel else self.defer_private())

    async def _defer(self, **how: bool) -> None:
        try:
            await self.interaction.response.defer(**how)
        except discord.HTTPException as error:
            # A first try whose answer was lost, or a twin process: the key keeps what follows from counting twice.
            if error.code != ErrorCode.ALREADY_ACKNOWLEDGED:
                raise

    @asynccontextmanager
    async def deferring(self, defer: Defer | None = None) -> AsyncIterator[Deferral]:
        """Gives the block some time for the first answer, then acknowledges it: in private, or by `defer`."""
        async with deferring(defer or self.defer_private, self.services.answer_seconds) as deferral:
            yield deferral

    async def reply(self, content: str, **extras: Any) -> None:
        """Tells the player alone, whether or not the interaction was acknowledged already."""
        await self._reply(content=fit(content), **extras)

    async def reply_parts(self, parts: Sequence[Part]) -> None:
        """Shows the parts to the player alone in a panel of their own, as `reply` tells them a text."""
        await self._reply(view=layout(parts))

    async def _reply(self, **fitted: Any) -> None:
        if not self.interaction.response.is_done():
            try:
                await self.interaction.response.send_message(ephemeral=True, **fitted)
            except discord.HTTPException as error:
                if error.code != ErrorCode.ALREADY_ACKNOWLEDGED:
                    raise
            else:
                await self.services.channels.open_channel(self.interaction)
                return
        await self.interaction.followup.send(ephemeral=True, **fitted)

    async def show_below(self, parts: Sequence[Part]) -> None:
        """Shows the parts in a panel below what the interaction has posted: an answer that is shown as soon as it is
        acknowledged would stay above that. The interaction is acknowledged."""
        with suppress(discord.HTTPException):
            await self.interaction.delete_original_response()
        await self._open(parts)

    async def show(self, parts: Sequence[Part], further: Sequence[StoredFile | discord.File] = ()) -> None:
        """Shows the parts in the panel that the player used, or in a new one. The interaction is acknowledged.

        The panel has the `further` files besides those of the parts, seen or not: new ones, and of its own those that
        stay.
        """
        if not self.is_panel:
            await self._open(parts, further)
            return
        parts = await fit_to_phone(parts)
        attached: list[Any] = [*files(parts), *further]
        panel = await self.interaction.edit_original_response(view=layout(parts), attachments=attached)
        self._remember(panel.id)

    def _remember(self, panel: int) -> None:
        self.services.channels.remember_token(self.interaction, panel, self.user if self.shows_searches else None)

    async def _open(self, parts: Sequence[Part], further: Sequence[StoredFile | discord.File] = ()) -> None:
        """Shows the parts in a new panel."""
        parts = await fit_to_phone(parts)
        attached: list[Any] = [*files(parts), *further]
        panel = await self.interaction.followup.send(view=layout(parts), files=attached, ephemeral=True, wait=True)
        self._remember(panel.id)
