"""Whom boards ping, notices to one player that time runs short or a channel is lost, and the digest of each morning."""

import logging
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.addresses import game_link, link
from bot.features.match.board import BoardMessage, BoardRenderer
from bot.features.match.delivery.threads import OpenThreads
from bot.interactions.layout import Part, Section, layout, link_button
from bot.markup import escape
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import REFUSING_DM, describe, is_final, send_plainest
from bot.services.locales import Locales
from bot.services.messages import DirectMessages, mentions_of
from bot.services.names import Names
from bot.services.rate_limits import Pace
from bot.services.web_links import WebLinks
from play.challenge.challenge import Challenge
from play.clock.clock import ReminderStep
from play.ids import SECOND, GuildId, UserId
from play.match.events import PHRASES, Notice, NoticeKind
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.career import FinishedMatch
from play.people.settings import PlayerSettings, Reminders
from play.refusal import Refused
from presentation.digests import section, week_text
from presentation.strangers import phrase_text
from presentation.words.words import Words
from rules.game import Seat
from storage import Database
from use_cases.channel_rights import ChannelRights
from use_cases.worker import RetryLater, Undeliverable
from use_cases.workers.digest_relay import Morning, Rejected

log = logging.getLogger(__name__)

MAX_TURNS, MAX_CHALLENGES, MAX_ENDED = 10, 4, 5
"""Lines of each kind, which fit into the 4000 characters of a message."""


def news_line(match: Match, pinged: Sequence[Seat]) -> str:
    """Returns the line that mentions those who hear of an end, since a result names its players without a mention;
    empty while the match goes on."""
    told = " ".join(f"<@{match.players[seat]}>" for seat in pinged) if match.outcome else ""
    return told and f"\n-# {told}"


class Notices:
    """Sends notices by direct message, or in the channel of the match."""

    def __init__(
        self,
        store: Database,
        locales: Locales,
        names: Names,
        channels: ChannelMessenger,
        direct: DirectMessages,
        boards: BoardRenderer,
        opened: OpenThreads,
        links: WebLinks | None,
    ) -> None:
        self._store = store
        self._locales = locales
        self._names = names
        self._channels = channels
        self._direct = direct
        self._boards = boards
        self._opened = opened
        self._links = links

    async def deliver(self, match: Match, notice: Notice) -> None:
        """Delivers a notice, which of a match that is over is about notes, or a phrase. Raises Undeliverable if another
        try would fail, too."""
        if notice.kind is NoticeKind.NOTES:
            await self._report_notes(match, notice)
        elif notice.kind in PHRASES:
            await self._say(match, notice)
        elif not match.outcome:
            await (self._report_lost_channel if notice.kind is NoticeKind.LOST else self._remind)(match, notice)

    async def _remind(self, match: Match, notice: Notice) -> None:
        await self._opened.prepare_link(match)
        user, steps = notice.user, notice.steps
        once = nonce(match, notice.version, user, "r") + (f".{steps:x}" if steps not in (0, ReminderStep.MOST) else "")
        is_most = not steps or ReminderStep.MOST in steps
        async with self._store.read() as reader:
            person = await reader.people.get(user)
        has_left = await self._has_left(user, match.guild)
        if person.reminders is Reminders.DM or has_left:
            try:
                await self._remind_directly(match, user, is_most, once)
            except discord.HTTPException as error:
                if has_left:  # a mention in the channel would reach them no more
                    raise _problem(error) from error
                if error.code in REFUSING_DM:
                    await self._move_reminders(match, person, once, is_most)
                    return
                if not is_final(error):
                    raise
            except RetryLater as paused:  # the clock does not wait
                log.warning("match %d, reminder in the channel: %s", match.id, paused)
            else:
                return
        try:
            await self._post(match, user, await self._reminder(match, user, match.guild, is_most), once)
        except Undeliverable:
            try:
                await self._remind_directly(match, user, is_most, once)
            except discord.HTTPException as error:
                raise _problem(error) from error

    async def _has_left(self, user: UserId, guild: GuildId | None) -> bool:
        await self._names.of(user, guild)
        return self._names.has_left(user, guild)

    async def _remind_directly(self, match: Match, user: UserId, is_most: bool, once: str) -> None:
        """Reminds by a direct message, in which the board's buttons work, too."""
        content = await self._reminder(match, user, None, is_most)
        board = await self._boards.render(match, await self._locales.for_user(user, match.guild), reader=user)

        async def send(form: BoardMessage) -> None:
            await self._direct.send(user, content=content, nonce=once, view=form.buttons, **form.pictures)

        await send_plainest(send, board.forms())

    async def _move_reminders(self, match: Match, person: PlayerSettings, once: str, is_most: bool) -> None:
        """Reminds in the channel, now and from now on, a player who accepts no direct messages."""
        words = await self._locales.for_match(match)
        content = await self._reminder(match, person.id, match.guild, is_most)
        await self._post(match, person.id, f"{content}\n-# {words('reminder.closed')}", once)
        async with self._store.write() as tx:
            await tx.people.save(replace(person, reminders=Reminders.CHANNEL))

    async def _reminder(self, match: Match, user: UserId, guild: GuildId | None, is_most: bool) -> str:
        """Returns the text for the match's channel on a server, or (without `guild`) for the player alone."""
        words = await (self._locales.for_match(match) if guild else self._locales.for_user(user, match.guild))
        deadline = match.clock.deadline
        assert deadline is not None, "a reminder has a deadline"
        async with self._store.read() as reader:
            board = next((entry.board for entry in await reader.matches.open_of(user) if entry.id == match.id), None)
            now = await reader.clock.now()
        line = words(
            "reminder" if is_most else "reminder.step",
            player=f"<@{user}>",
            opponent=await self._opponents(match, user),
            when=words.until(deadline, now),
            url=link(match.guild, match.channel, board),
        )
        return f"{line} · {words('reminder.web', url=self._links.board(match.id))}" if self._links else line

    async def _post(self, match: Match, user: UserId, content: str, once: str) -> None:
        message = {"content": content, "allowed_mentions": mentions_of([user])}
        try:
            await self._channels.post(match.channel, lambda: message, once, guild=match.guild)
        except discord.HTTPException as error:
            raise _problem(error) from error

    async def _say(self, match: Match, notice: Notice) -> None:
        """Posts what the stranger says, for the player at home there."""
        await self._opened.prepare_link(match)
        words = await self._locales.for_user(notice.user, match.guild)
        text = phrase_text(notice.kind, await self._opponents(match, notice.user), words)
        assert notice.at is not None, "a phrase says when it was said"
        once = nonce(match, notice.at // SECOND, notice.user, f"p{PHRASES.index(notice.kind)}.")
        await self._post(match, notice.user, text, once)

    async def _report_lost_channel(self, match: Match, notice: Notice) -> None:
        words = await self._locales.for_user(notice.user, match.guild)
        deadline = match.clock.deadline
        async with self._store.read() as reader:
            now = await reader.clock.now()
        clock, when = ("untimed", "") if deadline is None else ("timed", words.until(deadline, now))
        is_borrowed = match.guild is None or self._channels.is_user_install(match.channel)
        content = words(
            "lost.borrowed" if is_borrowed else f"lost.{clock}",
            opponent=await self._opponents(match, notice.user),
            when=when,
        )
        await self._send_if_possible(notice.user, content, nonce(match, notice.version, notice.user, "l"))

    async def _report_notes(self, match: Match, notice: Notice) -> None:
        words = await self._locales.for_user(notice.user, match.guild)
        content = words("notes.taken_off", opponent=await self._opponents(match, notice.user))
        await self._send_if_possible(notice.user, content, nonce(match, notice.version, notice.user, "n"))

    async def _send_if_possible(self, user: UserId, content: str, once: str) -> None:
        """Sends a direct message. Raises Undeliverable if the user accepts none."""
        try:
            await self._direct.send(user, content=content, nonce=once)
        except discord.HTTPException as error:
            raise _problem(error) from error

    async def _opponents(self, match: Match, user: UserId) -> str:
        others = [player for player in match.players if player != user]
        return escape(", ".join(await self._names.of_all(others, match.guild)))


def _problem(error: discord.HTTPException) -> Exception:
    """Returns Undeliverable for a refusal that is final, else RetryLater."""
    return (Undeliverable if is_final(error) else RetryLater)(describe(error))


def nonce(match: Match, version: int, user: UserId, kind: str) -> str:
    """Returns the nonce of a message to one player, about a `version` of the match or of a moment. Discord takes each
    only once, in whatever channel."""
    return f"{match.id}:{version}:{kind}{match.seat_of(user)}"


class Digests:
    """Implements use_cases.workers.digest_relay.DigestPublisher."""

    def __init__(
        self,
        direct: DirectMessages,
        locales: Locales,
        names: Names,
        opened: OpenThreads,
        rights: ChannelRights,
        pace: Pace,
        links: WebLinks | None,
    ) -> None:
        self._direct = direct
        self._locales = locales
        self._names = names
        self._opened = opened
        self._rights = rights
        self._pace = pace
        self._links = links

    async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
        """See use_cases.workers.digest_relay.DigestPublisher."""
        words = await self._locales.for_settings(settings, morning.guild)
        try:
            await self._open_threads(morning.turns[:MAX_TURNS])
            view = layout(await self._parts(settings.id, morning, words))
            await self._pace.wait_turn()
            await self._direct.send(settings.id, view=view, nonce=once)
        except discord.HTTPException as error:
            if error.code in REFUSING_DM:
                raise Undeliverable(describe(error)) from error
            raise Rejected(describe(error)) from error
        except (RetryLater, Refused) as paused:
            raise Rejected(str(paused)) from paused

    async def _open_threads(self, entries: Sequence[OpenMatch]) -> None:
        """Opens the threads to which a digest links. Raises RetryLater while some of the games move elsewhere."""
        moving: RetryLater | None = None
        for entry in entries:
            try:
                await self._opened.prepare_link(entry)
            except RetryLater as closed:
                moving = closed
        if moving is not None:
            raise moving

    async def _parts(self, user: UserId, morning: Morning, words: Words) -> list[Part]:
        visible = [each for each in morning.challenges if await self._sees(user, each)]
        challenges = [await self._challenge_line(each, morning, words) for each in visible[:MAX_CHALLENGES]]
        ended = [await self._ended_line(user, each, words) for each in morning.ended[:MAX_ENDED]]
        sections = (
            section(words("digest.challenges", count=len(visible)), challenges, len(visible), words),
            section(words("digest.ended", count=len(morning.ended)), ended, len(morning.ended), words),
            words("digest.mistakes", count=morning.due) if morning.due else "",
            week_text(morning.week, words) if morning.week else "",
        )
        turns = await self._turns(user, morning, words)
        return [f"### {words('digest.title')}", *turns, *filter(None, sections), f"-# {words('digest.foot')}"]

    async def _turns(self, user: UserId, morning: Morning, words: Words) -> list[Part]:
        """Returns the games that wait, each with a button that leads to its board on the web, if there is one."""
        head, count = words("digest.turns", count=len(morning.turns)), len(morning.turns)
        shown = morning.turns[:MAX_TURNS]
        lines = [await self._turn_line(user, each, morning, words) for each in shown]
        if self._links is None or not lines:
            return [*filter(None, [section(head, lines, count, words)])]
        buttons = [link_button(words("games.open"), self._links.board(each.id)) for each in shown]
        rows = [Section(line.removeprefix("- "), way) for line, way in zip(lines, buttons, strict=True)]
        return [head, *rows, *([words("digest.more", count=count - len(rows))] if count > len(rows) else [])]

    async def _turn_line(self, user: UserId, entry: OpenMatch, morning: Morning, words: Words) -> str:
        is_timed = entry.deadline is not None
        return words(
            f"digest.turn.{'timed' if is_timed else 'untimed'}",
            opponent=await self._others(entry.players, user, entry.guild),
            size=entry.game.options["size"].replace("x", "×"),
            when=words.until(entry.deadline, morning.at) if entry.deadline is not None else "",
            url=game_link(entry, entry.board),
        )

    async def _sees(self, user: UserId, challenge: Challenge) -> bool:
        guild = challenge.guild
        return guild is None or not await self._rights.hides(guild, challenge.channel, user)

    async def _challenge_line(self, challenge: Challenge, morning: Morning, words: Words) -> str:
        return words(
            "digest.challenge",
            player=escape(await self._names.of(challenge.proposer, challenge.guild)),
            when=words.until(challenge.expires, morning.at),
            url=link(challenge.guild, challenge.channel, challenge.message),
        )

    async def _ended_line(self, user: UserId, match: FinishedMatch, words: Words) -> str:
        return words(
            f"digest.result.{match.result(user) or 'undecided'}",
            opponent=await self._others(match.players, user, match.guild),
            url=link(match.guild, match.channel, match.board),
        )

    async def _others(self, players: Sequence[UserId], user: UserId, guild: GuildId | None) -> str:
        others = [player for player in players if player != user]
        return escape(", ".join(await self._names.of_all(others, guild)))
