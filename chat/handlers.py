"""What commands and buttons do: each by its name goes to the function that does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from chat import daily, deeds, endings, friends, own_accounts, pages, people, records, reviews, strangers, turns
from chat.actions import Action
from chat.games import meant_game, open_games, require_any_game, require_finished_game, require_game
from chat.port import Typed
from chat.request import Request
from play.ids import MatchId
from play.match.choices import Action as Deed
from play.match.events import OfferKind
from play.match.match import Match
from play.refusal import Reason, Refused

Obey = Callable[[Request, str], Awaitable[None]]
OfMatch = Callable[..., Awaitable[None]]


async def _move(request: Request, text: str) -> None:
    entry = await meant_game(request, await open_games(request))
    if entry is None:
        raise Refused(Reason.NO_MATCH_HERE)
    await turns.play_typed(request, entry, text)


async def _end(request: Request, way: str) -> None:
    await endings.ask_to_end(request, await require_game(request), way)


async def _privacy(request: Request, rest: str) -> None:
    words = await request.words()
    deletes = {"delete", words.called("delete").casefold()}
    await (people.ask_to_delete(request) if rest.casefold() in deletes else people.send_data(request))


async def _settings(request: Request, rest: str) -> None:
    head, _, tail = rest.partition(" ")
    words = await request.words()
    if head.casefold() in ("server", "group", words.called("server").casefold()):
        await people.set_group_language(request, tail)
    else:
        await people.show_settings(request, rest)


async def _export(request: Request, rest: str) -> None:
    words = await request.words()
    if rest.casefold() in ("all", words.called("all").casefold()):
        await records.send_all(request)
    elif rest.casefold() in ("text", words.called("text").casefold()):
        await records.send_moves(request, await require_any_game(request))
    else:
        await records.send_record(request, await require_any_game(request))


async def _import(request: Request, _: str) -> None:
    asked = request.asked
    if not isinstance(asked, Typed) or asked.file is None:
        raise Refused(Reason.NO_RECORD_HERE)
    await records.show_import(request, asked.file)


async def _board(request: Request, rest: str) -> None:
    words = await request.words()
    in_letters = rest.casefold() in ("text", words.called("text").casefold())
    await deeds.show_board(request, await require_any_game(request), in_letters=in_letters)


async def _puzzle(request: Request, rest: str) -> None:
    """Shows the daily; *post* has it posted in the group each day, *off* no more."""
    if rest.casefold() in ("post", "on", "off"):
        await daily.set_place(request, posts=rest.casefold() != "off")
    else:
        await daily.open_daily(request)


async def _draw(request: Request, match: Match) -> None:
    await deeds.propose(request, match, OfferKind.DRAW)


async def _take_back(request: Request, match: Match) -> None:
    await deeds.propose(request, match, OfferKind.TAKEBACK)


async def _finished(request: Request, act: OfMatch) -> None:
    await act(request, await require_finished_game(request))


def _with_game(act: OfMatch, *, rest: bool = False) -> Obey:
    """Returns what does something with the open game that a command is about, and with what was typed behind it."""

    async def obey(request: Request, typed: str) -> None:
        match = await require_game(request)
        await (act(request, match, typed) if rest else act(request, match))

    return obey


async def _ask_end(request: Request, action: Action) -> None:
    await endings.ask_to_end(request, await turns.current_match(request, action), action.text)


async def _agree(request: Request, action: Action) -> None:
    """Agrees to an offer; to the offered end only after a look at it."""
    if action.text == OfferKind.END:
        await endings.ask_to_end(request, await turns.current_match(request, action), OfferKind.END)
    else:
        await deeds.agree(request, action)


def _own(act: OfMatch) -> Callable[[Request, MatchId], Awaitable[None]]:
    """Returns what does something with a match that the person may see."""

    async def press(request: Request, number: MatchId) -> None:
        await act(request, await records.load_own(request, number))

    return press


OF_COMMAND: dict[str, Obey] = {
    "move": _move,
    "board": _board,
    "games": lambda request, _: deeds.list_games(request),
    "resign": lambda request, _: _end(request, Deed.RESIGN),
    "abort": lambda request, _: _end(request, Deed.ABORT),
    "draw": _with_game(_draw),
    "takeback": _with_game(_take_back),
    "pause": _with_game(deeds.pause, rest=True),
    "clock": _with_game(deeds.show_clock, rest=True),
    "stop": _with_game(endings.stop),
    "hint": _with_game(deeds.show_hint),
    "review": lambda request, _: _finished(request, reviews.show_review),
    "replay": lambda request, _: _finished(request, records.show_replay),
    "export": _export,
    "import": _import,
    "vacation": lambda request, rest: deeds.take_vacation(request, rest),
    "continue": lambda request, _: deeds.find_place(request),
    "puzzle": _puzzle,
    "profile": lambda request, _: people.show_profile(request),
    "leaderboard": lambda request, _: people.show_leaderboard(request),
    "privacy": _privacy,
    "settings": _settings,
    "link": own_accounts.link,
    "launch": _with_game(pages.show_web_board),
    "if": _with_game(pages.point_to_plans),
    "learn": lambda request, _: pages.point_to_lessons(request),
    "history": lambda request, _: pages.point_to_history(request),
    "play": strangers.play,
}
"""What commands do with what was typed behind them."""

BY_BUTTON: dict[str, Callable[[Request, Action], Awaitable[None]]] = {
    "go": turns.go,
    "step": turns.go,
    "play": turns.play,
    "end": _ask_end,
    "sure": endings.end_now,
    "stay": endings.stay,
    "offer": deeds.propose_by_button,
    "yes": _agree,
    "no": deeds.disagree,
    "quiet": deeds.set_quiet,
    "day": daily.act,
    "leaders": people.show_leaderboard,
    "set": people.change_setting,
    "forget": people.delete,
    "join": own_accounts.join,
    "part": own_accounts.part,
    "lobby": strangers.show,
    "seek": strangers.look,
    "unseek": strangers.leave,
    "admit": strangers.admit,
    "arena": strangers.enter_arena,
    "follow": strangers.follow_arenas,
    "ready": strangers.answer_call,
    "alias": strangers.explain_name,
    "phrase": strangers.say,
    "friends": friends.show_offer,
    "invite": friends.invite,
    "retract": friends.withdraw,
    "befriend": friends.accept,
    "accuse": strangers.report,
    "unblock": people.unblock,
}
"""What buttons do that carry all that they need."""

OF_MATCH: dict[str, Callable[[Request, MatchId], Awaitable[None]]] = {
    "more": _own(deeds.show_menu),
    "hint": _own(deeds.show_hint),
    "clock": _own(deeds.show_clock),
    "board": _own(deeds.show_board),
    "web": _own(pages.show_web_board),
    "review": _own(reviews.show_review),
    "record": _own(records.send_record),
    "replay": _own(records.show_replay),
    "say": strangers.offer_phrases,
    "report": strangers.ask_to_report,
}
"""What buttons show of a match."""
