"""The installer and the units as they are, on the real systemd of both releases; mock pins, no camera.

``make container`` runs it. Not proven here: pins, camera module, screen; Debian has no packages for them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from systemd_container import Container, eventually, missing

pytestmark = [pytest.mark.container, pytest.mark.skipif(bool(missing()), reason=missing())]

COMPANION, OFF_SWITCH = "lama-companion", "lama-off-switch"
PROGRAM = "/opt/lama-companion/bin/companion"
GAMES = "/var/lib/lama-companion/games"
#: Robots play before a synthetic camera, and the watchdog is quicker than at a table.
PLAYING = f"""\
[Service]
ExecStartPre=/bin/touch /etc/lama-companion/written
ExecStart=
ExecStart={PROGRAM} run --rig mock --robots 1,2,3 --seats Ada,Bo,Cem --starts 1 --deal shuffle \
--camera synthetic --screen none
Environment=GPIOZERO_PIN_FACTORY=mock
WatchdogSec=5
"""
PRESSED = f"""\
[Service]
ExecStart=
ExecStart={PROGRAM} off-switch --rig mock
"""


@pytest.fixture(scope="module")
def container(installed: Container, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """A booted system at whose table robots play."""
    made = installed.another(tmp_path_factory.mktemp("playing"))
    made.put(f"etc/systemd/system/{COMPANION}.service.d/playing.conf", PLAYING.encode())
    made.put(f"etc/systemd/system/{OFF_SWITCH}.service.d/pressed.conf", PRESSED.encode())
    with made.booted() as booted:
        yield booted


def lines(container: Container) -> int:
    """Count the lines of the game; that there is one at most is part of it."""
    games = [name for name in container("ls", GAMES).split() if name.endswith(".lama")]
    assert len(games) <= 1
    return sum(len(container("cat", f"{GAMES}/{game}").splitlines()) for game in games)


def restarted(container: Container, times: int) -> None:
    def is_so() -> bool:
        count = container.shows(COMPANION, "NRestarts")
        return count == str(times) and container.shows(COMPANION, "ActiveState") == "active"

    eventually(is_so, f"the service was not restarted {times} times")


def plays_on(container: Container) -> None:
    """Wait until the game grows."""
    before = lines(container)
    eventually(lambda: lines(container) > before, "the game does not go on")


def test_it_is_ready_plays_as_its_own_user_and_says_where_it_is(container: Container) -> None:
    eventually(lambda: container.shows(COMPANION, "ActiveState") == "active", "the service never got ready")
    plays_on(container)
    for path in (GAMES, "/etc/lama-companion/written"):
        assert container("stat", "-c", "%U", path) == "lama"
    process = container.shows(COMPANION, "MainPID")
    assert container("ps", "-o", "user=", "-p", process) == "lama"
    assert container.shows(COMPANION, "StatusText").startswith("At the table: ")
    assert container.shows(COMPANION, "NRestarts") == "0"


def test_the_watchdog_restarts_it_when_it_hangs_and_the_game_goes_on(container: Container) -> None:
    container("systemctl", "kill", "-s", "STOP", COMPANION)
    restarted(container, 1)
    assert "Watchdog timeout" in container("journalctl", "-u", COMPANION)
    plays_on(container)


def test_after_a_kill_the_game_goes_on(container: Container) -> None:
    container("systemctl", "kill", "-s", "KILL", COMPANION)
    restarted(container, 2)
    plays_on(container)


def test_it_stops_well_and_soon(container: Container) -> None:
    start = time.monotonic()
    container("systemctl", "stop", COMPANION)
    print(f"stopped in {time.monotonic() - start:.2f} s")
    assert container.shows(COMPANION, "Result") == "success"
    assert container.shows(COMPANION, "ExecMainStatus") == "0"


def test_stopping_or_killing_the_off_switch_does_not_power_off(container: Container) -> None:
    for word in ("kill", "restart", "stop"):
        starts_waiting(container)
        container("systemctl", word, OFF_SWITCH)
        assert not container.off
    assert idle(container)
    assert not container.off and container("systemctl", "is-system-running") in ("running", "degraded")


def starts_waiting(container: Container) -> None:
    """Start the off switch and wait until it waits for its button."""

    def waits() -> int:
        return container("journalctl", "-u", OFF_SWITCH).count("Hold the button")

    before = waits()
    start_anew(container, "restart")
    eventually(lambda: waits() > before, "it never started")


def start_anew(container: Container, word: str = "start") -> None:
    """Start the off switch whose earlier starts do not count: more than five in ten seconds are refused."""
    container("systemctl", "reset-failed", OFF_SWITCH)
    started = container.tried(["systemctl", word, "--no-block", OFF_SWITCH])
    assert started.returncode == 0, started.stderr


def test_a_program_that_fails_does_not_power_off(container: Container) -> None:
    failing = PRESSED.replace(f"{PROGRAM} off-switch --rig mock", "/bin/false")
    change(container, failing)
    start_anew(container)
    eventually(lambda: "status=1" in container("journalctl", "-u", OFF_SWITCH), "it never failed")
    eventually(lambda: container.off or idle(container), "a job never ended")
    assert not container.off


def idle(container: Container) -> bool:
    """Tell whether the system has nothing to start or stop, itself included."""
    return container.tried(["systemctl", "list-jobs"]).stdout.strip() == "No jobs running."


def change(container: Container, text: str) -> None:
    path = f"/etc/systemd/system/{OFF_SWITCH}.service.d/pressed.conf"
    container("sh", "-c", f"printf '%s' '{text}' > {path}; systemctl daemon-reload")


def test_removing_leaves_the_games_and_says_where(container: Container) -> None:
    before = lines(container)
    done = container.tried([PROGRAM, "uninstall"])
    assert done.returncode == 0 and GAMES.removesuffix("/games") in done.stdout
    assert container.tried(["test", "-e", "/opt/lama-companion"]).returncode == 1
    assert container("systemctl", "is-enabled", COMPANION) in ("", "not-found")
    assert lines(container) == before > 0


def test_a_button_held_long_enough_powers_off(container: Container) -> None:
    """The unit outlives the program here: what ends well in its place is ``true``."""
    text = (Path(__file__).parents[2] / "systemd" / f"{OFF_SWITCH}.service").read_text()
    script = f"cat > /etc/systemd/system/{OFF_SWITCH}.service <<'END'\n{text}\nEND\n"
    change(container, PRESSED.replace(f"{PROGRAM} off-switch --rig mock", "/bin/true"))
    container("sh", "-c", script + "systemctl daemon-reload")
    start_anew(container)
    eventually(lambda: container.off, "it was not powered off")
