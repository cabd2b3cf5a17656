"""What the reader is compared with: a plain template reader, and a network of YOLO's size.

The template reader is what a weekend gives: colours that differ from the table's, blobs of a
die's size, the owner's crops turned in steps of ten degrees, the best correlation wins. The
network is of the order of the smallest detectors of that family, rather below (2 million weights, 1.6
billion multiplications at 640 by 480), with random weights: it is timed, not judged.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.signals import Die
from vision.calibrate import Calibration
from vision.frames import EDGE, Bytes, cut_out, scaled

_STEP = 10
_SURE = 0.7
_SIDE = 33


class TemplateReader:
    """Blobs and turned templates."""

    def __init__(self, calibration: Calibration) -> None:
        self._edge = calibration.edge_in
        self._faces, self._templates = [], []
        for face in calibration.faces:
            crops = [
                c for c, label in zip(calibration.crops, calibration.labels, strict=True) if label == face
            ]
            for crop in crops[:3]:
                grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
                middle = ((grey.shape[1] - 1) / 2, (grey.shape[0] - 1) / 2)
                for turn in range(0, 360, _STEP):
                    turned = cv2.warpAffine(grey, cv2.getRotationMatrix2D(middle, turn, 1), grey.shape)
                    self._templates.append(cv2.getRectSubPix(turned, (25, 25), middle))
                    self._faces.append(face)

    def read(self, picture: Bytes) -> tuple[Die, ...]:
        """Find blobs and name each."""
        edge = self._edge(picture.shape[1])
        return tuple(self._named(picture, x, y, edge) for x, y in self._blobs(picture, edge))

    def _blobs(self, picture: Bytes, edge: float) -> list[tuple[float, float]]:
        factor = 15 / edge
        small = cv2.GaussianBlur(scaled(picture, factor), (0, 0), 1).astype(np.float32)
        off = np.abs(small - np.median(small, axis=(0, 1))).max(-1)
        mask = cv2.morphologyEx((off > 45).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
        fits = [n for n in range(1, count) if 100 < stats[n, cv2.CC_STAT_AREA] < 500]
        return [(float(centres[n][0] / factor), float(centres[n][1] / factor)) for n in fits]

    def _named(self, picture: Bytes, x: float, y: float, edge: float) -> Die:
        grey = cv2.cvtColor(cut_out(picture, x, y, edge * 36 / EDGE, _SIDE), cv2.COLOR_BGR2GRAY)
        fits = [float(cv2.matchTemplate(grey, t, cv2.TM_CCOEFF_NORMED).max()) for t in self._templates]
        best = int(np.argmax(fits))
        return Die(self._faces[best], x, y, fits[best] / _SURE / 2)


def detector() -> Callable[[Bytes], Any] | None:
    """Build the network of YOLO's size, or nothing where PyTorch is not installed."""
    try:
        import torch  # noqa: PLC0415
        from torch import nn  # noqa: PLC0415
    except ImportError:
        return None

    def block(inner: int, outer: int, stride: int = 1) -> Any:
        return nn.Sequential(nn.Conv2d(inner, outer, 3, stride, 1), nn.SiLU())

    def stage(inner: int, outer: int, depth: int) -> Any:
        return nn.Sequential(block(inner, outer, 2), *[block(outer, outer) for _ in range(depth)])

    layers = [block(3, 16, 2), stage(16, 32, 1), stage(32, 64, 2), stage(64, 128, 2), stage(128, 256, 2)]
    network = nn.Sequential(*layers, nn.Conv2d(256, 12, 1)).eval()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "detector.onnx")
        torch.onnx.export(network, (torch.zeros(1, 3, 480, 640),), path, opset_version=13, dynamo=False)
        runner = cv2.dnn.readNetFromONNX(path)

    def run(picture: Bytes) -> Any:
        runner.setInput(cv2.dnn.blobFromImage(picture, 1 / 255, (640, 480)))
        return runner.forward()

    return run
