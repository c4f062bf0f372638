"""Where things are kept: found by what a button says, and moved to another channel."""

from dataclasses import dataclass

from play.competitions.contest import ContestId, Side
from play.competitions.tournament import TournamentId
from play.ids import ChannelId, GuildId, Millis, UserId
from play.posts import KeptPost, PostKey, PostKind
from play.refusal import Reason, Refused
from storage import Database
from use_cases.competitions.arenas import Arenas
from use_cases.competitions.contests import Contests
from use_cases.competitions.ladders import LadderService
from use_cases.competitions.leagues import Leagues
from use_cases.competitions.tournaments import TournamentService
from use_cases.dailies import Dailies
from use_cases.events import logged
from use_cases.homes import Homes
from use_cases.seats_posts import SeatsPosts


@dataclass(frozen=True, slots=True)
class Places:
    """What is kept in channels, by its kind. All methods raise Refused; `old_button` for what is there no more."""

    store: Database
    tournaments: TournamentService
    leagues: Leagues
    contests: Contests
    ladders: LadderService
    homes: Homes
    dailies: Dailies
    seats: SeatsPosts
    arenas: Arenas

    async def find(self, key: PostKey) -> KeptPost:
        """Returns where something is kept, with the one who has chosen its channel last."""
        post = await self._post(key)
        async with self.store.read() as reader:
            return await reader.kept_posts.with_keeper(post)

    @logged
    async def move(self, key: PostKey, channel: ChannelId, by: UserId, at: Millis) -> None:
        """Lets it go on in another channel of its server. From now on `by` is told of its troubles."""
        guild = GuildId(key.number)
        match key.kind:
            case PostKind.TOURNAMENT:
                await self.tournaments.move(TournamentId(key.number), by, channel)
            case PostKind.CONTEST:
                await self.contests.move(ContestId(key.number), Side(key.side), by, channel)
            case PostKind.LEAGUE:
                await self.leagues.move(guild, channel, by)
            case PostKind.LADDER:
                await self.ladders.move(guild, by, channel)
            case PostKind.HOME:
                home = await self.homes.of(guild)
                await self.homes.settle(guild, channel, None if home is None else home.zone, by)
            case PostKind.DAILY:
                await self.dailies.change_place(guild, lambda place: place.moved(channel, at), by)
            case PostKind.SEATS:
                await self.seats.settle(guild, channel, by)
            case PostKind.ARENA:
                await self.arenas.follow(guild, channel, by)
        async with self.store.write() as tx:
            await tx.kept_posts.place(key, by)

    async def _post(self, key: PostKey) -> KeptPost:
        guild = GuildId(key.number)
        match key.kind:
            case PostKind.TOURNAMENT:
                return (await self.tournaments.load(TournamentId(key.number))).post
            case PostKind.CONTEST:
                contest = await self.contests.load(ContestId(key.number))
                if key.side in contest.sides:
                    return contest.post(Side(key.side))
            case PostKind.LEAGUE:
                return (await self.leagues.load(guild)).post
            case PostKind.LADDER:
                return (await self.ladders.load(guild)).post
            case PostKind.HOME:
                home = await self.homes.of(guild)
                if home is not None:
                    return home.post
            case PostKind.DAILY:
                async with self.store.read() as reader:
                    place = await reader.dailies.place(guild)
                if place is not None and place.channel is not None:
                    return place.post
            case PostKind.SEATS:
                seats = await self.seats.of(guild)
                if seats is not None:
                    return seats.post
            case PostKind.ARENA:
                follower = await self.arenas.follower(guild)
                if follower is not None:
                    return follower.post
        raise Refused(Reason.OLD_BUTTON)
