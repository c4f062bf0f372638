"""The review of a finished game: its turning points in words, each with its picture."""

from __future__ import annotations

import asyncio

from chat.messages import Picture
from chat.request import Request
from opponent.review import Review, replay_positions
from play.match.match import Match
from presentation.advice import draw_solution
from presentation.match.phrases import turn_text
from presentation.reviews import head_text, mistake_text, own_verdict, purposes_of


async def show_review(request: Request, match: Match) -> None:
    """Shows what decided a match, a message for each turning point. Raises Refused."""
    services, words = request.services, await request.words()
    with services.jobs.one_at_a_time(request.user):
        found: Review = await services.coach.review(match, request.user)
        names = await services.names.of_all(match.players, match.guild)
        theme = (await request.settings()).theme
        moves = [move.text for move in match.moves]
        positions = await asyncio.to_thread(replay_positions, match.game, match.seed, moves)
        purposes = await asyncio.to_thread(purposes_of, match.game, positions, found)
    praise = ""
    if request.user in match.players:
        praise = own_verdict(match, found, match.seat_of(request.user), words)
    await request.answer("\n".join(filter(None, (praise, head_text(found, words, curve=False)))))
    for mistake, purpose in zip(found.mistakes, purposes, strict=True):
        drawn = match.game, positions[mistake.number - 1], mistake.line, mistake.played
        png = await services.jobs.pictures.make(request.user, draw_solution, *drawn, theme)
        plain = words.plain
        played, better = (turn_text(match.game, move, plain) for move in (mistake.played, mistake.better))
        alt = plain("review.alt", number=mistake.number, played=played, better=better)
        text = mistake_text(match, mistake, purpose, words.literal(names[mistake.seat]), words)
        await request.answer(text, picture=Picture(png, alt))
