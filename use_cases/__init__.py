"""The composition root of the core: all use cases over one store."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from play.ids import ChannelId, GuildId
from storage import Database
from use_cases.absences import Absences
from use_cases.bans import Bans
from use_cases.barriers import Blocks
from use_cases.challenges import Challenges
from use_cases.clock_service import ClockService, LostTime
from use_cases.competitions.arenas import Arenas
from use_cases.competitions.contests import Contests
from use_cases.competitions.ladders import LadderService
from use_cases.competitions.leagues import Leagues
from use_cases.competitions.tournaments import TournamentService
from use_cases.dailies import Dailies
from use_cases.events import Events
from use_cases.featured import Featured
from use_cases.friends import Friends
from use_cases.greetings import Greetings
from use_cases.homes import Homes
from use_cases.identities import Identities
from use_cases.lessons import Lessons
from use_cases.limits import Capacity
from use_cases.linked_accounts import LinkedAccounts
from use_cases.match_actions import MatchActions
from use_cases.match_writer import MatchWriter
from use_cases.matches import Matches
from use_cases.milestones import Milestones
from use_cases.moderation import Moderation
from use_cases.open_seats import OpenSeats
from use_cases.operator import Blocked, Operator
from use_cases.outages import Outages
from use_cases.own_boards import OwnBoards
from use_cases.past_mistakes import PastMistakes
from use_cases.places import Places
from use_cases.predictions import Predictions
from use_cases.puzzles import Puzzles
from use_cases.releases import Releases
from use_cases.rule_sets import RuleSets
from use_cases.rushes import Rushes
from use_cases.seats_posts import SeatsPosts
from use_cases.seeks import Seeks
from use_cases.shared_figures import FigureSharing
from use_cases.training import Training
from use_cases.votes import Votes


@dataclass(frozen=True, slots=True)
class UseCases:
    """All use cases of one process, and the events that they publish."""

    store: Database
    events: Events
    matches: Matches
    challenges: Challenges
    actions: MatchActions
    moderation: Moderation
    clocks: ClockService
    tournaments: TournamentService
    contests: Contests
    ladders: LadderService
    leagues: Leagues
    rule_sets: RuleSets
    greetings: Greetings
    blocks: Blocks
    bans: Bans
    homes: Homes
    dailies: Dailies
    lessons: Lessons
    past_mistakes: PastMistakes
    puzzles: Puzzles
    rushes: Rushes
    training: Training
    predictions: Predictions
    linked_accounts: LinkedAccounts
    identities: Identities
    featured: Featured
    milestones: Milestones
    lost_time: LostTime
    outages: Outages
    capacity: Capacity
    votes: Votes
    places: Places
    operator: Operator
    blocked: Blocked
    absences: Absences
    releases: Releases
    seeks: Seeks
    own_boards: OwnBoards
    figure_sharing: FigureSharing
    open_seats: OpenSeats
    seats_posts: SeatsPosts
    friends: Friends
    arenas: Arenas

    @classmethod
    def over(
        cls,
        store: Database,
        seeds: Callable[[], int],
        capacity: Capacity = Capacity(),  # noqa: B008
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Builds all of them; `seeds` draws whole numbers of 63 bits at most, `clock` is in seconds."""
        events = Events()
        writer = MatchWriter(store, events)
        lost_time, outages = LostTime(store, clock), Outages(store)
        matches = Matches(writer, lost_time, outages)
        moderation = Moderation(writer)
        events.match_changed.subscribe(lost_time.note_match)
        tournaments = TournamentService(store, events, matches, seeds)
        contests, ladders = Contests(store, events, capacity), LadderService(store, events, capacity)
        seeks, seats_posts = Seeks(store, events, capacity), SeatsPosts(store, events)
        leagues, homes, dailies = Leagues(store, events), Homes(store, events), Dailies(store, events)
        seeks = Seeks(store, events, capacity)
        arenas = Arenas(store, events, seeks)
        return cls(
            store=store,
            events=events,
            matches=matches,
            challenges=Challenges(store, events, seeds, capacity),
            actions=MatchActions(writer),
            moderation=moderation,
            clocks=ClockService(writer, outages),
            tournaments=tournaments,
            contests=contests,
            ladders=ladders,
            leagues=leagues,
            rule_sets=RuleSets(store, events),
            greetings=Greetings(store, events),
            releases=Releases(store, events),
            blocks=Blocks(store),
            bans=Bans(store, events, moderation),
            homes=homes,
            dailies=dailies,
            lessons=Lessons(store),
            past_mistakes=PastMistakes(store),
            puzzles=Puzzles(store, events),
            rushes=Rushes(store),
            training=Training(store),
            predictions=Predictions(store),
            linked_accounts=LinkedAccounts(store, events),
            identities=Identities(store),
            featured=Featured(store),
            milestones=Milestones(store),
            lost_time=lost_time,
            outages=outages,
            capacity=capacity,
            votes=Votes(store, events, seeds, capacity),
            places=Places(store, tournaments, leagues, contests, ladders, homes, dailies, seats_posts, arenas),
            operator=Operator(writer),
            blocked=Blocked(),
            absences=Absences(store, events),
            seeks=seeks,
            own_boards=OwnBoards(store),
            figure_sharing=FigureSharing(store),
            open_seats=OpenSeats(store, events, seeks),
            seats_posts=seats_posts,
            friends=Friends(store, events, seeks),
            arenas=arenas,
        )

    async def forget_guild(self, guild: GuildId) -> None:
        """Ends what needs a server that the bot was removed from: its home, its open seats, its part in contests, and
        that others read its studies.

        Raises Refused (`busy`).
        """
        await self.homes.stop(guild)
        await self.seats_posts.stop(guild)
        await self.contests.drop_server(guild)
        async with self.store.write() as tx:
            await tx.studies.close(guild)

    async def forget_channel(self, channel: ChannelId) -> None:
        """Ends what needs a channel or thread that was deleted, and has the boards of its matches posted elsewhere.

        Raises Refused (`busy`).
        """
        await self.challenges.drop_channel(channel)
        await self.tournaments.drop_channel(channel)
        await self.contests.drop_channel(channel)
        await self.actions.leave_channel(channel)
