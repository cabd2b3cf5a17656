"""Render our own footage of dice sets nobody has seen, to measure the reader on, never to train it.

    python benchmarks/footage/render.py --sets N --out DIR --seed S [--threads T] [--samples M] [--only NAME]
    python benchmarks/footage/render.py --held-out --out DIR --seed S …
    python benchmarks/footage/render.py --fresh --out DIR --seed S …

Writes ``DIR/dice-NAME/*.jpg`` with ``labels.json``; what is there already is kept, so a stopped run
goes on where it was. Needs ``pip install mitsuba`` (for its fast variant also LLVM: name the library in
``DRJIT_LIBLLVM_PATH``) and the fonts that ``designs.py`` names.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import cv2
import drjit as dr
import mitsuba as mi

try:
    mi.set_variant("llvm_ad_rgb")
    dr.eval(dr.llvm.Float(1) + 1)
except Exception:  # noqa: BLE001 - whatever is wrong with LLVM, the slow variant works
    mi.set_variant("scalar_rgb")

import shots
from designs import DESIGNS, FRESH, HELD_OUT
from scene import describe, develop, render
from shots import FRESH_KINDS, HELD_OUT_KINDS, KINDS, Job, compose, jobs
from solids import write_cube
from things import PIP_DIE


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--sets", type=int, default=len(DESIGNS), help="how many sets, in the order of designs.py"
    )
    parser.add_argument("--held-out", action="store_true", help="the five sets no threshold was chosen on")
    parser.add_argument("--fresh", action="store_true", help="the twelve sets made after all thresholds")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--samples", type=int, default=16, help="paths per pixel")
    parser.add_argument("--only", default="", help="make only files whose path contains this")
    return parser.parse_args()


def write_meshes(folder: Path) -> None:
    """Write the cubes of all sets."""
    for design in [*DESIGNS, *HELD_OUT, *FRESH, PIP_DIE]:
        write_cube(folder / f"{design.name}.obj", design.bevel, design.ball)
    write_cube(folder / "palm.obj", 0.7, 1.35)
    shots.MESHES = folder


def note(folder: Path, name: str, entry: dict[str, Any]) -> None:
    """Add the labels of one picture to those of its set."""
    path = folder / "labels.json"
    labels = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    labels[name] = entry
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(dict(sorted(labels.items())), indent=1) + "\n", encoding="utf-8")
    fresh.replace(path)


def make(job: Job, folder: Path, seed: int, samples: int) -> None:
    """Render one picture and write it with its labels."""
    shot, entry = compose(job, seed)
    rng = job.rng(seed, 99_999)
    few = max(4, round(samples * 1024 * 768 / (shot.design.size[0] * shot.design.size[1])))
    mesh = shots.MESHES / f"{shot.design.name}.obj"
    light = render(describe(shot, mesh, few, rng), int(rng.integers(1 << 30)))
    picture = develop(light, shot.light == "dim", rng)
    note(folder, job.file, entry)
    cv2.imwrite(str(folder / job.file), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])


def wanted(asked: argparse.Namespace) -> list[Job]:
    """Return the pictures of the sets asked for."""
    if asked.fresh:
        return jobs(FRESH, FRESH_KINDS)
    return jobs(HELD_OUT, HELD_OUT_KINDS) if asked.held_out else jobs(DESIGNS[: asked.sets], KINDS)


def main() -> None:
    """Render what is missing."""
    asked = options()
    dr.set_thread_count(asked.threads)
    mi.set_log_level(mi.LogLevel.Error)
    todo = wanted(asked)
    with tempfile.TemporaryDirectory() as folder:
        write_meshes(Path(folder))
        for count, job in enumerate(todo, 1):
            target = asked.out / f"dice-{job.design.name}"
            target.mkdir(parents=True, exist_ok=True)
            path = target / job.file
            if path.exists() or asked.only not in str(path):
                continue
            start = time.monotonic()
            make(job, target, asked.seed, asked.samples)
            print(f"{count}/{len(todo)} {path} {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
