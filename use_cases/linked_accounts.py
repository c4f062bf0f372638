"""The use cases of linked accounts: link, see, unlink; and the figures that the chat is told."""

from play.community.roles import FigureName, Figures, LinkState, best_rating
from play.ids import UserId
from storage import Database
from storage.unit_of_work import Reader
from use_cases.events import Events


class LinkedAccounts:
    """What players do with the link of their account."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def link(self, user: UserId, refresh: str) -> None:
        """Links the account of a user who has allowed it, by the token of that."""
        async with self._store.write() as tx:
            await tx.linked_accounts.put(user, refresh, await tx.clock.now())
        self._events.account_linked()

    async def state(self, user: UserId) -> LinkState:
        """Returns whether the chat is told the figures of a user."""
        async with self._store.read() as reader:
            account = await reader.linked_accounts.get(user)
        if account is None or account.withdrawn:
            return LinkState.NONE
        return LinkState.ENDED if account.ended else LinkState.LINKED

    async def unlink(self, user: UserId) -> None:
        """Takes back at the chat, soon, what it was told of a user, and what the user has allowed."""
        async with self._store.write() as tx:
            await tx.linked_accounts.withdraw(user, await tx.clock.now())
        self._events.account_linked()


async def load_figures(reader: Reader, user: UserId) -> Figures:
    """Loads what the chat is told of a user."""
    streak, division = await reader.dailies.streak(user), await reader.leagues.best_division(user)
    found = {
        FigureName.RATING: best_rating((await reader.ratings.of_user(user)).values()),
        FigureName.DIVISION: None if division is None else division + 1,
        FigureName.GAMES: await reader.careers.count_played(user),
        FigureName.PUZZLES: await reader.dailies.count_solved(user),
        FigureName.STREAK: streak.longest if streak else 0,
    }
    return {name: value for name, value in found.items() if value is not None}
