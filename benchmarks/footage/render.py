"""Render our own footage of dice sets nobody has seen, to measure the reader on, never to train it.

    python benchmarks/footage/render.py --sets N --out DIR --seed S [--threads T] [--samples M] [--only TEXT]
    python benchmarks/footage/render.py --held-out --out DIR --seed S …
    python benchmarks/footage/render.py --fresh --out DIR --seed S … [--darker PART …] [--table NAME]
    python benchmarks/footage/render.py --home --out DIR --seed S … [--around]
    python benchmarks/footage/render.py --unlike --out DIR --seed S …
    python benchmarks/footage/render.py --later --out DIR --seed S … [--long]

Writes ``DIR/dice-NAME/*.jpg`` with ``labels.json``; what is there already is kept, so a stopped run
goes on where it was. ``--darker`` writes the same scenes once more, as ``DIR-PART``, with only that part
of the light that a camera lets in by itself. ``--home`` lets each of the fresh sets stay in one tray and
one light, under one camera whose exposure is locked to the empty tray, as at a table where games are
played; with ``--around`` it sees more of the table, and what lies there: cards, coins, spare dice, hands,
and now and then one of the three dice. ``--unlike`` renders other dice with other things on other tables in
other lights, by a camera that sharpens, ``--later`` others again in a third world. ``--long`` lets foreign
things of any of these be long and thin: straws, cords, spoons, scissors, brushes, clips, ``--things`` the
ones named. ``--table`` lets all pictures taken anywhere show one kind of table. Needs ``pip install mitsuba``
(to be fast a graphics card that CUDA knows, or else LLVM: name its library in ``DRJIT_LIBLLVM_PATH``) and the
fonts that ``designs.py`` names.
"""

from __future__ import annotations

import argparse
import copy
import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import drjit as dr
import mitsuba as mi
import numpy as np

try:
    mi.set_variant("cuda_ad_rgb")
    dr.eval(dr.cuda.Float(1) + 1)
except Exception:  # noqa: BLE001 - whatever is wrong with the graphics card, LLVM may work
    try:
        mi.set_variant("llvm_ad_rgb")
        dr.eval(dr.llvm.Float(1) + 1)
    except Exception:  # noqa: BLE001 - and whatever is wrong with that, the slow variant does
        mi.set_variant("scalar_rgb")

import shots
from designs import DESIGNS, FRESH, HELD_OUT, LATER, UNLIKE
from layout import Random
from lights import DARK
from scene import Shot, describe, develop, gain_of, processed, render
from shots import (
    AFTER,
    AROUND_KINDS,
    FRESH_KINDS,
    HELD_OUT_KINDS,
    HOME_KINDS,
    KINDS,
    LONG,
    OTHER,
    UNLIKE_KINDS,
    USUAL,
    Job,
    at_home,
    compose,
    jobs,
)
from solids import Array, write_cube
from surfaces import FURTHER_TABLES, LATER_TABLES, OTHER_TABLES, TABLES
from things import PIP_DIE, ROOM

#: Part of the light that a camera finds too little of in a dim room.
DIM = 0.2


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--sets", type=int, default=len(DESIGNS), help="how many sets, in the order of designs.py"
    )
    parser.add_argument("--held-out", action="store_true", help="five further sets")
    parser.add_argument("--fresh", action="store_true", help="the twelve sets of I to Y")
    parser.add_argument("--home", action="store_true", help="the same twelve, ten or nine, each in one place")
    parser.add_argument("--around", action="store_true", help="these, and things lie around the tray")
    parser.add_argument("--unlike", action="store_true", help="ten sets unlike all others, in another world")
    parser.add_argument("--later", action="store_true", help="nine sets unlike these, in a third world")
    things = parser.add_mutually_exclusive_group()
    things.add_argument("--long", action="store_true", help="foreign things are long and thin ones")
    things.add_argument("--things", nargs="+", choices=[*ROOM, "hand"], help="foreign things are these")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--samples", type=int, default=16, help="paths per pixel")
    parser.add_argument("--darker", type=float, nargs="*", default=[], help="parts of the light, 0 to 1")
    parser.add_argument(
        "--table",
        choices=(*TABLES, *OTHER_TABLES, *FURTHER_TABLES, *LATER_TABLES),
        help="what dice lie on, but in calibrations elsewhere",
    )
    parser.add_argument("--only", nargs="+", default=[""], help="make only files whose path contains one")
    return parser.parse_args()


def write_meshes(folder: Path) -> None:
    """Write the cubes of all sets."""
    for design in [*DESIGNS, *HELD_OUT, *FRESH, *UNLIKE, *LATER, PIP_DIE]:
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


def make(job: Job, asked: argparse.Namespace) -> None:
    """Render one scene and write its pictures with their labels."""
    seed = asked.seed
    shot, entry = compose(job, seed)
    rng = job.rng(seed, 99_999)
    light = _light(shot, asked.samples, rng)
    locked = _locked(job, seed, asked.samples) if job.home else None
    dark = shot.light in DARK
    for part in sorted({1.0, *asked.darker}):  # the whole light last: that picture says that all are there
        picture = develop(light, part * (DIM if dark else 1.0), dark, copy.deepcopy(rng), locked)
        picture, quality = (processed(picture), 82) if job.world.sharpened else (picture, 90)
        folder = where(asked.out, part, job)
        note(folder, job.file, entry)
        cv2.imwrite(str(folder / job.file), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])


def _light(shot: Shot, samples: int, rng: Random) -> Array:
    few = max(4, round(samples * 1024 * 768 / (shot.design.size[0] * shot.design.size[1])))
    mesh = shots.MESHES / f"{shot.design.name}.obj"
    return render(describe(shot, mesh, few, rng), int(rng.integers(1 << 30)))


_LOCKED: dict[str, float] = {}


def _locked(job: Job, seed: int, samples: int) -> float:
    """Return the exposure that a camera finds for the empty tray of a set."""
    if job.design.name not in _LOCKED:
        empty = _light(at_home(job, seed), samples, np.random.default_rng([seed, job.set_number, 1]))
        _LOCKED[job.design.name] = gain_of(empty)
    return _LOCKED[job.design.name]


def where(out: Path, part: float, job: Job) -> Path:
    """Return the folder of a picture with a part of the light, and make it."""
    folder = (out if part == 1.0 else out.with_name(f"{out.name}-{part:g}")) / f"dice-{job.design.name}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def wanted(asked: argparse.Namespace) -> list[Job]:
    """Return the pictures of the sets asked for."""
    sets, world = (LATER, AFTER) if asked.later else (UNLIKE, OTHER) if asked.unlike else (FRESH, USUAL)
    if asked.table:
        world = replace(world, tables=(asked.table,) * len(world.tables))
    if asked.long or asked.things:
        world = replace(world, things=LONG if asked.long else tuple(asked.things))
    if asked.home:
        return jobs(sets, AROUND_KINDS if asked.around else HOME_KINDS, world, True, asked.around)
    if asked.later or asked.unlike:
        return jobs(sets, UNLIKE_KINDS, world)
    if asked.fresh:
        return jobs(sets, FRESH_KINDS, world)
    return jobs(*((HELD_OUT, HELD_OUT_KINDS) if asked.held_out else (DESIGNS[: asked.sets], KINDS)), world)


def main() -> None:
    """Render what is missing."""
    asked = options()
    dr.set_thread_count(asked.threads)
    mi.set_log_level(mi.LogLevel.Error)
    todo = wanted(asked)
    with tempfile.TemporaryDirectory() as folder:
        write_meshes(Path(folder))
        for count, job in enumerate(todo, 1):
            path = where(asked.out, 1.0, job) / job.file
            if path.exists() or not any(text in str(path) for text in asked.only):
                continue
            start = time.monotonic()
            make(job, asked)
            print(f"{count}/{len(todo)} {path} {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
