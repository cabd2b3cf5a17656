"""How long a picture takes, by size and scene, and how much memory drawing needs.

    python benchmarks/screens.py [--times N] [--scenes]

Every size is measured in a process of its own: the very first picture, then each scene of
tests/screen with six players. ``first`` is a scene nobody has seen yet, ``anew`` one whose kept
parts were thrown away (letters and cards are still there), ``again`` one whose parts are kept.
Milliseconds of processor time; memory is what the process grew by, both themes drawn.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "screen"))
from game_scenes import HARD, SIX, in_theme, turn
from screen_scenes import SCENES

from companion.house import Theme
from companion.screen import draw
from companion.screen.canvas import tile
from companion.screen.draw import LAYOUTS, Size
from companion.update import Update

Figures = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--times", type=int, default=30, help="drawings of each scene (default 30)")
    parser.add_argument("--scenes", action="store_true", help="also print every scene")
    options = parser.parse_args()
    print(
        "| size | very first | first: median, worst | anew: median, worst | again: median, worst | memory |"
    )
    print("|---|---|---|---|---|---|")
    for layout in LAYOUTS:
        with ProcessPoolExecutor(1, get_context("spawn")) as own:
            start, figures, grown = own.submit(measured, layout.size, options.times).result()
        show(layout.size, start, figures, grown)
        if options.scenes:
            show_scenes(figures)


def measured(size: Size, times: int) -> tuple[float, dict[str, Figures], float]:
    """Draw everything at one size: the very first picture, all scenes, megabytes of growth."""
    made = {name: scene(HARD if name == "longest" else SIX) for name, scene in SCENES.items()}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = timed(lambda: draw(turn(), size))
    figures = {name: scene_figures(update, size, times) for name, update in made.items()}
    for update in made.values():
        draw(in_theme(update, Theme.LIGHT), size)
    return start, figures, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def scene_figures(update: Update, size: Size, times: int) -> Figures:
    def anew() -> float:
        tile.cache_clear()
        return timed(lambda: draw(update, size))

    return {
        "first": [timed(lambda: draw(replace(update), size))],
        "anew": [anew() for _ in range(times)],
        "again": [timed(lambda: draw(update, size)) for _ in range(times)],
    }


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def show(size: Size, start: float, figures: dict[str, Figures], grown: float) -> None:
    cells = [f"{size[0]}x{size[1]}", f"{start:.0f} ms"]
    for kind in ("first", "anew", "again"):
        middle = median(median(told[kind]) for told in figures.values())
        worst, scene = max((max(told[kind]), scene) for scene, told in figures.items())
        cells.append(f"{middle:.1f}, {worst:.1f} ms ({scene})")
    print(f"| {' | '.join(cells)} | {grown:.0f} MB |", flush=True)


def show_scenes(figures: dict[str, Figures]) -> None:
    for scene, told in figures.items():
        said = (f"{kind} {median(taken):.1f}, {max(taken):.1f}" for kind, taken in told.items())
        print(f"    {scene:20} {'   '.join(said)}", flush=True)


if __name__ == "__main__":
    main()
