"""The home page of a player: in a browser with a session, and in the Activity."""

import html
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

from opponent.choice import EASIEST, HARDEST
from play.community.home import OfferKind
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, UserId
from play.refusal import Reason, Refused
from renderer.theme import THEMES
from storage import Database
from use_cases.channel_rights import ChannelRights
from use_cases.lobby import load_finished, load_lobby, load_surroundings
from use_cases.player_settings import change_player
from web import bodies
from web.access.visitors import Visitor, Visitors
from web.boards import theme_json
from web.bodies import Json, read_object
from web.featured import FeaturedTeller
from web.offers import MAX_VALUE, Offers, read_channel
from web.ports import Challenging, Joining, ServerGuilds
from web.presentation.lobby import AS_CHAT, SWITCHES, LobbyTeller
from web.presentation.readers import Readers
from web.quiz import QuizBoards
from web.searches import Searches

FOLDER = Path(__file__).parent / "static" / "home"

HTML = (FOLDER / "index.html").read_text(encoding="utf-8")
"""The page in a browser, with places for its language, its words and its parts."""

PARTS = (FOLDER / "parts.html").read_text(encoding="utf-8")
"""What the page has in its body, also in the Activity."""


class Guest(NamedTuple):
    """A player at their home, and the channel where they have opened it; None in a browser."""

    user: UserId
    here: ChannelId | None


@dataclass(frozen=True, slots=True)
class Home:
    """Answers what home pages ask, wherever they are shown."""

    store: Database
    visitors: Visitors
    readers: Readers
    rights: ChannelRights
    guilds: ServerGuilds
    challenging: Callable[[UserId], Challenging]
    joining: Joining
    teller: LobbyTeller
    quizzes: QuizBoards
    searches: Searches
    featured: FeaturedTeller
    offers: Offers

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/home", self._show)
        app.router.add_get("/home.json", self._send)
        app.router.add_post("/home/do", self._act)

    async def _show(self, request: web.Request) -> web.Response:
        visitor = await self.visitors.identify_or_lead(request, "/home")
        if isinstance(visitor, web.Response):
            return visitor
        language = (await self.readers.audience(visitor.user, None, None)).language
        shell, guides = self.shell(language), html.escape(self.readers.words(language)("web.help.title"))
        page = HTML.format(language=html.escape(language), parts=PARTS.format(**shell), guides=guides)
        return web.Response(text=page, content_type="text/html")

    async def _send(self, request: web.Request) -> web.Response:
        return await self.send(await self.visitors.identify(request))

    async def _act(self, request: web.Request) -> web.Response:
        self.visitors.require_origin(request)
        visitor = await self.visitors.identify(request)
        return await self.act(visitor, None, await read_object(request))

    def shell(self, language: str) -> dict[str, str]:
        """Returns what the parts of the page say before anything has come."""
        words = self.readers.words(language)
        said = {"title": words("web.home.title"), "wait": words("web.home.wait"), "away": words("web.home.away")}
        return {name: html.escape(line) for name, line in said.items()}

    async def send(self, visitor: Visitor) -> web.Response:
        """Answers with a player's own part of their home, in their words and colours."""
        lobby = await load_lobby(self.store, visitor.user)
        language, theme = await self.readers.look(lobby.settings)
        told = {
            "language": language,
            "words": self.readers.page_words(language, "home"),
            "who": await self.readers.introduce(visitor.user, language),
            "theme": theme_json(theme),
            **await self.teller.tell(lobby, language),
            "searches": await self.searches.tell(visitor.user, self.readers.words(language)),
            "featured": await self.featured.tell_small(language),
        }
        return web.json_response(told)

    async def act(self, visitor: Visitor, here: ChannelId | None, message: Json) -> web.Response:
        """Does what a page asks for, and answers with what came of it. Raises Refused."""
        deed = DEEDS.get(bodies.text(message, "do", MAX_VALUE))
        if deed is None:
            raise Refused(Reason.BAD_MESSAGE)
        self.readers.limits.admit_user(visitor.user, None)
        return web.json_response(await deed(self, Guest(visitor.user, here), message))

    async def around(self, guest: Guest, _: Json) -> Json:
        """Tells what goes on in the servers around a player."""
        guild = None if guest.here is None else await self.guilds.guild_of(guest.here)
        here = None if guest.here is None or guild is None else (guild, guest.here)
        found = await load_surroundings(self.store, self.rights.sees, guest.user, here)
        async with self.store.read() as reader:
            boards = await reader.matches.of_ids([game.id for each in found for game in each.games])
        language = (await self.readers.audience(guest.user, None, None)).language
        return {"servers": await self.teller.tell_around(found, boards, guest.user, language)}

    async def accept(self, guest: Guest, message: Json) -> Json:
        """Accepts a challenge."""
        challenge, changes = ChallengeId(bodies.number(message, "challenge")), bodies.number(message, "changes")
        now = await self.visitors.sessions.now()
        match = await self.challenging(guest.user).accept(guest.user, challenge, changes, now)
        return {"match": match} if match is not None else {"line": await self._say(guest, "web.lobby.joined")}

    async def decline(self, guest: Guest, message: Json) -> Json:
        """Declines a challenge, or withdraws an own one."""
        challenge, sure = ChallengeId(bodies.number(message, "challenge")), bodies.flag(message, "sure")
        now = await self.visitors.sessions.now()
        question = await self.challenging(guest.user).decline(guest.user, challenge, now, sure=sure)
        if question is None:
            return {"line": await self._say(guest, "web.lobby.done")}
        return {"ask": question, "sure": await self._say(guest, "ladder.decline.sure")}

    async def play_computer(self, guest: Guest, message: Json) -> Json:
        """Begins a game against the computer."""
        key, level = bodies.deed_key(guest.user, "home", bodies.key(message)), bodies.optional_number(message, "level")
        if level is not None and not EASIEST <= level <= HARDEST:
            raise Refused(Reason.BAD_MESSAGE)
        now = await self.visitors.sessions.now()
        return {"match": await self.challenging(guest.user).play_computer(guest.user, guest.here, level, now, key)}

    async def rematch(self, guest: Guest, message: Json) -> Json:
        """Offers another game after one of the player's own."""
        match, key = MatchId(bodies.number(message, "match")), bodies.deed_key(guest.user, "home", bodies.key(message))
        sessions = self.visitors.sessions
        await sessions.check_posting(guest.user, match)
        async with self.store.read() as reader:
            played = await reader.matches.get(match)
        if played is None or guest.user not in played.players:
            raise Refused(Reason.NO_MATCH)
        begun = await self.challenging(guest.user).rematch(played, guest.user, await sessions.now(), key)
        return {"match": begun} if begun is not None else {"line": await self._say(guest, "web.lobby.offered")}

    async def join(self, guest: Guest, message: Json) -> Json:
        """Takes part in what a server plays."""
        kind, guild = bodies.text(message, "kind", MAX_VALUE), read_channel(message, "server")
        if guild is None or kind not in tuple(OfferKind):
            raise Refused(Reason.BAD_MESSAGE)
        number, now = bodies.number(message, "number"), await self.visitors.sessions.now()
        await self.joining.join(guest.user, GuildId(guild), OfferKind(kind), number, now)
        return {"line": await self._say(guest, "web.community.joined")}

    async def watch(self, guest: Guest, message: Json) -> Json:
        """Lets a player watch a game that they see."""
        match = MatchId(bodies.number(message, "match"))
        await self.visitors.sessions.watch(guest.user, match)
        return {"match": match}

    async def finished(self, guest: Guest, message: Json) -> Json:
        """Tells of more finished games."""
        found, following = await load_finished(self.store, guest.user, bodies.number(message, "start"))
        language = (await self.readers.audience(guest.user, None, None)).language
        return {"finished": await self.teller.tell_finished(found, guest.user, language), "more": following}

    async def set(self, guest: Guest, message: Json) -> Json:
        """Changes a setting."""
        field, value = (bodies.text(message, name, MAX_VALUE) for name in ("field", "value"))
        await change_player(self.store, guest.user, self._read_change(field, value))
        return {}

    def _read_change(self, field: str, value: str) -> Json:
        """Returns the change of settings that a choice makes. Raises Refused (`bad_message`) for a made-up one."""
        if field == "theme" and value in THEMES:
            return {"theme": value}
        if field == "language" and value in (AS_CHAT, *self.readers.languages):
            return {"language": None if value == AS_CHAT else value}
        switch = SWITCHES.get(field)
        if switch is None or value not in switch.values:
            raise Refused(Reason.BAD_MESSAGE)
        return {switch.field: value == switch.on}

    async def _say(self, guest: Guest, key: str) -> str:
        language = (await self.readers.audience(guest.user, None, None)).language
        return self.readers.words(language)(key)


DEEDS: dict[str, Callable[[Home, Guest, Json], Awaitable[Json]]] = {
    "around": Home.around,
    "accept": Home.accept,
    "decline": Home.decline,
    "computer": Home.play_computer,
    "draft": lambda home, guest, message: home.offers.draft(*guest, message),
    "offer": lambda home, guest, message: home.offers.offer(guest.user, "home", message),
    "join": Home.join,
    "rematch": Home.rematch,
    "watch": Home.watch,
    "finished": Home.finished,
    "set": Home.set,
    "seeks": lambda home, guest, message: home.searches.show(*guest, message),
    "look": lambda home, guest, message: home.searches.look(*guest, message),
    "sit": lambda home, guest, message: home.searches.sit(*guest, message),
    "code": lambda home, guest, message: home.searches.look_up_friend(*guest, message),
    "friend": lambda home, guest, message: home.searches.accept_friend(*guest, message),
    "leave": lambda home, guest, message: home.searches.leave(*guest, message),
    "meanwhile": lambda home, guest, message: home.searches.meanwhile(*guest, message),
    "arena": lambda home, guest, message: home.searches.enter_arena(*guest, message),
    "ready": lambda home, guest, message: home.searches.answer(*guest, message),
    "quiz": lambda home, guest, message: home.quizzes.open(*guest, message),
    "solve": lambda home, guest, message: home.quizzes.play(*guest, message),
    "choose": lambda home, guest, message: home.quizzes.choose(*guest, message),
    "solution": lambda home, guest, message: home.quizzes.show(*guest, message),
}
"""What a page may ask for, by the field `do`."""
