"""Measure how long drawing takes: ``python tests/screen/timing.py``; processor time, warm caches."""

from __future__ import annotations

from statistics import median
from time import process_time

from screen_scenes import HARD, SCENES, SIX

from companion.screen import draw
from companion.screen.draw import LAYOUTS

_TIMES = 15


def milliseconds(scene: str, size: tuple[int, int]) -> float:
    """Time one scene with six players, the median of several drawings."""
    made = SCENES[scene](HARD if scene == "longest" else SIX)
    draw(made, size)
    taken = []
    for _ in range(_TIMES):
        start = process_time()
        draw(made, size)
        taken.append(1000 * (process_time() - start))
    return median(taken)


def main() -> None:
    """Print the median and the slowest scene of each size."""
    for layout in LAYOUTS:
        times = {scene: milliseconds(scene, layout.size) for scene in SCENES}
        slowest = max(times, key=lambda scene: times[scene])
        wide, high = layout.size
        print(f"{wide}x{high}: {median(times.values()):.1f} ms, slowest {slowest} {times[slowest]:.1f} ms")


if __name__ == "__main__":
    main()
