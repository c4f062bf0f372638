"""Error reports to Sentry, if the operator wants them: where an error happened, and nothing that users wrote."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from bot.settings import BadSettings
from bot.telemetry.logs import redact

if TYPE_CHECKING:
    from pydantic import SecretStr
    from sentry_sdk.types import Event

    from bot.way_out import WayOut


def clean(event: Event, _: dict[str, Any]) -> Event:
    """Returns the event without local variables and requests, which may have secrets or messages in them."""
    event.pop("breadcrumbs", None)
    event.pop("request", None)
    event.pop("extra", None)
    for problem in event.get("exception", {}).get("values", []):
        problem["value"] = redact(str(problem.get("value") or ""))
        for frame in (problem.get("stacktrace") or {}).get("frames", []):
            frame.pop("vars", None)
    if "logentry" in event:
        event["logentry"] = {"message": redact(str(event["logentry"].get("formatted") or ""))}
    return event


def set_up(address: SecretStr, way_to: Callable[[str], WayOut]) -> None:
    """Sends reports to an address, by the way to its host. Raises BadSettings."""
    try:
        import sentry_sdk
        from sentry_sdk.integrations.logging import LoggingIntegration
    except ImportError:
        raise BadSettings("KROPKA_SENTRY: it needs sentry-sdk, which `pip install kropka[sentry]` brings.") from None
    try:
        sentry_sdk.init(
            address.get_secret_value(),
            before_send=clean,
            default_integrations=False,
            integrations=[LoggingIntegration(level=None, event_level=logging.ERROR)],
            include_local_variables=False,
            max_breadcrumbs=0,
            server_name="kropka",
            **_by(way_to(urlsplit(address.get_secret_value()).hostname or "")),
        )
    except ValueError as error:  # which does not show the key in the address
        raise BadSettings(f"KROPKA_SENTRY: {error}.") from None


def _by(way: WayOut) -> dict[str, Any]:
    """Returns the options of a way out. An empty text stands for no proxy, whatever the environment says."""
    if way.proxy is None:
        return {"http_proxy": "", "https_proxy": ""}
    proxy = urlsplit(way.proxy.get_secret_value())
    if proxy.scheme == "socks5":
        address, headers = proxy._replace(scheme="socks5h").geturl(), None  # which looks up names at the proxy
    else:  # urllib3 takes no password out of an address
        address = f"http://{proxy.netloc.rpartition('@')[2]}"
        named = proxy.username and f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
        from urllib3.util import make_headers

        headers = make_headers(proxy_basic_auth=named)
    return {"http_proxy": address, "https_proxy": address, "proxy_headers": headers}
