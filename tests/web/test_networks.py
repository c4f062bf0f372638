"""Networks of requests: told apart, and not kept."""

from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request

from web.access.visitors import network_of


class _Transport:
    """A connection from an address."""

    def __init__(self, address: str) -> None:
        self._address = address

    def get_extra_info(self, name: str, default: object = None) -> object:
        return (self._address, 4711) if name == "peername" else default


def number(peer: str, *forwarded: str) -> int:
    headers = [("X-Forwarded-For", each) for each in forwarded]
    request = make_mocked_request("GET", "/", headers=headers, transport=_Transport(peer))
    return network_of(request)


def test_a_peer_on_the_internet_is_counted_itself_whatever_it_claims() -> None:
    assert number("8.8.8.8", "9.9.9.9") == number("8.8.8.8")


def test_a_proxy_says_who_asks_in_the_last_place() -> None:
    assert number("127.0.0.1", "8.8.8.8") == number("10.0.0.7", "9.9.9.9, 8.8.8.8") == number("8.8.8.8")
    assert number("127.0.0.1", "9.9.9.9", "8.8.8.8") == number("8.8.8.8")


def test_an_address_that_went_over_to_ipv6_is_the_same() -> None:
    assert number("::ffff:8.8.8.8") == number("8.8.8.8")


def test_a_subscriber_has_many_networks_of_ipv6() -> None:
    assert number("2a00:1:2:3::1") == number("2a00:1:2:4:4:5:6:7") != number("2a00:1:3:3::1")


@pytest.mark.parametrize("odd", ["", "unknown", "8.8.8.8:80", "<script>", "1" * 5000])
def test_odd_addresses_are_counted_together(odd: str) -> None:
    assert number(odd) == number("unknown")
    assert number("127.0.0.1", odd) == number("127.0.0.1" if not odd else "unknown")
