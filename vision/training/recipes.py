"""How each shipped network comes about: what it learns from, for how long, and how it is written down."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, as_completed
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import onnx
import torch
from torch import nn

from vision.foot import FOOT_SIDE
from vision.frames import Bytes, Floats
from vision.nets import FACE_SIDE, STANCE_SIDE, run
from vision.outlines import OUTLINE_SIDE, Kind
from vision.things import CHANNELS
from vision.training import data, fit, outlined, solid
from vision.training.clutter import SIZE
from vision.training.fit import Batches, Loss
from vision.training.nets import (
    FaceNet,
    FinderNet,
    FootNet,
    OutlineAgainNet,
    OutlineNet,
    StanceNet,
    ThingsNet,
)
from vision.training.outlined import Lesson
from vision.training.solid import SolidNet

MODELS: Final = Path(__file__).parents[1] / "models"

#: How much what OpenCV computes may differ; and with rounded weights, as a part of the largest: things, which
#: divides by how much the picture varies, differs most.
_SAME: Final = 1e-3
_ROUNDED: Final = 5e-3

#: What no network learns from, by the name of its shards: tables as far away as they are learnt, and nearer.
_UNSEEN: Final[dict[str, data.Maker]] = {
    "clutter": data.clutter_shard,
    "cloth": data.cloth_shard,
    "clutter_close": data.clutter_close_shard,
    "cloth_close": data.cloth_close_shard,
    "littered": data.littered_shard,
}

#: Where shards lie, by what they show.
Files = dict[str, list[Path]]


class Recipe(NamedTuple):
    """How a network comes about: its shards, what they teach, for how many rounds, and how fast.

    ``files`` makes the shards in a folder: so many, by so many processes. ``example`` is the shape of what
    the network sees, ``first`` says that the shards of others are made with it, ``level`` levels it.
    """

    network: type[nn.Module]
    files: Callable[[Path, int, int], Files]
    batches: Callable[[Files], Batches]
    loss: Loss
    epochs: int
    rate: float
    example: tuple[int, ...]
    first: bool = False
    level: Callable[[Any, Files], None] | None = None


def seeds(first: int, count: int) -> Sequence[int]:
    """Return the seeds of so many shards."""
    return range(first, first + count)


def _scenes(folder: Path, shards: int, workers: int) -> Files:
    return {"scenes": data.make(folder, "scenes", data.scene_shard, seeds(1000, shards), workers)}


def _more_scenes(folder: Path, shards: int, workers: int) -> Files:
    return _scenes(folder, shards * 3 // 2, workers)


def _finder(files: Files) -> Batches:
    return fit.finder_batches(*(data.joined(files["scenes"], key) for key in ("pictures", "maps")))


def _stance(files: Files) -> Batches:
    return fit.stance_batches(*(data.joined(files["scenes"], key) for key in ("crops", "truths")))


def _foot(files: Files) -> Batches:
    return fit.foot_batches(*(data.joined(files["scenes"], key) for key in ("tops", "feet")))


def _thing_files(folder: Path, shards: int, workers: int) -> Files:
    """Make flat pictures, half of them of printed cloths, rendered ones with odd bodies, and a few scenes."""
    many = shards * 5 // 4
    tables = data.make(folder, "clutter", data.clutter_shard, seeds(9000, many), workers)
    tables += data.make(folder, "cloth", data.cloth_shard, seeds(14000, many), workers)
    tables += data.make(folder, "odds", data.odds_shard, seeds(20000, shards), workers)
    unseen = [
        path
        for name, maker in _UNSEEN.items()
        for path in data.make(folder, name, maker, seeds(90001, 1), workers)
    ]
    return {"tables": tables, "unseen": unseen, **_scenes(folder, shards // 4, workers)}


def _things(files: Files) -> Batches:
    tables, scenes = files["tables"], files["scenes"]
    marked = data.marked(data.joined(scenes, "maps"))
    pictures = np.concatenate([data.joined(tables, "picture"), data.joined(scenes, "pictures")])
    return fit.things_batches(pictures, np.concatenate([_cells(tables), marked]))


def _cells(paths: Sequence[Path]) -> Bytes:
    """Load (n, 3, h, w) what cells are, as ``clutter.Sample`` tells it: a die's, a thing's, asked."""
    return np.stack([data.joined(paths, key) for key in ("marks", "things", "asked")], 1)


def _level_things(network: Any, files: Files) -> None:
    unseen = {one.stem: (data.joined([one], "picture"), _cells([one])) for one in files["unseen"]}
    print(f"things: levelled by {fit.level_things(network, unseen.values()):+.2f}", flush=True)
    for name, shown in unseen.items():
        found = fit.found_of_things(network, *shown)
        print(f"things: {found:.0%} of what lies in {name} is told", flush=True)


def _outline_files(folder: Path, shards: int, workers: int) -> Files:
    return {"outlined": outlined.make(folder, shards, workers)}


def _outline(files: Files) -> Batches:
    shown, lies, kinds = (data.joined(files["outlined"], key) for key in Lesson._fields)
    for kind in Kind:
        things, every = int(lies[kinds == kind].sum()), int((kinds == kind).sum())
        print(f"outline: {kind.name.lower()}: {things} of things, {every - things} of others", flush=True)
    return fit.outline_batches(shown, lies)


def _face_files(folder: Path, shards: int, workers: int) -> Files:
    return {"faces": data.make(folder, "faces", data.face_shard, seeds(5000, shards * 5 // 4), workers)}


def _face(files: Files) -> Batches:
    return fit.face_batches(*(data.joined(files["faces"], key) for key in ("views", "labels", "rejects")))


def _solid_files(folder: Path, shards: int, workers: int) -> Files:
    drawn = solid.make(folder, seeds(12002, shards * 5 // 8), workers)
    return {"flat": drawn, **_scenes(folder, shards // 4, workers)}


def _solid(files: Files) -> Batches:
    pictures, stands = (data.joined(files["flat"], key) for key in ("pictures", "stands"))
    crops, truths = (data.joined(files["scenes"], key) for key in ("crops", "truths"))
    return solid.batches(pictures, stands, crops, truths)


_OUTLINE: Final = Recipe(
    OutlineNet, _outline_files, _outline, fit.lies_loss, 10, 3e-3, (3, 4, OUTLINE_SIDE, OUTLINE_SIDE)
)

#: The longest first of those that are trained side by side.
RECIPES: Final = {
    "stance": Recipe(
        StanceNet, _scenes, _stance, fit.stance_loss, 11, 3e-3, (3, 5, STANCE_SIDE, STANCE_SIDE), first=True
    ),
    "finder": Recipe(FinderNet, _scenes, _finder, fit.finder_loss, 5, 3e-3, (1, 3, 96, 128), first=True),
    "things": Recipe(
        ThingsNet, _thing_files, _things, fit.things_loss, 7, 3e-3, (1, CHANNELS, *SIZE), level=_level_things
    ),
    "outline_again": _OUTLINE._replace(network=OutlineAgainNet, epochs=20),
    "foot": Recipe(FootNet, _more_scenes, _foot, fit.foot_loss, 18, 3e-3, (3, 3, FOOT_SIDE, FOOT_SIDE)),
    "outline": _OUTLINE,
    "solid": Recipe(
        SolidNet, _solid_files, _solid, fit.lies_loss, 12, 3e-3, (3, 3, STANCE_SIDE, STANCE_SIDE)
    ),
    "face": Recipe(FaceNet, _face_files, _face, fit.face_loss, 5, 4e-3, (3, 3, FACE_SIDE, FACE_SIDE)),
}


def turns(asked: Collection[str]) -> list[list[str]]:
    """Sort networks into those with which the shards of others are made, and those others."""
    chosen = [name for name in RECIPES if name in asked]
    first = [name for name in chosen if RECIPES[name].first]
    return [names for names in (first, [name for name in chosen if name not in first]) if names]


def side_by_side(names: Sequence[str], begin: Callable[[str], Future[str]]) -> Iterator[str]:
    """Begin to train networks, and yield what each says when it is done.

    Raises what went wrong with one of them; the others, being begun, are trained all the same.
    """
    for trained in as_completed([begin(name) for name in names]):
        yield trained.result()


def train(name: str, folder: Path, shards: int, epochs: int | None) -> str:
    """Train a network on one core, from its shards in a folder, and export it; return what to say."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    recipe = RECIPES[name]
    files = recipe.files(folder, shards, 1)
    network = fit.fit(
        name, recipe.network(), recipe.batches(files), recipe.loss, epochs or recipe.epochs, recipe.rate
    )
    if recipe.level:
        recipe.level(network, files)
    return export(network, name)


def export(network: nn.Module, name: str) -> str:
    """Write a network as ONNX, its weights in half precision, and check that OpenCV computes the same."""
    shape, path = RECIPES[name].example, MODELS / f"{name}.onnx"
    example = torch.randn(*shape, generator=torch.Generator().manual_seed(1))
    axes = {0: "n"} | ({2: "h", 3: "w"} if name in {"finder", "things"} else {})
    with torch.no_grad():
        expected = network(example).numpy()
        torch.onnx.export(
            network, (example,), str(path), opset_version=13, dynamo=False,
            input_names=["picture"], output_names=["out"], dynamic_axes={"picture": axes},
        )  # fmt: skip
    whole = _missed(name, example.numpy(), expected)
    _halve(path)
    rounded = _missed(name, example.numpy(), expected) / max(1.0, float(np.abs(expected).max()))
    if whole > _SAME or rounded > _ROUNDED:
        raise SystemExit(f"OpenCV computes {name} differently, by {whole:.4f}; rounded {rounded:.4f}")
    return f"{path} written; OpenCV agrees to {whole:.1e}, rounded to a part of {rounded:.1e}"


def _missed(name: str, example: Floats, expected: Floats) -> float:
    """Return by how much OpenCV computes differently what a network tells, from its file as it is now."""
    run.__globals__["_NETWORKS"].read.clear()
    return float(np.abs(run(name, example) - expected).max())


def _halve(path: Path) -> None:
    """Keep a network's weights in half precision: they are as good, and the file half as large."""
    model = onnx.load(str(path))
    whole, halves, casts = model.graph.initializer, [], []
    for tensor in [one for one in whole if one.data_type == onnx.TensorProto.FLOAT]:
        half = onnx.numpy_helper.to_array(tensor).astype(np.float16)
        halves.append(onnx.numpy_helper.from_array(half, f"{tensor.name}_half"))
        to = onnx.TensorProto.FLOAT
        casts.append(onnx.helper.make_node("Cast", [halves[-1].name], [tensor.name], to=to))
        whole.remove(tensor)
    whole.extend(halves)
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
