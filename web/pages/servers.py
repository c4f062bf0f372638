"""The pages of a server: what goes on there, leaderboards, profiles, tournaments, ladder and league. Who has an address
may read them, while the server allows it."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from aiohttp import web

from play.challenge.pool import POOLS, Pool
from play.competitions.tournament import TournamentId
from play.ids import UserId
from play.ratings.leaderboard import Season
from play.refusal import Reason, Refused
from use_cases.public_pages import PublicServer, PublicServers
from web.access.links import Paths
from web.access.visitors import network_of
from web.pages.page import HEIGHT, WIDTH, Chart, Lane, PublicPages, answer, chart
from web.pages.tables import Tables
from web.presentation.places import LeaguePages, Places
from web.presentation.stories import Curve, LeagueStory, TournamentStory

SEALED: Final = "[A-Za-z0-9_-]{22}"

SERVER: Final = f"/server/{{server:{SEALED}}}"

POOL: Final = "{pool:[a-z]{1,20}-[a-z]{1,20}}"

MAX_PAGES = 1000
"""Pages of a list. Places on a leaderboard are counted up to as many lines."""

PREVIEWED_LINES = 3
"""Lines of a list that a preview names."""

MAX_LINES = 5
"""Lines of each list on the first page of a server."""

TABLE = "/table.png"
"""The end of the path of a table's picture, behind that of its page."""


class _Visit(NamedTuple):
    """A request for a page of a server, in the language of its reader. `page` counts from 0."""

    request: web.Request
    server: PublicServer
    language: str
    page: int


Show = Callable[[_Visit], Awaitable[web.Response]]


class ServerPages:
    """The routes of the pages."""

    def __init__(
        self,
        pages: PublicPages,
        servers: PublicServers,
        paths: Paths,
        places: Places,
        leagues: LeaguePages,
        lane: Lane,
    ) -> None:
        self._pages = pages
        self._lane = lane
        self._servers = servers
        self._paths = paths
        self._places = places
        self._leagues = leagues
        self._tables = Tables()

    def add_routes(self, app: web.Application) -> None:
        league = "/league/{season:[0-9]{1,4}}/{division:[0-9]{1,3}}"
        routes: dict[str, Show] = {
            "": self._show_overview,
            "/leaderboard": self._show_leaderboard,
            f"/leaderboard/{POOL}": self._show_leaderboard,
            f"/leaderboard/{POOL}/{{season:[0-9]{{4}}q[1-4]}}": self._show_leaderboard,
            f"/player/{{player:{SEALED}}}": self._show_player,
            f"/player/{{player:{SEALED}}}/{POOL}": self._show_player,
            "/tournaments": self._show_tournaments,
            "/tournament/{number:[0-9]{1,15}}": self._show_tournament,
            "/tournament/{number:[0-9]{1,15}}" + TABLE: self._send_tournament,
            "/ladder": self._show_ladder,
            "/league": self._show_league,
            league: self._show_league,
            "/league" + TABLE: self._send_league,
            league + TABLE: self._send_league,
        }
        for path, show in routes.items():
            app.router.add_get(SERVER + path, self._handle(show))
        app.router.add_get("/server/{rest:.*}", self._refuse)

    def _handle(self, show: Show) -> Callable[[web.Request], Awaitable[web.Response]]:
        """Returns the handler of a page. An unknown server, and one without pages, are as a path that is not there."""

        async def handle(request: web.Request) -> web.Response:
            self._pages.admit(request)
            server = await self._servers.load(self._paths.read_guild(request.match_info["server"]))
            language = await self._pages.language(request, server.id)
            visit = _Visit(request, server, language, _page(request))
            async with self._lane.turn(network_of(request)):
                return await show(visit)

        return handle

    async def _refuse(self, request: web.Request) -> web.Response:
        """Answers for all other paths as for a server without pages."""
        self._pages.admit(request)
        raise Refused(Reason.NO_PAGE)

    async def _show_overview(self, visit: _Visit) -> web.Response:
        server, language = visit.server, visit.language
        board = await self._places.leaderboard(server, None, None, 0, language)
        tournaments, _ = await self._places.tournaments(server, 0, language)
        league = await self._leagues.league(server, None, 1, language)
        words = self._pages.readers.words(language)
        there = (board.title if board.lines else "", *(line.name for line in tournaments[:PREVIEWED_LINES]))
        return await self._show(
            visit,
            "overview.html",
            title=server.name,
            description=" · ".join(filter(None, there)) or words("web.server.nothing"),
            picture=self._paths.league(server.id) + TABLE if league.standings else None,
            board=board,
            tournaments=tournaments,
            league=league,
            ladder=await self._places.ladder(server, 0, language),
            most=MAX_LINES,
        )

    async def _show_leaderboard(self, visit: _Visit) -> web.Response:
        pool, season = _pool(visit.request), _season(visit.request)
        story = await self._places.leaderboard(visit.server, pool, season, visit.page, visit.language)
        first = (f"{line.place or '–'}. {line.person.name} {line.value}" for line in story.lines[:PREVIEWED_LINES])
        return await self._show(
            visit,
            "leaderboard.html",
            title=story.title,
            description=" · ".join(first) or story.notes[0],
            story=story,
            pools=POOLS,
        )

    async def _show_player(self, visit: _Visit) -> web.Response:
        user = UserId(self._paths.read_player(visit.server.id, visit.request.match_info["player"]))
        story = await self._places.player(visit.server, user, _pool(visit.request), visit.page, visit.language)
        words = self._pages.readers.words(visit.language)
        rated = (f"{words(f'pool.{line.pool}')}: {line.value}" for line in story.ratings)
        return await self._show(
            visit,
            "player.html",
            title=story.name,
            description=" · ".join(rated) or story.streak,
            story=story,
            user=user,
            chart=story.curve and _draw(story.curve),
            size=(WIDTH, HEIGHT),
        )

    async def _show_tournaments(self, visit: _Visit) -> web.Response:
        lines, more = await self._places.tournaments(visit.server, visit.page, visit.language)
        words = self._pages.readers.words(visit.language)
        return await self._show(
            visit,
            "tournaments.html",
            title=words("web.server.tournaments"),
            description=", ".join(line.name for line in lines[:PREVIEWED_LINES]) or words("web.server.no_tournaments"),
            lines=lines,
            more=more,
        )

    async def _show_tournament(self, visit: _Visit) -> web.Response:
        story = await self._tournament(visit)
        best = (f"{line.place} {line.person.name}" for line in story.standings[:PREVIEWED_LINES])
        return await self._show(
            visit,
            "tournament.html",
            title=story.name,
            description=" · ".join((story.stage, *best)),
            picture=visit.request.path + TABLE if story.standings else None,
            story=story,
        )

    async def _send_tournament(self, visit: _Visit) -> web.Response:
        return await self._send_table(visit, await self._tournament(visit))

    async def _tournament(self, visit: _Visit) -> TournamentStory:
        number = TournamentId(int(visit.request.match_info["number"]))
        return await self._places.tournament(visit.server, number, visit.language)

    async def _show_ladder(self, visit: _Visit) -> web.Response:
        story = await self._places.ladder(visit.server, visit.page, visit.language)
        words = self._pages.readers.words(visit.language)
        best = (f"{place}. {person.name}" for place, person, _ in story.places[:PREVIEWED_LINES])
        return await self._show(
            visit,
            "ladder.html",
            title=words("web.server.ladder"),
            description=" · ".join(best) or words("web.server.no_ladder"),
            story=story,
        )

    async def _show_league(self, visit: _Visit) -> web.Response:
        story = await self._league(visit)
        words = self._pages.readers.words(visit.language)
        best = (f"{line.place} {line.person.name}" for line in story.standings[:PREVIEWED_LINES])
        told = " · ".join(filter(None, (story.dates, *best)))
        return await self._show(
            visit,
            "league.html",
            title=story.title,
            description=told or words("web.server.no_league"),
            picture=visit.request.path + TABLE if story.standings else None,
            story=story,
        )

    async def _send_league(self, visit: _Visit) -> web.Response:
        return await self._send_table(visit, await self._league(visit))

    async def _league(self, visit: _Visit) -> LeagueStory:
        asked = visit.request.match_info
        season, division = int(asked["season"]) if "season" in asked else None, int(asked.get("division", 1))
        return await self._leagues.league(visit.server, season, division, visit.language)

    async def _send_table(self, visit: _Visit, story: TournamentStory | LeagueStory) -> web.Response:
        """Sends the picture of a table. Raises Refused (`no_page`) where there is none yet."""
        if not story.standings:
            raise Refused(Reason.NO_PAGE)
        words, server = self._pages.readers.words(visit.language), visit.server
        return answer(visit.request, await self._tables.draw(story, server.name, server.settings.theme, words))

    async def _show(
        self, visit: _Visit, template: str, *, title: str, picture: str | None = None, **parts: Any
    ) -> web.Response:
        return await self._pages.show(
            visit.request,
            template,
            visit.language,
            visit.server.settings.theme,
            title=" · ".join(dict.fromkeys((title, visit.server.name))),
            heading=title,
            picture=picture,
            server=visit.server,
            paths=self._paths,
            page=visit.page + 1,
            **parts,
        )


def _page(request: web.Request) -> int:
    """Returns the page that the query asks for, counted from 0. Raises Refused (`no_page`)."""
    asked = request.query.get("page", "1")
    if not (asked.isascii() and asked.isdigit() and len(asked) <= len(str(MAX_PAGES))):
        raise Refused(Reason.NO_PAGE)
    if not 1 <= int(asked) <= MAX_PAGES:
        raise Refused(Reason.NO_PAGE)
    return int(asked) - 1


def _pool(request: web.Request) -> Pool | None:
    named = request.match_info.get("pool")
    found = next((pool for pool in POOLS if str(pool) == named), None)
    if named is not None and found is None:
        raise Refused(Reason.NO_PAGE)
    return found


def _season(request: web.Request) -> Season | None:
    named = request.match_info.get("season")
    try:
        return None if named is None else Season.parse(named)
    except Refused:
        raise Refused(Reason.NO_PAGE) from None


def _draw(curve: Curve) -> Chart:
    """Returns the chart of a rating: its line, and the outline of its range."""
    found = chart(curve.values)
    low, line, high = found.lines
    return Chart((line, f"{low} {' '.join(reversed(high.split()))}"), round(found.low), round(found.high))
