"""`/play` on a chat platform: searches for a stranger, the calls of those who were found, and what players of their
games say, report and block."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from chat.actions import Action
from chat.arena import arena_section, enter, follow_row, show_standing
from chat.endings import close_question
from chat.messages import Button, Message
from chat.port import Place
from chat.request import Request, Rows, button
from chat.services import Services
from play.challenge.terms import Terms
from play.clock import Speed
from play.community.seek import Seek, SeekCall, SeekId, seek_terms
from play.ids import ChannelId, MatchId, UserId
from play.match.events import PHRASES, NoticeKind
from play.refusal import Reason, Refused
from presentation.offered_rules import server_terms
from presentation.strangers import call_text, free_ways, outlook_text, read_alias, settled_text
from presentation.terms import rules_name
from presentation.typed import APOSTROPHES
from presentation.words.words import Words, languages
from use_cases.player_settings import change_player
from use_cases.seeks import Outlook
from use_cases.worker import RetryLater, Undeliverable, Unsendable
from use_cases.workers.matchmaker import Posted

log = logging.getLogger(__name__)

PHRASES_IN_ROW: Final = 2
"""Phrases beside each other, as a phone shows them whole."""


async def play(request: Request, typed: str) -> None:
    """Shows the searches of the person, with the ways to another one; `name` sets what strangers call them."""
    head, _, rest = typed.partition(" ")
    if _folded(head) in {"name", *(_folded(words("seek.name.label")) for words in languages())}:
        await _rename(request, rest)
    else:
        await request.answer(*await _panel(request, flexible=True))


async def show(request: Request, action: Action) -> None:
    """Shows the searches again, in which any rules (1) or the person's own are wanted."""
    require_asked(request, action)
    await request.show(*await _panel(request, flexible=action.number(1) == 1))


async def look(request: Request, action: Action) -> None:
    """Begins a search, whose game comes into this place. Raises Refused."""
    require_asked(request, action)
    flexible, weekly = action.number(1) == 1, action.number(2) == 1
    if action.text not in set(Speed):
        raise Refused(Reason.OLD_BUTTON)
    terms = await wanted_terms(request, Speed(action.text))
    await request.use_cases.seeks.look(
        *(request.user, request.guild, await channel_of(request), terms, request.at), flexible=flexible, weekly=weekly
    )
    await request.show(*await _panel(request, flexible=flexible))


async def leave(request: Request, action: Action) -> None:
    """Ends a search. Raises Refused."""
    require_asked(request, action)
    await request.use_cases.seeks.leave(SeekId(action.number(1)), request.user)
    words, (text, rows) = await request.words(), await _panel(request, flexible=True)
    await request.show(f"{words('seek.left')}\n{text}", rows)


async def admit(request: Request, action: Action) -> None:
    """Lets the members of the group meet strangers here, or (0) no more. Raises Refused (`not_your_server`)."""
    require_asked(request, action)
    if request.guild is None or not await request.services.platform.may_manage(request.user, request.asked.place):
        raise Refused(Reason.NOT_YOUR_SERVER)
    async with request.services.store.write() as tx:
        server = await tx.servers.get(request.guild)
        await tx.servers.save(replace(server, strangers=action.number(1) == 1))
    await request.show(*await _panel(request, flexible=True))


async def enter_arena(request: Request, action: Action) -> None:
    """Lets the person join the arena with boards in this place, or pause, or tells the standing. A panel, which has an
    owner, is shown again after that. Raises Refused."""
    if action.text == "standing":
        await show_standing(request)
        return
    if action.numbers:
        require_asked(request, action)
    told = await enter(request, action.text, await channel_of(request))
    if action.numbers:
        text, rows = await _panel(request, flexible=True)
        await request.show(f"{told}\n{text}", rows)
    else:
        await request.answer(told)


async def follow_arenas(request: Request, action: Action) -> None:
    """Lets this place of the group follow the arenas, or (0) no more. Raises Refused (`not_your_server`)."""
    require_asked(request, action)
    if request.guild is None or not await request.services.platform.may_manage(request.user, request.asked.place):
        raise Refused(Reason.NOT_YOUR_SERVER)
    channel = await channel_of(request) if action.number(1) == 1 else None
    await request.use_cases.arenas.follow(request.guild, channel, request.user)
    await request.show(*await _panel(request, flexible=True))


async def answer_call(request: Request, action: Action) -> None:
    """Says that the person is there, who is called to a live game. Raises Refused (`seek_over`)."""
    await request.use_cases.seeks.answer(SeekId(action.number(0)), request.user, request.at)
    words = await request.words()
    await request.answer(words("seek.ready"))


async def explain_name(request: Request, action: Action) -> None:
    """Says how a name for strangers is chosen."""
    require_asked(request, action)
    words = await request.words()
    named = words("seek.named", name=words.literal(await request.services.names.of(request.user, None)))
    await request.answer(f"{named}\n{words('chat.play.name')}", private=True)


async def offer_phrases(request: Request, match: MatchId) -> None:
    """Offers what the stranger of a match may be told. Raises Refused."""
    await request.use_cases.seeks.stranger(match, request.user)
    words = await request.words()
    said = [button(words.plain(f"phrase.{each}"), "phrase", match, text=each) for each in PHRASES]
    rows = [said[start : start + PHRASES_IN_ROW] for start in range(0, len(said), PHRASES_IN_ROW)]
    await request.answer(words("seek.say"), rows, private=True)


async def say(request: Request, action: Action) -> None:
    """Tells the stranger of a match a phrase. Raises Refused."""
    if action.text not in PHRASES:
        raise Refused(Reason.OLD_BUTTON)
    request.services.limits.count_phrase(request.user, action.text)
    await request.use_cases.seeks.say(MatchId(action.number(0)), request.user, NoticeKind(action.text), request.at)
    words = await request.words()
    await request.answer(words("seek.said", phrase=words(f"phrase.{action.text}")))


async def ask_to_report(request: Request, match: MatchId) -> None:
    """Asks whether the stranger of a match is to be reported, or only blocked. Raises Refused."""
    played, other = await request.use_cases.seeks.stranger(match, request.user)
    words, guild = await request.words(), played.for_reader(request.user, request.guild).guild
    name = words.literal(await request.services.names.of(other, guild))
    sure = button(words.plain("seek.confirm_report"), "accuse", match, text="report")
    block = button(words.plain("seek.button.block"), "accuse", match, text="block")
    await request.answer(words("seek.report.ask", name=name), [[sure], [block]], private=True)


async def report(request: Request, action: Action) -> None:
    """Reports and blocks the stranger of a match, or only blocks them. Raises Refused."""
    match = MatchId(action.number(0))
    if action.text == "block":
        _, other = await request.use_cases.seeks.stranger(match, request.user)
        await request.use_cases.blocks.block(request.user, other, request.at)
        await close_question(request, "seek.blocked")
    else:
        await request.use_cases.seeks.report(match, request.user, request.at)
        await close_question(request, "seek.reported")


async def _panel(request: Request, *, flexible: bool) -> tuple[str, Rows]:
    """Returns the person's searches, and the buttons that begin one."""
    words = await request.words()
    plain, owner, outlooks = words.plain, request.user, await request.use_cases.seeks.outlooks(request.user)
    told, joins = await arena_section(request, words)
    lines = [words("seek.head"), *told, *(f"🔎 {outlook_text(each, words)}" for each in outlooks)]
    rows: list[Sequence[Button]] = [*joins, *([_leave_button(each, owner, plain)] for each in outlooks)]
    if ways := free_ways(outlooks):
        terms = await wanted_terms(request, ways[0].speed)
        own = words.literal(rules_name(terms.game.key, terms.rule_set, plain))
        lines.append(words("seek.any_rules" if flexible else "seek.own_rules", rules=own))
        numbers = owner, int(flexible)
        rows += [[button(plain(way.key), "seek", *numbers, int(way.weekly), text=way.speed)] for way in ways]
        other = plain("seek.button.own" if flexible else "seek.button.any")
        rows.append([button(other, "lobby", owner, int(not flexible))])
    if outlooks:
        rows.append([button(plain("seek.button.again"), "lobby", owner, int(flexible))])
    rows.append([button(plain("friend.door"), "friends", owner)])
    rows += await _own_rows(request, plain)
    return "\n".join(lines), rows


async def _own_rows(request: Request, words: Words) -> Rows:
    """Returns the person's name for strangers, which a group doesn't see, or in a group the switches of its
    managers."""
    if request.asked.place.is_direct:
        name = await request.services.names.of(request.user, None)
        return [[button(words("seek.name.button", name=name), "alias", request.user)]]
    if not await request.services.platform.may_manage(request.user, request.asked.place):
        return []
    lets = (await request.group()).strangers
    label = words(f"switch.strangers.{'on' if lets else 'off'}")
    return [[button(label, "admit", request.user, int(not lets))], await follow_row(request, words)]


def _leave_button(outlook: Outlook, owner: UserId, words: Words) -> Button:
    return button(words("seek.button.leave"), "unseek", owner, outlook.seek.id)


async def _rename(request: Request, typed: str) -> None:
    await change_player(request.services.store, request.user, {"alias": read_alias(typed)})
    request.services.names.forget(request.user)
    words = await request.words()
    name = words.literal(await request.services.names.of(request.user, None))
    await request.answer(words("seek.named", name=name), private=True)


async def wanted_terms(request: Request, speed: Speed) -> Terms:
    """Returns the terms of the person's searches at a speed."""
    return seek_terms((await request.settings()).terms, server_terms(await request.group()), speed)


async def channel_of(request: Request) -> ChannelId:
    """Returns this place, or that in which the place of this game was opened."""
    async with request.services.store.read() as reader:
        return await reader.matches.parent_of_thread(request.channel) or request.channel


def require_asked(request: Request, action: Action) -> None:
    """Raises Refused (`not_asked`) for others than the person whose panel it is."""
    if action.number(0) != request.user:
        raise Refused(Reason.NOT_ASKED)


def _folded(word: str) -> str:
    for each in APOSTROPHES:
        word = word.replace(each, "'")
    return word.casefold()


class ChatCalls:
    """Implements use_cases.workers.matchmaker.SeekDisplay over a platform."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._platform = services.platform

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        """See use_cases.workers.matchmaker.SeekDisplay. Players of groups are called directly, too, to a live game or
        to one of an arena."""
        words, once = await self._words(seek), f"s{seek.id:x}.{seek.version:x}"
        message = await self._message(seek, opponent, words)
        posted = [Posted(seek.channel, await self._platform.post(seek.channel, message, once))]
        if seek.guild is not None and seek.speed is Speed.LIVE:
            own = await self._services.locales.for_user(seek.user, seek.guild)
            posted += await self._call_directly(seek.user, await self._message(seek, opponent, own), f"{once}.d")
        return posted

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        """See use_cases.workers.matchmaker.SeekDisplay."""
        title = " – ".join(await self._services.names.of_all((seek.user, opponent), seek.guild))
        return await self._platform.open_place(Place(seek.channel, seek.guild), title, f"s{seek.id:x}")

    async def settle(self, call: SeekCall) -> None:
        """See use_cases.workers.matchmaker.SeekDisplay."""
        words = await self._words(call)
        mention = words.mention(call.user, await self._services.names.of(call.user, call.guild))
        message = Message(settled_text(call, mention, await self._game(call), words))
        await self._platform.edit(call.channel, call.message, message)

    async def _message(self, seek: Seek, opponent: UserId, words: Words) -> Message:
        own, name = await self._services.names.of_all((seek.user, opponent), seek.guild)
        text = call_text(seek, words.mention(seek.user, own), name, words)
        ready = [button(words.plain("seek.button.ready"), "ready", seek.id)] if seek.call_ends else []
        return Message(text, buttons=(tuple(ready),) if ready else (), pinged=(seek.user,))

    async def _call_directly(self, user: UserId, message: Message, once: str) -> list[Posted]:
        """Calls a player where the bot writes to them alone; those who take nothing there are called in their group."""
        try:
            channel = await self._platform.direct(user)
            return [Posted(channel, await self._platform.post(channel, message, once))]
        except (RetryLater, Undeliverable, Unsendable) as error:
            log.info("user %d is called in their group alone: %s", user, error)
            return []

    async def _game(self, call: SeekCall) -> str:
        """Returns the address of the game that a call has led to; empty without one."""
        if call.match is None:
            return ""
        async with self._services.store.read() as reader:
            match = await reader.matches.get(call.match)
        if match is None:
            return ""
        return self._platform.link(match.for_reader(call.user, call.guild).channel) or ""

    async def _words(self, call: Seek | SeekCall) -> Words:
        if call.guild is None:
            return await self._services.locales.for_user(call.user, None)
        return await self._services.locales.for_guild(call.guild, call.user)
