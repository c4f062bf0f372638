"""Publishes tournaments: a message with sign-up, picture, pairs and standings, the calls of games, and notices."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.addresses import link
from bot.features.competitions.publisher import Announcement, CompetitionPublisher, annulled_line, join_fitting
from bot.features.competitions.tournaments.buttons import here_button, tournament_buttons
from bot.interactions.components import links_of
from bot.interactions.layout import row
from bot.markup import escape
from bot.services.channels import Picture, Post
from play.competitions.rounds import winner_of
from play.competitions.tournament import MIN_PLAYERS, Format, Notice, NoticeKind, Pairing, Stage, Tournament
from play.ids import ChannelId, MatchId, MessageId, Millis, UserId, is_person
from play.match.points import LOST
from play.people.settings import ServerSettings
from presentation.text import MESSAGE_ROOM, plain_name
from presentation.tournaments import (
    MAX_NAME,
    draw_tournament,
    end_label,
    place_text,
    points_text,
    result_note,
    round_label,
    round_phrase,
    standing_text,
    terms_lines,
)
from presentation.words.words import Words
from use_cases.competitions.tournaments import load_length
from use_cases.worker import RetryLater, Undeliverable, Unshowable

log = logging.getLogger(__name__)

PODIUM = {1: "🥇", 2: "🥈", 3: "🥉"}

MAX_STANDINGS, MAX_PAIRS, MAX_NAMES = 16, 18, 20
"""Lines of the standings, pairs, and names of those who have signed up, in the message."""

OTHERS_ROOM = 40
"""Characters that are kept for saying how many others there are."""


@dataclass(frozen=True, slots=True)
class Announcer:
    """Writes the notices of a tournament in `words`. `names` are escaped; `channels` are those of its matches."""

    tournament: Tournament
    names: Mapping[UserId, str]
    channels: Mapping[MatchId, ChannelId]
    words: Words
    now: Millis

    def write(self, notice: Notice, late: Sequence[UserId]) -> Announcement:
        """Returns a notice; without lines if there is nothing to say, since no player is `late`."""
        match notice.kind:
            case NoticeKind.ROUND:
                return self._round()
            case NoticeKind.LATE:
                return self._late(late)
            case NoticeKind.ENDED:
                return self._end()
            case NoticeKind.CHANGED:
                return self._changed(notice.what)
            case _:
                return self._sign_up(notice.kind)

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
        lacks = kind in (NoticeKind.POSTPONED, NoticeKind.TOO_FEW)
        if lacks:
            details = {"least": MIN_PLAYERS, "number" if tournament.check_in else "count": len(tournament.here)}
        if tournament.begins is not None:
            details |= self.words.appointment(tournament.begins, self.now)
        key = f"{kind}.there" if lacks and tournament.check_in else kind.value
        lines = [self._say(key, **details)]
        if kind is NoticeKind.SOON and tournament.check_in:
            lines.append(self.words("tournament.told.check_in"))
        pinged = list(dict.fromkeys((*tournament.users, *([tournament.host] if lacks else []))))
        return Announcement([*lines, mention_all(pinged)], pinged)

    def _changed(self, what: Sequence[str]) -> Announcement:
        """Returns what of the tournament has changed, for all who play."""
        tournament = self.tournament
        fields = ", ".join(self.words(f"tournament.field.{name}") for name in what)
        there = link(tournament.guild, tournament.channel, tournament.message or MessageId(0))
        line = self._say("changed", what=fields, url=there)
        return Announcement([line, mention_all(tournament.playing)], [*tournament.playing])

    def _round(self) -> Announcement:
        tournament = self.tournament
        lines = [self._say("round", round=self._round_phrase)]
        if tournament.round_ends is not None:
            lines.append(self.words("tournament.until", when=self.words.until(tournament.round_ends, self.now)))
        lines += [self._pair(pair) for pair in tournament.current_pairings if pair.points is None or not pair.second]
        absent = tournament.absent if tournament.round == 1 else ()
        if absent:
            lines.append(self.words("tournament.told.absent", names=", ".join(map(self._mention, absent))))
        if tournament.left_server:
            gone = ", ".join(map(self._mention, tournament.left_server))
            lines.append(self.words("tournament.told.left", names=gone))
        if absent and tournament.entry_round is not None:
            lines.append(self.words("tournament.told.comeback"))
        players = dict.fromkeys(
            each for pair in tournament.current_pairings for each in (pair.first, pair.second) if each
        )
        return Announcement(lines, [*(user for user in players if user in tournament.playing), *absent])

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
        lines = [self._say("late", round=self._round_phrase, when=self.words.until(tournament.round_ends, self.now))]
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
        host = self.tournament.users[0]
        played = [
            (pair, pair.points if pair.first == host else pair.points[::-1])
            for pair in self.tournament.pairings
            if pair.points is not None and not pair.unplayed
        ]
        beat = [user for pair, points in played if points == LOST and (user := pair.opponent(host)) is not None]
        score, rest = (self.words.number(sum(points[side] for _, points in played)) for side in (0, 1))
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
        async with self._store.read() as reader:
            now = await reader.clock.now()
            length = await load_length(reader, tournament) if tournament.stage is Stage.SIGN_UP else None
        content = message_text(tournament, names, await self._channels(tournament), length, words, now)
        if tournament.stage is Stage.ENDED:
            games = (each.match for each in tournament.pairings)
            content = "\n".join((content, *await annulled_line(self._store, games, words)))
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
        async with self._store.read() as reader:
            now = await reader.clock.now()
        announcer = Announcer(tournament, names, await self._channels(tournament), words, now)
        told = announcer.write(notice, late)
        picture = None
        if notice.kind is NoticeKind.ENDED:
            picture = await self._draw(tournament, await self._server(tournament.guild), words)
        for part, text in enumerate(told.messages):
            nonce = f"t{tournament.id}:{notice.kind[:2]}{notice.version}:{part}"
            asks = notice.kind is NoticeKind.SOON and tournament.is_checking_in
            buttons = row(here_button(tournament, words)) if asks else None
            post = Post(text, buttons, picture if part == 0 else None, told.pinged)
            await self._posts.post(tournament.guild, tournament.channel, nonce, post)

    async def call(self, tournament: Tournament, pairing: Pairing) -> MessageId:
        """See use_cases.competitions.tournament_director.TournamentDisplay."""
        words = await self._locales.for_guild(tournament.guild)
        users = [pairing.first, *([pairing.second] if pairing.second else [])]
        first, *others = await self._names.of_all(users, tournament.guild)
        again = pairing.replays > 0
        content = words(
            "tournament.call.again" if again else "tournament.call",
            name=escape(plain_name(tournament.name, MAX_NAME)),
            round=round_phrase(tournament, pairing.round, words),
            first=escape(first),
            second=escape(others[0]) if others else words("tournament.computer"),
        )
        plain = words("tournament.stage.running", round=round_label(tournament, pairing.round, words))
        nonce = f"t{tournament.id}:{pairing.round}:{tournament.current_pairings.index(pairing)}:{pairing.replays}"
        if again:
            content += f"\n{mention_all(users)}"
        call = Post(content, pinged=users if again else ())
        return await self._posts.call(tournament.guild, tournament.channel, nonce, call, Post(plain))

    async def tell_decided(self, tournament: Tournament, pairing: Pairing) -> None:
        """See use_cases.competitions.tournament_director.TournamentDisplay."""
        assert pairing.match is not None, "it had a game"
        assert pairing.points is not None, "it is decided"
        words = await self._locales.for_guild(tournament.guild)
        names = await self._escaped(tournament.users, tournament.guild)
        name, (first, second) = escape(plain_name(tournament.name, MAX_NAME)), pairing.points
        if pairing.is_seeded and not pairing.unplayed:
            content = words("tournament.seeded.told", name=name, winner=names[winner_of(pairing)])
        elif first == second:
            content = words("tournament.unplayed.shared" if first else "tournament.unplayed.nobody", name=name)
        else:
            winner = pairing.first if first > second else pairing.second
            won = words("tournament.computer") if winner is None else names[winner]
            content = words("tournament.unplayed.won", name=name, winner=won)
        thread = (await self._channels(tournament)).get(pairing.match, tournament.channel)
        nonce = f"t{tournament.id}:u{pairing.match:x}"
        users = [user for user in (pairing.first, pairing.second) if user is not None]
        try:
            await self._posts.post(tournament.guild, thread, nonce, Post(content))
            if pairing.is_seeded:
                told = Post(f"{content}\n{mention_all(users)}", pinged=users)
                await self._posts.post(tournament.guild, tournament.channel, f"{nonce}:c", told)
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
    tournament: Tournament,
    names: Mapping[UserId, str],
    channels: Mapping[MatchId, ChannelId],
    length: Millis | None,
    words: Words,
    now: Millis,
) -> str:
    """Returns the text of the message at any stage; `names` are escaped. `length` is about how long it takes, told
    while players sign up."""
    lines = [words("tournament.title", name=escape(plain_name(tournament.name, MAX_NAME)))]
    lines += terms_lines(tournament, words)
    if length is not None:
        lines.append(words.markup.item(words("tournament.length", time=words.duration(length))))
    lines += _stage_lines(tournament, names, words, now)
    if tournament.stage in (Stage.RUNNING, Stage.CANCELLED):
        pairs = [_pair_line(tournament, pair, names, channels, words) for pair in tournament.current_pairings]
        lines += [*pairs[:MAX_PAIRS], *_others(len(pairs) - MAX_PAIRS, words)]
    if tournament.has_results:
        lines += _standing_lines(tournament, names, MESSAGE_ROOM - sum(len(line) + 1 for line in lines), words)
    return join_fitting(lines, words)


def _stage_lines(tournament: Tournament, names: Mapping[UserId, str], words: Words, now: Millis) -> list[str]:
    """Returns at which stage it is, what players can do at that, and who has signed up."""
    host, number = f"<@{tournament.host}>", tournament.round
    lines = []
    match tournament.stage:
        case Stage.SIGN_UP if tournament.begins is not None:
            lines.append(words("tournament.opens", host=host, **words.appointment(tournament.begins, now)))
        case Stage.RUNNING:
            lines.append(words("tournament.stage.running", round=round_label(tournament, number, words)))
        case Stage.ENDED:
            lines.append(f"**{end_label(tournament, words)}.**")
        case Stage.CANCELLED if tournament.too_few:
            lines.append(f"**{words('tournament.too_few')}**")
        case stage:
            lines.append(words(f"tournament.stage.{stage}", round=number, host=host))
    if tournament.round_ends is not None:
        lines.append(words("tournament.until", when=words.until(tournament.round_ends, now)))
    if tournament.stage is Stage.RUNNING and tournament.entry_round is not None:
        lines.append(words("tournament.late", round=tournament.entry_round))
    if tournament.wishes:
        pairs = "; ".join(f"{names[first]} – {names[second]}" for first, second in tournament.wishes)
        lines.append(words("tournament.wishes", pairs=pairs))
    if tournament.stage is Stage.SIGN_UP:
        lines += _entrants_lines(list(names.values()), words)
    return lines


def _entrants_lines(names: Sequence[str], words: Words) -> list[str]:
    if not names:
        return [words("tournament.no_entrants")]
    shown = ", ".join(names[:MAX_NAMES])
    return [words("tournament.entrants", count=len(names), names=shown), *_others(len(names) - MAX_NAMES, words)]


def _others(count: int, words: Words) -> list[str]:
    """Returns how many are not named, if some are not."""
    return [words("tournament.others", count=count)] if count > 0 else []


def _standing_lines(tournament: Tournament, names: Mapping[UserId, str], room: int, words: Words) -> list[str]:
    """Returns the first standings, as many as the `room` has characters for; the picture has all of them."""
    table = tournament.table
    lines: list[str] = []
    for standing in table[:MAX_STANDINGS]:
        line = words(
            "tournament.line" if standing.user in tournament.playing else "tournament.line.left",
            place=place_text(standing).replace(".", "\\."),
            name=names[standing.user],
            points=standing_text(tournament, standing, words),
        )
        room -= len(line) + 1
        if room < OTHERS_ROOM:
            break
        lines.append(line)
    return [*lines, *_others(len(table) - len(lines), words)]


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
        return words("tournament.result", first=first, second=second, result=result) + result_note(pairing, words)
    if tournament.stage is Stage.CANCELLED:
        return words("tournament.result", first=first, second=second, result="–")
    thread = words.channel(channels.get(pairing.match) if pairing.match else None)
    return words("tournament.pair", first=f"**{first}**", second=f"**{second}**", thread=thread)
