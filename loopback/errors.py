"""The refusals of Discord's API, with its own words and codes.

Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes

    ApiError                 a refusal
    +-- Malformed            50035: the bot sent an invalid body
    +-- OAuthError           the token endpoint grants nothing
"""

from typing import Any, NamedTuple


class Refusal(NamedTuple):
    """The HTTP status of a refusal, Discord's own code and its words."""

    status: int
    code: int
    message: str


class ApiError(Exception):
    """A refusal of the API."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.status} (code {refusal.code}): {refusal.message}")
        self.refusal = refusal

    def body(self) -> dict[str, Any]:
        """Returns the JSON of Discord's response."""
        return {"code": self.refusal.code, "message": self.refusal.message}


class Malformed(ApiError):
    """An invalid body; ``path`` leads to the invalid part, as in ``("components", 0, "custom_id")``."""

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        super().__init__(Refusal(400, 50035, "Invalid Form Body"))
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or 'body'}: {self.reason}"

    def body(self) -> dict[str, Any]:
        """Returns the JSON of Discord's response, with the reason nested under its path."""
        errors: dict[str, Any] = {"_errors": [{"code": "LOOPBACK_INVALID", "message": self.reason}]}
        for key in reversed(self.path):
            errors = {str(key): errors}
        return super().body() | {"errors": errors}


class OAuthError(ApiError):
    """A refusal of the token endpoint, in the words of RFC 6749."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(Refusal(status, 0, error))

    def body(self) -> dict[str, Any]:
        """Returns the JSON of the response."""
        return {"error": self.refusal.message}


UNAUTHORIZED = Refusal(401, 0, "401: Unauthorized")
NOT_FOUND = Refusal(404, 0, "404: Not Found")
UNKNOWN_CHANNEL = Refusal(404, 10003, "Unknown Channel")
UNKNOWN_GUILD = Refusal(404, 10004, "Unknown Guild")
UNKNOWN_MEMBER = Refusal(404, 10007, "Unknown Member")
UNKNOWN_MESSAGE = Refusal(404, 10008, "Unknown Message")
UNKNOWN_ROLE = Refusal(404, 10011, "Unknown Role")
UNKNOWN_USER = Refusal(404, 10013, "Unknown User")
UNKNOWN_WEBHOOK = Refusal(404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION = Refusal(404, 10062, "Unknown interaction")
UNKNOWN_COMMAND = Refusal(404, 10063, "Unknown application command")
TOO_MANY_FOLLOW_UPS = Refusal(400, 40094, "This interaction has reached the maximum number of follow-up messages")
ALREADY_ACKNOWLEDGED = Refusal(400, 40060, "Interaction has already been acknowledged.")
TOO_LARGE = Refusal(413, 40005, "Request entity too large")
MISSING_ACCESS = Refusal(403, 50001, "Missing Access")
NOT_OWN_MESSAGE = Refusal(403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE = Refusal(400, 50006, "Cannot send an empty message")
DM_REFUSED = Refusal(403, 50007, "Cannot send messages to this user")
MISSING_PERMISSIONS = Refusal(403, 50013, "Missing Permissions")
WRONG_CHANNEL_KIND = Refusal(400, 50024, "Cannot execute action on this channel type")
INVALID_ROLE = Refusal(400, 50028, "Invalid Role")
EXPIRED_TOKEN = Refusal(401, 50027, "Invalid Webhook Token")
THREAD_ARCHIVED = Refusal(400, 50083, "Thread is archived")
THREAD_EXISTS = Refusal(400, 160004, "A thread has already been created for this message")
