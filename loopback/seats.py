"""The seats of the chat page: people who are added by name, and who press a button together."""

from collections.abc import Callable, Mapping

from loopback.person import Person
from loopback.resolver import Impossible

MAX_SEATS = 16
"""People who can be played, the three of a new server among them: a tournament with four rounds."""

MAX_NAME = 32
"""Characters of a name, as in Discord."""


class Seats:
    """The seats of one server; `people` are all by name, and `invite` adds one. Who is added stays."""

    def __init__(self, people: Mapping[str, Person], invite: Callable[[str], Person]) -> None:
        self._people = people
        self._invite = invite

    def add(self, typed: str) -> Person:
        """Adds a person. Raises Impossible, with what the page says."""
        name = " ".join("".join(letter if letter.isprintable() else " " for letter in typed).split())
        if not name:
            raise Impossible("Type a name.")
        if len(name) > MAX_NAME:
            raise Impossible(f"A name has {MAX_NAME} characters at most.")
        for known in self._people:
            if known.casefold() == name.casefold():
                raise Impossible(f"{known} is here already. Choose another name.")
        if len(self._people) >= MAX_SEATS:
            raise Impossible(f"There are {MAX_SEATS} people, and no room for more.")
        return self._invite(name)

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
