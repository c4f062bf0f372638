"""The coach: the computer as an advisor, with its reviews and puzzles, and what players learn."""

from __future__ import annotations

import asyncio

from bot.features.coach.computer import Computer, Helper
from bot.features.coach.daily_posts import DailyCards
from bot.features.coach.puzzle_poster import PuzzlePoster
from bot.features.coach.reviews import Reviews, findings_of
from bot.interactions.context import DailyCard, DailyPuzzle
from bot.services.guild_directory import GuildDirectory
from bot.services.job_pool import JobPool
from bot.services.locales import Locales
from bot.services.names import Names
from opponent.review import MIN_MOVES, Review
from play.challenge.challenge import Challenge
from play.community.daily import Recap
from play.community.puzzle import Puzzle
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.match.match import Match
from play.people.past_mistake import Finding
from play.refusal import Reason, Refused
from use_cases import UseCases
from use_cases.lessons import Lessons
from use_cases.past_mistakes import PastMistakes
from use_cases.public_pages import Channels
from use_cases.puzzles import Puzzles
from use_cases.rushes import Rushes
from use_cases.workers.game_reviewer import Rest


class Coach:
    """The implementation of bot.interactions.context.Coach. `computer` is None where the operator has none."""

    def __init__(
        self,
        directory: GuildDirectory,
        opened: Channels,
        use_cases: UseCases,
        locales: Locales,
        names: Names,
        jobs: JobPool,
        computer: Computer | None,
    ) -> None:
        self.computer = computer
        self.lessons = Lessons(use_cases.store)
        self.past_mistakes = PastMistakes(use_cases.store)
        self.puzzles = Puzzles(use_cases.store, use_cases.events)
        self.rushes = Rushes(use_cases.store)
        self._reviews = Reviews()
        self.cards = DailyCards(use_cases.store, use_cases.dailies, locales, names, jobs)
        self._poster = PuzzlePoster(directory, opened, use_cases, self.puzzles, locales, names, jobs)

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

        Raises Refused (`no_computer`, `computer_busy`, `lane_yours`).
        """
        found = await self._reviews.of(match, self.advisor(user))
        await self.past_mistakes.note_review(match, await asyncio.to_thread(findings_of, match, found), user)
        return found

    async def review_at_leisure(self, match: Match, rest: Rest) -> None:
        """See use_cases.workers.game_reviewer.MatchReviewer. A match too short for a review counts as reviewed."""
        if self.computer is None:
            return
        findings: dict[UserId, list[Finding]] = {}
        if len(match.moves) >= MIN_MOVES:
            found = await self._reviews.make(match, self.computer.leisure_helper(rest))
            findings = await asyncio.to_thread(findings_of, match, found)
        await self.past_mistakes.note_review(match, findings)

    async def daily_card(self, guild: GuildId, day: str) -> DailyCard:
        """Returns the daily of a day for a server. Raises Refused where the picture cannot be drawn."""
        return await self.cards.card(guild, day)

    async def recap_text(self, guild: GuildId, recap: Recap) -> str:
        """Returns how the daily of a day went on a server."""
        return await self.cards.recap_text(guild, recap)

    async def daily_puzzle(self, guild: GuildId, channel: ChannelId, now: Millis) -> DailyPuzzle | None:
        """Returns today's puzzle from a game of a server, made if there was none yet of what all who read the channel
        can read; None where no game has one.

        Raises Refused where the picture cannot be drawn.
        """
        return await self._poster.daily_puzzle(guild, channel, now, self._puzzler(guild))

    async def mark_posted(self, puzzle: Puzzle, channel: ChannelId, message: MessageId) -> None:
        """Notes which message shows a puzzle to its server."""
        await self.puzzles.mark_posted(puzzle, channel, message)

    async def post_puzzle(self, guild: GuildId, channel: ChannelId, now: Millis) -> Puzzle | None:
        """Returns today's puzzle from a game of a server, posted in `channel` if it is nowhere yet; None where no game
        has one. Raises Refused."""
        return await self._poster.post_puzzle(guild, channel, now, self._puzzler(guild))

    def _puzzler(self, guild: GuildId) -> Helper | None:
        return self.computer.helper(guild) if self.computer else None

    async def take_challenge(self, challenge: Challenge, card: MessageId) -> None:
        """Lets the computer accept a challenge to it, once the card is posted. Raises Refused."""
        if self.computer is not None:
            await self.computer.accept_challenge(challenge, card)
