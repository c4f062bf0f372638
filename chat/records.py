"""Games as files and pages: SGF, all of one's games, records that people bring, and the replay by its page."""

from __future__ import annotations

from functools import partial

from chat.messages import Button, File, Picture
from chat.request import Request
from play.ids import MatchId
from play.match.match import Match
from play.people.career import MAX_SUMMARIZED_MATCHES
from play.records.record import MAX_RECORD_BYTES, BadRecord
from play.refusal import Reason, Refused
from presentation.records import describe_archive, open_record, pack_records, turn_record, write_record
from presentation.terms import rules_name
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES

SGF = "application/x-go-sgf"


async def load_own(request: Request, number: int) -> Match:
    """Returns a game that the person has played, or that is of this place. Raises Refused (`no_match`)."""
    match = await request.load_match(MatchId(number))
    here = match.channel == request.channel or match.parent == request.channel
    if request.user not in match.players and not here:
        raise Refused(Reason.NO_MATCH)
    return match


async def send_record(request: Request, match: Match) -> None:
    """Sends a game as SGF, and in letters of its moves for those who read it in the chat. Raises Refused."""
    words = await request.words()
    names = await request.services.names.of_all(match.players, match.guild)
    try:
        data = await request.services.jobs.pictures.make(request.user, write_record, match, names)
    except BadRecord as error:
        await request.answer(_title(match, names, words), fixed=_moves_in_letters(match))
        if match.moves:
            return
        raise Refused(Reason.NO_RECORD) from error
    file = File(f"kropka-{match.id}.sgf", data, SGF)
    await request.answer(_title(match, names, words), file=file)


async def send_moves(request: Request, match: Match) -> None:
    """Sends the moves of a game as text. Raises Refused (`nothing_to_replay`)."""
    if not match.moves:
        raise Refused(Reason.NOTHING_TO_REPLAY)
    words = await request.words()
    names = await request.services.names.of_all(match.players, match.guild)
    await request.answer(_title(match, names, words), fixed=_moves_in_letters(match))


def _moves_in_letters(match: Match) -> str:
    return " ".join(f"{number}. {move.text}" for number, move in enumerate(match.moves, 1))


def _title(match: Match, names: tuple[str, ...], words: Words) -> str:
    players = words.literal(" – ".join(names))
    rules = rules_name(match.game.key, match.rule_set, words)
    return words("chat.record", number=match.id, players=players, rules=rules)


async def send_all(request: Request) -> None:
    """Sends all games of the person as SGF in one archive. Raises Refused (`nothing_to_export`)."""
    services = request.services
    with services.jobs.one_at_a_time(request.user):
        async with services.store.read() as reader:
            found = await reader.careers.finished(request.user, 0, MAX_SUMMARIZED_MATCHES)
        if not found:
            raise Refused(Reason.NOTHING_TO_EXPORT)
        archive, count = await pack_records(
            found,
            request.load_match,
            lambda match: services.names.of_all(match.players, match.guild),
            partial(services.jobs.pictures.make, request.user, write_record, keep=False),
        )
    text = describe_archive(count, len(found) - count, await request.words())
    await request.answer(text, file=File("kropka-games.zip", archive, "application/zip"), private=True)


async def show_replay(request: Request, match: Match) -> None:
    """Gives the address of a game's page, where it is replayed, or its moves where it has none. Raises Refused."""
    if not match.moves:
        raise Refused(Reason.NOTHING_TO_REPLAY)
    links, words = request.services.links, await request.words()
    async with request.services.store.read() as reader:
        server = await reader.servers.get(match.guild) if match.guild else None
    page = await links.page_of(match.id, match, server) if links and match.outcome else None
    if page is None:
        await send_moves(request, match)
        return
    await request.answer(words("chat.replay"), [[Button(words.plain("button.web.page"), url=page)]])


async def show_import(request: Request, data: bytes, name: str = "game.sgf") -> None:
    """Shows the last position of a record that a person has brought. Nothing of it is stored. Raises Refused."""
    if len(data) > MAX_RECORD_BYTES:
        raise Refused(Reason.IMPORT_TOO_LONG, most=MAX_RECORD_BYTES // 1024)
    words, theme = await request.words(), THEMES.get((await request.settings()).theme, PAPER)
    make = request.services.jobs.pictures.make
    try:
        opened = await make(request.user, open_record, data, name, None, words, theme)
        shown = await make(request.user, turn_record, data, name, opened.rules, opened.moves, words, theme)
    except BadRecord as error:
        raise Refused(Reason.IMPORT_UNREADABLE) from error
    text = "\n".join(filter(None, (shown.title, opened.result)))
    await request.answer(text, picture=Picture(shown.page.png, words.plain("replay.alt", count=opened.moves)))
