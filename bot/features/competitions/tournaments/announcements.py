"""The notices of a tournament in words, with the players whom each one mentions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.features.competitions.publisher import Announcement
from play.competitions.tournament import MIN_PLAYERS, Format, NoticeKind, Pairing, Tournament
from play.ids import ChannelId, MatchId, UserId, is_person
from presentation.addresses import link
from presentation.text import escape, plain_name
from presentation.tournaments import (
    MAX_NAME,
    place_text,
    points_text,
    round_phrase,
)
from presentation.words.words import Words

PODIUM = {1: "🥇", 2: "🥈", 3: "🥉"}


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
