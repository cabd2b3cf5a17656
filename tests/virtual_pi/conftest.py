"""What every scenario begins with: a virtual Pi, booted once, at the lobby."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from boot import booted, share
from image import Unreachable, image, missing
from machine import Boot, Machine
from table import COMPANION, Table


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("virtual Pi")
    group.addoption("--kept-image", action="store_true", help="use the last image, whatever changed since")
    group.addoption("--cuts", type=int, default=3, help="how often the power of the virtual Pi is cut")


@pytest.fixture(scope="session")
def boot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Boot:
    """A booted virtual Pi, saved while its lobby is open."""
    if lacking := missing():
        pytest.skip(lacking)
    try:
        made = image(request.config.getoption("--kept-image"))
    except Unreachable as error:
        pytest.skip(str(error))
    return booted(made, tmp_path_factory.mktemp("boot"))


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disk with what scenarios bring along."""
    return share(tmp_path_factory.mktemp("share"))


@pytest.fixture
def pi(boot: Boot, shared: Path, tmp_path: Path) -> Iterator[Machine]:
    """A virtual Pi that was just booted."""
    machine = Machine.restored(boot, tmp_path, shared)
    try:
        machine.go_on()
        machine("mount /share")
        yield machine
        if not machine.off:
            print(machine.tried(f"journalctl -u {COMPANION} -o cat --no-pager | tail -n 60")[1])
    finally:
        machine.cut()
        for disk in tmp_path.glob("*.*"):
            disk.unlink()


@pytest.fixture
def table(pi: Machine) -> Table:
    """The companion in it, with its lobby open."""
    return Table(pi)
