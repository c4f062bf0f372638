"""The permissions that games need, and the address at which Discord adds the bot to a server with them."""

from typing import Final

import discord

NEEDED: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    embed_links=True,
    read_message_history=True,
)
"""What a game needs on a server."""

INVITED: Final = NEEDED | discord.Permissions(add_reactions=True)
"""What an invitation asks for: with reactions the bot marks replies that it can't read."""

SERVER_SCOPES: Final = ("bot", "applications.commands")
ACCOUNT_SCOPES: Final = ("applications.commands",)
"""What an installation asks for: in a server, and to a user's account, where the bot itself is not needed."""


def invite_url(application: int) -> str:
    """Returns the address at which people add the bot to their servers."""
    return discord.utils.oauth_url(application, permissions=INVITED, scopes=SERVER_SCOPES)
