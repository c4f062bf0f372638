"""The rules of one game: what its rule set is about, and every option in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.features.help.rulebook import PRESET_PAGES, RulesPageButton
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.challenge.terms import Terms
from play.ids import MatchId
from play.match.match import Match
from presentation.terms.terms_text import AGREED, option_line, play_out_line
from presentation.words.words import Words
from rules.registry import GAMES


class OpenRules(MatchButton, id=ids.MATCH_RULES):
    """Shows the rules of the match."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_game_rules(ctx, self.match)


async def show_game_rules(ctx: Context, match_id: MatchId) -> None:
    """Shows one of its players the rules of a match, with a button to their pictures.

    The interaction is acknowledged. Raises Refused.
    """
    words = await ctx.words()
    match = await ctx.load_match(match_id)
    match.seat_of(ctx.user)
    key = match.game.key
    parts: list[Part] = ["\n".join(_lines(match, words))]
    if key in PRESET_PAGES and key in ctx.services.presets:
        parts.append([RulesPageButton.to(key, "on", words)])
    await ctx.show(parts)


def _lines(match: Match, words: Words) -> Iterator[str]:
    """Yields the lines of the page; an option that departs from the rule set is marked."""
    options, preset = match.game.options, GAMES[match.game.key].options
    yield f"### {words(f'preset.{match.game.key}.name')} · #{match.id}"
    yield words(
        f"preset.{match.game.key}.help",
        size=options["size"].replace("x", "×"),
        start=words(f"start.{options['start']}") if "start" in options else "",
    )
    random_start = options.get("start", "").startswith("random")
    for option, value in options.items():
        if option in preset and (option != "crosses" or random_start):  # the dots themselves are on the board
            line = option_line(option, value, words)
            yield f"- {line}" if value == preset[option] else f"- ✏️ **{line}**"
    if match.game.opening is not None:
        yield f"- {words('card.opening', number=match.game.opening.move)}"
    yield f"- {words('card.clock', clock=words.control(match.clock.control))}"
    for agreed in AGREED:
        if getattr(match.agreement, agreed):
            yield f"- {words(f'agreed.{agreed}')}"
    if options.get("ending") == "play-out" and match.clock.deadline is not None:
        control, agreement = match.clock.control, match.agreement
        agreement = replace(agreement, play_out=agreement.time_to_play_out(control))
        yield f"- {play_out_line(Terms(match.game, control, agreement=agreement), words)}"


BUTTONS: tuple[type[OpenRules], ...] = (OpenRules,)
