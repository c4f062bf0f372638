"""The site of a program: its parts, built over what every platform has, and what only some have."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import yarl
from aiohttp import web

from play.challenge.terms import FIRST_GAME
from play.community.puzzle import Puzzle
from play.ids import MatchId, UserId
from presentation.match.boards import MatchViews
from presentation.words.words import Languages
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights, Spectators
from use_cases.explorer import Explorer
from use_cases.keyed_locks import KeyedLocks
from use_cases.made_exercises import MadeExercises
from use_cases.public_pages import PublicGames, PublicServers
from use_cases.sheets import Sheets
from use_cases.studies import Studies
from use_cases.web_sessions import WebSessions
from web.absent import NoAddresses, NoChallenging, NoCoach, NoGuilds, NoJoining, NoVoters, name_nobody
from web.access.links import LinkSigner, Paths
from web.access.visitors import Cookies, Visitors, Ways
from web.activity import Activity, Sharing
from web.answers import Answers
from web.app import build_app
from web.boards import Boards
from web.entrance import Entrance
from web.featured import FeaturedTeller
from web.framed import OPAQUE_ORIGIN, Framed, FramedPage
from web.home import Home
from web.live.afterwards import Afterwards
from web.live.hub import Hub
from web.live.sender import Handler, Shares
from web.live.sheets import SheetMessages
from web.live.socket import LiveBoards
from web.live.turns import Ballots, Deeds, Looks, Turns
from web.live.watcher import Attendance
from web.mini_app import MiniApp
from web.offers import Offers
from web.own.beginnings import Beginnings
from web.own.boards import Boards as WholeBoards
from web.own.computer import ComputerAtBoards
from web.own.deeds import BoardParts
from web.own.pages import OwnBoardPages
from web.own.places import Places as BoardPlaces
from web.own.sharing import Sharing as BoardSharing
from web.own.shelf import Shelf
from web.pages.arena import ArenaPage
from web.pages.featured import FeaturedPage
from web.pages.figures import FiguresPage
from web.pages.friend import FriendPage
from web.pages.front import FrontPage
from web.pages.gallery import Gallery
from web.pages.games import GamePages
from web.pages.guides import GuidePages
from web.pages.openings import OpeningsPage
from web.pages.page import Lane, PublicPages
from web.pages.seats import SeatsPart
from web.pages.servers import ServerPages
from web.pages.visitor_game import VisitorGame
from web.pages.years import YearPages
from web.ports import (
    Addresses,
    Application,
    Challenging,
    Coach,
    Jobs,
    Joining,
    Launcher,
    Limits,
    Locales,
    Rematches,
    RoleApplication,
    ServerGuilds,
    SiteNames,
    Voters,
)
from web.presentation.advisor import Advisor
from web.presentation.community import CommunityTeller
from web.presentation.lobby import LobbyTeller
from web.presentation.narrator import Narrator
from web.presentation.places import LeaguePages, Places
from web.presentation.readers import Readers
from web.quiz import QuizBoards
from web.searches import Searches
from web.sign_in import LinkedRoles, SignIn
from web.studies.acts import BoardDeeds
from web.studies.deeds import Servers, StudyDeeds
from web.studies.maker import Maker
from web.studies.pages import StudyPages
from web.studies.rooms import StudyRooms
from web.studies.shelf import StudyShelf
from web.studies.socket import StudySockets
from web.world import World


class Beginning(Challenging, Rematches, Protocol):
    """How games begin in a browser, and again."""


@dataclass(frozen=True, slots=True)
class SiteParts:
    """What a site is built of. It reaches browsers at `address`.

    The second half is what only some platforms have; without it the site says that there is no such thing. With an
    `application` people sign in, and it has an Activity; with a `launcher` it has a Mini App; `roles` link accounts.
    `foot` has the operator's pages, and `repository` the address of the source. `invitation` returns the address that
    adds the bot to a server, if there is one. `clock` has the seconds after which rights are asked again.
    """

    address: str
    use_cases: UseCases
    sessions: WebSessions
    rights: ChannelRights
    public: PublicGames
    servers: PublicServers
    views: MatchViews
    signer: LinkSigner
    languages: Languages
    locales: Locales
    names: SiteNames
    limits: Limits
    jobs: Jobs
    count_refusal: Callable[[str], None]

    coach: Coach = field(default_factory=NoCoach)
    addresses: Addresses = field(default_factory=NoAddresses)
    guilds: ServerGuilds = field(default_factory=NoGuilds)
    challenging: Callable[[UserId], Beginning] = lambda _: NoChallenging()
    joining: Joining = field(default_factory=NoJoining)
    voters: Voters = field(default_factory=NoVoters)
    name_solvers: Callable[[Puzzle], Awaitable[None]] = name_nobody
    application: Application | None = None
    launcher: Launcher | None = None
    roles: RoleApplication | None = None
    foot: Mapping[str, str | None] = field(default_factory=dict)
    repository: str | None = None
    invitation: Callable[[], str | None] = lambda: None
    clock: Callable[[], float] = time.monotonic

    @property
    def readers(self) -> Readers:
        """The people who read the site, new each time."""
        return Readers(self.use_cases.store, self.languages, self.locales, self.names, self.limits, self.count_refusal)


@dataclass(frozen=True, slots=True)
class Website:
    """The site as something that can be served, and the hub whose loop runs beside it; `boards` takes messages."""

    app: web.Application
    hub: Hub
    boards: LiveBoards

    @classmethod
    def build(cls, of: SiteParts) -> Website:
        """Returns the site, which hears of what happens from now on."""
        url, use_cases, sessions, readers = yarl.URL(of.address), of.use_cases, of.sessions, of.readers
        store, matches = use_cases.store, use_cases.matches
        narrator = Narrator(
            *(store, of.languages, of.names, of.addresses, of.views.facts, use_cases.actions),
            has_computer=lambda: of.coach.has_computer,
        )
        visitors = Visitors(sessions, readers, Cookies(secure=url.scheme == "https"), {str(url.origin())})
        attendance = Attendance(Spectators(store, of.rights), matches, of.names, readers)
        hub = Hub(store, matches, sessions, narrator, readers, attendance, clock=of.clock)
        sheets = Sheets(store, matches, use_cases.actions)
        pages = PublicPages(readers, of.address)
        gallery = Gallery(of.languages, of.names, of.views, of.jobs.pages)
        families = message_families(of, hub, narrator, readers, sheets)
        live = LiveBoards(visitors, readers, matches, hub, of.voters, families)
        board_pages = Boards(visitors, readers)
        world = World(use_cases.open_seats, use_cases.arenas, use_cases.featured, of.clock)
        featured = FeaturedTeller(world, of.languages, of.names, of.address)
        home = _home(of, visitors, readers, featured, world)
        own_boards = _own_boards(of, visitors, pages)
        study_pages, study_sockets, study_deeds = _studies(of, visitors, pages, own_boards)
        activity = sharing = sign_in = None
        framed_page = FramedPage(readers, sessions, of.signer, home, url)
        figures = FiguresPage(pages, visitors, use_cases, of.names, Lane())
        openings = OpeningsPage(pages, visitors, store, Explorer(store, of.public, of.rights.sees))
        framed = Framed(
            *(visitors, board_pages, home, own_boards, study_deeds, study_sockets, live, pages),
            {"figures": figures, "openings": openings},
            lambda: frame_origins(of.application),
        )
        if of.application is not None:
            sign_in = SignIn(visitors, of.application, url)
            activity = Activity(visitors, of.application, framed_page, framed)
            sharing = Sharing(framed, visitors, readers, of.application, of.public, gallery.picture)
        mini_app = MiniApp(visitors, of.launcher, framed_page, framed) if of.launcher else None
        inside = framed if activity or mini_app else None
        list_ways = Ways(visitors, of.addresses, signs_in=sign_in is not None).list_ways
        linked = LinkedRoles(pages, visitors, of.roles, use_cases.linked_accounts, url) if of.roles else None
        told = store, of.servers, of.languages, of.names
        parts = (
            *(each.add_routes for each in (activity, mini_app, inside, sharing, sign_in, linked) if each),
            FrontPage(
                *(pages, visitors, VisitorGame(pages, visitors, of.coach, FIRST_GAME, Lane()), of.foot, of.invitation),
                activity.show if activity else None,
                signs_in=sign_in is not None,
            ).add_routes,
            FeaturedPage(pages, featured).add_routes,
            FriendPage(pages, visitors, use_cases.friends, of.names, signs_in=sign_in is not None).add_routes,
            ArenaPage(pages, world, of.names).add_routes,
            SeatsPart(pages, world, of.names).add_routes,
            YearPages(pages, visitors, use_cases, of.names, of.jobs.pages, Lane()).add_routes,
            figures.add_routes,
            openings.add_routes,
            GuidePages(pages, of.repository).add_routes,
            home.add_routes,
            own_boards.add_routes,
            study_pages.add_routes,
            study_sockets.add_routes,
            Entrance(visitors, readers, of.signer, list_ways).add_routes,
            board_pages.add_routes,
            live.add_routes,
            GamePages(pages, of.public, sheets, of.signer, gallery, KeyedLocks[MatchId]().of, Lane()).add_routes,
            ServerPages(pages, of.servers, Paths(of.signer), Places(*told), LeaguePages(*told), Lane()).add_routes,
        )
        app = build_app(url, parts, Answers(readers, list_ways))
        use_cases.events.match_changed.subscribe(hub.note_match)
        use_cases.events.rematch_changed.subscribe(hub.renew)
        use_cases.events.votes_changed.subscribe(hub.show_again)
        use_cases.events.sessions_ended.subscribe(hub.note_sessions_ended)
        use_cases.events.session_ended.subscribe(hub.note_session_ended)
        return cls(app, hub, live)


def frame_origins(application: Application | None) -> Sequence[str]:
    """Returns the origins of pages that an Activity's client shows."""
    return () if application is None else (application.proxy, OPAQUE_ORIGIN)


def _home(of: SiteParts, visitors: Visitors, readers: Readers, featured: FeaturedTeller, world: World) -> Home:
    """Returns the home pages of players."""
    teller = LobbyTeller(
        *(of.languages, of.names, of.names, of.addresses),
        CommunityTeller(of.names, of.names, of.addresses, of.servers, Paths(of.signer), of.address),
        has_computer=lambda: of.coach.has_computer,
    )
    quizzes = QuizBoards(
        *(of.use_cases, of.sessions, readers, of.names, of.rights, of.guilds, of.coach, of.name_solvers)
    )
    uses = of.use_cases
    searches = Searches(
        *(uses.seeks, uses.open_seats, of.names, uses.arenas, of.sessions, readers, of.challenging),
        *(uses.matches, of.coach, world),
    )
    ports = of.rights, of.guilds, of.challenging, of.joining
    return Home(
        uses.store, visitors, readers, *ports, teller, quizzes, searches, featured, Offers(of.challenging, of.sessions)
    )


def _own_boards(of: SiteParts, visitors: Visitors, pages: PublicPages) -> OwnBoardPages:
    """Returns the page of boards of one's own."""
    shelf, signs_in = Shelf(of.use_cases, pages.readers, of.jobs), of.application is not None
    parts, sharing = _board_parts(of, shelf, pages), BoardSharing(shelf, pages.site)
    return OwnBoardPages(visitors, pages, parts, sharing, Lane(), signs_in=signs_in)


def _board_parts(of: SiteParts, shelf: Shelf, pages: PublicPages) -> BoardParts:
    """Returns the parts of a page with boards of a shelf."""
    advisor = Advisor(of.use_cases.store, of.languages, of.names, of.jobs, of.coach)
    return BoardParts(
        WholeBoards(shelf, of.sessions, of.public, of.signer),
        BoardPlaces(shelf),
        ComputerAtBoards(shelf, of.coach, advisor),
        Beginnings(shelf, of.challenging, Offers(of.challenging, of.sessions), pages.site),
    )


def _studies(
    of: SiteParts, visitors: Visitors, pages: PublicPages, own: OwnBoardPages
) -> tuple[StudyPages, StudySockets, BoardDeeds]:
    """Returns the pages and the sockets of studies, which hear of strokes from now on, and what both do."""
    readers, uses = pages.readers, of.use_cases
    of_people = Studies(uses.store, uses.events, of.rights.membership)
    shelf = StudyShelf(uses, readers, of.jobs, studies=of_people, clock=of.clock)
    parts, servers = _board_parts(of, shelf, pages), Servers(uses.store, of.guilds)
    studies = StudyDeeds(shelf, of.names, of.guilds, servers)
    made = MadeExercises(uses.store, of.rights.membership)
    maker = Maker(shelf, made, of.names, servers, parts.computer, of.sessions)
    deeds = BoardDeeds(shelf, own, parts, studies, maker, str(yarl.URL(of.address).origin()))
    rooms = StudyRooms(of_people, of.sessions, readers)
    uses.events.chapter_changed.subscribe(rooms.note)
    uses.events.study_changed.subscribe(rooms.note_study)
    uses.events.sessions_ended.subscribe(rooms.note_sessions_ended)
    uses.events.session_ended.subscribe(rooms.note_session_ended)
    return (
        StudyPages(visitors, readers, own, of_people, deeds, rooms, Lane()),
        StudySockets(visitors, readers, of.names, of_people, own, deeds, rooms, of.clock),
        deeds,
    )


def message_families(
    of: SiteParts, hub: Hub, narrator: Narrator, readers: Readers, sheets: Sheets
) -> dict[str, Handler]:
    """Returns what answers the messages of open boards, by their kind."""
    store, matches, actions = of.use_cases.store, of.use_cases.matches, of.use_cases.actions
    sessions, shares = of.sessions, Shares()
    ballots = Ballots(store, of.use_cases.votes, of.voters, narrator, readers)
    turns = Turns(matches, sessions, narrator, readers, shares, ballots)
    deeds = Deeds(matches, actions, sessions, narrator, readers, of.challenging, shares, ballots)
    advisor = Advisor(store, of.languages, of.names, of.jobs, of.coach)
    looks = Looks(matches, narrator, readers, advisor)
    return {
        "try": turns.preview,
        "play": turns.play,
        "ask": deeds.ask,
        "act": deeds.act,
        "describe": looks.describe,
        "hint": looks.hint,
        "ping": looks.ping,
        **Afterwards(matches, readers, of.names, of.jobs, of.coach).families(),
        **SheetMessages(sheets, sessions, narrator, readers, advisor, shares, hub.show_again).families(),
    }
