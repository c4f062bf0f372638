"""The use cases of milestones: notice, once, what a player has reached."""

from collections.abc import Mapping

from play.community.milestone import Milestone, news
from play.ids import Millis, UserId
from storage import Database
from use_cases.match_writer import retry_on_conflict


class Milestones:
    """What players have reached. A game costs nothing for it: the player is looked at where they look."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def notice(self, user: UserId, computer: UserId | None) -> tuple[Milestone, ...]:
        """Notes what a user has reached since the last look; returns what to tell them: nothing if they want none.

        Each is told once, whichever process looks first. Raises Refused (`busy`).
        """

        async def attempt() -> tuple[Milestone, ...]:
            async with self._store.read() as reader:
                wants = (await reader.people.get(user)).milestones
                known = await reader.milestones.of_user(user)
                if not wants or len(known) == len(Milestone):
                    return ()
                reached = (await reader.milestones.progress(user, computer, known)).reached - known.keys()
            if reached:
                async with self._store.write() as tx:
                    await tx.milestones.add(user, reached, await tx.clock.now())
            return news(reached)

        return await retry_on_conflict(attempt)

    async def of_user(self, user: UserId) -> Mapping[Milestone, Millis]:
        """Returns what a user has reached and been told of, the latest last."""
        async with self._store.read() as reader:
            return await reader.milestones.of_user(user)
