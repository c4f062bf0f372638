"""What users take part in by a browser: the same use cases as behind the buttons in Discord."""

from bot.interactions.context import Services
from bot.services.members import DiscordMembers
from play.community.home import OfferKind
from play.competitions.contest import ContestId
from play.competitions.tournament import TournamentId
from play.ids import ChannelId, GuildId, Millis, UserId
from play.people.membership import Member
from play.refusal import Reason, Refused


class WebJoining:
    """An implementation of `web.ports.Joining`."""

    def __init__(self, services: Services, members: DiscordMembers) -> None:
        self._services = services
        self._members = members

    async def join(self, user: UserId, guild: GuildId, kind: OfferKind, number: int, at: Millis) -> None:
        use_cases = self._services.use_cases
        member = await self._require_member(user, guild, await self._channel_of(guild, kind, number))
        match kind:
            case OfferKind.TOURNAMENT:
                await use_cases.tournaments.sign_up(TournamentId(number), user)
            case OfferKind.CONTEST:
                await use_cases.contests.sign_up(ContestId(number), member, at)
            case OfferKind.LEAGUE:
                await use_cases.leagues.join(guild, user, at)
            case OfferKind.LADDER:
                await use_cases.ladders.join(guild, user, at)

    async def _channel_of(self, guild: GuildId, kind: OfferKind, number: int) -> ChannelId | None:
        """Returns the channel in which its button is; None where a server has no such thing."""
        async with self._services.store.read() as reader:
            match kind:
                case OfferKind.TOURNAMENT:
                    tournament = await reader.tournaments.get(TournamentId(number))
                    return tournament.channel if tournament and tournament.guild == guild else None
                case OfferKind.CONTEST:
                    contest = await reader.contests.get(ContestId(number))
                    side = contest.side_of(guild) if contest else None
                    return None if contest is None or side is None else contest.team(side).channel
                case OfferKind.LEAGUE:
                    league = await reader.leagues.get(guild)
                    return league.channel if league else None
                case OfferKind.LADDER:
                    ladder = await reader.ladders.get(guild)
                    return ladder.channel if ladder else None
                case OfferKind.VOTE | OfferKind.PREDICTION:
                    raise Refused(Reason.BAD_MESSAGE)

    async def _require_member(self, user: UserId, guild: GuildId, channel: ChannelId | None) -> Member:
        """Returns a user as a member who sees the channel, and whom nothing keeps from its buttons. Raises Refused."""
        standing = None if channel is None else await self._members.standing(guild, channel, user)
        member = await self._members.member(guild, user)
        if member is None or standing is None or not standing.may.view_channel:
            raise Refused(Reason.NOTHING_TO_JOIN)
        if standing.held_back is not None:
            raise Refused(standing.held_back)
        async with self._services.store.read() as reader:
            server = await reader.servers.get(guild)
        await self._services.directory.require_role(server, member.roles)
        return member
