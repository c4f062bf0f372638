"""*Fair?*: the handicap that both ratings propose, put into the terms of a draft."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bot.features.terms.targets import TermsBasis
from bot.interactions import permissions
from bot.interactions.context import Context
from play.challenge.handicap import fair_komi, serves
from play.challenge.pool import Pool, pool_of
from play.challenge.terms import Order, Terms
from play.ids import UserId
from play.people.career import Visibility
from play.ratings.glicko import Rating
from play.ratings.settlement import counted_level, level_rating
from play.refusal import Refused
from presentation.terms.option_phrases import phrase
from presentation.terms.terms_text import level_label
from presentation.text import escape
from rules.registry import preset_of


class _Player(NamedTuple):
    name: str
    rating: Rating


def can_propose(basis: TermsBasis, draft: Terms) -> bool:
    """Returns whether both players are known."""
    return draft.level is not None or basis.opponent is not None


async def propose_handicap(ctx: Context, basis: TermsBasis, draft: Terms, button: str) -> tuple[Terms, str]:
    """Returns the draft with a fair handicap, and what the player is told; the same draft if none is proposed.

    `button` is the label of the button that offers the draft.
    """
    words, pool = await ctx.words(), _pool(draft)
    if pool is None or not serves(draft.game):
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


def _pool(draft: Terms) -> Pool | None:
    """Returns the pool of the draft's rules by the preset, since a game with a handicap has none."""
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
    sight = Visibility.of(ctx.user, permissions.installed_guild(ctx), user)
    rating = Rating()
    if sight.beside is None:
        async with ctx.services.store.read() as reader:
            ratings = await reader.ratings.of_user(user, sight.guild)
        rating = ratings[pool].rating if pool in ratings else rating
    return _Player(escape(await ctx.services.names.of(user, ctx.guild)), rating.at_time(ctx.at))
