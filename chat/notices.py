"""Reminders, notices of lost places, and the digest of each morning, on a chat platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.boards import board_message
from chat.departures import go_on_directly
from chat.messages import Button, Message
from chat.services import Services
from play.clock.clock import ReminderStep
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.match.events import PHRASES, Notice, NoticeKind
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.settings import PlayerSettings, Reminders
from presentation.digests import section, week_text
from presentation.strangers import phrase_text
from presentation.words.words import Words
from use_cases.worker import RetryLater, Undeliverable, Unsendable
from use_cases.workers.digest_relay import Morning, Rejected

MAX_TURNS, MAX_CHALLENGES, MAX_ENDED = 10, 4, 5
"""Lines of each kind in a digest."""


class Notices:
    """Tells one player of a match in private, or in its place."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._platform = services.platform

    async def deliver(self, match: Match, notice: Notice) -> None:
        """Delivers a notice, which of a match that is over is about notes, or a phrase.

        Raises Undeliverable and RetryLater."""
        if notice.kind is NoticeKind.NOTES:
            words = await self._services.locales.for_user(notice.user, match.guild)
            text = words("notes.taken_off", opponent=await self._opponents(match, notice.user, words))
            await self._tell(match, notice, Message(text), "n")
        elif notice.kind in PHRASES:
            words = await self._services.locales.for_user(notice.user, match.guild)
            text = phrase_text(notice.kind, await self._opponents(match, notice.user, words), words)
            once = f"p{match.id:x}.{notice.at or 0:x}.{match.seat_of(notice.user)}.{PHRASES.index(notice.kind)}"
            await self._platform.post(match.channel, Message(text), once)
        elif not match.outcome:
            await (self._report_lost if notice.kind is NoticeKind.LOST else self._remind)(match, notice)

    async def _remind(self, match: Match, notice: Notice) -> None:
        """Reminds where the player wants it; one who takes no direct messages is reminded in the game's place, now and
        from now on."""
        is_most = not notice.steps or ReminderStep.MOST in notice.steps
        async with self._services.store.read() as reader:
            person = await reader.people.get(notice.user)
        closed = ""
        if person.reminders is Reminders.DM:
            words = await self._services.locales.for_user(notice.user, match.guild)
            _, board = await board_message(self._services, match, words, reader=notice.user)
            text = await self._reminder(match, notice.user, words, is_most)
            try:
                await self._tell(match, notice, replace(board, text=f"{text}\n\n{board.text}"), "r")
            except Undeliverable:
                await self._remind_here_from_now_on(person)
                words = await self._services.locales.for_match(match)
                closed = f"\n{words.markup.small(words('reminder.closed'))}"
            else:
                return
        words = await self._services.locales.for_match(match)
        text = await self._reminder(match, notice.user, words, is_most) + closed
        once = f"r{match.id:x}.{notice.version:x}.{match.seat_of(notice.user)}.{notice.steps.value:x}"
        await self._platform.post(match.channel, Message(text, pinged=(notice.user,)), once)

    async def _remind_here_from_now_on(self, person: PlayerSettings) -> None:
        async with self._services.store.write() as tx:
            await tx.people.save(replace(person, reminders=Reminders.CHANNEL))

    async def _reminder(self, match: Match, user: UserId, words: Words, is_most: bool) -> str:
        async with self._services.store.read() as reader:
            now = await reader.clock.now()
            board = next((entry.board for entry in await reader.matches.open_of(user) if entry.id == match.id), None)
        deadline = self._services.use_cases.outages.told(match, now).clock.deadline
        assert deadline is not None, "a reminder has a deadline"
        name = await self._services.names.of(user, match.guild)
        return words(
            "reminder" if is_most else "reminder.step",
            player=words.mention(user, name),
            opponent=await self._opponents(match, user, words),
            when=words.until(deadline, now),
            url=self._platform.link(match.channel, board) or "",
        )

    async def _report_lost(self, match: Match, notice: Notice) -> None:
        """Tells a player that nothing can be posted where they play; a game with a stranger goes on directly."""
        if await go_on_directly(self._services, match, notice.user):
            return
        words = await self._services.locales.for_user(notice.user, match.guild)
        async with self._services.store.read() as reader:
            deadline, now = match.clock.deadline, await reader.clock.now()
        text = words(
            f"lost.{'untimed' if deadline is None else 'timed'}",
            opponent=await self._opponents(match, notice.user, words),
            when="" if deadline is None else words.until(deadline, now),
        )
        _, board = await board_message(self._services, match, words, reader=notice.user)
        await self._tell(match, notice, replace(board, text=f"{text}\n\n{board.text}"), "l")

    async def _tell(self, match: Match, notice: Notice, message: Message, kind: str) -> None:
        once = f"{kind}{match.id:x}.{notice.version:x}.{match.seat_of(notice.user)}"
        await self._platform.tell(notice.user, message, once)

    async def _opponents(self, match: Match, user: UserId, words: Words) -> str:
        others = [player for player in match.players if player != user]
        return words.literal(", ".join(await self._services.names.of_all(others, match.guild)))


class ChatDigests:
    """Implements use_cases.workers.digest_relay.DigestPublisher over a platform."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._platform = services.platform

    async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
        """See use_cases.workers.digest_relay.DigestPublisher."""
        words = await self._services.locales.for_settings(settings, morning.guild)
        message = Message(await self._text(settings.id, morning, words), buttons=self._buttons(morning, words))
        try:
            await self._platform.tell(settings.id, message, once)
        except (RetryLater, Unsendable) as refused:
            raise Rejected(str(refused)) from refused

    def _buttons(self, morning: Morning, words: Words) -> tuple[tuple[Button, ...], ...]:
        links = self._services.links
        if links is None:
            return ()
        label, turns = words.plain("games.open"), morning.turns[:MAX_TURNS]
        return tuple((Button(f"{label} {number}", url=links.board(each.id)),) for number, each in enumerate(turns, 1))

    async def _text(self, user: UserId, morning: Morning, words: Words) -> str:
        turns = [await self._turn_line(user, each, words, morning.at) for each in morning.turns[:MAX_TURNS]]
        visible = [each for each in morning.challenges if await self._platform.is_member(user, each.channel)]
        challenges = [
            words(
                "digest.challenge",
                player=words.literal(await self._services.names.of(each.proposer, each.guild)),
                when=words.until(each.expires, morning.at),
                url=self._link(each.channel, each.message),
            )
            for each in visible[:MAX_CHALLENGES]
        ]
        ended = [
            words(
                f"digest.result.{each.result(user) or 'undecided'}",
                opponent=await self._others(each.players, user, each.guild, words),
                url=self._link(each.channel, each.board),
            )
            for each in morning.ended[:MAX_ENDED]
        ]
        sections = (
            words.markup.title(words("digest.title")),
            section(words("digest.turns", count=len(morning.turns)), turns, len(morning.turns), words),
            section(words("digest.challenges", count=len(visible)), challenges, len(visible), words),
            section(words("digest.ended", count=len(morning.ended)), ended, len(morning.ended), words),
            words("digest.mistakes", count=morning.due) if morning.due else "",
            week_text(morning.week, words) if morning.week else "",
            words.markup.small(words("digest.foot")),
        )
        return "\n".join(filter(None, sections))

    async def _turn_line(self, user: UserId, entry: OpenMatch, words: Words, now: Millis) -> str:
        deadline = entry.deadline
        return words(
            f"digest.turn.{'untimed' if deadline is None else 'timed'}",
            opponent=await self._others(entry.players, user, entry.guild, words),
            size=entry.game.options["size"].replace("x", "×"),
            when="" if deadline is None else words.until(deadline, now),
            url=self._link(entry.channel, entry.board),
        )

    def _link(self, channel: ChannelId, message: MessageId | None) -> str:
        return self._platform.link(channel, message) or ""

    async def _others(self, players: Sequence[UserId], user: UserId, guild: GuildId | None, words: Words) -> str:
        others = [player for player in players if player != user]
        return words.literal(", ".join(await self._services.names.of_all(others, guild)))
