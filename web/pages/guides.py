"""The guides, as pages of the site in the language of their reader. Their one source is Markdown (`docs/guides/`), of
which a wheel has a copy beside this module. docs/decisions/web.md#0325
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from aiohttp import web
from markdown_it import MarkdownIt
from markdown_it.token import Token

from play.refusal import Reason, Refused
from presentation.words.words import SOURCE
from web.access.links import HELP
from web.pages.page import Content, PublicPages, answer

PACKED: Final = Path(__file__).parent / "help"
FOLDER: Final = PACKED if PACKED.is_dir() else Path(__file__).parents[2] / "docs" / "guides"
PICTURES: Final = FOLDER / "pictures"

SHOWN: Final = "/static/guides"
"""The path of the pictures."""

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "play": ("first-game", "strangers", "browser", "days", "puzzles", "records"),
    "together": ("votes", "servers", "tournament", "league", "ladder"),
    "manage": ("managers",),
}
"""All guides, in the order of the index."""

IN_REPOSITORY: Final = "docs/guides"
"""The folder against which links of a guide are resolved."""

_markdown = MarkdownIt("commonmark").enable("table")


class Guide(NamedTuple):
    """A guide in HTML: its title, its first paragraph, and what is below the title. `language` is its own: English
    where there is no translation."""

    name: str
    language: str
    title: str
    summary: str
    body: str


def read(name: str, language: str, folder: Path) -> tuple[str, str]:
    """Returns the Markdown of a guide, and its language."""
    translated = folder / language / f"{name}.md"
    if language != SOURCE and translated.is_file():
        return translated.read_text("utf-8"), language
    return (folder / f"{name}.md").read_text("utf-8"), SOURCE


def parse(text: str) -> list[Token]:
    """Returns the blocks of a guide, without comments: a guide has no HTML."""
    return [each for each in _markdown.parse(text) if each.type != "html_block"]


@cache
def picture_sizes() -> Mapping[str, tuple[int, int]]:
    """Returns the width and the height of each picture, in pixels of a page, by its path."""
    shown: dict[str, Any] = json.loads((PICTURES / "shown.json").read_text("utf-8"))
    return {path: (each["width"], each["height"]) for path, each in shown.items()}


def render(name: str, language: str, repository: str | None, folder: Path = FOLDER) -> Guide:
    """Returns a guide as a page shows it. What its links name outside of the guides is in a `repository`, an address;
    without one their words stay, and what there is to look up is left out."""
    text, own = read(name, language, folder)
    blocks = parse(text)
    if repository is None:
        blocks = _without_last_item(blocks)
    for block in blocks:
        block.children = [*_resolved(block.children or (), repository)]
    if own == SOURCE:
        _add_anchors(blocks)
    title, summary = (next(each for each in blocks[start:] if each.type == "inline") for start in (0, 3))
    body = _markdown.renderer.render(blocks[3:], _markdown.options, {})
    return Guide(name, own, plain(title), plain(summary), body)


def plain(block: Token) -> str:
    """Returns the text of a block, without its marks."""
    return "".join(" " if each.type == "softbreak" else each.content for each in block.children or ())


def _add_anchors(blocks: list[Token]) -> None:
    """Gives each heading the anchor that renderers of Markdown make of it. Translations have these of their own."""
    for heading, text in pairwise(blocks):
        if heading.type == "heading_open":
            heading.attrSet("id", re.sub(r"[^\w -]", "", plain(text)).lower().replace(" ", "-"))


def _without_last_item(blocks: list[Token]) -> list[Token]:
    """Returns a guide without its last line, which leads to pages for looking up."""
    begin = max(number for number, each in enumerate(blocks) if each.type == "list_item_open")
    end = next(number for number in range(begin, len(blocks)) if blocks[number].type == "list_item_close")
    if blocks[begin - 1].type == "bullet_list_open":  # it is the only one
        begin, end = begin - 1, end + 1
    return blocks[:begin] + blocks[end + 1 :]


def _resolved(tokens: list[Token] | tuple[()], repository: str | None) -> Iterator[Token]:
    """Yields what is in a block, with links and pictures as the site has them."""
    drops: list[bool] = []
    for token in tokens:
        match token.type:
            case "link_open":
                address = _address(str(token.attrs["href"]), repository)
                drops.append(address is None)
                if address is None:
                    continue
                token.attrs["href"] = address
            case "link_close" if drops.pop():
                continue
            case "image":
                path = str(token.attrs["src"]).partition("pictures/")[2]
                width, height = picture_sizes()[path]
                token.attrs |= {"src": f"{SHOWN}/{path}", "width": width, "height": height, "loading": "lazy"}
        yield token


def _address(link: str, repository: str | None) -> str | None:
    """Returns where a link leads from a page of the site; None for what is elsewhere than anybody knows."""
    if guide := re.fullmatch(r"([a-z-]+)\.md(#.*)?", link):
        return f"{HELP}/{guide[1]}{guide[2] or ''}"
    page = re.sub(r"^(?:\.\./)+", "../", link)  # a translation is one folder deeper
    return repository and f"{repository}/{posixpath.normpath(posixpath.join(IN_REPOSITORY, page))}"


class GuidePages:
    """The routes of the guides, for everyone to read."""

    def __init__(self, pages: PublicPages, repository: str | None) -> None:
        """`repository` is the address below which the files of this version are."""
        self._pages = pages
        self._repository = repository

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(HELP, self._show_index)
        app.router.add_get(f"{HELP}/{{name:[a-z-]{{1,20}}}}", self._show)
        app.router.add_static(SHOWN, PICTURES)

    async def _show_index(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        language = await self._pages.language(request, None)
        content = await self._pages.keep(("help", language), partial(self._write_index, language))
        return answer(request, content, is_listed=True)

    async def _show(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        name = request.match_info["name"]
        if not any(name in names for names in GROUPS.values()):
            raise Refused(Reason.NO_PAGE)
        language = await self._pages.language(request, None)
        content = await self._pages.keep(("help", language, name), partial(self._write, language, name))
        return answer(request, content, is_listed=True)

    def _write_index(self, language: str) -> Content:
        words = self._pages.readers.words(language)
        groups = {
            group: [render(name, language, self._repository) for name in names] for group, names in GROUPS.items()
        }
        untranslated = any(guide.language != language for guides in groups.values() for guide in guides)
        parts = {"groups": groups, "untranslated": untranslated}
        return self._write_page(HELP, language, words("web.help.title"), words("web.help.lead"), **parts)

    def _write(self, language: str, name: str) -> Content:
        guide = render(name, language, self._repository)
        return self._write_page(f"{HELP}/{name}", language, guide.title, guide.summary, guide=guide)

    def _write_page(self, path: str, language: str, title: str, summary: str, **parts: Any) -> Content:
        shown = {"title": title, "description": summary, "picture": None, "is_listed": True}
        return self._pages.write(
            path, "guide.html" if "guide" in parts else "help.html", language, "", **shown, **parts
        )
