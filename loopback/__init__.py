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

Further servers: ``zagroda = discord.add_server("Zagroda", "Jadwiga", "Ola", locale="pl")``, whose people are in
``discord.people``, too, here Ola on both; ``open_channel``, ``make_role`` and ``invite`` take ``guild=zagroda``. All
else is about the first server.

The server: ``discord.open_channel(name, ChannelKind.FORUM)`` makes a channel of any kind; ``ola.open_thread``,
``start_thread``, ``open_post``, ``join``, ``leave_thread`` and ``reopen`` are what people do with threads;
``discord.archive``, ``lock`` and ``add_to_thread`` what moderators do. Idle threads are archived by the clock.
``discord.make_role(name, above=True, permissions=...)``; ``deny(channel, Permission.ATTACH_FILES)`` and ``allow`` for
the bot, a person, a role or the server; ``set_bot_permissions``; ``time_out(ola, 60)``; ``make_community("pl")``.

Refusals: ``block_words`` (AutoMod), ``refuse_names`` (Discovery), ``limit_threads``, ``limit_new_dms``, ``quarantine``,
``ola.close_dms()``, ``ola.leave()``, ``enable_activity``, ``take_description``, ``send_full_channels``.
``discord.bring_along()`` (the bot is not in the server, but installed to accounts) and ``discord.open_private(ola,
maksim)`` (a conversation without the bot). For all else there is the fault table: ``discord.fault("POST",
"/channels/{channel_id}/messages", 429, times=2)``, with a refusal of `loopback.errors` or a `Silence` in place of the
status, for ever with ``times=None``, only for requests with a ``word`` or a ``predicate``; with ``applied=True`` the
request takes effect and only its response is lost. ``discord.drop()``, ``discord.reconnect()``,
``discord.invalidate()`` and ``discord.refuse(code)`` are for the gateway; ``Discord(limits=True)`` for rate limits;
``discord.tick()`` after the given clock has moved. ``discord.requests`` has the bot's requests, newest last.

docs/stand-in.md says what is imitated, from which source, and what is not.

``python -m loopback --port P --state FILE --openapi FILE`` serves the same in a process of its own, with the chat page
at ``/``; its first line of output is the address.
"""

from loopback.access import Bounds
from loopback.client import Impossible
from loopback.faults import Attempt, Fault, Silence
from loopback.interaction import Interaction, Outcome
from loopback.model import Attachment, Channel, ChannelKind, File, Guild, Message, Modal, Role, User
from loopback.permissions import Permission
from loopback.person import Person
from loopback.server import HANG_SECONDS, TOKEN, Discord

__all__ = [
    "HANG_SECONDS",
    "TOKEN",
    "Attachment",
    "Attempt",
    "Bounds",
    "Channel",
    "ChannelKind",
    "Discord",
    "Fault",
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
    "Silence",
    "User",
]
