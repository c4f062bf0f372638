"""Routes the bot's HTTP requests to the endpoints: checks tokens, rate limits and bodies, and injects faults."""

import asyncio
import json
import logging
import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

from aiohttp import BodyPartReader, web

from loopback.access import Bounds, secrets_match
from loopback.errors import (
    EMPTY_MESSAGE,
    NOT_FOUND,
    TOO_LARGE,
    UNAUTHORIZED,
    UNKNOWN_INTERACTION,
    UNKNOWN_WEBHOOK,
    ApiError,
    Malformed,
)
from loopback.faults import Attempt, Fault, RateLimiter, Silence, counts_globally
from loopback.message_builder import Upload
from loopback.rest import activities, channels, guilds, interactions, scheduled_events
from loopback.rest.call import Call, Endpoint, Services, Table

log = logging.getLogger(__name__)

BASE = "/api/v10"
TABLES: tuple[Table, ...] = (
    guilds.ENDPOINTS,
    channels.ENDPOINTS,
    interactions.ENDPOINTS,
    activities.ENDPOINTS,
    scheduled_events.ENDPOINTS,
)
ENDPOINTS: Mapping[str, Endpoint] = {key: endpoint for table in TABLES for key, endpoint in table.items()}
WITHOUT_TOKEN = re.compile(
    r"\w+ /(interactions/|webhooks/\{webhook_id\}/\{webhook_token\}|gateway$|oauth2/token$|oauth2/token/revoke$)"
)
FORMS = ("POST /oauth2/token", "POST /oauth2/token/revoke")  # take a form, and are not in the API description
OF_USERS = (
    "GET /users/@me",
    "POST /applications/{application_id}/attachment",
    *(f"{method} /users/@me/applications/{{application_id}}/role-connection" for method in ("GET", "PUT", "DELETE")),
)
"""Endpoints that take the access token of a user as well."""
UPLOAD_FIELD = re.compile(r"files\[(\d+)\]|file")
MAX_PARTS = 11  # of a multipart body: ten files and the JSON
MAX_PATH_CHARACTERS = 300  # that are kept of a path; the bot's own paths are shorter
AGENT = re.compile(r"DiscordBot \(\S+,? [\w.]+\)")
"""How the User-Agent of a request begins. Discord may shut out those that say something else.

Source: https://discord.com/developers/docs/reference#user-agent
"""
WITHOUT_AGENT = ("/interactions/", "/webhooks/")
"""Parts of endpoints that discord.py by itself asks without it, which Discord lets pass."""
OWN_TOKENS = {"webhook_token": UNKNOWN_WEBHOOK, "interaction_token": UNKNOWN_INTERACTION}
"""The tokens in a path that replace the bot's own, with the refusal of an unknown one."""


class Description(Protocol):
    """Discord's own description of its API, as loopback.openapi reads it."""

    def request_problem(self, endpoint: str, body: Any) -> str | None:
        """Returns the error in a body that the bot sent."""

    def response_problem(self, endpoint: str, body: Any) -> str | None:
        """Returns the error in the body of a response."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the bot and the status of the response, 0 for none; ``endpoint`` as in ``GET /users/@me``.

    ``agent`` is what the request says of its sender.
    """

    endpoint: str
    status: int
    path: str
    agent: str


class Content(NamedTuple):
    """The content of a request: its JSON or form, and its files."""

    body: Any = None
    uploads: tuple[Upload, ...] = ()


class Router:
    """All endpoints under /api/v10.

    Attributes:
        problems: the requests that no correct bot sends, and the stand-in's own failures.
        requests: the newest requests.
        counted: the number of requests that have counted against the limit of the whole bot.
        refused: the number of requests over a rate limit.
        faults: the errors that a test injects, in order of use.

    Args:
        on_response: called at every response.
    """

    def __init__(
        self,
        services: Services,
        token: str,
        limits: RateLimiter | None,
        description: Description | None,
        on_response: Callable[[], None],
        bounds: Bounds,
    ) -> None:
        self.problems: list[str] = []
        self.requests: deque[Request] = deque(maxlen=10_000)
        self.counted = 0
        self.refused = 0
        self.faults: list[Fault] = []
        self.endpoints = ENDPOINTS
        self._services = services
        self._authorization = f"Bot {token}"
        self._limits = limits
        self._description = description
        self._on_response = on_response
        self._bounds = bounds
        self._stopped = asyncio.Event()

    def add_to(self, app: web.Application) -> None:
        """Adds the routes."""
        app[_ROUTER] = self
        for resource in _resources():
            app.router.register_resource(resource)

    def report_problem(self, problem: str) -> None:
        """Logs a problem and keeps it for the test."""
        log.error("%s", problem)
        if len(self.problems) < self._bounds.problems:
            self.problems.append(problem)

    async def unknown(self, request: web.Request) -> web.Response:
        """Answers a request for none."""
        self.report_problem(f"unknown route: {request.method} {request.path[:MAX_PATH_CHARACTERS]}")
        return self._reply(f"{request.method} ?", request, 404, ApiError(NOT_FOUND).body())

    async def serve(self, endpoint: str, request: web.Request) -> web.Response:
        """Answers a request for an endpoint."""
        authorization = request.headers.get("Authorization")
        bearer = self._bearer(endpoint, authorization)
        if not (bearer or WITHOUT_TOKEN.match(endpoint) or secrets_match(authorization, self._authorization)):
            return self._reply(endpoint, request, 401, ApiError(UNAUTHORIZED).body())
        agent = request.headers.get("User-Agent", "")
        if not AGENT.match(agent) and not any(part in endpoint for part in WITHOUT_AGENT):
            self.report_problem(f"{endpoint}: the User-Agent is {agent[:MAX_PATH_CHARACTERS]!r}")
        headers: Mapping[str, str] = {}
        self.counted += counts_globally(endpoint)
        if self._limits is not None:
            headers, refused = self._limits.take(endpoint, request.match_info)
            if refused is not None:
                self.refused += 1
                return self._reply(endpoint, request, refused.status, refused.body, refused.headers)
        try:
            for name, refusal in OWN_TOKENS.items():
                if name in request.match_info and not self._knows(request.match_info[name]):
                    raise ApiError(refusal)
            content = await (_read_form(request) if endpoint in FORMS else _read(request, self._bounds.body_bytes))
        except (ApiError, web.HTTPRequestEntityTooLarge) as error:
            return self._reply(endpoint, request, *self._refuse(endpoint, error))
        attempt = Attempt(endpoint, request.match_info, content.body)
        fault = next((each for each in self.faults if each.is_for(attempt)), None)
        if fault is not None:
            return await self._fail(fault, attempt, request, content, bearer)
        status, body = self._handle(endpoint, request, content, bearer)
        return self._reply(endpoint, request, status, body, headers)

    async def _fail(
        self, fault: Fault, attempt: Attempt, request: web.Request, content: Content, bearer: int | None
    ) -> web.Response:
        """Answers a request as a fault says."""
        if fault.applied:
            self._handle(attempt.endpoint, request, content, bearer)
        failure = fault.fail(attempt)
        if not isinstance(failure, Silence):
            return self._reply(attempt.endpoint, request, failure.status, failure.body, failure.headers)
        answer = self._reply(attempt.endpoint, request, 0, None)
        if failure is Silence.HANGING:
            await self._stopped.wait()
        if request.transport is not None:
            request.transport.abort()
        return answer

    def stop(self) -> None:
        """Ends the requests that hang, since the server stops."""
        self._stopped.set()

    def _bearer(self, endpoint: str, authorization: str | None) -> int | None:
        """Returns the user whose access token a request has."""
        kind, _, token = (authorization or "").partition(" ")
        grant = self._services.world.activities.granted(token) if kind == "Bearer" and endpoint in OF_USERS else None
        return None if grant is None else grant.user

    def _handle(self, endpoint: str, request: web.Request, content: Content, bearer: int | None) -> tuple[int, Any]:
        """Calls the endpoint; returns status and JSON."""
        body, uploads = content
        self._services.world.archive_idle()
        try:
            if (
                self._description
                and endpoint not in FORMS
                and (problem := self._description.request_problem(endpoint, body))
            ):
                raise Malformed((), problem)
            call = Call(self._services, request.match_info, request.query, body, uploads, bearer)
            json_out = self.endpoints[endpoint](call)
        except ApiError as error:
            return self._refuse(endpoint, error)
        except Exception as error:
            log.exception("%s", endpoint)
            self.report_problem(f"{endpoint}: the stand-in failed: {error!r}")
            return 500, {"code": 0, "message": "500: Internal Server Error"}
        if (
            self._description
            and endpoint not in FORMS
            and (problem := self._description.response_problem(endpoint, json_out))
        ):
            self.report_problem(f"{endpoint}: the stand-in's response is invalid: {problem}")
        return (204 if json_out is None else 200), json_out

    def _refuse(self, endpoint: str, error: ApiError | web.HTTPRequestEntityTooLarge) -> tuple[int, Any]:
        """Returns status and JSON of a refusal; reports one that no correct bot gets."""
        if isinstance(error, web.HTTPRequestEntityTooLarge):
            error = ApiError(TOO_LARGE)
        if isinstance(error, Malformed) or error.refusal == EMPTY_MESSAGE:
            self.report_problem(f"{endpoint}: {error}")
        return error.refusal.status, error.body()

    def _knows(self, token: str) -> bool:
        """Returns whether a recent interaction, or a webhook of a channel, has this token."""
        return self._services.interactions.knows(token) or token in self._services.world.webhooks

    def _reply(
        self, endpoint: str, request: web.Request, status: int, body: Any, headers: Mapping[str, str] | None = None
    ) -> web.Response:
        agent = request.headers.get("User-Agent", "")
        self.requests.append(Request(endpoint, status, request.path[:MAX_PATH_CHARACTERS], agent[:MAX_PATH_CHARACTERS]))
        self._on_response()
        if body is None:
            return web.Response(status=status or 204, headers=headers)
        if isinstance(body, str):
            return web.Response(status=status, text=body, content_type="text/html", headers=headers)
        # as bytes: aiohttp adds a charset to text, and discord.py then does not recognise JSON
        data = json.dumps(body, ensure_ascii=False).encode()
        return web.Response(status=status, body=data, content_type="application/json", headers=headers)


async def _read(request: web.Request, max_bytes: int) -> Content:
    """Reads a body: its JSON, which is ``payload_json`` in multipart, and its files."""
    if request.content_type.startswith("multipart/"):
        return await _read_multipart(request, max_bytes)
    data = await request.read()
    if not data:
        return Content()
    if request.content_type != "application/json":
        raise Malformed((), f"a body of type {request.content_type}, neither JSON nor multipart")
    return Content(_parse_json(data))


_ROUTER = web.AppKey("router", Router)


@cache
def _resources() -> tuple[web.AbstractResource, ...]:
    """Returns the routes, literal ones such as @me first, so that no id matches in their place.

    All servers of a process share them: to make them takes as long as much of a start.
    """
    routes = web.UrlDispatcher()
    for key in sorted(ENDPOINTS, key=lambda key: "@" not in key):
        method, template = key.split(" ")
        routes.add_route(method, BASE + template, partial(_serve, key))
    routes.add_route("*", "/api/{rest:.*}", _refuse_unknown)
    return tuple(routes.resources())


async def _serve(endpoint: str, request: web.Request) -> web.Response:
    return await request.app[_ROUTER].serve(endpoint, request)


async def _refuse_unknown(request: web.Request) -> web.Response:
    return await request.app[_ROUTER].unknown(request)


async def _read_form(request: web.Request) -> Content:
    return Content(dict(await request.post()))


async def _read_multipart(request: web.Request, max_bytes: int) -> Content:
    body: Any = None
    uploads = []
    parts = size = 0
    async for part in await request.multipart():
        parts += 1
        if parts > MAX_PARTS:
            raise Malformed((), f"more than {MAX_PARTS} parts")
        if not isinstance(part, BodyPartReader):
            raise Malformed((), "a multipart body inside a multipart body")
        data = bytes(await part.read())
        size += len(data)
        if size > max_bytes:
            raise ApiError(TOO_LARGE)
        if part.name == "payload_json":
            body = _parse_json(data)
        elif match := UPLOAD_FIELD.fullmatch(part.name or ""):
            uploads.append(Upload(int(match[1] or 0), part.filename or "unknown", data))
        else:
            raise Malformed((part.name or "?",), "a field that is neither payload_json nor file nor files[n]")
    return Content(body, tuple(uploads))


def _parse_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise Malformed((), f"not JSON: {error}") from None
