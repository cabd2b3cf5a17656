"""The companion that runs in a virtual Pi, as somebody beside it would see and use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from machine import Machine, eventually

from hardware.pins import BUTTON_PINS, LAMP_PINS

COMPANION, OFF_SWITCH, OWNER = "lama-companion", "lama-off-switch", "lama"
PROGRAM = "/opt/lama-companion/bin/companion"
PYTHON = "/opt/lama-companion/bin/python"
STATE = "/var/lib/lama-companion"
GAMES = f"{STATE}/games"
CONFIGURATION = "/etc/lama-companion/companion.toml"
OFF_PIN = 4
#: Instructions in a second of the virtual Pi's own time, in millions.
MIPS = 500
#: Where whoever starts it by hand, and is not the service, finds the service's games.
BY_HAND = "env XDG_STATE_HOME=/var/lib"
_TAKER = """\
import lgpio, sys, time
lgpio.gpio_claim_output(lgpio.gpiochip_open(0), int(sys.argv[1]))
print("taken", flush=True)
time.sleep(9999)
"""
#: Seconds that a tap and a hold last, and that pass until the next.
TAP_S, HOLD_S, GAP_S = 0.15, 1.2, 0.15


class Table:
    """The table of a virtual Pi; buttons, lamps and seats count from 1."""

    def __init__(self, pi: Machine) -> None:
        self.pi = pi

    # -- buttons and lamps ---------------------------------------------------------------------

    def press(self, *buttons: int) -> None:
        """Tap buttons, one after the other."""
        for button in buttons:
            self.down([button], TAP_S)

    def hold(self, button: int) -> None:
        """Hold a button."""
        self.down([button], HOLD_S)

    def down(self, buttons: Sequence[int], seconds: float) -> None:
        """Have buttons down together for some seconds."""
        lines = [BUTTON_PINS[button - 1] for button in buttons]
        pressed = [(line, 0, seconds if line == lines[-1] else 0.0) for line in lines]
        self.pi.pull([*pressed, *((line, 1, 0.0) for line in lines[:-1]), (lines[-1], 1, GAP_S)])

    def bounce(self, button: int, times: int, apart_s: float) -> None:
        """Press a button whose contact chatters as it closes and as it opens."""
        line = BUTTON_PINS[button - 1]
        chatter = [(line, level, apart_s) for _ in range(times) for level in (0, 1)]
        self.pi.pull([*chatter, (line, 0, TAP_S), *chatter, (line, 1, GAP_S)])

    def lamps(self) -> list[int]:
        """Return which lamps are lit now."""
        levels = self.pi.levels(LAMP_PINS)
        return [button for button, level in enumerate(levels, 1) if level]

    # -- what is shown -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return what the page shows, and so the screen; nothing while there is no page."""
        found: dict[str, Any] = self.pi.page("/api/state") or {}
        return found

    def reaches(self, scene: str, **facts: object) -> dict[str, Any]:
        """Wait until the table shows a scene, and some facts of it; return all that is shown."""
        wanted, seen = {"scene": scene, **facts}, list[dict[str, Any]]()

        def there() -> bool:
            seen.append(self.state())
            return wanted.items() <= seen[-1].items()

        eventually(there, f"{wanted} never came")
        return seen[-1]

    def lobby(self, people: int = 3) -> None:
        """Have people join, and the first begin."""
        self.press(*range(1, people + 1))
        self.reaches("lobby", buttons=list(range(1, people + 1)))
        self.hold(1)
        self.reaches("turn")

    # -- the service ---------------------------------------------------------------------------

    def shows(self, name: str, unit: str = COMPANION) -> str:
        """Return a property of a unit."""
        return self.pi(f"systemctl show -P {name} {unit}")

    def active(self, restarts: int | None = None) -> bool:
        """Whether the service is ready, and was restarted so often."""
        found = self.pi(f"systemctl show -P NRestarts -P ActiveState {COMPANION}").split()
        return "active" in found and (restarts is None or str(restarts) in found)

    def restart(self) -> None:
        """Start the service anew, and wait until it is ready."""
        self.pi(f"systemctl restart {COMPANION}")

    def used(self) -> tuple[float, float]:
        """Return the time since power-on, and how much of the processor the service has had, in seconds."""
        process = self.shows("MainPID")
        words = self.pi(f"cut -d' ' -f1 /proc/uptime; cut -d' ' -f14,15 /proc/{process}/stat").split()
        return float(words[0]), (int(words[1]) + int(words[2])) / 100

    def resident_mib(self, unit: str = COMPANION) -> int:
        """Return how much memory a service takes."""
        return int(self.pi(f"ps -o rss= -p {self.shows('MainPID', unit)}")) // 1024

    def log(self, unit: str = COMPANION) -> str:
        """Return what the service said."""
        return self.pi(f"journalctl -u {unit} -o short-monotonic --no-pager")

    def configure(self, **lines: str) -> None:
        """Write tables of the configuration anew, by their names, and start the service with them."""
        self.write(**lines)
        self.restart()

    def write(self, **lines: str) -> None:
        """Write tables of the configuration anew, by their names."""
        text = "\n".join(f"[{table}]\n{body}\n" for table, body in lines.items())
        self.pi(f"cat > {CONFIGURATION} <<'END'\n{text}\nEND")

    # -- by hand -------------------------------------------------------------------------------

    def board(self) -> None:
        """Have everybody see which board this is, not only the services."""
        self.pi("mountpoint -q /proc/cpuinfo || mount --bind /run/virtual-pi/cpuinfo /proc/cpuinfo")

    def typed(self, words: str, user: str = OWNER) -> tuple[int, str]:
        """Have somebody at the console type a command; return its status and what it printed."""
        self.board()
        return self.pi.tried(f"cd /root && runuser -u {user} -- {words}")  # it is forbidden to all others

    def take(self, line: int) -> None:
        """Have another program take a GPIO line."""
        self.pi(f"cat > /run/taker.py <<'END'\n{_TAKER}END")
        self.pi(f"cd /run; setsid {PYTHON} taker.py {line} > taker.log 2>&1 & echo $! > taker")
        eventually(lambda: self.pi("cat /run/taker.log"), "the line cannot be had")

    def let_go(self) -> None:
        """End that program."""
        self.pi("kill $(cat /run/taker)")

    # -- the games -----------------------------------------------------------------------------

    def games(self) -> list[str]:
        """Return the names of the games' records."""
        return self.pi(f"ls {GAMES} 2>/dev/null | grep '[.]lama$' || true").split()

    def record(self) -> list[str]:
        """Return the lines of the one record there is, without their remarks."""
        (game,) = self.games()
        return [line.partition(";")[0].strip() for line in self.pi(f"cat {GAMES}/{game}").splitlines()]
