"""A small Discord on 127.0.0.1, over real sockets, for an unmodified discord.py 2.7 client.

A test, in one event loop with the bot::

    async with Discord(now=clock, openapi=path) as discord:      # both optional; also port=, state=, limits=
        discord.api, discord.gateway, discord.cdn                # the three addresses (str) for the client
        TOKEN                                                    # the only token it accepts; no secret
        discord.bot, discord.guild, discord.channels["dots"]     # User, Guild, Channel; "general" is there too
        ola = discord.people["Ola"]                              # a Person; also "Максим" and "Kasia Wiśniewska"
        await discord.until(lambda: discord.online)              # waits for a change without polling; returns the value

        channel = discord.channels["dots"]
        used = ola.command(channel, "challenge", opponent=discord.people["Максим"], rules="dots")
        outcome = await used.answered()                          # Outcome(kind, message, modal, choices, text)
        assert discord.problems == []                            # unknown routes and invalid bodies, by name

Actions of a `Person`: ``command``, ``complete``, ``click``, ``submit``, ``say``, ``open_dm``, ``close_dms``,
``install``, ``speak`` (a language), ``take_role``, ``leave``, ``come_back`` and ``sees``. All but ``complete`` return
at once. They raise `Impossible` for what a client does not let a person do: a disabled or missing button, an unknown
command, a required option left out. A subcommand is written as in ``ola.command(channel, "settings me", ...)``; a user
option takes a Person, a User or an id, an attachment option a `File`.

The response (`Interaction`): ``await answered()`` returns an `Outcome` whose kind is ``message`` (after a deferral,
once the message exists), ``update``, ``deferred`` (an update that may come later), ``modal``, ``choices`` or
``failed`` (no response in 3 s of the given clock). ``await followed()`` returns the newest message made or changed
after the acknowledgement. ``interaction.messages`` has all of them; ``submit`` takes ``outcome.modal``.

A `Message` (frozen): ``id``, ``content``, ``text`` (with text displays and embeds), ``attachments`` (each with
``data``, ``width``, ``height``, ``description``), ``ephemeral``, ``labels`` (of the enabled buttons), ``controls``,
``control(label or custom id)``, ``mentions`` (ids). ``discord.message(id)`` returns its present state;
``discord.messages(channel)`` and ``ola.sees(channel)`` list a channel, the latter with the person's own ephemeral
messages; ``discord.threads`` lists the threads.

Faults on demand: ``discord.deny(channel, Permission.ATTACH_FILES)`` and ``allow``, in the whole server
``discord.trust(permissions)``; ``discord.make_role(name, above=True)``, a role that the bot cannot give;
``ola.close_dms()``; ``discord.archive(thread)``; ``discord.bring_along()`` (the bot is not in the server, but installed
to accounts) and ``discord.open_private(ola, maksim)`` (a conversation without the bot); ``discord.fault("POST",
"/channels/{channel_id}/messages", 429, times=2)`` (with ``applied=True`` the request takes effect and only its response
is lost); ``discord.drop()``, ``discord.reconnect()``, ``discord.invalidate()`` and ``discord.refuse(code)`` for the
gateway; ``Discord(limits=True)`` for rate limits; ``discord.tick()`` after the given clock has moved.
``discord.requests`` has the bot's requests, newest last.

``python -m loopback --port P --state FILE --openapi FILE`` serves the same in a process of its own, with the chat page
at ``/``; its first line of output is the address.
"""

from loopback.bounds import Bounds
from loopback.interaction import Interaction, Outcome
from loopback.model import Attachment, Channel, File, Guild, Message, Modal, Role, User
from loopback.permissions import Permission
from loopback.person import Person
from loopback.resolver import Impossible
from loopback.server import HANG_SECONDS, TOKEN, Discord

__all__ = [
    "HANG_SECONDS",
    "TOKEN",
    "Attachment",
    "Bounds",
    "Channel",
    "Discord",
    "File",
    "Guild",
    "Impossible",
    "Interaction",
    "Message",
    "Modal",
    "Outcome",
    "Permission",
    "Person",
    "Role",
    "User",
]
