"""A tournament without Discord: its director works on request, and its display posts nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

from play.competitions.tournament import Notice, Pairing, Tournament, TournamentId
from play.ids import GuildId, MessageId, UserId
from tests.keepers import NotingKeepers, kept_posts
from use_cases import UseCases
from use_cases.channel_rights import MembersLeft
from use_cases.competitions.called_match import CalledGames
from use_cases.competitions.tournament_director import TournamentDirector, TournamentDisplay

PROGRAM = UserId(900)
"""The bot's own account, which plays as the computer."""


class SilentDisplay:
    """A `use_cases.competitions.tournament_director.TournamentDisplay` that only counts messages."""

    def __init__(self) -> None:
        self._messages = count(10_000)

    async def show(self, tournament: Tournament) -> MessageId:
        return tournament.message or MessageId(next(self._messages))

    async def call(self, tournament: Tournament, pairing: Pairing) -> MessageId:
        return MessageId(next(self._messages))

    async def announce(self, tournament: Tournament, notice: Notice, late: Sequence[UserId]) -> None:
        pass

    async def tell_decided(self, tournament: Tournament, pairing: Pairing) -> None:
        pass


async def nobody_left(guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
    """A server that nobody leaves."""
    return frozenset()


def called_games(use_cases: UseCases, left: MembersLeft = nobody_left) -> CalledGames:
    """Returns what begins and judges the games of directors of tests, on a server that some users have `left`."""
    return CalledGames(use_cases.store, use_cases.moderation, use_cases.events, lambda: PROGRAM, lambda: 4, left)


def make_director(
    use_cases: UseCases,
    display: TournamentDisplay | None = None,
    keepers: NotingKeepers | None = None,
    left: MembersLeft = nobody_left,
) -> TournamentDirector:
    posts = kept_posts(use_cases.store, keepers)
    return TournamentDirector(use_cases.store, posts, called_games(use_cases, left), display or SilentDisplay())


async def post_boards(use_cases: UseCases) -> None:
    """Empties the outbox, as if all boards were posted."""
    async with use_cases.store.write() as tx:
        for away in (False, True):
            for match in await tx.outbox.pending_matches(away=away):
                while (entry := await tx.outbox.next_entry(match, away=away)) is not None:
                    await tx.outbox.mark_posted(entry, MessageId(match))


async def direct(director: TournamentDirector, use_cases: UseCases, tournament: TournamentId) -> Tournament:
    """Does what is due in a tournament, a further round included; returns it."""
    for _ in range(2):
        await director.process(tournament)
        await post_boards(use_cases)
    return await use_cases.tournaments.load(tournament)
