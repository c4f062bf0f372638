"""Errors of the store: what it did not write, and why it cannot be used."""


class Stale(Exception):
    """The row has changed since it was read; nothing was written."""


class ChannelTaken(Exception):
    """The channel has an open match already; nothing was written."""


class RematchOffered(Exception):
    """A rematch of that match is on offer already; nothing was written."""


class NameTaken(Exception):
    """The owner has another rule set of that name; nothing was written."""


class OutOfRange(Exception):
    """A number that no row can have: an id of 64 bits or more. Nothing was written."""


class Unavailable(Exception):
    """The store cannot be reached, or cannot write, at the moment. The caller cannot know whether a write was
    committed."""


class Broken(Unavailable):
    """The store needs its operator before it can be used again; the text tells them what to do."""


class CannotOpen(Broken):
    """The database cannot be opened as it is set up; the text says why and what to do, without the setting's name."""


class Gone(Broken):
    """The database was taken away from under the store: it would keep nothing that is written now."""
