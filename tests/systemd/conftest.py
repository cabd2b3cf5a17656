"""What every test in containers stands on: the companion, installed once on each release."""

from __future__ import annotations

import pytest
from systemd_container import Container

INSTALLER = ("/mnt/systemd/install.sh", "--bare")


@pytest.fixture(scope="session", params=["bookworm", "trixie"])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Container:
    """A system in which the companion was installed, broken, and installed again; lay others over it."""
    made = Container.of(request.param, tmp_path_factory.mktemp(request.param))
    refused = made.run("/mnt/systemd/install.sh")
    assert refused.returncode == 1 and "no package python3-lgpio" in refused.stderr
    first = made.run(*INSTALLER)
    assert first.returncode == 0, first.stdout + first.stderr
    made.run("rm", "/opt/lama-companion/bin/pip", "/etc/systemd/system/lama-companion.service")
    again = made.run(*INSTALLER)
    assert again.returncode == 0, again.stdout + again.stderr
    return made
