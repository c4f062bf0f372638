"""Publishes tournaments: a message with sign-up, picture, pairs and standings, the calls of games, and notices."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.features.competitions.publisher import Announcement, CompetitionPublisher, join_fitting
from bot.features.competitions.tournaments.buttons import tournament_buttons
from bot.interactions.components import links_of
from bot.services.channels import Picture, Post
from play.competitions.tournament import MIN_PLAYERS, Format, Notice, NoticeKind, Pairing, Stage, Tournament
from play.ids import ChannelId, MatchId, MessageId, UserId, is_person
from play.people.settings import ServerSettings
from presentation.text import escape, link, plain_name
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

PODIUM = {1: "🥇", 2: "🥈", 3: "🥉"}

MAX_STANDINGS = 16
"""Lines of the standings in the message."""


@dataclass(frozen=True, slots=True)
class Announcer:
    """Writes the notices of a tournament in `words`. `names` are escaped; `channels` are those of its matches."""

    tournament: Tournament
    names: Mapping[UserId, str]
    channels: Mapping[MatchId, ChannelId]
    words: Words

    def write(self, kind: NoticeKind, late: Sequence[UserId]) -> Announcement:
        """Returns a notice; without lines if there is nothing to say, since no player is `late`."""
        match kind:
            case NoticeKind.ROUND:
                return self._round()
            case NoticeKind.LATE:
                return self._late(late)
            case NoticeKind.ENDED:
                return self._end()
            case _:
                return self._sign_up(kind)

    def _say(self, key: str, **details: str | int) -> str:
        name = escape(plain_name(self.tournament.name, MAX_NAME))
        return self.words(f"tournament.told.{key}", name=name, **details)

    @property
    def _round_phrase(self) -> str:
        return round_phrase(self.tournament, self.tournament.round, self.words)

    def _sign_up(self, kind: NoticeKind) -> Announcement:
        """Returns what everybody who has signed up has to know."""
        tournament = self.tournament
        details: dict[str, str | int] = {}
        if kind in (NoticeKind.POSTPONED, NoticeKind.TOO_FEW):
            details = {"count": len(tournament.users), "least": MIN_PLAYERS}
        if tournament.begins is not None:
            details |= self.words.appointment(tournament.begins)
        if kind is NoticeKind.TERMS and tournament.message is not None:
            details["url"] = link(tournament.guild, tournament.channel, tournament.message)
        host = [tournament.host] if kind in (NoticeKind.POSTPONED, NoticeKind.TOO_FEW) else []
        pinged = list(dict.fromkeys((*tournament.users, *host)))
        return Announcement([self._say(kind.value, **details), mention_all(pinged)], pinged)

    def _round(self) -> Announcement:
        tournament = self.tournament
        lines = [self._say("round", round=self._round_phrase)]
        if tournament.round_ends is not None:
            lines.append(self.words("tournament.until", when=self.words.until(tournament.round_ends)))
        lines += [self._pair(pair) for pair in tournament.current_pairings if pair.points is None or not pair.second]
        players = dict.fromkeys(
            each for pair in tournament.current_pairings for each in (pair.first, pair.second) if each
        )
        return Announcement(lines, [user for user in players if user in tournament.playing])

    def _pair(self, pair: Pairing) -> str:
        first = self._mention(pair.first)
        if pair.is_bye:
            return self.words("tournament.free", first=first)
        second = self._mention(pair.second) if pair.second else self.words("tournament.computer")
        thread = self.words.channel(self.channels.get(pair.match) if pair.match else None)
        return self.words("tournament.pair", first=first, second=second, thread=thread)

    def _late(self, late: Sequence[UserId]) -> Announcement:
        tournament = self.tournament
        if not late or tournament.round_ends is None:
            return Announcement([])
        lines = [self._say("late", round=self._round_phrase, when=self.words.until(tournament.round_ends))]
        lines += [
            f"- {mention_all(users)}: {self.words.channel(self.channels.get(pair.match))}"
            for pair in tournament.current_pairings
            if pair.match and (users := [user for user in late if user in (pair.first, pair.second)])
        ]
        return Announcement(lines, list(late))

    def _end(self) -> Announcement:
        if self.tournament.format is Format.EXHIBITION:
            return self._end_of_exhibition()
        table, winners = self.tournament.table, self.tournament.winners
        if not winners:
            return Announcement([self._say("nobody")])
        champions = ", ".join(map(self._mention, winners))
        lines = [self._say("ended"), self.words("tournament.told.winner", count=len(winners), winners=champions)]
        lines += [
            f"{PODIUM[row.place]} {place_text(row)} **{self.names[row.user]}** {points_text(row, self.words)}"
            for row in table
            if row.place in PODIUM and row.points > 0
        ]
        return Announcement(lines, [*winners])

    def _end_of_exhibition(self) -> Announcement:
        host, *others = self.tournament.users
        points = {row.user: row.points for row in self.tournament.table}
        beat = [user for user in others if points[user] == 1]
        score, rest = self.words.number(points[host]), self.words.number(len(others) - points[host])
        lines = [
            self._say("ended"),
            self.words("tournament.told.score", host=self._mention(host), points=score, rest=rest),
        ]
        if beat:
            lines.append(self.words("tournament.told.beat", names=", ".join(map(self._mention, beat))))
        return Announcement(lines, [host, *beat])

    def _mention(self, user: UserId) -> str:
        """Returns a mention, or the name of a player whose account data is deleted."""
        return f"<@{user}>" if is_person(user) else f"**{self.names[user]}**"


def mention_all(users: Iterable[UserId]) -> str:
    """Returns the mentions of all players, without those whose data is deleted."""
    return ", ".join(f"<@{user}>" for user in users if is_person(user))


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
