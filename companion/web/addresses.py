"""Where this computer is on its networks, and who is near. Nothing is sent to find out."""

from __future__ import annotations

import fcntl
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv6Address, IPv6Network, ip_address
from pathlib import Path

#: What a server listens on to be reached by every address: both kinds, both kinds, IPv4 alone.
EVERY = ("", "::", "0.0.0.0")
#: An address that nobody has (RFC 5737): the way to it is the way to everybody.
_NOBODY = ("192.0.2.1", 9)
#: Linux's request for an interface's IPv4 address, how it is laid out, and where the answer stands.
_SIOCGIFADDR, _IFREQ, _ADDRESS = 0x8915, "256s", slice(20, 24)
_IPV6_ADDRESSES = Path("/proc/net/if_inet6")


def own_address(host: str = "") -> str:
    """Tell how a page's address names this computer, for a server that listens on ``host``.

    An IPv4 address comes first, being short and known to every phone; one that is good on a single
    cable only comes last. Without a network it is the computer's name. Networks come and go, so ask
    again now and then; it takes well below a millisecond.
    """
    if host not in EVERY:
        return _written(host)
    found = [address for address in _addresses() if host != "0.0.0.0" or ":" not in address]
    found.sort(key=lambda address: ip_address(address).is_link_local)
    return _written(found[0]) if found else f"{socket.gethostname().partition('.')[0]}.local"


def _written(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _addresses() -> Iterator[str]:
    """List the addresses that others may know this computer by, the likeliest first."""
    for address in (*_towards_others(), *_of_interfaces(), *_of_ipv6()):
        if not ip_address(address).is_loopback:
            yield address


def _towards_others() -> Iterator[str]:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_NOBODY)
        yield str(probe.getsockname()[0])


def _of_interfaces() -> Iterator[str]:
    """List each interface's first IPv4 address: a computer that is the network itself has no way out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack(_IFREQ, name.encode()[:15]))
                yield socket.inet_ntoa(answer[_ADDRESS])


def _of_ipv6() -> list[str]:
    """List the IPv6 addresses that can stand in a page's address, the network's private ones first."""
    with suppress(OSError):
        lines = _IPV6_ADDRESSES.read_text(encoding="ascii").splitlines()
        found = (IPv6Address(bytes.fromhex(line.split()[0])) for line in lines)
        wide = (address for address in found if not address.is_link_local and not address.is_multicast)
        return [str(address) for address in sorted(wide, key=lambda address: address.is_global)]
    return []


def near(client: str, here: str) -> bool:
    """Tell whether a client is on this computer's network. ``here`` is our end of the connection.

    Behind a home's router IPv4 addresses are hidden, those of IPv6 may be known to all the world.
    """
    other, own = (ip_address(address.partition("%")[0]) for address in (client, here))
    if not isinstance(other, IPv6Address) or other.ipv4_mapped or not other.is_global:
        return True
    return isinstance(own, IPv6Address) and other in IPv6Network((int(own), 64), strict=False)
