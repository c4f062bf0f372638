"""Publishes tournaments: a message with sign-up, pairs and standings, and an announcement of each game."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.features.challenges.terms_text import describe_terms
from bot.features.tournaments.buttons import tournament_buttons
from bot.i18n.words import Words
from bot.services.discord_errors import ErrorCode
from bot.services.locales import Locales
from bot.services.names import Names, escape, plain_name
from bot.services.text_limits import fit
from play.ids import MessageId, UserId
from play.tournaments.tournament import Format, Pairing, Stage, Tournament
from play.workers.outbox_relay import Undeliverable

MAX_STANDINGS = 16
"""Lines of the standings in the message."""


MAX_NAME = 60
"""Characters of a tournament's name."""

MAX_TEXT = 1900
"""Characters of the message's lines: Discord's limit is 2000, and a note on the missing lines follows."""


class TournamentPublisher:
    """Implements play.workers.tournament_director.TournamentDisplay."""

    def __init__(self, client: discord.Client, locales: Locales, names: Names) -> None:
        self._client = client
        self._locales = locales
        self._names = names

    async def show(self, tournament: Tournament) -> MessageId:
        """See play.workers.tournament_director.TournamentDisplay."""
        words = await self._locales.for_guild(tournament.guild)
        content, buttons = await self._message_text(tournament, words), tournament_buttons(tournament, words)
        channel = self._client.get_partial_messageable(tournament.channel)
        if tournament.message is not None:
            try:
                await channel.get_partial_message(tournament.message).edit(content=fit(content), view=buttons)
            except discord.NotFound as error:
                if error.code != ErrorCode.UNKNOWN_MESSAGE:
                    raise Undeliverable(str(error)) from error
            else:
                return tournament.message
        nonce = f"t{tournament.id}:{tournament.message or 0:x}"  # at most 25 characters; a new one after a lost message
        try:
            message = await channel.send(fit(content), view=buttons, nonce=nonce)
        except discord.NotFound as error:
            raise Undeliverable(str(error)) from error
        if message.content != content:  # an earlier try, whose answer was lost, before the tournament changed
            await message.edit(content=fit(content), view=buttons)
        return MessageId(message.id)

    async def call(self, tournament: Tournament, bout: Pairing) -> MessageId:
        """See play.workers.tournament_director.TournamentDisplay."""
        words = await self._locales.for_guild(tournament.guild)
        assert bout.second is not None, "a bye is not announced"
        names = await self._names.of_all((bout.first, bout.second), tournament.guild)
        content = words(
            "tournament.call",
            name=escape(plain_name(tournament.name, MAX_NAME)),
            round=bout.round,
            first=escape(names[0]),
            second=escape(names[1]),
        )
        nonce = f"t{tournament.id}:{bout.round}:{tournament.current_pairings.index(bout)}:{bout.replays}"
        channel = self._client.get_partial_messageable(tournament.channel)
        try:
            return MessageId((await channel.send(fit(content), nonce=nonce)).id)
        except discord.NotFound as error:
            raise Undeliverable(str(error)) from error

    async def _message_text(self, tournament: Tournament, words: Words) -> str:
        """Returns the text of the message at any stage."""
        found = await self._names.of_all(tournament.users, tournament.guild)
        names = dict(zip(tournament.users, map(escape, found), strict=True))
        lines = [words("tournament.title", name=escape(plain_name(tournament.name, MAX_NAME)))]
        kind = words(f"tournament.format.{tournament.format}")
        swiss = tournament.format is Format.SWISS
        lines.append(words("tournament.swiss", format=kind, count=tournament.rounds) if swiss else kind)
        lines += (f"- {line}" for key, line in describe_terms(tournament.terms, "", words).items() if key != "order")
        if tournament.pace is not None:
            lines.append(words("tournament.pace", pace=words.duration(tournament.pace)))
        host = f"<@{tournament.host}>"
        lines.append(words(f"tournament.stage.{tournament.stage}", round=tournament.round, host=host))
        if tournament.round_ends is not None:
            lines.append(words("tournament.until", when=f"<t:{tournament.round_ends // 1000}:R>"))
        if tournament.stage is Stage.SIGN_UP:
            lines.append(_entrants_line(list(names.values()), words))
        elif tournament.pairings:
            lines += _standing_lines(tournament, names, words)
            lines += [_pair_line(tournament, bout, names, words) for bout in tournament.current_pairings]
        return _join_fitting(lines, words)


def _entrants_line(names: Sequence[str], words: Words) -> str:
    if not names:
        return words("tournament.no_entrants")
    return words("tournament.entrants", count=len(names), names=", ".join(names))


def _standing_lines(tournament: Tournament, names: dict[UserId, str], words: Words) -> list[str]:
    return [
        words(
            "tournament.line" if row.user in tournament.playing else "tournament.line.left",
            place=row.place,
            name=names[row.user],
            points=words.number(row.points),
            buchholz=words.number(row.buchholz),
            berger=words.number(row.sonneborn_berger),
        )
        for row in tournament.table[:MAX_STANDINGS]
    ]


def _pair_line(tournament: Tournament, bout: Pairing, names: dict[UserId, str], words: Words) -> str:
    if bout.second is None:
        return words("tournament.free", first=names[bout.first])
    first, second = names[bout.first], names[bout.second]
    if bout.points is not None:
        result = ":".join(map(words.number, bout.points))
        return words("tournament.result", first=first, second=second, result=result)
    if tournament.stage is Stage.CANCELLED:
        return words("tournament.result", first=first, second=second, result="–")
    return words("tournament.pair", first=first, second=second)


def _join_fitting(lines: list[str], words: Words) -> str:
    """Returns as many of the lines as a message holds."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(kept) + len(line) > MAX_TEXT:
            return "\n".join((*kept, words("tournament.more")))
        kept.append(line)
    return "\n".join(kept)
