"""The lessons that the hosts of a server have made for it, and its studies, from which lessons come."""

from collections.abc import Sequence

from bot.features.coach.quiz import DOORS, QuizPanel, controls, form
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, Section, button
from play.ids import GuildId
from presentation.words.words import Words
from use_cases.quiz import Door
from use_cases.quizzes import TaughtQuiz

SHOWN = 8
"""Lessons on a page, and studies below them."""


class TaughtPanel(QuizPanel[TaughtQuiz]):
    """A lesson of a server."""

    kind = TaughtQuiz
    board_ids = ids.TAUGHT_MOVES


class ServerLessons(PanelItem, id=ids.SERVER_LESSONS):
    """Shows a page of the lessons of the server."""

    page: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        guild, words = permissions.require_guild(ctx), await ctx.words()
        lessons = await ctx.use_cases.lessons.of_server(guild)
        shown = lessons[self.page * SHOWN : (self.page + 1) * SHOWN]
        head = words.markup.title(words("taught.button"))
        parts: list[Part] = [head if shown else f"{head}\n{words('taught.none')}"]
        for each in shown:
            opens = button(DOORS[Door.TAUGHT](taught=each.id), words("path.lesson"))
            parts.append(Section(words.literal(each.name), opens))
        parts += await _studies(ctx, guild, words)
        pages = -(-len(lessons) // SHOWN)
        ways: list[Control] = [button(ids.PATH(chapter=0), words("path.button"))]
        if pages > 1:
            ways.append(ServerLessons.make("▶", page=(self.page + 1) % pages))
        return [*parts, ways]


async def server_lessons_button(ctx: Context, words: Words) -> list[Control]:
    """Returns the button to the lessons and studies of the server, if it has any."""
    guild = permissions.installed_guild(ctx)
    if guild is None:
        return []
    has_any = await ctx.use_cases.lessons.of_server(guild) or await _studies(ctx, guild, words)
    return [ServerLessons.make(words("taught.button"), page=0)] if has_any else []


async def _studies(ctx: Context, guild: GuildId, words: Words) -> list[Part]:
    """Returns the studies of the server, each with its address."""
    site = ctx.services.hosting.web
    async with ctx.services.store.read() as reader:
        found = await reader.studies.of_server(guild)
    if not found or site is None:
        return []
    lines = [f"- [{words.literal(each.name)}](<{site.rstrip('/')}/study/{each.code}>)" for each in found[:SHOWN]]
    return ["\n".join([words.markup.bold(words("taught.studies")), *lines])]


BUTTONS: tuple[type[Component], ...] = (ServerLessons, *controls(TaughtPanel))
FORMS = (form(TaughtPanel),)
