"""The seats of the chat page: people who are added by name, and who press a button together."""

from collections.abc import Callable, Mapping

from loopback.model import Guild
from loopback.person import Person
from loopback.resolver import Impossible
from loopback.state import State

MAX_SEATS = 16
"""People who can be played on a server, the three of a new one among them: a tournament with four rounds."""

MAX_NAME = 32
"""Characters of a name, as in Discord."""


class Seats:
    """The seats of all servers; `people` are all by name, and `invite` adds one to a server. Who is added stays."""

    def __init__(self, state: State, people: Mapping[str, Person], invite: Callable[[str, Guild], Person]) -> None:
        self._state = state
        self._people = people
        self._invite = invite

    def on(self, guild: Guild) -> list[Person]:
        """Returns the people of a server."""
        return [each for each in self._people.values() if self._state.is_member(each.id, guild)]

    def add(self, typed: str, guild: Guild) -> Person:
        """Adds a person to a server: a new one, or one of another server, who then is on both. Raises Impossible, with
        what the page says."""
        name = " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())
        if not name:
            raise Impossible("Type a name.")
        if len(name) > MAX_NAME:
            raise Impossible(f"A name has {MAX_NAME} characters at most.")
        name = next((known for known in self._people if known.casefold() == name.casefold()), name)
        here = self.on(guild)
        if self._people.get(name) in here:
            raise Impossible(f"{name} is here already. Choose another name.")
        if len(here) >= MAX_SEATS:
            raise Impossible(f"There are {MAX_SEATS} people, and no room for more.")
        return self._invite(name, guild)

    async def fill(self, message: int, custom_id: str, by: Person) -> None:
        """Lets everyone but `by` press a button of a message, one after another, as far as they see it."""
        for person in tuple(self._people.values()):
            if person.id == by.id:
                continue
            try:
                pressed = person.click(message, custom_id)
            except Impossible:  # they have left, or the button is gone
                continue
            await pressed.answered()
