"""A match in the words of the web board."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple

from opponent.review import MIN_MOVES
from play.ids import Millis, UserId
from play.match.choices import ENDINGS
from play.match.events import Event, Offer
from play.match.match import Match
from play.match.moves import cancelling_seat
from play.match.offers import TAKEBACK_GRACE, can_undo
from play.match.outbox_entry import awaits_reply
from play.refusal import Reason, Refused
from play.votes import Side, has_side, time_to_vote
from presentation.match.boards import name_moderator
from presentation.match.crops import describe, name_dots
from presentation.match.narration import Duty, Narration, clock_stop, move_number
from presentation.match.phrases import colour_name, describe_reserves
from presentation.match.preview import Preview
from presentation.people import Names
from presentation.terms import AGREED, describe_rules, rules_help
from presentation.text import signed
from presentation.words.words import Languages, Words
from rules.dots import Dots, Turn
from rules.dots.link_graph import contains
from rules.game import BadNotation, Picture, Point, Seat, Zone, column_name, parse_point, point_name
from rules.typed_text import plain_text
from storage import Database
from use_cases.match_actions import MatchActions
from use_cases.matches import MatchFactReader, read_votes
from web.bodies import Json
from web.ports import Addresses
from web.presentation.actions import action_json, decided_votes, player_actions, show_rules, vote_actions
from web.presentation.readers import Audience
from web.presentation.rematches import ToldRematch, tell_rematch

MAX_RECENT = 8
"""Moves of others that are told and shown at once."""

FIRST_STEPS = {
    Duty.MOVE: "dot",
    Duty.PLAY_OUT: "dot",
    Duty.SET_UP: "set",
    Duty.CHOICE: "side",
    Duty.DASH: "stone",
}
"""What a player enters first."""


class _Telling(NamedTuple):
    """A version of a match with all that its words need."""

    match: Match
    audience: Audience
    words: Words
    names: Sequence[str]
    narration: Narration


class Question(NamedTuple):
    """What an action would do, and the labels of the buttons that do it or not; `sure` is empty where there is nothing
    to do."""

    line: str
    picture: Picture | None
    sure: str
    keep: str


class Narrator:
    """A match in the words of the web board."""

    def __init__(
        self,
        store: Database,
        languages: Languages,
        names: Names,
        addresses: Addresses,
        facts: MatchFactReader,
        actions: MatchActions,
        has_computer: Callable[[], bool],
    ) -> None:
        self._store = store
        self._languages = languages
        self._names = names
        self._addresses = addresses
        self._facts = facts
        self._actions = actions
        self._has_computer = has_computer

    async def view(self, match: Match, audience: Audience) -> Json:
        telling = await self._telling(match, audience)
        match, words, names, narration = telling.match, telling.words, telling.names, telling.narration
        picture = await asyncio.to_thread(match.position.picture)
        is_over = match.outcome is not None
        rated = None if is_over or audience.seat is None or audience.votes else await self._facts.is_rated(match.id)
        clocks = [] if is_over else await self.clocks(match, audience.language, narration.now)
        return {
            "match": match.id,
            "title": " – ".join(names),
            "you": audience.seat,
            "to_act": _movers(match),
            "over": is_over,
            "turn": move_number(match),
            "line": self._status(telling),
            "last": narration.story,
            "since": [[*dot] for _, _, dot in _recent_dots(match, audience.seat)],
            "players": [
                {
                    "seat": seat,
                    "name": names[seat],
                    "colour": colour_name(audience.theme, seat, words),
                    "score": words.number(match.score[seat]),
                    "clock": None if is_over else clocks[seat]["clock"],
                    "result": _result(match, seat, words),
                    "you": seat == audience.seat,
                }
                for seat in match.seats
            ],
            "actions": self._list_actions(telling, rated=rated),
            "undo": None if rated is None else _undo(telling, rated=rated),
            "offers": [_offer(telling, offer) for offer in match.offers if not offer.declined],
            "notes": [*_notes(telling)],
            **(await self._after_game(telling) if is_over and not audience.votes else {}),
            "coordinates": name_lines(picture),
            "chat": self._chat(match, words),
            "enter": FIRST_STEPS[Duty.of(match)] if audience.seat in _movers(match) else None,
            "idle": words("web.only_players") if audience.seat is None and not is_over else self._status(telling),
            "sheet": audience.seat is not None and not audience.votes,
            "own": is_over and isinstance(match.game, Dots),
        }

    async def names(self, match: Match) -> tuple[str, ...]:
        return tuple(await self._names.of_all(match.players, match.guild))

    def awaits_computer(self, match: Match) -> bool:
        """Returns whether the computer is about to answer."""
        own = self._names.own_id
        return own is not None and awaits_reply(match, own)

    async def scene(self, match: Match, audience: Audience) -> Json:
        match = match.look_from(away=audience.away)
        # Nothing here may keep what it finds by the match's version: this match was never played.
        words, names = self._languages.of(audience.language).plain, await self.names(match)
        score = _score(match, names, words)
        if match.outcome:
            return {"enter": None, "line": score}
        turn = words("alt.to_act", name=names[match.position.to_act])
        return {"enter": FIRST_STEPS[Duty.of(match)], "line": f"{score} {turn}"}

    async def story(self, match: Match, audience: Audience) -> str:
        telling = await self._telling(match, audience)
        return telling.narration.story or telling.narration.result

    async def describe(self, match: Match, audience: Audience, what: str) -> str:
        telling = await self._telling(match, audience)
        if what == "last":
            return telling.narration.story
        return await asyncio.to_thread(_describe, telling, what)

    def rules(self, match: Match, audience: Audience) -> Question:
        """Returns the rules of a game, which ask nothing."""
        words = self._languages.of(audience.language).plain
        name, *departures = describe_rules(match.game, match.rule_set, words).values()
        agreed = [words(f"agreed.{each}") for each in AGREED if getattr(match.agreement, each)]
        clock = words("card.clock", clock=words.control(match.clock.control))
        lines = (f"{name}.", rules_help(match.game, words), *(f"{each}." for each in (*departures, clock, *agreed)))
        return Question("\n".join(lines), None, "", words("button.back"))

    async def ask(self, match: Match, user: UserId, audience: Audience, action: str) -> Question:
        match = match.look_from(away=audience.away)
        words = self._languages.of(audience.language).plain
        names = await self._names.of_all(match.players, match.guild)
        keep = words("button.play_on")
        if action == "abort":
            seat = cancelling_seat(match, user)
            others = ", ".join(name for other, name in enumerate(names) if other != seat)
            return Question(words("abort.ask", opponent=others), None, words("button.sure.abort"), keep)
        if action not in ENDINGS:
            raise Refused(Reason.BAD_MESSAGE)
        after = await self._actions.preview_end(match, user, action)
        preview = Preview(match, match.seat_of(user), action, after, names, words, audience.theme)
        picture = await asyncio.to_thread(preview.picture)
        return Question(preview.text, picture, words(f"button.sure.{action}"), keep)

    async def clocks(self, match: Match, language: str, now: Millis) -> list[Json]:
        """Returns what players have left, by seats; a side has until its vote closes. Raises Unavailable."""
        words, stopped = self._languages.of(language).plain, clock_stop(match, now) is not None
        sides: dict[Seat, Side] = {}
        if has_side(match):
            async with self._store.read() as reader:
                sides = {side.seat: side for side in await reader.votes.of_match(match.id)}
        found: list[Json] = []
        for seat in match.seats:
            side = sides.get(seat)
            left = time_to_vote(match, side, now) if side else match.clock.left(seat, now)
            runs = seat == match.to_act and seat == match.clock.running and not stopped
            clock = None if left is None else {"ms": left, "running": runs, "text": words.left(left)}
            found.append({"seat": seat, "clock": clock})
        return found

    def _chat(self, match: Match, words: Words) -> Json | None:
        """Returns the way to the channel of a match, if it has an address."""
        chat = self._addresses.of(match.guild, match.channel)
        return chat and {"label": words("web.chat", platform=chat.platform), "url": chat.url}

    async def _telling(self, match: Match, audience: Audience) -> _Telling:
        match = match.look_from(away=audience.away)
        names = await self._names.of_all(match.players, match.guild)
        gains = await self._facts.score_gains(match)
        moderator = await name_moderator(match, self._names)
        async with self._store.read() as reader:
            now = await reader.clock.now()
            vote, voted = await read_votes(reader, match, now)
        words = self._languages.of(audience.language).plain
        narration = Narration(match, words, gains, now, audience.theme, names, moderator, vote, voted)
        return _Telling(match, audience, words, names, narration)

    def _status(self, telling: _Telling) -> str:
        """Returns whose turn it is, or how the match ended."""
        match, words = telling.match, telling.words
        if match.outcome:
            return telling.narration.result
        if vote := telling.narration.vote:
            side, when = telling.names[match.position.to_act], words.until(vote.closes, telling.narration.now)
            if vote.votes is None:
                return words("web.votes_elsewhere", side=side, when=when)
            votes_here = telling.audience.votes and telling.audience.seat == match.to_act
            return words("web.your_vote" if votes_here else "web.votes", side=side, when=when, count=vote.votes)
        if telling.audience.seat == match.to_act:
            duty, last = Duty.of(match), match.events[-1] if match.events else None
            if duty is Duty.MOVE and last and last.is_move and last.seat == match.to_act:
                return words("web.your.again")
            return words(f"web.your.{duty}")
        return words("alt.to_act", name=telling.names[match.position.to_act])

    def _list_actions(self, telling: _Telling, *, rated: bool | None) -> list[Json]:
        """Returns what the reader may do now; `rated` is None unless they play a game that goes on."""
        match, audience, words = telling.match, telling.audience, telling.words
        if audience.votes:
            found = vote_actions(match, audience, words)
        elif rated is None or audience.seat is None:
            found = decided_votes(match, None, words)
        else:
            hints = self._has_computer() and not rated and audience.seat == match.to_act
            found = player_actions(match, audience.seat, words, telling.narration.now, hints=hints)
        if match.outcome and len(match.moves) >= MIN_MOVES and self._has_computer():
            found.append(action_json("review", words("button.review"), "secondary"))
        return [*found, show_rules(words)]

    async def _after_game(self, telling: _Telling) -> Json:
        """Returns what a game that is over leads a player to: a rematch, which is offered once at a time, and the notes
        that others have published. Who watches is told nothing of that."""
        match, seat, words = telling.match, telling.audience.seat, telling.words
        if seat is None:
            return {}
        async with self._store.read() as reader:
            newest = await reader.challenges.newest_rematch_of(match.id)
            begun = await reader.challenges.running_rematch_of(match.id)
            published = await reader.sheets.published_versions(match.id)
        user, now = match.players[seat], telling.narration.now
        rematch = await tell_rematch(newest, user, now, self._names, words) if newest else ToldRematch()
        is_theirs = begun is not None and user in (begun.challenger, *begun.joined)
        offers_one = match.away is None and not rematch.offer and not is_theirs
        return {
            "actions": [
                *([action_json("rematch", words("button.rematch"), "primary")] if offers_one else []),
                *self._list_actions(telling, rated=None),
            ],
            "offers": [rematch.offer] if rematch.offer and not is_theirs else [],
            "notes": [*_notes(telling), *([rematch.note] if rematch.note else [])],
            "next": begun.match if begun and is_theirs else None,
            "shared": [
                {"seat": other, "name": telling.names[other]}
                for other in match.seats
                if other != seat and match.players[other] in published
            ],
        }


def name_lines(picture: Picture) -> Json:
    """Returns the names of the lines of a board, from its first crossing on."""
    columns, rows = range(picture.width), range(picture.height)
    return {"columns": [column_name(x) for x in columns], "rows": [str(y + 1) for y in rows]}


def _result(match: Match, seat: Seat, words: Words) -> str:
    """Returns what a player has made of a game that is over; nothing for those who have lost, or without a result."""
    winners = match.outcome.winners if match.outcome else ()
    if seat not in winners:
        return ""
    return words("web.result.drawn" if len(winners) == match.game.seats else "web.result.won")


def _undo(telling: _Telling, *, rated: bool) -> Json | None:
    """Returns for how long the reader may take their last move back without asking, if they may."""
    match, seat, now = telling.match, telling.audience.seat, telling.narration.now
    if seat is None or has_side(match) or not can_undo(match, seat, now, practice=not rated and match.game.seats == 2):
        return None
    left = match.events[-1].at + TAKEBACK_GRACE - now
    return {"label": telling.words("button.undo"), "ms": left}


def _movers(match: Match) -> list[Seat]:
    return [] if match.to_act is None else [match.to_act]


def _offer(telling: _Telling, offer: Offer) -> Json:
    words, seat = telling.words, telling.audience.seat
    answers = []
    if telling.audience.votes:
        seat = None  # a side votes for a draw
    if seat is not None and seat not in offer.agreed:
        agree = "end" if offer.kind == "end" else f"agree:{offer.kind}"
        answers = [
            action_json(agree, words(f"button.agree.{offer.kind}"), "primary", asks=agree == "end"),
            action_json(f"disagree:{offer.kind}", words(f"button.disagree.{offer.kind}"), "secondary"),
        ]
    elif seat == offer.seat:
        answers = [action_json(f"disagree:{offer.kind}", words(f"button.unoffer.{offer.kind}"), "secondary")]
    text = words(f"offer.stands.{offer.kind}", name=telling.names[offer.seat])
    return {"key": offer.kind.value, "text": text, "actions": answers}


def _notes(telling: _Telling) -> list[str]:
    """Returns what else is to be known: that one watches, stones in reserve, and why the clock is stopped."""
    match, words = telling.match, telling.words
    notes = [_tell_since(telling), describe_reserves(match, lambda seat: telling.names[seat], words)]
    if telling.audience.seat is None and not match.outcome:
        notes.insert(0, words("web.watching"))
    if not match.outcome and (stop := clock_stop(match, telling.narration.now)):
        name = telling.names[match.position.to_act]
        notes.append(words(f"clock.stopped.{stop.why}", name=name, when=words.moment(stop.until)))
    return [note for note in notes if note]


def _tell_since(telling: _Telling) -> str:
    match, words = telling.match, telling.words
    moves = [
        f"{telling.names[move.seat]} {point_name(dot)}{f' ({signed(gain)})' if gain else ''}"
        for move, gain, dot in _recent_dots(match, telling.audience.seat)
    ]
    return words("web.since", moves=", ".join(moves)) if moves else ""


def _recent_dots(match: Match, seat: Seat | None) -> list[tuple[Event, float, Point]]:
    """Returns the dots of others since the last move of a player, with what each has gained, if there are several: of a
    single one the story tells."""
    newest = slice(None, -MAX_RECENT - 1, -1)
    played = zip(match.moves[newest], match.gains[newest], strict=True)
    later = [] if seat is None else takewhile(lambda each: each[0].seat != seat, played)
    turns = ((move, gain, match.game.parse(move.text)) for move, gain in later)
    found = [(move, gain, turn.dot) for move, gain, turn in turns if isinstance(turn, Turn)]
    return found[::-1] if len(found) > 1 else []


def _score(match: Match, names: Sequence[str], words: Words) -> str:
    score = ", ".join(f"{names[seat]} {words.number(points)}" for seat, points in enumerate(match.score))
    return words("alt.fives" if match.game.score_unit == "fives" else "alt.score", score=score)


def _describe(telling: _Telling, what: str) -> str:
    """Returns a part of the board in words. Raises Refused (`bad_message`) and BadNotation."""
    picture, (kind, _, place) = telling.match.position.picture(), plain_text(what).partition(" ")
    match kind:
        case "score":
            return _score(telling.match, telling.names, telling.words)
        case "board":
            return describe(picture, Zone(Point(0, 0), _corner(picture)), telling.words, telling.audience.theme)
        case "row" | "column":
            return _describe_line(telling, picture, kind, place)
        case "at":
            return _describe_point(telling, picture, place)
    raise Refused(Reason.BAD_MESSAGE)


def _corner(picture: Picture) -> Point:
    return Point(picture.width - 1, picture.height - 1)


def _describe_line(telling: _Telling, picture: Picture, kind: str, place: str) -> str:
    """Returns the dots of a `row` or `column`; a row with a letter is a column. Raises BadNotation."""
    words, corner = telling.words, _corner(picture)
    if kind == "row" and place.isdecimal():
        y = _on_field(picture, f"A{place}").y
        zone, line = Zone(Point(0, y), Point(corner.x, y)), words("web.line.row", row=y + 1)
    else:
        x = _on_field(picture, f"{place} 1").x
        zone, line = Zone(Point(x, 0), Point(x, corner.y)), words("web.line.column", column=column_name(x))
    dots = name_dots(picture, zone, words, telling.audience.theme) or [words("web.line.empty")]
    return " ".join([line, *dots])


def _on_field(picture: Picture, place: str) -> Point:
    """Returns the crossing of a name. Raises BadNotation."""
    point, corner = parse_point(place), _corner(picture)
    if point.x > corner.x or point.y > corner.y:
        raise BadNotation("off_field", column=column_name(corner.x), row=corner.y + 1)
    return point


def _describe_point(telling: _Telling, picture: Picture, place: str) -> str:
    point = _on_field(picture, place)
    stone = next((stone for stone in picture.stones if stone.point == point), None)
    words, name = telling.words, point_name(point)
    if stone is None:
        around = [area.seat for area in picture.areas if contains(area.ring, 2 * point.x, 2 * point.y)]
        if not around:
            return words("web.at.free", point=name)
        return words("web.at.base", point=name, name=telling.names[around[-1]])
    key = "web.at.captured" if stone.captured else "web.at.dot"
    return words(key, point=name, name=telling.names[stone.seat])
