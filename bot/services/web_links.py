"""Links to the web board for a user who asks for one in Discord."""

from collections.abc import Callable

from play.ids import ChannelId, MatchId, Millis, UserId
from play.people.settings import ServerSettings
from play.refusal import Refused
from use_cases.public_pages import FinishedGame, PublicGames
from web.access.links import ARENA, FRIEND, HELP, LINKING, LinkSigner, Paths, entrance


class WebLinks:
    """Makes the addresses that lead into the site at `address`."""

    def __init__(self, address: str, signer: LinkSigner, games: PublicGames) -> None:
        self._address = address.rstrip("/")
        self._signer = signer
        self._paths = Paths(signer)
        self._games = games

    def page(self, match: MatchId) -> str:
        """Returns the address that a game's page has, if there is one. It is the same for everyone."""
        return f"{self._address}{self._paths.game(match)}"

    def board(self, match: MatchId) -> str:
        """Returns the address of a match's board, for browsers that its player is signed in with."""
        return f"{self._address}/board/{match}"

    @property
    def linking(self) -> str:
        """Returns the address at which an account is linked for roles."""
        return f"{self._address}{LINKING}"

    @property
    def arena(self) -> str:
        """Returns the address of the arena's page. It is the same for everyone."""
        return f"{self._address}{ARENA}"

    def friend(self, code: str) -> str:
        """Returns the address of the page of what a code offers a friend."""
        return f"{self._address}{FRIEND}/{code}"

    @property
    def guides(self) -> str:
        """Returns the address of the guides, in the language of each reader."""
        return f"{self._address}{HELP}"

    def place(self, path: Callable[[Paths], str]) -> str:
        """Returns the address of a page of a server. It is the same for everyone."""
        return f"{self._address}{path(self._paths)}"

    async def page_of(self, match: MatchId, game: FinishedGame, server: ServerSettings | None) -> str | None:
        """Returns the address of the page of a finished game; None if it has none, as far as is known."""
        try:
            return self.page(match) if await self._games.shows(game, server) else None
        except Refused:
            return None

    def make(self, user: UserId, match: MatchId | None, now: Millis, *, key: str, seen: ChannelId | None) -> str:
        """Returns the address with which a user enters, once, as `LinkSigner.make` does."""
        return entrance(self._address, self._signer.make(user, match, now, key=key, seen=seen))
