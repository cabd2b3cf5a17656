"""Train the shipped networks: ``python -m vision.training``.

Makes the data, trains all networks (``recipes`` lists them), and writes ``vision/models/*.onnx``;
``vision/models/README.md`` says how long that took. Needs the extra ``train``, the font packages that
``vision.training.fonts`` names, and EGL for MuJoCo (Debian: ``libegl1 libgl1-mesa-dri``).
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

from vision.training.data import SCENES
from vision.training.recipes import MODELS, RECIPES, side_by_side, train

#: Shards of which every network sees at least one of each kind: some learn from a fourth.
_LEAST = 4


def main() -> None:
    """Read the command line, make what is missing, train: as many networks at a time as there are workers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", nargs="*", help=f"which to train, else all: {', '.join(RECIPES)}")
    parser.add_argument("--data", type=Path, default=Path("build/training"), help="folder for the data")
    parser.add_argument(
        "--shards", type=int, default=32, help=f"how much data: shards of {SCENES} scenes and so on, from 4"
    )
    parser.add_argument("--epochs", type=int, help="rounds of training, else what the shipped ones had")
    parser.add_argument("--workers", type=int, default=2, help="processes, one core each")
    options = parser.parse_args()
    unknown = sorted({*options.networks} - {*RECIPES})
    if unknown:
        parser.error(f"there is no network {unknown[0]}: choose among {', '.join(RECIPES)}")
    if options.shards < _LEAST:
        parser.error(f"--shards {options.shards} is too few: from {_LEAST} on every network sees something")
    MODELS.mkdir(exist_ok=True)
    asked = options.networks or list(RECIPES)
    for recipe in (RECIPES[name] for name in asked):
        if recipe.after.isdisjoint(asked):
            recipe.files(options.data, options.shards, options.workers)
    with ProcessPoolExecutor(options.workers, get_context("spawn"), max_tasks_per_child=1) as pool:
        how = options.data, options.shards, options.epochs
        for said in side_by_side(asked, lambda name: pool.submit(train, name, *how)):
            print(said, flush=True)


if __name__ == "__main__":
    main()
