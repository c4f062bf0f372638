"""The paths of public pages. None can be guessed, and none says which server or account of Discord it is about."""

from __future__ import annotations

from play.challenge.pool import Pool
from play.competitions.tournament import TournamentId
from play.ids import GuildId, MatchId, UserId
from play.ratings.season import Season
from play.refusal import Reason, Refused
from web.access.links import LinkSigner


class Paths:
    """Makes the paths of pages, and reads the parts of those that name a server or a player."""

    def __init__(self, signer: LinkSigner) -> None:
        self._signer = signer

    def game(self, match: MatchId) -> str:
        """Returns the path of a finished game."""
        return f"/game/{match}-{self._signer.tag(match)}"

    def leaderboard(self, guild: GuildId, pool: Pool | None = None, season: Season | None = None) -> str:
        """Returns the path of a leaderboard; without a pool, of that with the most players."""
        chosen = [str(each) for each in (pool, season) if each is not None]
        return "/".join((self._server(guild), "leaderboard", *chosen))

    def player(self, guild: GuildId, user: UserId, pool: Pool | None = None) -> str:
        """Returns the path of a player's profile on a server. They have another one on each server."""
        path = f"{self._server(guild)}/player/{self._signer.seal(f'player {guild}', user)}"
        return path if pool is None else f"{path}/{pool}"

    def tournaments(self, guild: GuildId) -> str:
        """Returns the path of the list of tournaments."""
        return f"{self._server(guild)}/tournaments"

    def tournament(self, guild: GuildId, tournament: TournamentId) -> str:
        """Returns the path of a tournament."""
        return f"{self._server(guild)}/tournament/{tournament}"

    def ladder(self, guild: GuildId) -> str:
        """Returns the path of the ladder."""
        return f"{self._server(guild)}/ladder"

    def league(self, guild: GuildId, season: int | None = None, division: int = 1) -> str:
        """Returns the path of a division's table in a season of the league, both from 1; by default in the newest."""
        path = f"{self._server(guild)}/league"
        return path if season is None else f"{path}/{season}/{division}"

    def read_guild(self, text: str) -> GuildId:
        """Returns the server of a path. Raises Refused (`no_page`)."""
        return GuildId(self._read("server", text))

    def read_player(self, guild: GuildId, text: str) -> UserId:
        """Returns the player of a path. Raises Refused (`no_page`)."""
        return UserId(self._read(f"player {guild}", text))

    def _server(self, guild: GuildId) -> str:
        return f"/server/{self._signer.seal('server', guild)}"

    def _read(self, purpose: str, text: str) -> int:
        try:
            return self._signer.unseal(purpose, text)
        except Refused:
            raise Refused(Reason.NO_PAGE) from None
