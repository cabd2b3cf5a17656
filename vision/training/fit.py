"""Training: one loop, one loss for each network, fixed seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.colours import LAYERS, as_large, own_colours
from vision.foot import FOOT_EDGE, FOOT_SIDE, axes
from vision.frames import Bytes, Floats, scaled
from vision.nets import CLASSES, STANCE_EDGE, STANCE_SIDE, normalised, normalised_faces, with_places
from vision.outlines import OUTLINE_SIDE, outline_blob
from vision.things import as_shown, covered
from vision.training.muon import Muon, split
from vision.training.nets import ThingsNet
from vision.training.samples import TOP_EDGE

Batch = tuple[Floats, Any]
Loss = Callable[[Any, Any], Any]

#: Whether the processor multiplies numbers of half the length in half the time; what is learnt is kept whole.
_IN_HALF: Final = any(torch.cpu.get_capabilities().get(name) for name in ("avx512_bf16", "amx_bf16"))
#: The part of the rate by which weights shrink in every step.
_DECAY: Final = 1e-3
#: Muon's rate beside AdamW's.
_STEEPER: Final = 2.0
_TEMPERATURE: Final = 0.1
_NEITHER: Final = CLASSES - 1
#: The part of cells where nothing lies of which things are told less than so much, as a logarithm of odds;
#: and how many pictures are looked at a time for that.
_BARE: Final = 0.98
_BARE_TOLD: Final = -1.43
_AT_A_TIME: Final = 10
#: How much smaller, at most, colours of tables are told of than the network sees them.
_COARSEST: Final = 0.6
#: How much more a cell with a thing counts.
_RARE: Final = 4.0
#: How much more often leaning dice are shown than they were made.
_MORE_LEANING: Final = 1
#: How far aside, in halves of the picture's width, a die is taken to lie when it is turned: a deviation.
_ASTRAY: Final = 0.25


@dataclass(frozen=True)
class Batches:
    """The batches of an epoch, made anew from a generator of chance, and how many there are."""

    steps: int
    drawn: Callable[[np.random.Generator], Iterator[Batch]]


def fit(name: str, network: nn.Module, batches: Batches, loss: Loss, epochs: int, rate: float) -> nn.Module:
    """Train with Muon, and AdamW where that does not fit, under one cycle of learning rates.

    Prints the mean loss of each epoch. Raises ``FloatingPointError`` when the loss is no number any more:
    nothing would be learnt from there on.
    """
    network = network.to(memory_format=torch.channels_last)
    matrices, others = split(network)
    both = Muon(matrices, _STEEPER * rate, _DECAY), torch.optim.AdamW(others, rate, weight_decay=_DECAY)
    cycles = [_cycle(one, epochs * batches.steps + 1) for one in both]
    for epoch in range(epochs):
        total, count, network = 0.0, 0, network.train()
        for blob, truth in batches.drawn(np.random.default_rng(epoch)):
            network.zero_grad()
            shown = torch.from_numpy(blob).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16, enabled=_IN_HALF):
                told = network(shown)
            miss = loss(told.float(), truth)
            if not miss.isfinite():
                raise FloatingPointError(f"{name}: the loss of epoch {epoch + 1} is {miss.item()}")
            miss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            for one in (*both, *cycles):
                one.step()
            total, count = total + float(miss.detach()), count + 1
        print(f"{name}: epoch {epoch + 1} of {epochs}: loss {total / count:.4f}", flush=True)
    return network.eval()


def _cycle(optimiser: torch.optim.Optimizer, steps: int) -> Any:
    """Let the rate of an optimiser rise to what it is now, and fall."""
    rate = optimiser.param_groups[0]["lr"]
    return torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, cycle_momentum=False)


def varied(stack: Bytes, rng: np.random.Generator) -> Bytes:
    """Turn pictures (n, h, h, 3) by quarters, swap colours and invert: prints stay what they are."""
    stack = np.rot90(stack, int(rng.integers(4)), axes=(1, 2))
    stack = stack[..., rng.permutation(3)]
    return np.ascontiguousarray(255 - stack if rng.random() < 0.3 else stack)


# --- finder -----------------------------------------------------------------------------------


def finder_batches(pictures: Bytes, maps: Floats, size: int = 16) -> Batches:
    """Shuffle; mirror, swap colours (where a die is does not depend on its chirality)."""

    def batches(rng: np.random.Generator) -> Iterator[Batch]:
        order = rng.permutation(len(pictures))
        for start in range(0, len(order) - size + 1, size):
            some = np.sort(order[start : start + size])
            stack, truth = pictures[some], maps[some].astype(np.float32)
            if rng.random() < 0.5:
                stack, truth = stack[:, :, ::-1], truth[..., ::-1].copy()
                truth[:, 2] *= -1
            if rng.random() < 0.5:
                stack, truth = stack[:, ::-1], truth[:, :, ::-1].copy()
                truth[:, 3] *= -1
            if rng.random() < 0.5:
                stack = stack[..., rng.permutation(3)]
            yield normalised(stack), torch.from_numpy(np.ascontiguousarray(truth))

    return Batches(len(pictures) // size, batches)


def finder_loss(out: Any, truth: Any) -> Any:
    """Focal loss for dice (Zhou and others, "Objects as points", 2019), cross entropy for things."""
    chance, heat, weight = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4), truth[:, 0], truth[:, 5]
    peak = heat > 0.95
    hit = -((1 - chance) ** 2) * torch.log(chance) * peak
    miss = -((1 - heat) ** 4) * chance**2 * torch.log(1 - chance) * ~peak
    dice = (weight * (hit + miss)).sum() / (peak * weight).sum().clamp(min=1)
    things = functional.binary_cross_entropy_with_logits(out[:, 1], truth[:, 1], truth[:, 6])
    near = (heat > 0.4) * weight
    places = ((out[:, 2:5] - truth[:, 2:5]).abs() * near[:, None]).sum() / near.sum().clamp(min=1)
    return dice + 3 * things + 0.5 * places


# --- things -----------------------------------------------------------------------------------


def things_batches(pictures: Bytes, cells: Bytes, size: int = 8) -> Batches:
    """Shuffle; mirror, swap colours. ``cells`` (n, 3, h, w): is it a die's, a thing's, is that asked."""
    colours = colours_of(pictures, cells[:, 0], _COARSEST)

    def batches(rng: np.random.Generator) -> Iterator[Batch]:
        order = rng.permutation(len(pictures))
        for start in range(0, len(order) - size + 1, size):
            some = np.sort(order[start : start + size])
            stack, truth, common = pictures[some], cells[some], colours[some]
            for axis in (1, 2):
                if rng.random() < 0.5:
                    stack, truth = np.flip(stack, axis), np.flip(truth, axis + 1)
                    common = np.flip(common, axis + 1)
            if rng.random() < 0.5:
                stack = stack[..., rng.permutation(3)]
            asked = torch.from_numpy(truth[:, 1:].astype(np.float32))
            yield as_shown(stack, truth[:, 0], common), asked

    return Batches(len(pictures) // size, batches)


def colours_of(pictures: Bytes, marks: Bytes, coarsest: float = 1.0) -> Bytes:
    """Tell how common the colours of pictures (n, h, w, 3) are, (n, ``LAYERS``, h, w), see ``own_colours``.

    ``marks`` are those of their dice's cells (n, h/4, w/4). Each is told of the picture made smaller, down to
    a part: so does the reader, which sees a table in several sizes.
    """
    rng, told = np.random.default_rng(0), np.empty((len(pictures), LAYERS, *pictures.shape[1:3]), np.uint8)
    for number, (picture, known) in enumerate(zip(pictures, marks, strict=True)):
        small = scaled(picture, rng.uniform(coarsest, 1), smooth=False)
        dice = cv2.resize(covered(known, picture.shape), small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        told[number] = as_large(own_colours(small, np.asarray(dice, np.uint8)), picture.shape[1::-1])
    return told


def things_loss(out: Any, truth: Any) -> Any:
    """Cross entropy of every cell, and how little what is marked overlaps what is there (Dice, 1945).

    Cross entropy alone is content for long with marking nothing: things are rare.
    """
    things, asked = truth[:, 0], truth[:, 1]
    weight = asked * (1 + _RARE * things)
    entropy = functional.binary_cross_entropy_with_logits
    cells = entropy(out[:, 0], things, weight, reduction="sum") / weight.sum()
    marked = torch.sigmoid(out[:, 0]) * asked
    both, all_ = (marked * things).sum(), (marked * marked).sum() + things.sum()
    return cells + 1 - (2 * both + 1) / (all_ + 1)


def level_things(network: ThingsNet, unseen: Iterable[tuple[Bytes, Bytes]]) -> float:
    """Raise or lower what it tells until it marks bare tables as often as any other run; return by how much.

    Each run comes to mark a little more or a little less of everything, and thresholds of the reader are
    chosen once. ``unseen`` are pictures (n, h, w, 3) it did not learn from, and their cells (n, 3, h/4, w/4).
    """
    told = [_told(network, pictures, cells)[_asked(cells, thing=False)] for pictures, cells in unseen]
    shift = _BARE_TOLD - float(np.quantile(np.concatenate(told), _BARE))
    network.shift(shift)
    return shift


def found_of_things(network: ThingsNet, pictures: Bytes, cells: Bytes) -> float:
    """Return the part of the cells with things of which more is told than of nearly all bare ones."""
    told = _told(network, pictures, cells)
    things, bare = (told[_asked(cells, thing=thing)] for thing in (True, False))
    return float((things > np.quantile(bare, _BARE)).mean())


def _told(network: ThingsNet, pictures: Bytes, cells: Bytes) -> Floats:
    """Return what a network tells of each cell (n, h/4, w/4)."""
    told, colours = [], colours_of(pictures, cells[:, 0])
    for start in range(0, len(pictures), _AT_A_TIME):
        some = slice(start, start + _AT_A_TIME)
        with torch.no_grad():
            shown = torch.from_numpy(as_shown(pictures[some], cells[some, 0], colours[some]))
            told.append(network(shown).numpy()[:, 0])
    return np.concatenate(told)


def _asked(cells: Bytes, *, thing: bool) -> NDArray[np.bool_]:
    """Mark the cells beside dice that are asked for and show a thing, or none."""
    return (cells[:, 0] == 0) & (cells[:, 1] == thing) & (cells[:, 2] > 0)


# --- outlines ---------------------------------------------------------------------------------


def outline_batches(shown: Bytes, lies: Bytes, size: int = 72, some: int = 20, steps: int = 1000) -> Batches:
    """Yield batches of which ``some`` are things; all shaken, mirrored, and coloured anew.

    There are many outlines of nothing: a round shows as many as fit into its ``steps``.
    """
    things, others = np.flatnonzero(lies), np.flatnonzero(lies == 0)

    def batches(rng: np.random.Generator) -> Iterator[Batch]:
        for _ in range(steps):
            chosen = np.concatenate([rng.choice(things, some), rng.choice(others, size - some)])
            stack = np.array([_shaken(shown[number], rng) for number in chosen])
            for axis in (1, 2):
                if rng.random() < 0.5:
                    stack = np.flip(stack, axis)
            colours = stack[..., :3][..., rng.permutation(3)]
            if rng.random() < 0.5:
                curve = 255 * (np.arange(256) / 255) ** np.exp(rng.normal(0, 0.35))
                colours = np.clip(curve, 0, 255).astype(np.uint8)[colours]
            if rng.random() < 0.3:
                grain = rng.normal(0, rng.uniform(1, 8), colours.shape)
                colours = np.clip(colours + grain, 0, 255).astype(np.uint8)
            seen = outline_blob(np.concatenate([colours, stack[..., 3:]], 3))
            yield seen, torch.from_numpy(lies[chosen].astype(np.float32))

    return Batches(steps, batches)


def _shaken(shown: Bytes, rng: np.random.Generator) -> Bytes:
    """Turn, scale and move what is shown a little, as if its outline were found a little off."""
    turn, middle = rng.normal(0, 0.03), np.full(2, (OUTLINE_SIDE - 1) / 2)
    c, s = np.cos(turn), np.sin(turn)
    way = np.array([[c, -s], [s, c]]) * np.exp(rng.normal(0, 0.03, 2))
    move = np.column_stack([way, middle - way @ middle + rng.normal(0, 0.8, 2)])
    side = (OUTLINE_SIDE, OUTLINE_SIDE)
    return np.asarray(cv2.warpAffine(shown, move, side, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def lies_loss(out: Any, truth: Any) -> Any:
    """Cross entropy of whether something lies there."""
    return functional.binary_cross_entropy_with_logits(out[:, 0], truth)


# --- stance -----------------------------------------------------------------------------------


def stance_batches(crops: Bytes, truths: Floats, size: int = 64) -> Batches:
    """Yield crops turned, shifted, scaled and mirrored anew each time; leaning dice more often.

    Truth is (n, 11): die, flat, dx, dy, log size, cos 4t, sin 4t; weights of flat and of the pose;
    and where it lies, which the network is told.
    """
    shown = _shown((truths[:, 0] > 0) & (truths[:, 1] == 0) & (truths[:, 3] > 0))

    def batches(rng: np.random.Generator) -> Iterator[Batch]:
        order = rng.permutation(shown)
        for start in range(0, len(order) - size + 1, size):
            views = [seen_anew(crops[i], truths[i], rng) for i in order[start : start + size]]
            stack, truth = np.array([view[0] for view in views]), np.array([view[1] for view in views])
            if rng.random() < 0.5:
                stack = stack[..., rng.permutation(3)]
            blob = with_places(normalised(stack), truth[:, 9:])
            yield blob, torch.from_numpy(truth.astype(np.float32))

    return Batches(len(shown) // size, batches)


def _shown(leaning: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Number what is shown in a round: every die, those that lean more often."""
    return np.concatenate([np.arange(len(leaning)), *[np.flatnonzero(leaning)] * _MORE_LEANING])


def seen_anew(crop: Bytes, truth: Floats, rng: np.random.Generator) -> tuple[Bytes, Floats]:
    """Look at a stored crop from a little off, under any turn, perhaps in a mirror."""
    turn, size = rng.uniform(0, 2 * np.pi), float(np.exp(rng.uniform(-0.2, 0.2)))
    off = rng.uniform(-1, 1, 2) * (0.3 if rng.random() < 0.5 else 0.12)
    mirror = rng.choice([-1.0, 1.0])
    c, s = size * np.cos(turn), size * np.sin(turn)
    spin = np.array([[mirror * c, -mirror * s], [s, c]])
    middle, centre = (crop.shape[0] - 1) / 2, (STANCE_SIDE - 1) / 2
    shift = centre + STANCE_EDGE * off - spin @ [middle, middle]
    move = np.column_stack([spin, shift])
    seen = cv2.warpAffine(crop, move, (STANCE_SIDE, STANCE_SIDE), borderMode=cv2.BORDER_REPLICATE)
    angle = 4 * mirror * (truth[2] + turn)
    pose = [*off, np.log(size), np.cos(angle), np.sin(angle)]
    place = spin @ truth[5:7] / size
    row = [truth[0], truth[1], *pose, truth[3], truth[4], *place]
    return np.asarray(seen, np.uint8), np.array(row, np.float32)


def stance_loss(out: Any, truth: Any) -> Any:
    """Cross entropy for die and flat, distance for the pose."""
    die, flat = truth[:, 0], truth[:, 0] * truth[:, 7]
    entropy = functional.binary_cross_entropy_with_logits
    posed = truth[:, 0] * truth[:, 8]
    pose = ((out[:, 2:7] - truth[:, 2:7]).abs().sum(1) * posed).sum() / posed.sum().clamp(min=1)
    # a leaning die taken for flat costs more than the other way round: it would be read
    weight = flat * (1 + (1 - truth[:, 1]))
    flats = entropy(out[:, 1], truth[:, 1], weight, reduction="sum") / weight.sum().clamp(min=1)
    return entropy(out[:, 0], die) + flats + 0.5 * pose


# --- feet -------------------------------------------------------------------------------------


def foot_batches(tops: Bytes, feet: Floats, size: int = 64) -> Batches:
    """Yield tops turned as the reader turns them but for a little, lit anew; leaning dice more often.

    Truth is (n, 2), in edges.
    """
    shown = _shown(feet[:, 5] > 0)

    def batches(rng: np.random.Generator) -> Iterator[Batch]:
        order = rng.permutation(shown)
        for start in range(0, len(order) - size + 1, size):
            views = [top_seen_anew(tops[i], feet[i], rng) for i in order[start : start + size]]
            stack = np.array([view[0] for view in views])[..., rng.permutation(3)]
            yield normalised(stack), torch.from_numpy(np.array([view[1] for view in views], np.float32))

    return Batches(len(shown) // size, batches)


def top_seen_anew(crop: Bytes, truth: Floats, rng: np.random.Generator) -> tuple[Bytes, Floats]:
    """Look at a stored top as the reader measures it: about straight, in the middle and of one size.

    A tilted camera sees other sides than the die's place tells, so the next eighths are learnt, too.
    """
    way = axes(float(truth[2]), *(truth[3:5] + rng.normal(0, _ASTRAY, 2)).tolist())
    turn, size = rng.normal(0, 0.05 if rng.random() < 0.8 else 0.12), float(np.exp(rng.normal(0, 0.03)))
    c, s = size * np.cos(turn), size * np.sin(turn)
    spin = np.array([[c, -s], [s, c]]) @ way.T
    scaled, middle = spin * FOOT_EDGE / TOP_EDGE, (crop.shape[0] - 1) / 2
    centre = (FOOT_SIDE - 1) / 2 + FOOT_EDGE * rng.normal(0, 0.025, 2)
    move = np.column_stack([scaled, centre - scaled @ [middle, middle]])
    seen = cv2.warpAffine(crop, move, (FOOT_SIDE, FOOT_SIDE), borderMode=cv2.BORDER_REPLICATE)
    return _lit_anew(np.asarray(seen, np.uint8), rng), np.asarray(spin @ truth[:2], np.float32)


def _lit_anew(seen: Bytes, rng: np.random.Generator) -> Bytes:
    """Blur some crops, and give some another curve and grain."""
    if rng.random() < 0.3:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 1.0)), np.uint8)
    if rng.random() < 0.3:
        curved = 255 * (seen / 255.0) ** np.exp(rng.normal(0, 0.35))
        seen = np.clip(curved + rng.normal(0, rng.uniform(0, 6), seen.shape), 0, 255).astype(np.uint8)
    return seen


def foot_loss(out: Any, truth: Any) -> Any:
    """Return how unlikely the truth is, errors falling off exponentially over the spread told."""
    spread = out[:, 2].clamp(-5, 1.5)
    miss = (((out[:, :2] - truth) ** 2).sum(1) + 1e-6).sqrt()
    return (miss * torch.exp(-spread) + 2 * spread).mean()


# --- faces ------------------------------------------------------------------------------------


def face_batches(views: Bytes, labels: Bytes, rejects: Bytes, size: int = 64, others: int = 24) -> Batches:
    """Yield all views of ``size`` printed faces, then some rejects; truth is (n, 2): label, which."""
    count = views.shape[1]

    def batches(rng: np.random.Generator) -> Iterator[Batch]:
        order = rng.permutation(len(views))
        for start in range(0, len(order) - size + 1, size):
            some = np.sort(order[start : start + size])
            none = rng.integers(0, len(rejects), others)
            stack = np.concatenate([views[some].reshape(-1, *views.shape[2:]), rejects[none]])
            label = np.concatenate([np.repeat(labels[some], count), np.full(others, _NEITHER)])
            which = np.concatenate([np.repeat(np.arange(size), count), -1 - np.arange(others)])
            mixed = np.concatenate([varied(part, rng) for part in np.split(stack, 8)])
            yield normalised_faces(mixed), torch.from_numpy(np.stack([label, which], 1).astype(np.int64))

    return Batches(len(views) // size, batches)


def face_loss(out: Any, truth: Any) -> Any:
    """Cross entropy, and supervised contrast of the embeddings (Khosla and others, 2020)."""
    label, which = truth[:, 0], truth[:, 1]
    entropy = functional.cross_entropy(out[:, :CLASSES], label, label_smoothing=0.02)
    unit = functional.normalize(out[:, CLASSES:], dim=1)
    same = which[:, None] == which[None]
    alone = torch.eye(len(unit), dtype=torch.bool)
    alike = (unit @ unit.T / _TEMPERATURE).masked_fill(alone, -1e9)
    log = alike - torch.logsumexp(alike, 1, keepdim=True)
    partners = same & ~alone
    some = partners.any(1)
    contrast = -(log * partners).sum(1)[some] / partners.sum(1)[some]
    return entropy + 0.5 * contrast.mean()
