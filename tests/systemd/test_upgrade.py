"""In the middle of a game the companion is upgraded, and put back: the game goes on, or it is said why not.

The version before comes from the project's history.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

import pytest
from systemd_container import REPOSITORY, Container, eventually, missing
from test_container import COMPANION, GAMES, PLAYING, lines, plays_on

FILE = "/etc/lama-companion/companion.toml"
SITE = "/opt/lama-companion/lib/python3*/site-packages/companion"
#: How a house of that time may have set it up: with a remark, and a key where it stood then.
THEIRS = """\
# ours since the summer
[table]
deal = "shuffle"
[buttons]
rig = "mock"
"""


#: A commit that people may have installed, from before games could be seen to go on over an upgrade.
BEFORE = "c700f3af426893001d7796d68dc1cc57d44ce2fa"


def unknown(commit: str) -> str:
    """Say that the project's history does not reach back to a commit; empty if it does."""
    words = ["git", "-C", str(REPOSITORY), "cat-file", "-e", f"{commit}^{{commit}}"]
    known = shutil.which("git") and subprocess.run(words, capture_output=True, check=False).returncode == 0
    return "" if known else f"the project's history does not reach back to {commit[:7]} here"


WHY_NOT = missing() or unknown(BEFORE)
pytestmark = [pytest.mark.container, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]


@pytest.fixture(scope="module")
def table(installed: Container, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """A table at which robots play, by the version before."""
    made = installed.another(tmp_path_factory.mktemp("upgraded"))
    made.put(FILE, THEIRS.encode())
    archive = ["git", "-C", str(REPOSITORY), "archive", "--format=tar", BEFORE]
    made.put("root/before.tar", subprocess.run(archive, capture_output=True, check=True).stdout)
    made.run("sh", "-c", "mkdir /root/before && tar -xf /root/before.tar -C /root/before --no-same-owner")
    done = made.run("/root/before/systemd/install.sh", "--bare")
    assert done.returncode == 0, done.stdout + done.stderr
    made.put(f"etc/systemd/system/{COMPANION}.service.d/playing.conf", PLAYING.encode())
    with made.booted() as booted:
        eventually(lambda: booted.shows(COMPANION, "ActiveState") == "active", "it never got ready")
        yield booted


def installs(table: Container, source: str) -> None:
    """Run the installer of a version while the game is on, and wait until its service is up."""
    before = table.shows(COMPANION, "InvocationID")
    done = table.online(f"{source}/systemd/install.sh", "--bare")
    assert done.returncode == 0, done.stdout + done.stderr
    eventually(
        lambda: (
            table.shows(COMPANION, "InvocationID") not in ("", before)
            and table.shows(COMPANION, "ActiveState") in ("active", "failed")
        ),
        "the installer did not restart it",
    )


def same_program(table: Container, source: str) -> bool:
    """Tell whether what is installed is that source, with nothing left over."""
    words = f"diff -rq -x __pycache__ {SITE} {source}/companion"
    return table("sh", "-c", words) == ""


def record(table: Container) -> str:
    return table("sh", "-c", f"cat {GAMES}/*.lama")


def test_the_version_before_plays(table: Container) -> None:
    assert same_program(table, "/root/before") and not same_program(table, "/mnt")
    plays_on(table)


def test_an_upgrade_in_the_middle_of_a_game_goes_on_with_it(table: Container) -> None:
    assert lines(table) > 0
    before = record(table)
    installs(table, "/mnt")
    assert same_program(table, "/mnt"), "what the version before had and this one has not is gone"
    plays_on(table)
    assert record(table).startswith(before)
    assert table("cat", FILE) == THEIRS.strip()


def test_going_back_goes_on_or_says_why_not_and_loses_nothing(table: Container) -> None:
    plays_on(table)
    before = record(table)
    installs(table, "/root/before")
    assert same_program(table, "/root/before")
    assert record(table).startswith(before) and table("cat", FILE) == THEIRS.strip()
    if table.shows(COMPANION, "ActiveState") == "active":
        plays_on(table)
        assert record(table).startswith(before)
    else:
        assert ".lama" in table("journalctl", "-n", "5", "-o", "cat", "-u", COMPANION)
    installs(table, "/mnt")
    plays_on(table)
    assert record(table).startswith(before)
