"""Making the training data in shards, each from a seed of its own, so that it is the same anywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.frames import Bytes, Floats
from vision.nets import CELL, FACE_SIDE
from vision.training.clutter import CLOSE_EDGE, CLOSE_SIZE, COVERED, SLIGHT, Ground, Sample, plain, sample
from vision.training.crops import identity, rejects, views
from vision.training.littered import littered, with_odds
from vision.training.samples import FinderSample, finder_sample, foot_samples, stance_samples
from vision.training.scenes import scenes
from vision.training.stamps import cloth

#: In a shard: scenes; pictures of cluttered tables; printed faces, views of each, and rejects.
SCENES: Final = 250
CLUTTERS: Final = 250
FACES: Final = 1000
VIEWS: Final = 4
REJECTS: Final = 400

#: Part of a picture that foreign things may cover: one that is nothing else might as well be a table.
_MOST_OF_IT: Final = 0.5

#: A die's edge in pictures of bodies of any shape: about as large as things are looked for; px.
_EDGES: Final = (13.0, 20.0)

#: How much the finder's map tells of a die at the border of its mark, see ``things.marks``.
_ON_A_DIE: Final = 0.011

Maker = Callable[[int], dict[str, Bytes | Floats]]


def scene_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make pictures and maps for the finder, crops and truths for the stance, tops and feet."""
    rng = np.random.default_rng(seed)
    found = list(islice(scenes(seed), SCENES))
    wholes = [finder_sample(scene, rng) for scene in found]
    crops = [sample for scene in found for sample in stance_samples(scene, rng)]
    tops = [sample for scene in found for sample in foot_samples(scene)]
    return {
        "pictures": np.array([one.picture for one in wholes]),
        "maps": np.array([one.maps for one in wholes], np.float16),
        "crops": np.array([one.crop for one in crops]),
        "truths": np.array([one.truth for one in crops], np.float32),
        "tops": np.array([one.crop for one in tops]),
        "feet": np.array([one.truth for one in tops], np.float32),
    }


def clutter_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make pictures of cluttered tables, and for each cell what ``clutter.Sample`` says."""
    return _cluttered(seed, plain)


def cloth_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make the same of tables with printed cloths."""
    return _cluttered(seed, partial(cloth, plates=False))


def clutter_close_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make pictures as ``clutter_shard`` does, looked at closely."""
    return _cluttered(seed, plain, closely=True)


def cloth_close_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make pictures as ``cloth_shard`` does, looked at closely."""
    return _cluttered(seed, partial(cloth, plates=False), closely=True)


def littered_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make the same from rendered scenes, two pictures of each, see ``littered``."""
    rng, found = np.random.default_rng(seed), []
    for one in islice(littered(seed), SCENES):
        found += [finder_sample(one, rng, CLOSE_EDGE, CLOSE_SIZE) for _ in range(2)]
    return _rendered(found)


def odds_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make the same with bodies of any shape, as far away as things are looked for."""
    rng, found = np.random.default_rng(seed), []
    for one in islice(with_odds(seed), SCENES):
        for edge in rng.uniform(*_EDGES, 2).tolist():
            found.append(finder_sample(one, rng, edge, covered=COVERED))
            _unasked(found[-1].maps, edge)
    return _rendered(found)


def _unasked(maps: Floats, edge: float) -> None:
    """Do not ask for things of which too little is seen, in maps in which an edge is so many pixels."""
    _, labels, parts, _ = cv2.connectedComponentsWithStats(maps[1].astype(np.uint8), connectivity=8)
    slight = parts[:, cv2.CC_STAT_AREA] * CELL**2 < SLIGHT * edge**2
    maps[6][slight[labels] & (maps[1] > 0)] = 0


def _rendered(found: Sequence[FinderSample]) -> dict[str, Bytes | Floats]:
    """Return the pictures that show more than a thing, and for each cell what ``clutter.Sample`` says."""
    maps = np.array([one.maps for one in found])
    cells = marked(maps)
    cells[:, 2] |= cells[:, 1] & (maps[:, 6] > 0)  # other dice are foreign, too
    seen = cells[:, 1].mean((1, 2)) < _MOST_OF_IT
    parts = np.array([one.picture for one in found]), *cells.transpose(1, 0, 2, 3)
    return {name: part[seen] for name, part in zip(Sample._fields, parts, strict=True)}


def _cluttered(seed: int, ground: Ground, closely: bool = False) -> dict[str, Bytes | Floats]:
    rng = np.random.default_rng(seed)
    parts = zip(*(sample(rng, ground, closely) for _ in range(CLUTTERS)), strict=True)
    return {name: np.array(part) for name, part in zip(Sample._fields, parts, strict=True)}


def face_shard(seed: int) -> dict[str, Bytes | Floats]:
    """Make views (FACES, VIEWS, side, side, 3) and labels of printed faces, and rejects."""
    rng = np.random.default_rng(seed)
    printed = [identity(rng) for _ in range(FACES)]
    return {
        "views": np.array([views(rng, one, VIEWS) for one in printed]),
        "labels": np.array([one.label for one in printed], np.uint8),
        "rejects": rejects(rng, REJECTS).reshape(-1, FACE_SIDE, FACE_SIDE, 3),
    }


def make(folder: Path, name: str, maker: Maker, seeds: Sequence[int], workers: int) -> list[Path]:
    """Make the shards that are not there yet and return their files, in the order of the seeds."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}-{seed:05d}.npz" for seed in seeds]
    jobs = [(maker, seed, path) for seed, path in zip(seeds, paths, strict=True) if not path.exists()]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for number, _ in enumerate(pool.map(_write, jobs), 1):
            print(f"{name}: {number} of {len(jobs)} shards", flush=True)
    return paths


def _write(job: tuple[Maker, int, Path]) -> None:
    maker, seed, path = job
    part = path.with_suffix(".part.npz")
    np.savez(part, **maker(seed))  # type: ignore[arg-type]
    part.replace(path)


def marked(maps: Floats) -> Bytes:
    """Return which cells (n, 3, h, w) are a die's, a thing's, and asked for, by the finder's maps."""
    asked = (maps[:, 5] > 0) & (maps[:, 6] > 0)
    return np.stack([maps[:, 0] > _ON_A_DIE, maps[:, 1] > 0, asked], 1).astype(np.uint8)


def joined(paths: Sequence[Path], key: str) -> Any:
    """Load one array out of all shards, one after the other."""
    parts = []
    for path in paths:
        with np.load(path) as shard:
            parts.append(shard[key])
    return np.concatenate(parts)
