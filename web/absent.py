"""What the site does where a platform has no such thing: each refuses with a sentence that says so."""

from collections.abc import Collection, Sequence

from opponent.review import Review
from play.challenge.terms import Continuation
from play.clock import Speed
from play.community.home import OfferKind
from play.community.puzzle import Puzzle
from play.community.seek import Seek, SeekId
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.match.match import Match
from play.people.membership import Member
from play.refusal import Reason, Refused
from rules.game import AnyGame, Seat
from web.ports import ChatLink, Friend, Helper, ServerRole, TermsDraft, Venue


class NoAddresses:
    """A platform that has no addresses: its chats are found by its own client alone."""

    @property
    def home(self) -> ChatLink | None:
        return None

    def of(self, guild: GuildId | None, channel: ChannelId, message: MessageId | None = None) -> ChatLink | None:
        return None


class NoGuilds:
    """A platform without servers of which a channel is one of many."""

    async def guild_of(self, channel: ChannelId) -> GuildId | None:
        return None

    async def roles_of(self, guild: GuildId) -> Sequence[ServerRole]:
        return ()


class NoCoach:
    """A program whose operator has no computer."""

    @property
    def has_computer(self) -> bool:
        return False

    def advisor(self, asker: int) -> Helper:
        raise Refused(Reason.NO_COMPUTER)

    async def review(self, match: Match, user: UserId) -> Review:
        raise Refused(Reason.NO_COMPUTER)


class NoVoters:
    """A platform on which nobody plays by votes."""

    async def seat(self, match: Match, user: UserId) -> Seat | None:
        return None

    async def voter(self, match: Match, user: UserId) -> Member:
        raise Refused(Reason.NOT_A_VOTER)


class NoJoining:
    """A platform that has nothing to sign up for."""

    async def join(self, user: UserId, guild: GuildId, kind: OfferKind, number: int, at: Millis) -> None:
        raise Refused(Reason.NOTHING_TO_JOIN)


class NoChallenging:
    """A platform on which games begin in its chats alone."""

    async def play_computer(
        self, user: UserId, here: ChannelId | None, level: int | None, at: Millis, key: IdempotencyKey
    ) -> MatchId:
        raise Refused(Reason.NO_PLAY_THERE)

    async def play_on(
        self,
        user: UserId,
        here: ChannelId | None,
        game: AnyGame,
        level: int,
        seat: Seat,
        at: Millis,
        key: IdempotencyKey,
    ) -> MatchId:
        raise Refused(Reason.NO_PLAY_THERE)

    async def look(
        self, user: UserId, here: ChannelId | None, speed: Speed, at: Millis, *, flexible: bool, weekly: bool
    ) -> None:
        raise Refused(Reason.NO_PLAY_THERE)

    async def sit(self, user: UserId, here: ChannelId | None, seek: SeekId) -> None:
        raise Refused(Reason.NO_PLAY_THERE)

    async def look_up_friend(self, user: UserId, code: str) -> Seek:
        raise Refused(Reason.NO_PLAY_THERE)

    async def accept_friend(self, user: UserId, here: ChannelId | None, code: str) -> Seek:
        raise Refused(Reason.NO_PLAY_THERE)

    async def enter_arena(self, user: UserId, here: ChannelId | None, at: Millis) -> None:
        raise Refused(Reason.NO_PLAY_THERE)

    async def accept(self, user: UserId, challenge: ChallengeId, changes: int, at: Millis) -> MatchId | None:
        raise Refused(Reason.NO_CHALLENGE)

    async def decline(self, user: UserId, challenge: ChallengeId, at: Millis, *, sure: bool) -> str | None:
        raise Refused(Reason.NO_CHALLENGE)

    async def venues(self, user: UserId, here: ChannelId | None) -> Sequence[Venue]:
        return ()

    async def draft(
        self, user: UserId, code: str | None, field: str, values: Sequence[str], game: AnyGame | None = None
    ) -> TermsDraft:
        raise Refused(Reason.NO_PLAY_THERE)

    async def friends(self, user: UserId, guilds: Collection[GuildId]) -> Sequence[Friend]:
        return ()

    async def offer(
        self,
        user: UserId,
        opponent: UserId | None,
        channel: ChannelId,
        code: str,
        at: Millis,
        key: IdempotencyKey,
        beginning: Continuation | None = None,
    ) -> str | None:
        raise Refused(Reason.NO_PLAY_THERE)

    async def invite(self, user: UserId, here: ChannelId | None, code: str | None, beginning: Continuation) -> str:
        raise Refused(Reason.NO_PLAY_THERE)

    async def rematch(self, match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> MatchId | None:
        raise Refused(Reason.NO_PLAY_THERE)

    async def answer_rematch(
        self, match: Match, user: UserId, challenge: ChallengeId, changes: int, at: Millis, *, accepts: bool
    ) -> MatchId | None:
        raise Refused(Reason.NO_CHALLENGE)


async def name_nobody(puzzle: Puzzle) -> None:
    """Does nothing where no post of a puzzle names its solvers."""
