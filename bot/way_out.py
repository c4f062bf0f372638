"""The way out to Discord, and to whatever else the bot asks: through the operator's proxy, or straight."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp_socks import ProxyConnector
from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError
from python_socks.async_.asyncio.v2 import Proxy

if TYPE_CHECKING:
    import ssl

    from pydantic import SecretStr

MAX_TOLD = 60
"""Characters that are told of what a proxy says."""


class ProxyFailed(aiohttp.ClientOSError):
    """A connection that the proxy has not made: a failure of the network like any other."""


@dataclass(frozen=True, slots=True)
class WayOut:
    """Makes connections: through a `proxy`, which also looks up the names of hosts, or straight."""

    proxy: SecretStr | None = None
    """Its address, as `bot.settings.proxy_address` returns it."""

    def connector(self) -> aiohttp.TCPConnector:
        """Returns what makes the connections of a session, without a limit as discord.py has it."""
        if self.proxy is None:
            return aiohttp.TCPConnector(limit=0)
        return _Tunnels.from_url(self.proxy.get_secret_value(), limit=0)

    async def connect(
        self, host: str, port: int, secure: ssl.SSLContext | None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Returns a connection, by TLS if it is to be `secure`. Raises OSError."""
        if self.proxy is None:
            return await asyncio.open_connection(host, port, ssl=secure)
        with _telling():
            stream = await Proxy.from_url(self.proxy.get_secret_value()).connect(host, port, secure)
        return stream.reader, stream.writer


STRAIGHT = WayOut()


class _Tunnels(ProxyConnector):
    """A connector through a proxy, whose failures aiohttp's callers know."""

    async def _connect_via_proxy(self, *given: Any, **options: Any) -> Any:
        with _telling():
            return await super()._connect_via_proxy(*given, **options)


@contextmanager
def _telling() -> Iterator[None]:
    """Raises ProxyFailed with what went wrong; the proxy's name and password are in none of it."""
    try:
        yield
    except (ProxyConnectionError, ProxyError, ProxyTimeoutError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        line = "".join(each for each in said[:MAX_TOLD] if each.isprintable())
        raise ProxyFailed(f"the proxy: {line}; look at KROPKA_PROXY, or at HTTPS_PROXY") from None
