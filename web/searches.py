"""Searches for a stranger on the home page: how they go on, and the game that one leads to."""

from collections.abc import Callable
from dataclasses import dataclass

from play.clock import Speed
from play.codes import MAX_TYPED
from play.community.seek import Seek, SeekId, SeekState
from play.competitions.arena import Arena
from play.ids import ChannelId, Millis, UserId
from play.refusal import Reason, Refused
from presentation.arenas import short_text
from presentation.people import Names
from presentation.strangers import WAYS, free_ways, outlook_text, seat_text, terms_details
from presentation.words.words import Words
from use_cases.competitions.arenas import Arenas
from use_cases.matches import Matches
from use_cases.open_seats import OpenSeat, OpenSeats
from use_cases.seeks import Outlook, Seeks
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.ports import Challenging, Computer
from web.presentation.readers import Readers
from web.world import World

MAX_SPEED = 10
"""Characters of the name of a speed."""

MAX_NEAR = 5
"""Open seats of a page, the nearest."""


@dataclass(frozen=True, slots=True)
class Searches:
    """Answers what home pages ask about a player's searches. Each answer has them as they are after it."""

    seeks: Seeks
    seats: OpenSeats
    names: Names
    arenas: Arenas
    sessions: WebSessions
    readers: Readers
    challenging: Callable[[UserId], Challenging]
    matches: Matches
    computer: Computer
    world: World

    async def show(self, user: UserId, _: ChannelId | None, message: Json) -> Json:
        """Tells of the searches, and what has come of the one that the page has shown last (`of`)."""
        of, words = bodies.optional_number(message, "of"), await self._words(user)
        shown = None if of is None else await self.seeks.load(SeekId(of), user)
        return await self.tell(user, words) | ({} if shown is None else _outcome(shown, words))

    async def look(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Begins a search."""
        wanted = bodies.text(message, "speed", MAX_SPEED), bodies.flag(message, "weekly")
        flexible, now = bodies.flag(message, "flexible"), await self.sessions.now()
        if wanted not in WAYS:
            raise Refused(Reason.BAD_MESSAGE)
        await self.challenging(user).look(user, here, Speed(wanted[0]), now, flexible=flexible, weekly=wanted[1])
        return await self._tell_anew(user)

    async def sit(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Takes an open seat. One that is taken is said with what else there is."""
        try:
            await self.challenging(user).sit(user, here, SeekId(bodies.number(message, "seat")))
        except Refused as refused:
            if refused.key != Reason.SEAT_TAKEN:
                raise
            line = await self.readers.explain(refused, (await self._words(user)).tag, None)
            return await self._tell_anew(user) | {"line": line}
        return await self._tell_anew(user)

    async def look_up_friend(self, user: UserId, _: ChannelId | None, message: Json) -> Json:
        """Tells what a friend offers by a code, and who."""
        code, words = bodies.text(message, "code", MAX_TYPED), await self._words(user)
        offered = await self.challenging(user).look_up_friend(user, code)
        name = words.literal(await self.names.of(offered.user, None))
        asked = words("friend.ask", name=name, **terms_details(offered, words))
        return {"asked": asked, "accept": words("button.accept"), "code": code}

    async def accept_friend(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Takes what a friend offers by a code. The page goes on by asking what came of the search (`of`)."""
        taken = await self.challenging(user).accept_friend(user, here, bodies.text(message, "code", MAX_TYPED))
        return {"seek": taken.id, "line": (await self._words(user))("friend.taken")}

    async def leave(self, user: UserId, _: ChannelId | None, message: Json) -> Json:
        """Ends a search."""
        await self.seeks.leave(SeekId(bodies.number(message, "seek")), user)
        return await self._tell_anew(user)

    async def answer(self, user: UserId, _: ChannelId | None, message: Json) -> Json:
        """Says that the player is there, who is called to a live game."""
        await self.seeks.answer(SeekId(bodies.number(message, "seek")), user, await self.sessions.now())
        return await self.tell(user, await self._words(user))

    async def tell(self, user: UserId, words: Words) -> Json:
        """Returns the searches of a user, and those that they may begin."""
        found, now = await self.seeks.outlooks_at(user)
        ways = [{"speed": way.speed, "weekly": way.weekly, "label": words(way.key)} for way in free_ways(found)]
        own = words("seek.button.own") if ways else None
        seats, (arena, _) = await self.seats.near(await self.world.seats(), user, MAX_NEAR), await self.world.arena()
        return {
            "seeks": [self._search(each, now, words) for each in found],
            "ways": ways,
            "own": own,
            "seats": [await self._seat(each, words) for each in seats],
            "arena": _arena(arena, user, now, words),
        }

    async def _tell_anew(self, user: UserId) -> Json:
        """Returns the same after the user has changed something."""
        self.world.forget()
        return await self.tell(user, await self._words(user))

    async def _seat(self, seat: OpenSeat, words: Words) -> Json:
        name = await self.names.of(seat.seek.user, None)
        return {"seat": seat.seek.id, "line": seat_text(seat, name, words), "sit": words("seat.button.sit")}

    async def meanwhile(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Begins a game against the computer that lasts until the opponent of a search is there."""
        seek = await self.seeks.load(SeekId(bodies.number(message, "seek")), user)
        if not seek.state.goes_on:
            raise Refused(Reason.SEEK_OVER)
        before, key = await self.matches.list_open(user), bodies.deed_key(user, "home", bodies.key(message))
        match = await self.challenging(user).play_computer(user, here, None, await self.sessions.now(), key)
        if all(entry.id != match for entry in before):  # a game that was there already may mean something to the player
            await self.seeks.play_meanwhile(seek.id, user, match)
        return {"match": match}

    async def enter_arena(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Lets the player join the arena, or pause."""
        if bodies.flag(message, "join"):
            await self.challenging(user).enter_arena(user, here, await self.sessions.now())
        else:
            await self.arenas.pause(user)
        return await self._tell_anew(user)

    def _search(self, outlook: Outlook, now: Millis, words: Words) -> Json:
        seek = outlook.seek
        is_called, is_live = seek.state is SeekState.CALLED, seek.speed is Speed.LIVE
        return {
            "seek": seek.id,
            "live": is_live,
            "lines": outlook_text(outlook, words).split("\n"),
            "ends": max(0, seek.call_ends - now) if is_called and seek.call_ends is not None else None,
            "ready": words("seek.button.ready") if is_called and seek.call_ends and not seek.ready else None,
            "leave": None if is_called else words("seek.button.leave"),
            "meanwhile": self._offer_meanwhile(words) if is_live and not is_called else None,
        }

    def _offer_meanwhile(self, words: Words) -> Json:
        has_computer = self.computer.has_computer
        return {
            "daily": words("daily.button.open"),
            "computer": words("seek.button.meanwhile") if has_computer else None,
            "line": words("seek.meanwhile").removeprefix("-# ") if has_computer else None,
        }

    async def _words(self, user: UserId) -> Words:
        return self.readers.words((await self.readers.audience(user, None, None)).language)


def _arena(arena: Arena | None, user: UserId, now: Millis, words: Words) -> Json | None:
    """Returns the arena that goes on or gathers, and what the player may do there."""
    if arena is None or not arena.stage.is_open:
        return None
    joins = user not in arena.present
    label = words("arena.button.join" if joins else "arena.button.pause")
    return {"lines": short_text(arena, now, words).split("\n"), "join": joins, "label": label}


def _outcome(seek: Seek, words: Words) -> Json:
    """Returns the game of a search, or why it has none, once it is over."""
    if seek.match is not None:
        return {"match": seek.match}
    return {} if seek.state.goes_on else {"line": words(f"web.lobby.seek.{seek.state}")}
