"""Voters on the web: what Discord says now of members of the servers that play."""

from __future__ import annotations

from datetime import datetime

from bot.services.kept_answers import KeptAnswers
from bot.services.members import DiscordMembers
from play.ids import Millis, RoleId, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from play.votes.side import Voter, has_side
from rules.point import Seat
from use_cases.votes import Votes


class WebVoters:
    """An implementation of `web.ports.Voters`."""

    def __init__(self, answers: KeptAnswers, members: DiscordMembers, votes: Votes) -> None:
        self._answers = answers
        self._members = members
        self._votes = votes

    async def seat(self, match: Match, user: UserId) -> Seat | None:
        """See web.ports.Voters."""
        if not has_side(match):
            return None
        try:
            voter = await self._find(match, user)
            return match.seat_of(await self._votes.account_in(match, voter))
        except Refused as refused:
            if refused.key is Reason.DISCORD_AWAY:
                raise
            return None

    async def voter(self, match: Match, user: UserId) -> Voter:
        """See web.ports.Voters."""
        voter = await self._find(match, user)
        assert voter.guild is not None, "they were found on a server"
        await self._members.check_not_held_back(voter.guild, user)
        return voter

    async def _find(self, match: Match, user: UserId) -> Voter:
        for guild in await self._votes.servers_of(match.id, user):
            member = await self._answers.member(guild, user)
            if member is not None:
                roles = frozenset(RoleId(int(role)) for role in member["roles"])
                joined = member.get("joined_at")
                since = Millis(int(datetime.fromisoformat(joined).timestamp() * 1000)) if joined else None
                return Voter(user, guild, roles, since)
        raise Refused(Reason.NOT_A_VOTER)
