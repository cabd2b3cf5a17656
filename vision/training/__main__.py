"""Train the shipped networks: ``python -m vision.training``.

Makes the data, trains finder, things, stance, foot, solid and face, and writes ``vision/models/*.onnx``;
``vision/models/README.md`` says how long that took. Needs the extra ``train``, the font packages that
``vision.training.fonts`` names, and EGL for MuJoCo (Debian: ``libegl1 libgl1-mesa-dri``).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import numpy as np
import torch

from vision.foot import FOOT_SIDE
from vision.nets import FACE_SIDE, STANCE_SIDE, run
from vision.training import data, fit, solid
from vision.training.clutter import SIZE
from vision.training.nets import FaceNet, FinderNet, FootNet, StanceNet, ThingsNet

EPOCHS = {"finder": 8, "things": 15, "stance": 22, "foot": 30, "solid": 10, "face": 8}
MODELS = Path(__file__).parents[1] / "models"
EXAMPLES = {
    "finder": (1, 3, 96, 128),
    "things": (1, 4, *SIZE),
    "stance": (3, 5, STANCE_SIDE, STANCE_SIDE),
    "foot": (3, 3, FOOT_SIDE, FOOT_SIDE),
    "solid": (3, 3, STANCE_SIDE, STANCE_SIDE),
    "face": (3, 3, FACE_SIDE, FACE_SIDE),
}


def seeds(first: int, count: int) -> Sequence[int]:
    """Return the seeds of so many shards."""
    return range(first, first + count)


def train_finder(folder: Path, shards: int, epochs: int, workers: int) -> torch.nn.Module:
    """Train the network that finds dice."""
    paths = data.make(folder, "scenes", data.scene_shard, seeds(1000, shards), workers)
    pictures, maps = data.joined(paths, "pictures"), data.joined(paths, "maps")
    batches = fit.finder_batches(pictures, maps)
    return fit.fit(FinderNet(), batches, fit.finder_loss, epochs, 3e-3)


def train_things(folder: Path, shards: int, epochs: int, workers: int) -> torch.nn.Module:
    """Train the network that marks foreign things, on flat pictures more than on rendered ones."""
    many = shards * 45 // 32
    flat = data.make(folder, "clutter", data.clutter_shard, seeds(9000, many), workers)
    flat += data.make(folder, "cloth", data.cloth_shard, seeds(14000, many), workers)
    scenes = data.make(folder, "scenes", data.scene_shard, seeds(1000, shards // 4), workers)
    drawn = np.stack([data.joined(flat, key) for key in ("marks", "things", "asked")], 1)
    rendered = data.marked(data.joined(scenes, "maps"))
    pictures = np.concatenate([data.joined(flat, "picture"), data.joined(scenes, "pictures")])
    batches = fit.things_batches(pictures, np.concatenate([drawn, rendered]))
    return fit.fit(ThingsNet(), batches, fit.things_loss, epochs, 3e-3)


def train_stance(folder: Path, shards: int, epochs: int, workers: int) -> torch.nn.Module:
    """Train the network that tells flat dice from leaning ones."""
    paths = data.make(folder, "scenes", data.scene_shard, seeds(1000, shards), workers)
    crops, truths = data.joined(paths, "crops"), data.joined(paths, "truths")
    batches = fit.stance_batches(crops, truths)
    return fit.fit(StanceNet(), batches, fit.stance_loss, epochs, 3e-3)


def train_foot(folder: Path, shards: int, epochs: int, workers: int) -> torch.nn.Module:
    """Train the network that tells where the foot of a die is seen."""
    paths = data.make(folder, "scenes", data.scene_shard, seeds(1000, shards * 2), workers)
    batches = fit.foot_batches(data.joined(paths, "tops"), data.joined(paths, "feet"))
    return fit.fit(FootNet(), batches, fit.foot_loss, epochs, 3e-3)


def train_solid(folder: Path, shards: int, epochs: int, workers: int) -> torch.nn.Module:
    """Train the network that tells what stands on a table from what is printed on it."""
    drawn, rendered = seeds(12002, shards * 5 // 8), seeds(1000, shards // 4)
    return solid.train(folder, drawn, rendered, epochs, workers)


def train_face(folder: Path, shards: int, epochs: int, workers: int) -> torch.nn.Module:
    """Train the network that reads numerals and llamas and places any print among others."""
    paths = data.make(folder, "faces", data.face_shard, seeds(5000, shards), workers)
    views, labels, rejects = (data.joined(paths, key) for key in ("views", "labels", "rejects"))
    batches = fit.face_batches(views, labels, rejects)
    return fit.fit(FaceNet(), batches, fit.face_loss, epochs, 4e-3)


JOBS = {"finder": train_finder, "things": train_things, "stance": train_stance}
JOBS |= {"foot": train_foot, "solid": train_solid, "face": train_face}


def export(network: torch.nn.Module, name: str) -> None:
    """Write a network as ONNX and check that OpenCV computes the same."""
    example = torch.randn(*EXAMPLES[name], generator=torch.Generator().manual_seed(1))
    axes = {0: "n"} | ({2: "h", 3: "w"} if name in {"finder", "things"} else {})
    with torch.no_grad():
        expected = network(example).numpy()
        torch.onnx.export(
            network, (example,), str(MODELS / f"{name}.onnx"), opset_version=13, dynamo=False,
            input_names=["picture"], output_names=["out"], dynamic_axes={"picture": axes},
        )  # fmt: skip
    run.__globals__["_network"].cache_clear()
    miss = float(np.abs(run(name, example.numpy()) - expected).max())
    if miss > 1e-3:
        raise SystemExit(f"OpenCV computes {name} differently, by {miss:.4f}")
    print(f"{MODELS / name}.onnx written; OpenCV agrees to {miss:.1e}")


def main() -> None:
    """Read the command line, make what is missing, train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", nargs="*", default=list(EPOCHS), help="which to train")
    parser.add_argument("--data", type=Path, default=Path("build/training"), help="folder for the data")
    parser.add_argument(
        "--scenes", type=int, default=32, help=f"shards of {data.SCENES} scenes or flat pictures"
    )
    parser.add_argument("--faces", type=int, default=40, help=f"shards of {data.FACES} printed faces")
    parser.add_argument("--epochs", type=int, help="rounds of training, else what the shipped ones had")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    MODELS.mkdir(exist_ok=True)
    for name in options.networks:
        torch.manual_seed(1)
        print(name, flush=True)
        shards = options.faces if name == "face" else options.scenes
        job = JOBS[name]
        epochs = options.epochs or EPOCHS[name]
        export(job(options.data, shards, epochs, options.workers), name)


if __name__ == "__main__":
    main()
