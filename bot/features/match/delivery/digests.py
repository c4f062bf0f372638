"""The morning digest: what waits for a player, in one direct message."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.features.match.delivery.open_threads import OpenThreads
from bot.interactions.buttons import link_button
from bot.interactions.layout import Part, Section, layout
from bot.services.direct_messages import DirectMessages
from bot.services.discord_errors import REFUSING_DM, describe
from bot.services.locales import Locales
from bot.services.names import Names
from bot.services.rate_limits import Pace
from bot.services.web_links import WebLinks
from play.challenge.challenge import Challenge
from play.ids import GuildId, UserId
from play.match.listed import OpenMatch
from play.people.career import FinishedMatch
from play.people.past_mistake import Week
from play.people.settings import PlayerSettings
from play.refusal import Refused
from presentation.addresses import game_link, link
from presentation.text import escape
from presentation.words.words import Words
from use_cases.channel_rights import ChannelRights
from use_cases.digests import Morning
from use_cases.worker import RetryLater, Undeliverable
from use_cases.workers.digest_relay import Rejected

MAX_TURNS, MAX_CHALLENGES, MAX_ENDED = 10, 4, 5
"""Lines of each kind, which fit into the 4000 characters of a message."""


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
        challenges = [await self._challenge_line(each, words) for each in visible[:MAX_CHALLENGES]]
        ended = [await self._ended_line(user, each, words) for each in morning.ended[:MAX_ENDED]]
        sections = (
            _section(words("digest.challenges", count=len(visible)), challenges, len(visible), words),
            _section(words("digest.ended", count=len(morning.ended)), ended, len(morning.ended), words),
            words("digest.mistakes", count=morning.due) if morning.due else "",
            week_text(morning.week, words) if morning.week else "",
        )
        turns = await self._turns(user, morning, words)
        return [f"### {words('digest.title')}", *turns, *filter(None, sections), f"-# {words('digest.foot')}"]

    async def _turns(self, user: UserId, morning: Morning, words: Words) -> list[Part]:
        """Returns the games that wait, each with a button that leads to its board on the web, if there is one."""
        head, count = words("digest.turns", count=len(morning.turns)), len(morning.turns)
        shown = morning.turns[:MAX_TURNS]
        lines = [await self._turn_line(user, each, words) for each in shown]
        if self._links is None or not lines:
            return [*filter(None, [_section(head, lines, count, words)])]
        buttons = [link_button(words("games.open"), self._links.board(each.id)) for each in shown]
        rows = [Section(line.removeprefix("- "), way) for line, way in zip(lines, buttons, strict=True)]
        return [head, *rows, *([words("digest.more", count=count - len(rows))] if count > len(rows) else [])]

    async def _turn_line(self, user: UserId, entry: OpenMatch, words: Words) -> str:
        is_timed = entry.deadline is not None
        return words(
            f"digest.turn.{'timed' if is_timed else 'untimed'}",
            opponent=await self._others(entry.players, user, entry.guild),
            size=entry.game.options["size"].replace("x", "×"),
            when=words.until(entry.deadline) if entry.deadline is not None else "",
            url=game_link(entry, entry.board),
        )

    async def _sees(self, user: UserId, challenge: Challenge) -> bool:
        guild = challenge.guild
        return guild is None or not await self._rights.hides(guild, challenge.channel, user)

    async def _challenge_line(self, challenge: Challenge, words: Words) -> str:
        return words(
            "digest.challenge",
            player=escape(await self._names.of(challenge.proposer, challenge.guild)),
            when=words.until(challenge.expires),
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


def week_text(week: Week, words: Words) -> str:
    """Returns the line on what has got better in a week; empty if nothing has."""
    if week.is_better and week.before is not None and week.now is not None:
        before, now = (words.number(round(points, 1)) for points in (week.before, week.now))
        return words("digest.week.better", before=before, now=now)
    return words("digest.week.right", count=week.right) if week.right else ""


def _section(head: str, lines: Sequence[str], count: int, words: Words) -> str:
    """Returns the lines of one kind below their head, and how many more there are; empty without any."""
    if not lines:
        return ""
    more = [words("digest.more", count=count - len(lines))] if count > len(lines) else []
    return "\n".join((head, *lines, *more))
