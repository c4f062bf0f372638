"""What players do in a game beside moves: offers and their answers, hints, time, quiet, the web board."""

from __future__ import annotations

from chat.actions import Action
from chat.boards import board_message, menu_rows
from chat.endings import close_question
from chat.messages import Button, Picture
from chat.request import Request, button
from opponent.captures import corrected
from opponent.choice import HELP, Choice
from play.clock import parse_duration
from play.ids import MatchId, Millis
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.match.moves import acting_seat
from play.match.offers import has_offered
from play.refusal import Reason, Refused
from play.turns import encode
from presentation.advice import Explained, draw_part, explain_choice, purpose_text
from presentation.match.crops import text_board
from presentation.match.narration import clock_stop
from presentation.match.phrases import emblem, turn_text
from presentation.typed import typed_time
from presentation.typed_turns import parse_call
from rules.game import AnyGame, AnyPosition
from use_cases.matches import is_rated

MAX_GAMES = 12
"""Games in the list."""

MAX_HINT_CODE = 38
"""Characters of a hinted turn that a button has room for."""


async def propose(
    request: Request, match: Match, kind: OfferKind, *, pause: Millis | None = None, version: int | None = None
) -> None:
    """Makes an offer for the player, or takes their last move back. Raises Refused."""
    actions, user, at, key = request.use_cases.actions, request.user, request.at, request.key
    words = await request.words()
    if kind is OfferKind.TAKEBACK:
        after = await actions.take_back(match.place, user, at, key, version=version)
    else:
        after = await actions.propose(match.place, user, kind, at, key, pause=pause, version=version)
    done = next(event for event in after.events if event.key == key)
    if done.kind is EventKind.TAKEBACK:
        await request.answer(words("offer.taken_back"))
    elif done.kind is EventKind.AGREE:
        await request.answer(words("offer.agreed"))
    elif not request.is_public:  # the board tells it to those who are there
        back = button(words.plain(f"button.unoffer.{kind}"), "no", after.id, after.version, text=kind)
        await request.answer(words(f"offer.made.{kind}"), [[back]])


async def propose_by_button(request: Request, action: Action) -> None:
    """Makes the offer of a button. Raises Refused."""
    match = await request.load_match(MatchId(action.number(0)))
    await propose(request, match, _kind(action), version=action.number(1))


async def agree(request: Request, action: Action) -> None:
    """Accepts an offer. Raises Refused."""
    number, version = MatchId(action.number(0)), action.number(1)
    actions = request.use_cases.actions
    await actions.agree(number, request.user, _kind(action), request.at, request.key, version=version)


async def disagree(request: Request, action: Action) -> None:
    """Declines an offer, or takes the player's own one back. Raises Refused."""
    number, kind = MatchId(action.number(0)), _kind(action)
    match = await request.load_match(number)
    own = has_offered(match, match.seat_of(request.user), kind)
    actions, version = request.use_cases.actions, action.number(1)
    await actions.disagree(number, request.user, kind, request.at, request.key, version=version)
    if own and request.asked.place.is_direct:
        await close_question(request, "offer.unmade")


def _kind(action: Action) -> OfferKind:
    if action.text not in set(OfferKind):
        raise Refused(Reason.OLD_BUTTON)
    return OfferKind(action.text)


async def pause(request: Request, match: Match, typed: str) -> None:
    """Ends the pause, or offers one of the typed length. Raises Refused."""
    if not typed and match.clock.current_pause(request.at):
        await request.use_cases.actions.resume(match.place, request.user, request.at, request.key)
        return
    await propose(request, match, OfferKind.PAUSE, pause=parse_duration(typed_time(typed)) if typed else None)


async def show_clock(request: Request, match: Match, typed: str = "") -> None:
    """Shows every player's time and why a clock stopped, or gives the others the typed time. Raises Refused."""
    words = await request.words()
    if typed:
        time = parse_duration(typed_time(typed))
        await request.use_cases.actions.give_time(match.place, request.user, time, request.at, request.key)
        return
    match.seat_of(request.user)
    async with request.services.store.read() as reader:
        now = await reader.clock.now()
    match = request.use_cases.outages.told(match, now)
    names = await request.services.names.of_all(match.players, match.guild)
    lines = [words.markup.title(words.control(match.clock.control))]
    theme = (await request.settings()).theme
    for seat, name in enumerate(names):
        left = match.clock.remaining[seat]
        running = seat == match.clock.running and match.clock.deadline is not None
        shown = words.until(match.clock.deadline, now) if running and match.clock.deadline else words.left(left)
        lines.append(words.markup.item(f"{words.markup.player(name, emblem(theme, seat))} {shown}"))
    if stopped := clock_stop(match, now):
        name = words.literal(names[match.position.to_act])
        lines.append(words(f"clock.stopped.{stopped.why}", name=name, when=words.moment(stopped.until)))
    await request.answer("\n".join(lines))


async def show_menu(request: Request, match: Match) -> None:
    """Shows what the player can do now. Raises Refused."""
    words, seat = await request.words(), match.seat_of(request.user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    async with request.services.store.read() as reader:
        quiet = seat in await reader.matches.quiet_seats(match.id)
        hints = request.services.coach.has_computer and not await is_rated(reader, match.id)
    await request.answer(words("more.head"), menu_rows(match, seat, words.plain, quiet=quiet, hints=hints))


async def set_quiet(request: Request, action: Action) -> None:
    """Ends the pings and reminders of a match for the player, or lets them begin again. Raises Refused."""
    quiet, words = action.text == "1", await request.words()
    await request.use_cases.actions.set_quiet(MatchId(action.number(0)), request.user, quiet=quiet)
    await request.answer(words("quiet.on" if quiet else "quiet.off"))


async def show_board(request: Request, match: Match, *, in_letters: bool = False) -> None:
    """Shows a match again, as a picture or in letters. Raises Refused."""
    words = await request.words()
    match.seat_of(request.user)
    _, message = await board_message(request.services, match, words, reader=request.user)
    if not in_letters:
        await request.answer(message.text, message.buttons, picture=message.picture, private=True)
        return
    for block in text_board(match.position):
        await request.answer(words("board.letters"), fixed=block.strip("`\n"))


async def show_hint(request: Request, match: Match) -> None:
    """Shows a good move of an unrated game to the player whose turn it is. Raises Refused."""
    services, words = request.services, await request.words()
    computer = services.coach.advisor(request.user)
    with services.jobs.one_at_a_time(request.user):
        if acting_seat(match, request.user) != match.to_act:
            raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
        async with services.store.read() as reader:
            if await is_rated(reader, match.id):
                raise Refused(Reason.HINT_IN_RATED)
        game, position = match.game, match.position
        choice = await corrected(position, await computer.help(position, HELP, match.seed), computer.look)
        theme = (await request.settings()).theme
        explained, png = await services.jobs.pictures.make(request.user, _draw_hint, game, position, choice, theme)
    move = turn_text(game, choice.move, words)
    text = f"{words('hint.move', move=move)} {purpose_text(game, explained.purpose, explained.line, words)}"
    alt = words.plain("hint.alt", move=turn_text(game, choice.move, words.plain))
    await request.answer(
        text, _hint_rows(match, choice.move, words.plain("hint.play")), picture=Picture(png, alt), private=True
    )


def _draw_hint(game: AnyGame, position: AnyPosition, choice: Choice, theme: str) -> tuple[Explained, bytes]:
    explained = explain_choice(game, position, choice)
    return explained, draw_part(explained.picture, theme)


def _hint_rows(match: Match, turn: str, label: str) -> list[list[Button]]:
    if parse_call(match, turn):
        return [[button(label, "end", match.id, match.version, text=turn)]]
    code = encode(match, turn, MAX_HINT_CODE)
    return [[button(label, "play", match.id, match.version, text=code)]] if code else []


async def list_games(request: Request) -> None:
    """Lists the person's open games, their turn first, and their open challenges."""
    words, services = await request.words(), request.services
    entries = await request.use_cases.matches.list_open(request.user)
    offered = await request.use_cases.challenges.list_open(challenger=request.user)
    async with services.store.read() as reader:
        now = await reader.clock.now()
    if not entries and not offered:
        await request.answer(words("games.none"))
        return
    lines = [words("games.head", count=len(entries))] if entries else []
    rows: list[list[Button]] = []
    for number, entry in enumerate(entries[:MAX_GAMES], 1):
        names = await services.names.of_all([user for user in entry.players if user != request.user], entry.guild)
        yours = entry.players[entry.to_act] == request.user
        mover = words.literal(await services.names.of(entry.players[entry.to_act], entry.guild))
        clock, when = ("untimed", "") if entry.deadline is None else ("timed", words.until(entry.deadline, now))
        size = entry.game.options["size"].replace("x", "×")
        details = {"opponent": words.literal(", ".join(names)), "player": mover, "size": size, "when": when}
        line = words(f"games.entry.{clock}.{'yours' if yours else 'theirs'}", **details)
        url = services.platform.link(entry.channel, entry.board)
        lines.append(words.markup.item(f"{number}. {line}" + (f" · {words('games.board', url=url)}" if url else "")))
        rows.append([button(f"{number}. {words.plain('chat.games.board')}", "board", entry.id)])
    if offered:
        lines.append(words("games.challenges", count=len(offered)))
        rows += [[button(words.plain("button.withdraw"), "recall", each.id)] for each in offered]
    await request.answer("\n".join(lines), rows, private=True)


async def take_vacation(request: Request, typed: str) -> None:
    """Starts a vacation of so many days, ends it (0), or tells how many are left. Raises Refused."""
    words, actions = await request.words(), request.use_cases.actions
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 3):
        now, left = await actions.load_vacation(request.user)
        lines = [words("vacation.away", when=words.moment(now.end))] if now else []
        await request.answer("\n".join((*lines, words("vacation.left", count=left))))
    elif int(typed):
        taken, matches = await actions.start_vacation(request.user, int(typed), request.at)
        await request.answer(words("vacation.taken", when=words.moment(taken.end), count=len(matches)))
    else:
        await actions.end_vacation(request.user, request.at)
        _, left = await actions.load_vacation(request.user)
        await request.answer(words("vacation.back", count=left))


async def find_place(request: Request) -> None:
    """Moves to this place the most urgent game of the person that has lost its own. Raises Refused."""
    lost = [entry for entry in await request.use_cases.matches.list_open(request.user) if entry.lost]
    if not lost:
        raise Refused(Reason.NOTHING_LOST)
    await request.use_cases.actions.relocate(lost[0].id, request.user, request.guild, request.channel)
