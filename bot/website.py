"""The website of a bot: its parts, built over the bot's services."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import yarl
from aiohttp import web

from bot.addresses import DiscordAddresses
from bot.features.challenges.web_challenges import WebChallenges
from bot.features.competitions.web_joining import WebJoining
from bot.interactions.context import Services
from bot.services.keyed_locks import KeyedLocks
from bot.services.members import DiscordMembers
from bot.services.web_discord import WebDiscord
from bot.settings import BadSettings
from bot.version import repository_of
from play.ids import MatchId
from presentation.match.boards import MatchViews
from use_cases.channel_rights import Spectators
from use_cases.public_pages import PublicGames, PublicServers
from use_cases.sheets import Sheets
from web.access.links import LinkSigner, Paths
from web.access.visitors import Cookies, Visitors, Ways
from web.activity import Activity, Sharing
from web.answers import Answers
from web.app import build_app, serve
from web.boards import Boards
from web.entrance import Entrance
from web.home import Home
from web.live.afterwards import Afterwards
from web.live.hub import Hub
from web.live.sender import Handler, Shares
from web.live.sheets import SheetMessages
from web.live.socket import LiveBoards
from web.live.turns import Ballots, Deeds, Looks, Turns
from web.live.watcher import Attendance
from web.pages.front import LINKS, FrontPage
from web.pages.gallery import Gallery
from web.pages.games import GamePages
from web.pages.guides import GuidePages
from web.pages.page import Lane, PublicPages
from web.pages.servers import ServerPages
from web.pages.visitor_game import VisitorGame
from web.ports import LinkDiscord, Rematches, Voters
from web.presentation.advisor import Advisor
from web.presentation.community import CommunityTeller
from web.presentation.lobby import LobbyTeller
from web.presentation.narrator import Narrator
from web.presentation.places import LeaguePages, Places
from web.presentation.readers import Readers
from web.quiz import QuizBoards
from web.sign_in import LinkedRoles, SignIn

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Website:
    """The site as something that can be served, and the hub whose loop runs beside it; `boards` takes messages."""

    app: web.Application
    hub: Hub
    boards: LiveBoards

    @classmethod
    def build(
        cls,
        services: Services,
        public: PublicGames,
        servers: PublicServers,
        views: MatchViews,
        signer: LinkSigner,
        members: DiscordMembers,
        voters: Voters,
        address: str,
        discord: WebDiscord | None = None,
        *,
        links: LinkDiscord | None = None,
        invitation: Callable[[], str | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Website:
        """Returns the site that browsers reach at `address`, with an Activity if it can ask `discord` who looks, and a
        page to link accounts for roles if there are `links`.

        `invitation` returns the address that adds the bot to a server, if there is one. `clock` has the seconds after
        which rights are asked again.
        """
        url = yarl.URL(address)
        addresses = DiscordAddresses()
        use_cases, sessions, challenging = services.use_cases, services.web_sessions, WebChallenges(services, members)
        matches = use_cases.matches
        readers = site_readers(services)
        narrator = Narrator(
            *(services.store, services.languages, services.names, addresses, views.facts, use_cases.actions),
            has_computer=lambda: services.coach.has_computer,
        )
        visitors = Visitors(sessions, readers, Cookies(secure=url.scheme == "https"), {str(url.origin())})
        attendance = Attendance(Spectators(services.store, services.rights), matches, services.names, readers)
        hub = Hub(services.store, matches, sessions, narrator, readers, attendance, clock=clock)
        sheets = Sheets(services.store, matches, use_cases.actions)
        pages = PublicPages(readers, address)
        gallery = Gallery(services.languages, services.names, views, services.jobs.pages)
        told = services.store, servers, services.languages, services.names
        live = LiveBoards(
            *(visitors, readers, matches, hub, voters),
            message_families(services, hub, narrator, readers, sheets, challenging, voters),
        )
        board_pages = Boards(visitors, readers)
        teller = LobbyTeller(
            *(services.languages, services.names, services.names, addresses),
            CommunityTeller(services.names, services.names, addresses, servers, Paths(signer), address),
            first_game=challenging.first_game,
            has_computer=lambda: services.coach.has_computer,
        )
        quizzes = QuizBoards(
            *(use_cases, sessions, readers, services.names, services.rights, members),
            *(services.coach, services.coach.posts.name_solvers),
        )
        joining = WebJoining(services, members)
        home = Home(services.store, visitors, readers, services.rights, members, challenging, joining, teller, quizzes)
        activity = sharing = sign_in = None
        if discord is not None:
            sign_in = SignIn(visitors, discord, url)
            activity = Activity(visitors, readers, discord, signer, board_pages, home, live, url)
            sharing = Sharing(activity, visitors, readers, discord, public, gallery.picture)
        list_ways = Ways(visitors, addresses, signs_in=sign_in is not None).list_ways
        linked = LinkedRoles(pages, visitors, links, use_cases.linked_accounts, url) if links else None
        game = VisitorGame(pages, visitors, services.coach, challenging.first_game, Lane())
        foot = {name: getattr(services.hosting, name) for name in LINKS}
        parts = (
            *(each.add_routes for each in (activity, sharing, sign_in, linked) if each),
            FrontPage(
                *(pages, visitors, game, foot, invitation, activity.show if activity else None),
                signs_in=sign_in is not None,
            ).add_routes,
            GuidePages(pages, repository_of(services.hosting.source)).add_routes,
            home.add_routes,
            Entrance(visitors, readers, signer, list_ways).add_routes,
            board_pages.add_routes,
            live.add_routes,
            GamePages(pages, public, sheets, signer, gallery, KeyedLocks[MatchId]().of, Lane()).add_routes,
            ServerPages(pages, servers, Paths(signer), Places(*told), LeaguePages(*told), Lane()).add_routes,
        )
        app = build_app(url, parts, Answers(readers, list_ways))
        use_cases.events.match_changed.subscribe(hub.note_match)
        use_cases.events.rematch_changed.subscribe(hub.renew)
        use_cases.events.votes_changed.subscribe(hub.show_again)
        use_cases.events.sessions_ended.subscribe(hub.note_sessions_ended)
        use_cases.events.session_ended.subscribe(hub.note_session_ended)
        return cls(app, hub, live)


def message_families(
    services: Services,
    hub: Hub,
    narrator: Narrator,
    readers: Readers,
    sheets: Sheets,
    rematches: Rematches,
    voters: Voters,
) -> dict[str, Handler]:
    """Returns what answers the messages of open boards, by their kind."""
    matches, actions = services.use_cases.matches, services.use_cases.actions
    sessions, shares = services.web_sessions, Shares()
    ballots = Ballots(services.store, services.use_cases.votes, voters, narrator, readers)
    turns = Turns(matches, sessions, narrator, readers, shares, ballots)
    deeds = Deeds(matches, actions, sessions, narrator, readers, rematches, shares, ballots)
    advisor = Advisor(services.store, services.languages, services.names, services.jobs, services.coach)
    looks = Looks(matches, narrator, readers, advisor)
    return {
        "try": turns.preview,
        "play": turns.play,
        "ask": deeds.ask,
        "act": deeds.act,
        "describe": looks.describe,
        "hint": looks.hint,
        "ping": looks.ping,
        **Afterwards(matches, readers, services.names, services.jobs, services.coach).families(),
        **SheetMessages(sheets, sessions, narrator, readers, advisor, shares, hub.show_again).families(),
    }


def site_readers(services: Services) -> Readers:
    """Returns the people who read the site of a bot."""
    return Readers(
        services.store,
        services.languages,
        services.locales,
        services.names,
        services.gate,
        services.metrics.count_refusal,
    )


@asynccontextmanager
async def serve_site(site: Website | None, host: str, port: int) -> AsyncIterator[int | None]:
    """Serves a site until the block ends, and yields its port; None without one. Raises BadSettings."""
    if site is None:
        yield None
        return
    async with AsyncExitStack() as stack:
        try:
            taken = await stack.enter_async_context(serve(site.app, host, port))
        except OSError as error:
            raise BadSettings(
                f"KROPKA_WEB_PORT and KROPKA_WEB_HOST: {host}:{port} can't be used"
                f" ({os.strerror(error.errno or 0)}). Choose others."
            ) from error
        log.info("the web board listens at http://%s:%d", host, taken)
        yield taken
