"""Train the shipped networks: ``python -m vision.training``.

Makes the data, trains all networks (``recipes`` lists them), and writes ``vision/models/*.onnx``;
``vision/models/README.md`` says how long that took. Needs the extra ``train``, the font packages that
``vision.training.fonts`` names, and EGL for MuJoCo (Debian: ``libegl1 libgl1-mesa-dri``).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")
# Each worker has a core: more threads of Mesa's rasteriser only wait for each other, a tenth of the time.
os.environ.setdefault("LP_NUM_THREADS", "0")
# The C library of Linux gives large blocks of memory back after every step, and fetching them anew may take a
# third of the time; workers, being started later, heed this.
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(1 << 31))
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(1 << 33))

try:
    from vision.training.data import SCENES
    from vision.training.fonts import FontsMissing, fonts, symbols
    from vision.training.recipes import MODELS, RECIPES, side_by_side, train, turns
except ModuleNotFoundError as error:
    sys.exit(f"training needs {error.name}: pip install -e '.[train]'")

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
        "--shards", type=int, default=20, help=f"how much data: shards of {SCENES} scenes and so on, from 4"
    )
    parser.add_argument("--epochs", type=int, help="rounds of training, else those of each recipe")
    parser.add_argument("--workers", type=int, default=2, help="processes, one core each")
    options = parser.parse_args()
    unknown = sorted({*options.networks} - {*RECIPES})
    if unknown:
        parser.error(f"there is no network {unknown[0]}: choose among {', '.join(RECIPES)}")
    if options.shards < _LEAST:
        parser.error(f"--shards {options.shards} is too few: from {_LEAST} on every network sees something")
    for option, number in (("--epochs", options.epochs), ("--workers", options.workers)):
        if number is not None and number < 1:
            parser.error(f"{option} {number} is too few: 1 is the least")
    try:
        fonts(), symbols()  # what lacks them fails after minutes, far from here
    except FontsMissing as error:
        sys.exit(f"training needs more fonts: {error}")
    MODELS.mkdir(exist_ok=True)
    for names in turns(options.networks or RECIPES):
        for name in names:
            RECIPES[name].files(options.data, options.shards, options.workers)
        _train(names, options)


def _train(names: Sequence[str], options: argparse.Namespace) -> None:
    """Train networks whose shards are there, and print what each says."""
    how = options.data, options.shards, options.epochs
    with ProcessPoolExecutor(options.workers, get_context("spawn"), max_tasks_per_child=1) as pool:
        for said in side_by_side(names, lambda name: pool.submit(train, name, *how)):
            print(said, flush=True)


if __name__ == "__main__":
    main()
