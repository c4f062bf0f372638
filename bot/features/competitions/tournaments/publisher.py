"""Publishes tournaments: a message with sign-up, picture, pairs and standings, the calls of games, and notices."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from bot.features.competitions.publisher import CompetitionPublisher, join_fitting
from bot.features.competitions.tournaments.announcements import Announcer
from bot.features.competitions.tournaments.buttons import tournament_buttons
from bot.interactions.page_links import links_of
from bot.services.server_posts import Picture, Post
from play.competitions.tournament import Notice, NoticeKind, Pairing, Stage, Tournament
from play.ids import ChannelId, MatchId, MessageId, UserId
from play.people.settings import ServerSettings
from presentation.text import escape, plain_name
from presentation.tournaments import (
    MAX_NAME,
    draw_tournament,
    place_text,
    points_text,
    round_label,
    round_phrase,
    terms_lines,
)
from presentation.words.words import Words
from use_cases.worker import RetryLater, Undeliverable, Unshowable

log = logging.getLogger(__name__)

MAX_STANDINGS = 16
"""Lines of the standings in the message."""


class TournamentPublisher(CompetitionPublisher):
    """Implements use_cases.competitions.tournament_director.TournamentDisplay."""

    async def show(self, tournament: Tournament) -> MessageId:
        """See use_cases.competitions.tournament_director.TournamentDisplay."""
        words = await self._locales.for_guild(tournament.guild)
        names = await self._escaped(tournament.users, tournament.guild)
        content = message_text(tournament, names, await self._channels(tournament), words)
        server = await self._server(tournament.guild)
        links = links_of(self._links, server, words, lambda paths: paths.tournament(server.id, tournament.id))
        picture = await self._draw(tournament, server, words)
        post = Post(content, tournament_buttons(tournament, words, links), picture)
        nonce = f"t{tournament.id}:{tournament.message or 0:x}"
        return await self._posts.keep(tournament.guild, tournament.channel, tournament.message, nonce, post)

    async def announce(self, tournament: Tournament, notice: Notice, late: Sequence[UserId]) -> None:
        """See use_cases.competitions.tournament_director.TournamentDisplay."""
        words = await self._locales.for_guild(tournament.guild)
        names = await self._escaped(tournament.users, tournament.guild)
        announcer = Announcer(tournament, names, await self._channels(tournament), words)
        told = announcer.write(notice.kind, late)
        picture = None
        if notice.kind is NoticeKind.ENDED:
            picture = await self._draw(tournament, await self._server(tournament.guild), words)
        for part, text in enumerate(told.messages):
            nonce = f"t{tournament.id}:{notice.kind[:2]}{notice.version}:{part}"
            post = Post(text, picture=picture if part == 0 else None, pinged=told.pinged)
            await self._posts.post(tournament.guild, tournament.channel, nonce, post)

    async def call(self, tournament: Tournament, pairing: Pairing) -> MessageId:
        """See use_cases.competitions.tournament_director.TournamentDisplay."""
        words = await self._locales.for_guild(tournament.guild)
        first, *others = await self._names.of_all(
            [pairing.first, *([pairing.second] if pairing.second else [])], tournament.guild
        )
        content = words(
            "tournament.call",
            name=escape(plain_name(tournament.name, MAX_NAME)),
            round=round_phrase(tournament, pairing.round, words),
            first=escape(first),
            second=escape(others[0]) if others else words("tournament.computer"),
        )
        plain = words("tournament.stage.running", round=round_label(tournament, pairing.round, words))
        nonce = f"t{tournament.id}:{pairing.round}:{tournament.current_pairings.index(pairing)}:{pairing.replays}"
        return await self._posts.call(tournament.guild, tournament.channel, nonce, Post(content), Post(plain))

    async def tell_unplayed(self, tournament: Tournament, pairing: Pairing) -> None:
        """See use_cases.competitions.tournament_director.TournamentDisplay."""
        assert pairing.match is not None, "it had a game"
        assert pairing.points is not None, "it is decided"
        words = await self._locales.for_guild(tournament.guild)
        names = await self._escaped(tournament.users, tournament.guild)
        name, (first, second) = escape(plain_name(tournament.name, MAX_NAME)), pairing.points
        if first == second:
            content = words("tournament.unplayed.shared" if first else "tournament.unplayed.nobody", name=name)
        else:
            winner = pairing.first if first > second else pairing.second
            won = words("tournament.computer") if winner is None else names[winner]
            content = words("tournament.unplayed.won", name=name, winner=won)
        thread = (await self._channels(tournament)).get(pairing.match, tournament.channel)
        nonce = f"t{tournament.id}:u{pairing.match:x}"
        try:
            await self._posts.post(tournament.guild, thread, nonce, Post(content))
        except (Undeliverable, Unshowable, RetryLater) as problem:  # the table says it, too
            log.info("nobody is told in a thread of tournament %d: %s", tournament.id, problem)

    async def _channels(self, tournament: Tournament) -> Mapping[MatchId, ChannelId]:
        async with self._store.read() as reader:
            return await reader.tournaments.channels_of(tournament.id)

    async def _draw(self, tournament: Tournament, server: ServerSettings, words: Words) -> Picture | None:
        """Returns the picture of the table or the bracket; None before the first round. Raises RetryLater."""
        if not tournament.pairings:
            return None
        names, name = await self._names_of(tournament.users, tournament.guild), plain_name(tournament.name, MAX_NAME)
        file, alt = f"kropka-tournament-{tournament.id}", words("tournament.alt", name=name, round=tournament.round)
        return await self._picture(
            server, file, alt, lambda theme: draw_tournament(tournament, name, names, words, theme)
        )


def message_text(
    tournament: Tournament, names: Mapping[UserId, str], channels: Mapping[MatchId, ChannelId], words: Words
) -> str:
    """Returns the text of the message at any stage; `names` are escaped."""
    lines = [words("tournament.title", name=escape(plain_name(tournament.name, MAX_NAME)))]
    lines += terms_lines(tournament, words)
    host = f"<@{tournament.host}>"
    if tournament.stage is Stage.SIGN_UP and tournament.begins is not None:
        lines.append(words("tournament.opens", host=host, **words.appointment(tournament.begins)))
    else:
        number = tournament.round
        if tournament.stage is Stage.RUNNING:
            lines.append(words("tournament.stage.running", round=round_label(tournament, number, words)))
        else:
            lines.append(words(f"tournament.stage.{tournament.stage}", round=number, host=host))
    if tournament.round_ends is not None:
        lines.append(words("tournament.until", when=words.until(tournament.round_ends)))
    if tournament.stage is Stage.SIGN_UP:
        lines.append(_entrants_line(list(names.values()), words))
    if tournament.stage in (Stage.RUNNING, Stage.CANCELLED):
        lines += [_pair_line(tournament, pairing, names, channels, words) for pairing in tournament.current_pairings]
    if tournament.pairings:
        lines += _standing_lines(tournament, names, words)
    return join_fitting(lines, words)


def _entrants_line(names: Sequence[str], words: Words) -> str:
    if not names:
        return words("tournament.no_entrants")
    return words("tournament.entrants", count=len(names), names=", ".join(names))


def _standing_lines(tournament: Tournament, names: Mapping[UserId, str], words: Words) -> list[str]:
    return [
        words(
            "tournament.line" if row.user in tournament.playing else "tournament.line.left",
            place=place_text(row).replace(".", "\\."),
            name=names[row.user],
            points=points_text(row, words),
        )
        for row in tournament.table[:MAX_STANDINGS]
    ]


def _pair_line(
    tournament: Tournament,
    pairing: Pairing,
    names: Mapping[UserId, str],
    channels: Mapping[MatchId, ChannelId],
    words: Words,
) -> str:
    first = names[pairing.first]
    if pairing.is_bye:
        return words("tournament.free", first=f"**{first}**")
    second = names[pairing.second] if pairing.second else words("tournament.computer")
    if pairing.points is not None:
        result = ":".join(
            map(words.number, pairing.points if pairing.second else (pairing.points[0], 1 - pairing.points[0]))
        )
        line = words("tournament.result", first=first, second=second, result=result)
        return f"{line} ({words('tournament.unplayed')})" if pairing.unplayed else line
    if tournament.stage is Stage.CANCELLED:
        return words("tournament.result", first=first, second=second, result="–")
    thread = words.channel(channels.get(pairing.match) if pairing.match else None)
    return words("tournament.pair", first=f"**{first}**", second=f"**{second}**", thread=thread)
