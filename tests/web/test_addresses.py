"""Where the page says it is: on no network, on one's own, and on several; and who is near."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys

import pytest

from companion.web.addresses import near, own_address

#: A network of its own for one command, with a card ``eth0`` that has a cable to nowhere.
APART = "ip link set lo up; ip link add eth0 type veth peer name far; ip link set far up; ip link set eth0 up"


def on_network(commands: str, host: str = "") -> str:
    """Tell the address that is found on a network made by shell commands; skip where none can be made."""
    ask = f"from companion.web.addresses import own_address; print(own_address({host!r}))"
    if not shutil.which("unshare") or not shutil.which("ip"):
        pytest.skip("there is no unshare or no ip on this computer")
    made = subprocess.run(["unshare", "-n", "sh", "-ec", APART], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no network can be made here: {made.stderr.strip()}")
    script = f"{APART}; {commands}; exec '{sys.executable}' -c \"{ask}\""
    words = ["unshare", "-n", "sh", "-ec", script]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_an_address_that_is_named_is_taken() -> None:
    assert own_address("127.0.0.1") == "127.0.0.1"
    assert own_address("::1") == "[::1]"


def test_without_a_network_the_computer_s_name_is_told() -> None:
    assert on_network("true") == f"{socket.gethostname().partition('.')[0]}.local"


@pytest.mark.parametrize("host", ["", "::", "0.0.0.0"])
def test_the_address_towards_everybody_is_told(host: str) -> None:
    way = "ip addr add 192.168.7.20/24 dev eth0; ip route add default via 192.168.7.1"
    assert on_network(way, host) == "192.168.7.20"


def test_a_table_that_is_its_own_network_is_found_on_it() -> None:
    """A computer that phones join as their access point has no way out."""
    assert on_network("ip addr add 10.42.0.1/24 dev eth0") == "10.42.0.1"


def test_a_network_without_ipv4_is_told_in_brackets_its_private_address_first() -> None:
    worldwide = [f"2a00:{number}::5" for number in range(1, 9)]
    both = "; ".join(f"ip -6 addr add {each}/64 dev eth0 nodad" for each in ("fd12::5", *worldwide))
    assert on_network(both) == "[fd12::5]"
    assert on_network("ip -6 addr add 2a00:1::5/64 dev eth0 nodad") == "[2a00:1::5]"
    assert on_network(both, "0.0.0.0").endswith(".local")


def test_an_address_of_one_cable_comes_last() -> None:
    cable = "ip addr add 169.254.3.4/16 dev eth0"
    assert on_network(cable) == "169.254.3.4"
    assert on_network(f"{cable}; ip -6 addr add fd12::5/64 dev eth0 nodad") == "[fd12::5]"


@pytest.mark.parametrize(
    ("client", "here", "is_near"),
    [
        ("192.168.1.9", "192.168.1.5", True),
        ("::ffff:192.168.1.9", "::ffff:192.168.1.5", True),
        ("fe80::7%eth0", "fe80::5%eth0", True),
        ("fd12::7", "fd99::5", True),
        ("2a00:1::7", "2a00:1::5", True),
        ("2a00:2::7", "2a00:1::5", False),
        ("2a00:2::7", "fd12::5", False),
        ("::1", "::1", True),
    ],
)
def test_only_who_is_near_is_let_in(client: str, here: str, is_near: bool) -> None:
    assert near(client, here) is is_near
