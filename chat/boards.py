"""The message of a board: what happened in words, the picture, and what the players can do now."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chat.messages import Button, Message, Picture
from chat.request import button
from chat.services import Services
from opponent.review import MIN_MOVES
from play.ids import MatchId, UserId
from play.match.choices import Action, available_actions
from play.match.events import OfferKind
from play.match.match import Match
from play.match.offers import has_offered
from presentation.match.keypad import keypad_middle
from presentation.match.match_view import MatchView
from presentation.match.narration import Duty
from presentation.text import cut_names
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.game import Seat, point_name
from use_cases.worker import RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)

MAX_LABEL = 60
"""Characters of a label: more is cut by phones."""

PHONE_ROW = 3
"""Buttons beside each other that a phone shows with their labels."""


async def board_message(
    services: Services, match: Match, words: Words, *, reader: UserId | None = None, before: Match | None = None
) -> tuple[MatchView, Message]:
    """Returns a version of a match for everybody in its place, or for one `reader`; with the version `before`, if the
    same message tells it."""
    async with services.store.read() as stored:
        match = services.use_cases.outages.told(match, await stored.clock.now())
    view = await services.views.read(match, words, reader=reader, before=before)
    png = await asyncio.to_thread(_draw, view)
    picture = Picture(png, view.alt, f"kropka-{match.id}-{match.version}.png")
    rows = finished_rows(view, services) if match.outcome else open_rows(view)
    return view, Message(view.content, picture, tuple(map(tuple, rows)))


async def show_anew(services: Services, number: MatchId) -> None:
    """Shows the newest board of a match as it is now, unless another comes anyway. Raises Unavailable."""
    async with services.store.read() as reader:
        match = await reader.matches.get(number)
        if match is None or match.to_act is None or await reader.outbox.next_entry(number) is not None:
            return
        user, match = match.players[match.to_act], match.at_home_of(match.to_act)
        board = next((entry.board for entry in await reader.matches.open_of(user) if entry.id == number), None)
    if board is None:
        return
    _, message = await board_message(services, match, await services.locales.for_match(match))
    try:
        await services.platform.edit(match.channel, board, message)
    except (RetryLater, Undeliverable, Unsendable) as error:
        log.info("match %d keeps the deadline of before an outage: %s", number, error)


def _draw(view: MatchView) -> bytes:
    return draw(view.match.position.picture(), view.header, THEMES.get(view.theme, PAPER))


def finished_rows(view: MatchView, services: Services) -> list[Sequence[Button]]:
    """Returns the buttons of a game that is over: another one, and ways to look back."""
    match, words = view.match, view.words
    first = [button(words("button.rematch"), "rematch", match.id)] if match.away is None else []
    if services.coach.has_computer and len(match.moves) >= MIN_MOVES:
        first.append(button(words("button.review"), "review", match.id))
    if match.strangers:
        first.append(button(words("button.say"), "say", match.id))
    second = [button(words("button.record"), "record", match.id)] if match.moves else []
    if match.strangers:
        second.append(button(words("seek.door"), "again", text="play"))
    if view.page is not None:
        second.append(Button(words("button.web.page"), url=view.page))
    return [row for row in (first, second) if row]


def open_rows(view: MatchView) -> list[Sequence[Button]]:
    """Returns the buttons of a game that goes on: answers to offers, the keypad, and all else behind *More*."""
    return [*offer_rows(view), *_in_rows([*_turn_buttons(view)])]


def offer_rows(view: MatchView) -> Iterator[Sequence[Button]]:
    """Yields the buttons that answer each open offer, with the names of those who may, unless one reader sees them."""
    match, words = view.match, view.words
    for offer in match.offers:
        asked = [seat for seat in match.hosts if seat not in offer.agreed and match.players[seat] != view.computer]
        if offer.declined or not asked:
            continue
        names = "" if view.reader is not None else ", ".join(view.names[seat] for seat in asked)
        yield [
            button(_named(words(f"button.{word}.{offer.kind}"), names, words), verb, match.id, match.version, text=kind)
            for word, verb, kind in (("agree", "yes", offer.kind), ("disagree", "no", offer.kind))
        ]


def _named(label: str, names: str, words: Words) -> str:
    if not names:
        return label
    room = MAX_LABEL - len(words("offer.label", label=label, names=""))
    return words("offer.label", label=label, names=cut_names(names, room))


def _turn_buttons(view: MatchView) -> Iterator[Button]:
    match, words = view.match, view.words.plain
    at = match.id, match.version
    middle = keypad_middle(match)
    if Duty.of(match).is_dash:
        yield button(words(f"button.begin.{Duty.of(match)}"), "go", *at)
    elif middle is not None:
        yield button(words("keypad.near", point=point_name(middle)), "go", *at)
    if view.can_undo:
        yield button(words("button.undo"), "offer", *at, text=OfferKind.TAKEBACK)
    if view.is_practice and view.has_computer and match.players[match.position.to_act] != view.computer:
        yield button(words("button.hint"), "hint", match.id)
    if view.has_site:
        yield replace(button(words("button.web"), "web", match.id), app=match.id)
    yield button(words("button.more"), "more", *at)


def menu_rows(match: Match, seat: Seat, words: Words, *, quiet: bool, hints: bool) -> list[Sequence[Button]]:
    """Returns what the player of a seat can do now beside moving."""
    at, free = (match.id, match.version), available_actions(match, seat)
    shown: list[Button] = []
    if hints and seat == match.to_act:
        shown.append(button(words("button.hint"), "hint", match.id))
    shown += [
        button(words(f"button.{way}"), "end", *at, text=way)
        for way in (Action.STOP, Action.LAND, Action.END)
        if way in free
    ]
    shown += [
        button(words(f"button.{kind}"), "offer", *at, text=kind)
        for kind in (OfferKind.DRAW, OfferKind.TAKEBACK)
        if Action(kind) in free
    ]
    shown += [
        button(words(f"button.unoffer.{kind}"), "no", *at, text=kind)
        for kind in OfferKind
        if has_offered(match, seat, kind)
    ]
    shown.append(button(words("button.clock"), "clock", match.id))
    if match.strangers:
        shown += [button(words("button.say"), "say", match.id), button(words("button.report"), "report", match.id)]
    shown.append(button(words("button.loud" if quiet else "button.quiet"), "quiet", *at, text=str(int(not quiet))))
    if Action.ABORT in free:
        shown.append(button(words("button.abort"), "end", *at, text=Action.ABORT))
    shown.append(button(words("button.resign"), "end", *at, text=Action.RESIGN))
    return _in_rows(shown)


def _in_rows(buttons: Sequence[Button]) -> list[Sequence[Button]]:
    return [buttons[start : start + PHONE_ROW] for start in range(0, len(buttons), PHONE_ROW)]
