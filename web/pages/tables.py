"""The pictures of tables and brackets, as the chat has them, for previews of their pages."""

import asyncio
from typing import Final

from cachetools import TTLCache

from presentation.tournaments import newest_rounds
from presentation.words.words import Words
from renderer.bracket import bracket
from renderer.crosstable import CrossLine, crosstable
from renderer.theme import PAPER, THEMES
from web.pages.page import Content
from web.presentation.stories import LeagueStory, TournamentStory

CACHE_BYTES: Final = 4 * 2**20
"""Room for pictures: some fifty of the largest."""

CACHE_SECONDS: Final = 600.0


class Tables:
    """Draws the tables of stories, each once while it is asked for as it is."""

    def __init__(self) -> None:
        self._drawn: TTLCache[tuple[str, ...], Content] = TTLCache(
            CACHE_BYTES, CACHE_SECONDS, getsizeof=lambda made: made.size
        )

    async def draw(self, story: TournamentStory | LeagueStory, server: str, theme: str, words: Words) -> Content:
        """Returns the picture of a story that has standings, as a PNG file, in the `theme` of its `server`."""
        key = repr(story), server, theme, words.tag
        found = self._drawn.get(key)
        if found is None:
            found = await asyncio.to_thread(_draw, story, server, theme, words)
            if found.size <= CACHE_BYTES:
                self._drawn[key] = found
        return found


def _draw(story: TournamentStory | LeagueStory, server: str, theme: str, words: Words) -> Content:
    look = THEMES.get(theme, PAPER)
    if isinstance(story, TournamentStory) and story.bracket:
        return Content.of(bracket(story.name, story.stage, newest_rounds([*story.bracket]), look), "image/png")
    title, heading = (story.name, story.stage) if isinstance(story, TournamentStory) else (server, story.title)
    lines = [
        CrossLine(
            line.place,
            line.person.name,
            words("leaders.numbered", number=number),
            line.cells,
            line.points,
            faint=line.left,
        )
        for number, line in enumerate(story.standings, start=1)
    ]
    return Content.of(crosstable(title, heading, story.labels, lines, look, story.note), "image/png")
