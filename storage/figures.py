"""How much is played, and how much waits: for the operator."""

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import create_async_engine

from play.ids import DAY, Millis
from play.match.events import MOVE_KINDS
from storage import schema
from storage.engines import ENGINES, address, file_of, translates_errors

_match, _event, _seat = schema.match.c, schema.event.c, schema.seat.c


async def count_figures(url: str, now: Millis) -> dict[str, int]:
    """Returns the figures at `now` by their names.

    It reads every match and event, so a process of its own asks. It only reads, also a file that a bot works on. Raises
    CannotOpen and Unavailable.
    """
    parsed, file = address(url), file_of(url)
    readable = f"sqlite+aiosqlite:///file:{file}?mode=ro&uri=true" if file else parsed
    engine = create_async_engine(readable, hide_parameters=True)
    try:
        with translates_errors(ENGINES[parsed.drivername], parsed):
            async with engine.connect() as connection:
                return {name: (await connection.execute(asked)).scalar_one() for name, asked in _questions(now)}
    finally:
        await engine.dispose()


def _questions(now: Millis) -> list[tuple[str, Any]]:
    week, day = now - 7 * DAY, now - DAY
    servers, players = select(func.count(_match.guild.distinct())), select(func.count(_seat.user.distinct()))
    players, moves = players.where(_seat.user > 0), _event.kind.in_([kind.value for kind in MOVE_KINDS])
    events = select(func.count()).select_from(schema.event)
    waiting = {"boards": schema.outbox, "notices to players": schema.notice, "channel news": schema.news}
    return [
        ("servers that have played", servers),
        ("servers that played in the last week", servers.where(_is_played_since(_match.id, week))),
        ("players, with the computer", players),
        ("players of games of the last week", players.where(_is_played_since(_seat.match, week))),
        ("running games", select(func.count()).select_from(schema.match).where(_match.ended.is_(None))),
        ("moves in the last day", events.where(moves, _event.at > day)),
        ("moves in the last week", events.where(moves, _event.at > week)),
        *((f"{name} to post", select(func.count()).select_from(table)) for name, table in waiting.items()),
    ]


def _is_played_since(match: Any, moment: int) -> Any:
    return match.in_(select(_event.match).where(_event.at > moment))
