"""*Play on from here*: a new, unrated game from a position of another one, against the computer or people.

The custom ids name the game and the move. Of an imported record the message has the file, which comes along.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, Final, NamedTuple

import discord

from bot.features.challenges.commands import name_opponent, post_challenge
from bot.features.records.files import FILE, read_in_worker, read_stored_record
from bot.features.terms.offered_rules import default_terms
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import MAX_HINT, Choice, Control, Part, row, select
from bot.interactions.permissions import load_visible_match
from bot.services.messages import fit
from opponent.choice import LEVELS
from play.challenge.terms import Continuation, Order, Terms
from play.ids import MatchId, UserId
from play.refusal import Reason, Refused
from presentation.match.phrases import colour_name, emblem
from presentation.offered_rules import require_offered
from presentation.records import find_turns
from presentation.terms import level_label
from rules.dots import Dots
from rules.game import AnyGame, BadOption, Seat
from rules.opening import play_on
from rules.registry import make_game
from use_cases.matches import is_rated

_LEVELS: Final = {str(level.number): level.number for level in LEVELS}


class Beginning(NamedTuple):
    """A game that begins at a position: it is the turn of `mover` there."""

    game: AnyGame
    mover: Seat

    @property
    def number(self) -> int:
        """The moves of the other game before it."""
        assert self.game.opening is not None, "it begins at a position"
        return self.game.opening.move


class PlayOn(Component, id=ids.PLAY_ON):
    """Asks against whom. `source` is the number of a game, or the rules by which a record was imported."""

    source: str
    number: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        begun = await _find_beginning(ctx, self.source, self.number)
        file = None if self.source.isdigit() else discord.File(BytesIO(await read_stored_record(ctx)), FILE)
        content, view = await _question(ctx, self.source, begun, begun.mover)
        await ctx.reply(content, view=view, **({"file": file} if file else {}))


class _Answer(Component):
    """An answer to that question. The player has chosen to play `seat`."""

    source: str
    number: int
    seat: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        begun = await _find_beginning(ctx, self.source, self.number)
        if self.seat >= begun.game.seats:
            raise Refused(Reason.OLD_BUTTON)
        parts = await self.begin(ctx, begun)
        await ctx.interaction.delete_original_response()
        await ctx.show(parts)

    async def begin(self, ctx: Context, begun: Beginning) -> Sequence[Part]:
        """Makes the challenge; returns what the player is told. Raises Refused."""
        raise NotImplementedError

    async def post(self, ctx: Context, terms: Terms, opponent: UserId | None) -> Sequence[Part]:
        """Posts the challenge, here, where the player may play. Raises Refused."""
        server = await permissions.require_playable_channel(ctx, alone=terms.level is not None)
        require_offered(server, terms.game)
        return await post_challenge(ctx, opponent, terms)

    async def terms(self, ctx: Context, begun: Beginning) -> Terms:
        """Returns the player's default terms for a game that begins there."""
        base = (await default_terms(ctx)).by_rules(begun.game)
        order = Order.DRAWN if begun.game.seats > 2 else Order.LAST if self.seat else Order.FIRST
        return Continuation(begun.game, order).put_into(base)


class PlayOnWithComputer(_Answer, id=ids.PLAY_ON_LEVEL):
    """The select of the computer's levels."""

    kind = discord.ComponentType.string_select

    async def begin(self, ctx: Context, begun: Beginning) -> Sequence[Part]:
        level = _LEVELS.get("".join(self.item.values))
        if level is None or begun.game.seats > 2:
            raise Refused(Reason.OLD_BUTTON)
        ctx.services.coach.advisor(ctx.user)
        return await self.post(ctx, replace(await self.terms(ctx, begun), level=level), None)


class PlayOnWithFriend(_Answer, id=ids.PLAY_ON_FRIEND):
    """The select of the player who is challenged."""

    kind = discord.ComponentType.user_select

    async def begin(self, ctx: Context, begun: Beginning) -> Sequence[Part]:
        target, terms = await name_opponent(ctx, await self.terms(ctx, begun), next(iter(self.item.values)))
        return await self.post(ctx, terms, target.opponent)


class PlayOnWithAnyone(_Answer, id=ids.PLAY_ON_ANYONE):
    """Challenges anyone."""

    async def begin(self, ctx: Context, begun: Beginning) -> Sequence[Part]:
        return await self.post(ctx, await self.terms(ctx, begun), None)


class SwitchSides(Component, id=ids.PLAY_ON_SWAP):
    """Asks again, for a player who plays `seat`."""

    source: str
    number: int
    seat: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        begun = await _find_beginning(ctx, self.source, self.number)
        if self.seat >= begun.game.seats or ctx.is_panel:  # a panel has no text of its own
            raise Refused(Reason.OLD_BUTTON)
        content, view = await _question(ctx, self.source, begun, Seat(self.seat))
        await ctx.interaction.edit_original_response(content=fit(content), view=view)


async def _question(ctx: Context, source: str, begun: Beginning, seat: Seat) -> tuple[str, discord.ui.View]:
    """Returns what a player is asked who is to play `seat`."""
    words, theme = await ctx.words(), (await ctx.settings()).theme
    here: dict[str, Any] = {"source": source, "number": begun.number}
    friend = discord.ui.UserSelect[Any](
        custom_id=ids.PLAY_ON_FRIEND(seat=seat, **here), placeholder=words("on.friend")[:MAX_HINT]
    )
    controls: list[Control] = [
        PlayOnWithFriend(friend),
        PlayOnWithAnyone.make(words("on.anyone"), seat=seat, **here),
    ]
    if begun.game.seats == 2:
        controls.append(SwitchSides.make(words("on.swap"), seat=1 - seat, **here))
        if ctx.services.coach.has_computer:
            levels = [Choice(key, level_label(level, words), chosen=False) for key, level in _LEVELS.items()]
            menu = select(ids.PLAY_ON_LEVEL(seat=seat, **here), words("on.level"), levels)
            controls.insert(0, PlayOnWithComputer(menu))
        colour = f"{emblem(theme, seat)} {colour_name(theme, seat, words)}"
        side = words("on.mine" if seat == begun.mover else "on.theirs", colour=colour)
    else:
        side = words("on.drawn")
    return f"{words('on.title', number=begun.number)}\n{side}", row(*controls)


async def _find_beginning(ctx: Context, source: str, number: int) -> Beginning:
    """Returns the game that begins after so many moves of another one. The interaction is acknowledged. Raises
    Refused."""
    game, seed, turns, match = await (_turns_of_match if source.isdigit() else _turns_of_record)(ctx, source, number)
    if isinstance(game, Dots) and game.former:
        raise Refused(Reason.PLAY_ON_FORMER)
    return await asyncio.to_thread(_begin, game, seed, turns, match)


def _begin(game: AnyGame, seed: int, turns: tuple[str, ...], match: int) -> Beginning:
    try:
        opened = play_on(game, seed, turns, match)
        make_game(opened.key, opened.options)
    except BadOption as error:
        raise Refused.by_rules(error) from error
    position = opened.start(seed)
    if position.outcome is not None:
        raise Refused(Reason.PLAY_ON_OVER)
    return Beginning(opened, position.to_act)


Turns = tuple[AnyGame, int, tuple[str, ...], int]
"""A game with its seed, its turns up to a position, and the number of its match."""


async def _turns_of_match(ctx: Context, source: str, number: int) -> Turns:
    match = await load_visible_match(ctx, MatchId(int(source)))
    async with ctx.services.store.read() as reader:
        if match.outcome is None and await is_rated(reader, match.id):
            raise Refused(Reason.PLAY_ON_RATED)
    return match.game, match.seed, tuple(move.text for move in match.moves[:number]), match.id


async def _turns_of_record(ctx: Context, source: str, number: int) -> Turns:
    found = await read_in_worker(ctx, find_turns, await read_stored_record(ctx), FILE, source, number)
    return found.game, found.seed, found.turns, 0


BUTTONS: tuple[type[Component], ...] = (*(PlayOn, PlayOnWithComputer, PlayOnWithFriend, PlayOnWithAnyone, SwitchSides),)
