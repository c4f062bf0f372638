"""The colours of a server's theme as a style, for the pages of that server."""

from __future__ import annotations

from aiohttp import hdrs, web

from play.refusal import Reason, Refused
from renderer.theme import DARK, PAPER, THEMES, Colour, Theme

MAX_AGE_SECONDS = 3600
"""Seconds for which browsers keep a style."""

NAMES = ("paper", "text", "quiet_text", "grid", "frame", "last")


def add_routes(app: web.Application) -> None:
    app.router.add_get("/theme/{name}.css", _send)


async def _send(request: web.Request) -> web.Response:
    theme = THEMES.get(request.match_info["name"])
    if theme is None:
        raise Refused(Reason.NO_MATCH)
    headers = {hdrs.CACHE_CONTROL: f"public, max-age={MAX_AGE_SECONDS}"}
    return web.Response(text=style(theme), content_type="text/css", headers=headers)


def style(theme: Theme) -> str:
    """Returns the variables of a theme. Readers of the default one who prefer dark pages get those of the dark one."""
    own = f":root {{ {_variables(theme)} }}\n"
    return (
        own + f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}\n" if theme is PAPER else own
    )


def _variables(theme: Theme) -> str:
    scheme = "light" if sum(theme.paper) > sum(theme.text) else "dark"
    colours = {name: getattr(theme, name) for name in NAMES}
    colours |= {f"seat{seat}": ink.colour for seat, ink in enumerate(theme.inks)}
    return "; ".join([f"color-scheme: {scheme}", *(f"--{name}: {_css(colour)}" for name, colour in colours.items())])


def _css(colour: Colour) -> str:
    return f"rgb({' '.join(map(str, colour))})"
