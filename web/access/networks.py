"""The networks that requests come from, told apart without keeping their addresses."""

from __future__ import annotations

import ipaddress
import secrets
from hashlib import blake2b

from aiohttp import web

SITE_BITS = {4: 32, 6: 48}
"""Bits of an address that name one network: docs/decisions/load.md#0131 says why not 64 in IPv6."""

_KEY = secrets.token_bytes(32)


def network_of(request: web.Request) -> int:
    """Returns a number for the network of a request's browser. No address follows from it, and each process has others.

    A peer in a private network is the reverse proxy, which writes the address that it sees last.
    """
    peer = _parse(request.remote or "")
    forwarded = ",".join(request.headers.getall("X-Forwarded-For", ())).rpartition(",")[2].strip()
    address = _parse(forwarded) if peer.is_private and forwarded else peer
    network = ipaddress.ip_network((address, SITE_BITS[address.version]), strict=False)
    return int.from_bytes(blake2b(network.network_address.packed, key=_KEY, digest_size=8).digest())


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ipaddress.IPv4Address(0)  # all whose address cannot be read share their allowance
    return address.ipv4_mapped or address if isinstance(address, ipaddress.IPv6Address) else address
