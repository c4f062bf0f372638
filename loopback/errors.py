"""The refusals of Discord's API, with its own words and codes.

Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes

    ApiError                 a refusal
    +-- InvalidForm          50035: a field's value is refused, which may happen to a correct bot
    |   +-- Malformed        50035: the bot sent an invalid body, which a correct bot never does
    +-- OAuthError           the token endpoint grants nothing
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Refusal(NamedTuple):
    """The HTTP status of a refusal, Discord's own code and its words."""

    status: int
    code: int
    message: str


class Page(NamedTuple):
    """An answer of what is in front of Discord: an HTTP status and a page of HTML."""

    status: int
    html: str


CLOUDFLARE_PAGE_BYTES = 5_000  # of those that have been reported


def cloudflare_page(status: int, title: str = "Attention Required! | Cloudflare") -> Page:
    """Returns a page as Cloudflare sends it where it lets no request through."""
    said = "<p>The action you just performed triggered the security solution.</p>\n"
    body = said * (CLOUDFLARE_PAGE_BYTES // len(said))
    return Page(status, f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n<body>\n{body}</body></html>\n")


INVALID_FORM = Refusal(400, 50035, "Invalid Form Body")


def nested_errors(path: tuple[str | int, ...], name: str, reason: str) -> dict[str, Any]:
    """Returns the ``errors`` of a 50035: a reason under the path of its field."""
    errors: dict[str, Any] = {"_errors": [{"code": name, "message": reason}]}
    for key in reversed(path):
        errors = {str(key): errors}
    return errors


class ApiError(Exception):
    """A refusal of the API."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.status} (code {refusal.code}): {refusal.message}")
        self.refusal = refusal

    def body(self) -> dict[str, Any]:
        """Returns the JSON of Discord's response."""
        return {"code": self.refusal.code, "message": self.refusal.message}


class InvalidForm(ApiError):
    """A refused value; ``path`` leads to it, as in ``("components", 0, "custom_id")``, and ``name`` says why."""

    def __init__(self, path: tuple[str | int, ...], name: str, reason: str) -> None:
        super().__init__(INVALID_FORM)
        self.path = path
        self.name = name
        self.reason = reason

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or 'body'}: {self.reason}"

    def body(self) -> dict[str, Any]:
        """Returns the JSON of Discord's response, with the reason nested under its path."""
        return super().body() | {"errors": nested_errors(self.path, self.name, self.reason)}


class Malformed(InvalidForm):
    """An invalid body."""

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        super().__init__(path, "LOOPBACK_INVALID", reason)


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
UNKNOWN_EVENT = Refusal(404, 10070, "Unknown Guild Scheduled Event")
EXPLICIT_CONTENT = Refusal(403, 20009, "Explicit content cannot be sent to the desired recipient(s)")
QUARANTINED = Refusal(403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior")
TOO_MANY_EVENTS = Refusal(400, 30038, "Maximum number of guild scheduled events reached (100)")
TOO_MANY_PARTICIPANTS = Refusal(400, 30033, "Max number of thread participants has been reached (1000)")
TOO_MANY_OLD_EDITS = Refusal(
    429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later"
)
DMS_TOO_FAST = Refusal(403, 40003, "You are opening direct messages too fast")
TOO_LARGE = Refusal(413, 40005, "Request entity too large")
ALREADY_ACKNOWLEDGED = Refusal(400, 40060, "Interaction has already been acknowledged.")
RESOURCE_LIMITED = Refusal(429, 40062, "Service resource is being rate limited")
TOO_MANY_FOLLOW_UPS = Refusal(400, 40094, "This interaction has reached the maximum number of follow-up messages")
NETWORK_ERROR = Refusal(403, 40333, "internal network error")
MISSING_ACCESS = Refusal(403, 50001, "Missing Access")
NOT_OWN_MESSAGE = Refusal(403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE = Refusal(400, 50006, "Cannot send an empty message")
DM_REFUSED = Refusal(403, 50007, "Cannot send messages to this user")
NO_TEXT_CHANNEL = Refusal(400, 50008, "Cannot send messages in a non-text channel")
MISSING_PERMISSIONS = Refusal(403, 50013, "Missing Permissions")
WRONG_CHANNEL_KIND = Refusal(400, 50024, "Cannot execute action on this channel type")
EXPIRED_TOKEN = Refusal(401, 50027, "Invalid Webhook Token")
INVALID_ROLE = Refusal(400, 50028, "Invalid Role")
THREAD_ARCHIVED = Refusal(400, 50083, "Thread is archived")
ENTRY_POINT_MISSING = Refusal(
    400,
    50240,
    "You cannot remove this app's Entry Point command in a bulk update operation. "
    "Please include the Entry Point command in your update request or delete it separately.",
)
NO_MUTUAL_GUILDS = Refusal(403, 50278, "Cannot send messages to this user due to having no mutual guilds")
THREAD_EXISTS = Refusal(400, 160004, "A thread has already been created for this message")
THREAD_LOCKED = Refusal(400, 160005, "This thread is locked")
TOO_MANY_THREADS = Refusal(400, 160006, "Maximum number of active threads reached")
TOO_MANY_NEWS_THREADS = Refusal(400, 160007, "Maximum number of active announcement threads reached")
MESSAGE_BLOCKED = Refusal(400, 200000, "Message was blocked by automatic moderation")
TITLE_BLOCKED = Refusal(400, 200001, "Title was blocked by automatic moderation")
BAD_EVENT_CHANGE = Refusal(400, 180000, "Cannot update a finished event")
HARMFUL_LINK = Refusal(400, 240000, "Message blocked by harmful links filter")
UPLOADS_LIMITED = Refusal(400, 400001, "File uploads are temporarily limited for this guild")

REFUSALS: Mapping[int, Refusal] = {
    each.code: each for each in tuple(globals().values()) if isinstance(each, Refusal) and each.code
}
"""The refusals of this module by their codes."""
