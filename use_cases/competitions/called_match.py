"""Matches whose players are called by a message of a worker: tournaments, contests and leagues begin their games so."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.match import AwayPlace, Match
from play.refusal import Refused
from storage import Database
from storage.errors import ChannelTaken
from storage.unit_of_work import Transaction
from use_cases.barriers import check_open
from use_cases.challenges import build_match
from use_cases.channel_rights import MembersLeft
from use_cases.events import Events
from use_cases.limits import give_way
from use_cases.match_writer import automatic_key
from use_cases.moderation import Moderation
from use_cases.verdicts import leader
from use_cases.worker import RetryLater

PAUSED_SECONDS = 60.0
"""Seconds until a director looks again whether games may begin."""


def challenge_of_call(
    guild: GuildId, channel: ChannelId, message: MessageId, players: tuple[UserId, UserId], terms: Terms, now: Millis
) -> Challenge:
    """Returns the challenge, accepted, of the game to which a `message` in the channel calls two players."""
    challenger, opponent = players
    return Challenge(
        ChallengeId(0),
        guild,
        channel,
        challenger,
        opponent,
        replace(terms, window=None),
        made=now,
        state=ChallengeState.ACCEPTED,
        joined=(opponent,),
        message=message,
    )


async def add_called(tx: Transaction, challenge: Challenge, built: Match) -> Match:
    """Stores the match of an accepted challenge, built in the thread of the message that calls the players; and it. If
    it is live, other live challenges of its players give way.

    Raises RetryLater if a game is played in a thread of the match already.
    """
    assert challenge.message is not None, "the players are called"
    try:
        match = await tx.matches.add(built)
    except ChannelTaken as taken:
        raise RetryLater(f"there is a game in the thread of call {challenge.message} already") from taken
    added = await tx.challenges.add(replace(challenge, match=match.id))
    await tx.challenges.mark_card_posted(added.id, added.version, challenge.message)
    await give_way(tx, added, match)
    return match


@dataclass(frozen=True, slots=True)
class CalledGames:
    """Begins the games to which directors call players, and judges those whose time is over.

    `user` is the bot itself, which judges, and plays as the computer. `seeds` draws lots. `left` tells who is no member
    of the server any more, and so is not called.
    """

    store: Database
    moderation: Moderation
    events: Events
    user: Callable[[], UserId]
    seeds: Callable[[], int]
    left: MembersLeft

    async def check_open(self, now: Millis) -> None:
        """Raises RetryLater while the operator lets no game begin: then nobody is called to one."""
        async with self.store.read() as reader:
            try:
                await check_open(reader, now)
            except Refused as paused:
                raise RetryLater("the operator lets no game begin", PAUSED_SECONDS) from paused

    async def build(self, tx: Transaction, challenge: Challenge, now: Millis, away: AwayPlace | None = None) -> Match:
        """Returns the match of an accepted challenge, to be played in the thread of the message that calls its players,
        and perhaps in one on another server as well."""
        assert challenge.message is not None, "the players are called"
        return await build_match(tx, challenge, self.seeds(), now, ChannelId(challenge.message), away)

    async def judge(self, matches: Iterable[MatchId | None], now: Millis) -> None:
        """Ends those of the games that still run when their time is over: who leads by the score wins."""
        for number in filter(None, matches):
            async with self.store.read() as reader:
                match = await reader.matches.get(number)
            if match is not None and not match.outcome:
                await self.moderation.close(match.id, self.user(), leader(match), now, automatic_key(match))
