"""What the page costs: from an update to the phone, bytes, memory, and how soon it is there.

    python benchmarks/page.py [--updates N] [--phones N]

A real game is played through the real session; its updates are published to the real server. In
Chromium (where there is one) the time is from ``publish`` to the changed page, both read from this
machine's clock; otherwise to the event that a bare client has received.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from urllib.request import Request, urlopen

import httpx

from companion.deals import shuffled
from companion.rules.pieces import DICE, group, text
from companion.session import Session, Settings
from companion.signals import Asked
from companion.update import Update
from companion.web.parts import Parts
from companion.web.server import PageServer

NAMES = ("Rosa", "John", "Martin", "George", "Judy", "Victor")
#: What tells that the page shows an update: everything that the live part says.
_WATCH = """() => { window.seen = []; new MutationObserver(() => window.seen.push(
  performance.timeOrigin + performance.now())).observe(document.querySelector('.live'),
  {childList: true, subtree: true, characterData: true, attributes: true}) }"""
_MEMORY = """
import sys, tempfile
from pathlib import Path
from companion.evening import Evening
from companion.session import Session, Settings
from companion.app import Companion
session = Session(Settings(Path(tempfile.mkdtemp())))
def rss():
    lines = open('/proc/self/status')
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith('VmRSS'))
before = rss()
if sys.argv[1] == 'with':
    import time
    from urllib.request import urlopen
    start = time.monotonic()
    from companion.web.parts import Parts
    from companion.web.server import PageServer
    with PageServer(Parts(lambda asked: None, session.settings.folder), 0, '127.0.0.1') as server:
        server.publish(session.update())
        urlopen(server.url).read()
        print(rss(), round(time.monotonic() - start, 2))
else:
    print(before, 0)
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--phones", type=int, default=6, help="how many watch at the same time")
    options = parser.parse_args()
    print(f"$ python {' '.join(sys.argv)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    _memory()
    with tempfile.TemporaryDirectory() as folder:
        parts = Parts(lambda _: None, Path(folder))
        with PageServer(parts, 0, "127.0.0.1") as server:
            updates = list(_game(Path(folder), options.updates))
            server.publish(updates[0])
            _bytes(server)
            _asked_again(server)
            _to_clients(server, updates, options.phones)
            _to_chromium(server, updates)


def _memory() -> None:
    found = {kind: _run(kind) for kind in ("without", "with")}
    (without, _), (with_page, soon) = found["without"], found["with"]
    print(f"memory (RSS): {without:.0f} MB without the page, {with_page:.0f} MB with it and one visitor")
    print(f"from nothing loaded to the first page served: {soon:.2f} s")


def _run(kind: str) -> tuple[float, float]:
    runs = [subprocess.check_output([sys.executable, "-c", _MEMORY, kind], text=True) for _ in range(3)]
    pairs = sorted((float(memory), float(soon)) for memory, soon in map(str.split, runs))
    return pairs[1]


def _game(folder: Path, count: int) -> Iterator[Update]:
    """Play six robots by chance; every update looks different from the one before."""
    chance = random.Random(5)
    session = Session(Settings(folder, names=NAMES, seated=True, dealer=shuffled(chance)))
    session.begin(1)
    for number in range(count):
        awaits = session.update().table.awaits  # type: ignore[union-attr]
        roll = text(group(chance.choice(die) for die in DICE))
        line = f"fell {roll}" if awaits.kind == "fall" else "go-on"
        if awaits.choices:
            line = str(awaits.choices[0] if chance.random() < 0.9 else awaits.choices[-1])
        if awaits.kind == "over":
            line = "again"
        session.handle(Asked(line, float(number)))
        yield session.update()
    session.close()


def _bytes(server: PageServer) -> None:
    page = _fetch(server.url)
    paths = re.findall(r'(?:src|href)="(/static/[^"]+)"', page[0])
    paths += [re.sub(r"[^/]+$", "llama.svg", paths[0])]
    files = [_fetch(server.url[:-1] + path) for path in paths]
    plain, sent = (sum(len(each[index]) for each in files) for index in (0, 1))
    print(
        f"first load: page {len(page[1]):,} bytes, files {sent:,} "
        f"({len(page[0]):,} and {plain:,} unpacked); later loads: the page alone"
    )


def _fetch(url: str) -> tuple[str, bytes]:
    with urlopen(Request(url, headers={"Accept-Encoding": "gzip"})) as answer:
        data = answer.read()
        packed = answer.headers.get("content-encoding") == "gzip"
    return (gzip.decompress(data) if packed else data).decode(), data


def _asked_again(server: PageServer) -> None:
    """Fetch pages over one connection, as a browser does."""
    took = []
    with httpx.Client(base_url=server.url) as phone:
        for path in 40 * ("/", "/rules", "/house"):
            start = time.monotonic()
            phone.get(path).raise_for_status()
            took.append((time.monotonic() - start) * 1000)
    median = statistics.median(took)
    print(f"a page asked for: median {median:.1f} ms, worst {max(took):.1f} ms ({len(took)})")


def _to_clients(server: PageServer, updates: list[Update], phones: int) -> None:
    """Publish, and wait until every phone has the event: milliseconds and bytes."""
    queues = [_watch(server.url + "live") for _ in range(phones)]
    for queue in queues:
        queue.get(timeout=10)
    took, sizes = [], []
    for update in updates[1:]:
        time.sleep(0.06)
        start = time.monotonic()
        server.publish(update)
        got = [queue.get(timeout=10) for queue in queues]
        took.append((max(at for at, _ in got) - start) * 1000)
        sizes.append(got[0][1])
    print(
        f"publish to the last of {phones} phones: median {statistics.median(took):.1f} ms, "
        f"worst {max(took):.1f} ms ({len(took)} updates); "
        f"an update has {statistics.median(sizes):,.0f} bytes, at most {max(sizes):,}"
    )


def _watch(url: str) -> Queue[tuple[float, int]]:
    events: Queue[tuple[float, int]] = Queue()

    def read() -> None:
        size = 0
        with urlopen(url) as stream:
            for line in stream:
                size += len(line)
                if line == b"</form>\n" or line.startswith(b"data: </form>"):
                    events.put((time.monotonic(), size))
                    size = 0

    threading.Thread(target=read, daemon=True).start()
    return events


def _to_chromium(server: PageServer, updates: list[Update]) -> None:
    """Publish, and read off the page when it had changed."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("publish to the changed page: no Chromium here")
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a Chromium

    took = []
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(server.url)
        page.wait_for_timeout(500)
        page.evaluate(_WATCH)
        for update in updates:
            page.evaluate("() => { window.seen = [] }")
            start = time.time() * 1000
            server.publish(update)
            page.wait_for_function("() => window.seen.length > 0", timeout=5000)
            took.append(page.evaluate("() => window.seen[0]") - start)
            page.wait_for_timeout(60)
        browser.close()
    print(
        f"publish to the changed page in Chromium: median {statistics.median(took):.1f} ms, "
        f"worst {max(took):.1f} ms ({len(took)} updates)"
    )


if __name__ == "__main__":
    main()
