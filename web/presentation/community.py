"""What members of a server can take part in, and the doors to what they share, as the home page says it."""

from collections.abc import Callable, Sequence

import yarl

from play.community.home import HomeOffer, HomeTournament, OfferKind
from play.competitions.tournament import TournamentId
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.refusal import Refused
from presentation.people import Names
from presentation.text import plain_name
from presentation.tournaments import MAX_NAME, round_kind
from presentation.words.words import Words
from use_cases.lobby import Surroundings
from use_cases.public_pages import PublicServers
from web.bodies import Json
from web.ports import Addresses, ServerNames, ServerPaths, url_of

JOINED_BY = {
    OfferKind.TOURNAMENT: "tournament.button.join",
    OfferKind.CONTEST: "team.button.join",
    OfferKind.LEAGUE: "league.button.join",
    OfferKind.LADDER: "ladder.button.join",
}
"""The buttons by which a member takes part in one step."""


class CommunityTeller:
    """The communities of servers as JSON of docs/web-protocol.md."""

    def __init__(
        self,
        names: Names,
        servers: ServerNames,
        addresses: Addresses,
        public: PublicServers,
        paths: ServerPaths,
        address: str,
    ) -> None:
        """`address` is that of the site, for links that leave an Activity."""
        self._names = names
        self._servers = servers
        self._addresses = addresses
        self._public = public
        self._paths = paths
        self._address = yarl.URL(address)

    async def tell(self, around: Surroundings, user: UserId, words: Words) -> Json:
        """Returns what a member can take part in, and where a server has its tables."""
        guild, tournaments = around.guild, {each.id: each for each in around.tournaments}
        lines = [
            _running(guild, each, self._url(guild, each.channel, each.message), words)
            for each in around.tournaments
            if each.round
        ]
        for offer in around.offers:
            tournament = tournaments.get(TournamentId(offer.number)) if offer.kind is OfferKind.TOURNAMENT else None
            lines.append(await self._offer(around, offer, tournament, words))
        doors = await self._doors(around, user, words)
        told = words("web.community.in_chat")
        return {
            "offers": lines,
            "doors": doors,
            "elsewhere": None if doors else told,
            "url": self._url(guild, around.door),
        }

    def _url(self, guild: GuildId, channel: ChannelId, message: MessageId | None = None) -> str | None:
        return url_of(self._addresses.of(guild, channel, message))

    async def _doors(self, around: Surroundings, user: UserId, words: Words) -> Sequence[Json]:
        """Returns the public pages of a server; none where they are off, or while the chat does not tell its name."""
        try:
            await self._public.load(around.guild)
        except Refused:
            return ()
        guild, paths = around.guild, self._paths
        kinds = {each.kind for each in around.offers}
        pages: list[tuple[bool, str, Callable[[], str]]] = [
            (True, "web.server.leaderboard", lambda: paths.leaderboard(guild)),
            (around.has_profile, "web.community.profile", lambda: paths.player(guild, user)),
            (OfferKind.LEAGUE in kinds, "web.server.league", lambda: paths.league(guild)),
            (OfferKind.LADDER in kinds, "web.server.ladder", lambda: paths.ladder(guild)),
            (True, "web.server.tournaments", lambda: paths.tournaments(guild)),
        ]
        there = [(label, path()) for is_there, label, path in pages if is_there]
        return [{"label": words(label), "url": str(self._address.with_path(path))} for label, path in there]

    async def _offer(
        self, around: Surroundings, offer: HomeOffer, tournament: HomeTournament | None, words: Words
    ) -> Json:
        guild, is_in = around.guild, offer in around.joined
        label = None if is_in else JOINED_BY.get(offer.kind)
        told: Json = {
            "kind": offer.kind,
            "number": offer.number,
            "title": await self._title(guild, offer, tournament, words),
            "line": words("web.community.in") if is_in else _line(offer, tournament, words, around.now),
            "join": label and words(label),
            "server": str(guild),
            "url": self._url(guild, offer.channel, tournament.message if tournament else None),
        }
        if offer.kind is OfferKind.VOTE:
            return told | {"match": offer.number, "open": words("home.button.vote")}
        if offer.kind is OfferKind.PREDICTION:
            return told | {"open": words("button.predict")}
        return told

    async def _title(self, guild: GuildId, offer: HomeOffer, tournament: HomeTournament | None, words: Words) -> str:
        if tournament is not None:
            return plain_name(tournament.name, MAX_NAME)
        if offer.guest is not None:
            return await self._servers.of_server(offer.guest) or words("team.server")
        if offer.players:
            return " – ".join(await self._names.of_all(offer.players, guild))
        return words("web.server.league") if offer.kind is OfferKind.LEAGUE else words("web.server.ladder")


def _line(offer: HomeOffer, tournament: HomeTournament | None, words: Words, now: Millis) -> str:
    """Returns what can be done, and until when."""
    until = tournament.begins if tournament else offer.until
    when = "" if until is None else words.until(until, now)
    key = f"web.community.{offer.kind}" + (".begins" if tournament and when else "")
    return words(key, number=offer.count, when=when)


def _running(guild: GuildId, tournament: HomeTournament, url: str | None, words: Words) -> Json:
    kind = round_kind(tournament.format, tournament.pairs)
    return {
        "kind": OfferKind.TOURNAMENT,
        "number": tournament.id,
        "title": plain_name(tournament.name, MAX_NAME),
        "line": words(f"tournament.during.{kind}", round=tournament.round),
        "join": None,
        "server": str(guild),
        "url": url,
    }
