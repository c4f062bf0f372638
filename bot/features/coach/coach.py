"""The coach: the computer as an advisor, with its reviews and puzzles, and what players learn."""

import asyncio

from bot.features.coach.computer import Computer, Helper
from bot.features.coach.posts import PuzzlePosts
from bot.features.coach.reviews import Reviews, findings_of
from bot.services.channels import ChannelMessenger
from bot.services.guild_directory import GuildDirectory
from bot.services.job_pool import JobPool
from bot.services.locales import Locales
from bot.services.names import Names
from opponent.review import MIN_MOVES, Review
from play.challenge.challenge import Challenge
from play.ids import MessageId, UserId
from play.match.match import Match
from play.people.past_mistake import Finding
from play.refusal import Reason, Refused
from use_cases import UseCases
from use_cases.public_pages import Channels
from use_cases.workers.game_reviewer import Rest


class Coach:
    """The implementation of bot.interactions.context.Coach. `computer` is None where the operator has none."""

    def __init__(
        self,
        directory: GuildDirectory,
        channels: ChannelMessenger,
        opened: Channels,
        use_cases: UseCases,
        locales: Locales,
        names: Names,
        jobs: JobPool,
        computer: Computer | None,
    ) -> None:
        self.computer = computer
        self._use_cases = use_cases
        self._reviews = Reviews()
        self.posts = PuzzlePosts(directory, channels, opened, use_cases, locales, names, jobs, computer)

    @property
    def has_computer(self) -> bool:
        """Returns whether the computer thinks here."""
        return self.computer is not None

    def advisor(self, asker: int) -> Helper:
        """Returns the computer as it helps a user or a server. Raises Refused (`no_computer`)."""
        if self.computer is None:
            raise Refused(Reason.NO_COMPUTER)
        return self.computer.helper(asker)

    async def review(self, match: Match, user: UserId) -> Review:
        """Returns the review of a match, for a user, and stores what its players can learn.

        Raises Refused (`no_computer`, `match_goes_on`, `too_short_to_review`, `computer_busy`, `lane_yours`).
        """
        advisor = self.advisor(user)
        if match.outcome is None:
            raise Refused(Reason.MATCH_GOES_ON)
        if len(match.moves) < MIN_MOVES:
            raise Refused(Reason.TOO_SHORT_TO_REVIEW)
        found = await self._reviews.of(match, advisor)
        await self._use_cases.past_mistakes.note_review(match, await asyncio.to_thread(findings_of, match, found), user)
        return found

    async def review_at_leisure(self, match: Match, rest: Rest) -> None:
        """See use_cases.workers.game_reviewer.MatchReviewer. A match too short for a review counts as reviewed."""
        if self.computer is None:
            return
        findings: dict[UserId, list[Finding]] = {}
        if len(match.moves) >= MIN_MOVES:
            found = await self._reviews.make(match, self.computer.leisure_helper(rest))
            findings = await asyncio.to_thread(findings_of, match, found)
        await self._use_cases.past_mistakes.note_review(match, findings)

    async def take_challenge(self, challenge: Challenge, card: MessageId) -> None:
        """Lets the computer accept a challenge to it, once the card is posted. Raises Refused."""
        if self.computer is not None:
            await self.computer.accept_challenge(challenge, card)
