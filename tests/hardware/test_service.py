"""What systemd hears, over a real socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.service import Service, ServiceError


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(2)
        yield listening


def heard(ear: socket.socket) -> str:
    return ear.recv(1000).decode()


def test_it_says_ready_alive_stopping_and_a_status_in_one_line(ear: socket.socket) -> None:
    service = Service.of({"NOTIFY_SOCKET": str(ear.getsockname())})
    service.longer(90)
    service.ready()
    service.alive()
    service.status("Rosa's turn,\n round 3")
    service.stopping()
    assert [heard(ear) for _ in range(5)] == [
        "EXTEND_TIMEOUT_USEC=90000000",
        "READY=1",
        "WATCHDOG=1",
        "STATUS=Rosa's turn, round 3",
        "STOPPING=1",
    ]


def test_an_abstract_socket_is_reached_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(f"\0lama-{os.getpid()}")
        ear.settimeout(2)
        Service.of({"NOTIFY_SOCKET": f"@lama-{os.getpid()}"}).ready()
        assert heard(ear) == "READY=1"


def test_the_watchdog_is_fed_at_half_its_time_by_the_process_it_watches() -> None:
    assert Service.of({"WATCHDOG_USEC": "10000000"}).every_s == 5.0
    assert Service.of({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid())}).every_s == 5.0
    assert Service.of({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"}).every_s is None
    assert Service.of({}).every_s is None


@pytest.mark.parametrize("limit", ["soon", "-5", "0", "1.5", "٣"])
def test_a_watchdog_time_that_is_no_number_is_refused(limit: str) -> None:
    with pytest.raises(ServiceError, match="WATCHDOG_USEC"):
        Service.of({"WATCHDOG_USEC": limit})


def test_nobody_listening_is_no_reason_to_stop(tmp_path: Path) -> None:
    Service(str(tmp_path / "gone")).alive()
    Service().alive()
