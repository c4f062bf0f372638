"""*Fair?*: the handicap that both ratings propose, put into the terms of a draft."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bot.features.terms.targets import TermsBasis
from bot.interactions import permissions
from bot.interactions.context import Context
from play.challenge.challenge import Challenge
from play.challenge.handicap import fair_komi, serves
from play.challenge.pool import Pool, pool_of
from play.challenge.terms import Order, Terms
from play.ids import GuildId, Millis, UserId
from play.people.career import Visibility
from play.ratings.glicko import Rating
from play.ratings.settlement import counted_level, level_rating
from play.refusal import Refused
from presentation.terms.option_phrases import phrase
from presentation.terms.terms_text import level_label
from presentation.text import escape
from rules.registry import preset_of
from storage.unit_of_work import Reader


class _Player(NamedTuple):
    name: str
    rating: Rating


async def can_propose(ctx: Context, basis: TermsBasis, draft: Terms) -> bool:
    """Returns whether a fair handicap can be told to the player who asks, or that none is needed."""
    pool = _fair_pool(draft)
    if pool is None or (draft.level is None and basis.opponent is None):
        return False
    return not any(each.rating.provisional for each in await _players(ctx, basis, draft, pool))


async def can_propose_on_card(reader: Reader, challenge: Challenge) -> bool:
    """Returns whether a fair handicap can be told to either player of a challenge, who see of each other's ratings
    those of its server."""
    pool = _fair_pool(challenge.terms)
    if pool is None or challenge.guild is None or challenge.opponent is None:
        return False
    now, users = await reader.clock.now(), (challenge.challenger, challenge.opponent)
    return not any([(await _rating(reader, user, pool, challenge.guild, now)).provisional for user in users])


async def propose_handicap(ctx: Context, basis: TermsBasis, draft: Terms, button: str) -> tuple[Terms, str]:
    """Returns the draft with a fair handicap, and what the player is told; the same draft if none is proposed.

    `button` is the label of the button that offers the draft.
    """
    words, pool = await ctx.words(), _fair_pool(draft)
    if pool is None:
        return draft, words("terms.fair.none")
    challenger, opponent = await _players(ctx, basis, draft, pool)
    if challenger.rating.provisional or opponent.rating.provisional:
        return draft, words("terms.fair.unknown")
    gap = challenger.rating.value - opponent.rating.value
    komi = fair_komi(abs(gap))
    game = draft.game.with_options({"handicap": "0", "komi": f"{komi:g}"})
    if not komi:
        return replace(draft, game=game), words("terms.fair.even")
    stronger, weaker = (challenger, opponent) if gap > 0 else (opponent, challenger)
    order = Order.LAST if gap > 0 else Order.FIRST
    told = words(
        "terms.fair.proposed",
        stronger=stronger.name,
        weaker=weaker.name,
        gap=str(round(abs(gap), -1)).partition(".")[0],
        terms=phrase("komi", game.options, words),
        button=button,
    )
    return replace(draft, game=game, order=order), told


def _fair_pool(draft: Terms) -> Pool | None:
    """Returns the pool of the draft's rules by the preset, since a game with a handicap has none; None if no fair
    handicap is known for the rules."""
    if not serves(draft.game):
        return None
    try:
        return pool_of(preset_of(draft.game), draft.control, computer=draft.level is not None)
    except Refused:
        return None


async def _players(ctx: Context, basis: TermsBasis, draft: Terms, pool: Pool) -> tuple[_Player, _Player]:
    users = [basis.challenger, *([] if draft.level or basis.opponent is None else [basis.opponent])]
    found = [await _player(ctx, user, pool) for user in users]
    if draft.level is not None:
        words = await ctx.words()
        rating = level_rating(counted_level(draft.game, draft.level))
        found.append(_Player(words("card.level", level=level_label(draft.level, words)), rating))
    first, second = found
    return first, second


async def _player(ctx: Context, user: UserId, pool: Pool) -> _Player:
    """Returns a player with the rating that the reader may see, as in a profile; a newcomer's if there is none."""
    sight, rating = Visibility.of(ctx.user, permissions.installed_guild(ctx), user), Rating()
    if sight.beside is None:
        async with ctx.services.store.read() as reader:
            rating = await _rating(reader, user, pool, sight.guild, ctx.at)
    return _Player(escape(await ctx.services.names.of(user, ctx.guild)), rating)


async def _rating(reader: Reader, user: UserId, pool: Pool, guild: GuildId | None, now: Millis) -> Rating:
    """Returns the rating of a player in a pool, as their matches on `guild` show it; a newcomer's if there is none."""
    ratings = await reader.ratings.of_user(user, guild)
    return (ratings[pool].rating if pool in ratings else Rating()).at_time(now)
