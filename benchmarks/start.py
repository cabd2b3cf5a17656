"""How long it takes from the command to the first picture and to the lobby, and what the imports take.

    python benchmarks/start.py [--runs N]

Each run is a process of its own with a configuration that is finished: no camera, mock buttons, the
screen a file. The lobby is reached when its picture is there. The machine's load is printed with it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = ("1280x720", "320x240")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(f"$ python {' '.join(sys.argv)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        for page in ("off", "0"):
            for size in SIZES:
                found = [_lobby(Path(folder) / f"{page}-{size}-{n}", size, page) for n in range(options.runs)]
                _tell(f"start to lobby at {size}, page {'off' if page == 'off' else 'on'}", found)
    _tell("of which imports", [_imports() for _ in range(options.runs)])


def _tell(what: str, found: list[float]) -> None:
    print(f"{what}: median {statistics.median(found):.2f} s, worst {max(found):.2f} s")


def _lobby(folder: Path, size: str, page: str) -> float:
    """Start a table and wait for its first picture; seconds."""
    config = folder / "companion.toml"
    folder.mkdir()
    config.write_text('[buttons]\nrig = "mock"\n', encoding="utf-8")
    picture = folder / "screen.png"
    command = [sys.executable, "-m", "companion.cli", "run", "--config", str(config), "--size", size]
    command += ["--screen", f"file:{picture}", "--page", page, "--journal", str(folder / "games")]
    start = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as table:
        while not picture.exists():
            time.sleep(0.005)
        took = time.monotonic() - start
        table.terminate()
    return took


def _imports() -> float:
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", "import companion.tools.running"], check=True)
    return time.monotonic() - start


if __name__ == "__main__":
    main()
