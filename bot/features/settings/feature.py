"""Settings of players and servers."""

from __future__ import annotations

from bot.features.settings import blocked, commands, log_channel, personal, role_rewards, server
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=(*personal.ITEMS, *server.ITEMS, *role_rewards.ITEMS, *blocked.ITEMS, *log_channel.ITEMS),
    forms=personal.FORMS,
)
