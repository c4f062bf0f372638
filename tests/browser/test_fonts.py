"""The letters of the page, where a machine has few fonts."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.async_api import Browser

from loopback import Discord

FONTS = Path(__file__).parents[2] / "renderer" / "fonts"

CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  {names}
  <alias binding="same"><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
"""
NAME = """<match target="scan">
    <test name="file" compare="contains"><string>{file}</string></test>
    <edit name="family" mode="assign"><string>{family}</string></edit>
  </match>"""
BARE_DEBIAN = {"Inter-Medium": "DejaVu Sans", "Inter-Bold": "Noto Color Emoji"}
"""By file: the font whose place it takes. Its digits and spaces are as wide as in no other."""

WIDTH = """([text, family]) => {
    const span = document.createElement('span');
    span.style.cssText = 'position: fixed; white-space: pre; font-size: 100px';
    if (family) span.style.fontFamily = family;
    span.textContent = text;
    document.body.append(span);
    return span.getBoundingClientRect().width;
}"""


async def test_digits_and_spaces_do_not_come_from_an_emoji_font(
    discord: Discord, browser: Browser, chromium: str, tmp_path: Path
) -> None:
    names = "\n  ".join(NAME.format(file=file, family=family) for file, family in BARE_DEBIAN.items())
    configuration = tmp_path / "fonts.conf"
    configuration.write_text(CONFIGURATION.format(fonts=FONTS, cache=tmp_path / "cache", names=names))
    environment: dict[str, str | float | bool] = {**os.environ, "FONTCONFIG_FILE": str(configuration)}
    async with await browser.browser_type.launch(executable_path=chromium, env=environment) as bare:
        page = await bare.new_page()
        await page.goto(discord.page_address)
        own, text, emoji = [
            await page.evaluate(WIDTH, ["20 × 20", family]) for family in (None, "DejaVu Sans", "Noto Color Emoji")
        ]
    assert own == text != emoji
