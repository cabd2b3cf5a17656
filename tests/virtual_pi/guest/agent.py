"""Does in the virtual Pi what the tests ask for, a JSON line a time, over a serial port.

``{"run": COMMAND, "timeout": SECONDS}`` answers ``{"status": N, "out": TEXT}``.
``{"pull": [[LINE, LEVEL, SECONDS], ...]}`` pulls GPIO lines one after the other, waiting after each, and
answers how long that took; ``{"levels": [LINE, ...]}`` answers what stands on them.
``{"page": PATH}`` answers what the companion's page has there, or nothing if there is none.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

PAGE = "http://localhost:8080"
DEVICES = Path("/sys/devices/platform")


def attribute(line: int, name: str) -> Path:
    (found,) = DEVICES.glob(f"gpio-sim.*/gpiochip*/sim_gpio{line}/{name}")
    return found


def run(command: str, timeout: float) -> dict[str, object]:
    try:
        done = subprocess.run(
            ["bash", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return {"status": 124, "out": (error.stdout or b"").decode(errors="replace")}
    return {"status": done.returncode, "out": done.stdout.decode(errors="replace")}


def pull(steps: list[tuple[int, int, float]]) -> dict[str, object]:
    """Pull lines before anything else is done, so that a bounce can be as quick as a contact's."""
    start = time.monotonic()
    with ExitStack() as opened:
        opened.callback(os.sched_setscheduler, 0, os.SCHED_OTHER, os.sched_param(0))
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        lines = {step[0] for step in steps}
        files = {line: opened.enter_context(attribute(line, "pull").open("w")) for line in lines}
        for line, level, seconds in steps:
            files[line].write("pull-up" if level else "pull-down")
            files[line].flush()
            time.sleep(seconds)
    return {"took": time.monotonic() - start}


def page(path: str) -> dict[str, object]:
    try:
        with urlopen(PAGE + path, timeout=20) as found:
            return {"page": json.load(found)}
    except OSError:
        return {"page": None}


def answer(asked: dict) -> dict[str, object]:
    if "pull" in asked:
        return pull(asked["pull"])
    if "levels" in asked:
        return {"levels": [int(attribute(line, "value").read_text()) for line in asked["levels"]]}
    if "page" in asked:
        return page(asked["page"])
    return run(asked["run"], asked["timeout"])


def main() -> None:
    with Path(sys.argv[1]).open("r+b", buffering=0) as port:
        port.write(b'{"ready": true}\n')
        while line := port.readline():
            port.write(json.dumps(answer(json.loads(line))).encode() + b"\n")


main()
