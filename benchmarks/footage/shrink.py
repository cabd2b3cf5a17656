"""Shrink graded stills so that they can live with the tests.

python benchmarks/footage/shrink.py FOLDER OUT [--width 800] [--most 10]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2

_QUALITY = 80


def smaller(entry: dict[str, Any], factor: float) -> dict[str, Any]:
    """Scale the places and edges of an entry's dice."""

    def scaled(die: dict[str, Any]) -> dict[str, Any]:
        x, y = ((die[key] + 0.5) * factor - 0.5 for key in ("x", "y"))
        return die | {"x": round(x, 1), "y": round(y, 1), "edge_px": round(die["edge_px"] * factor, 1)}

    kept = entry | {"dice": [scaled(die) for die in entry["dice"]]}
    return kept | ({"extra": [scaled(die) for die in entry["extra"]]} if "extra" in entry else {})


def main() -> None:
    """Read the command line and write the smaller folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--width", type=int, default=800)
    parser.add_argument("--most", type=int, default=10, help="pictures kept of each kind")
    options = parser.parse_args()
    labels = json.loads((options.folder / "labels.json").read_text(encoding="utf-8"))
    options.out.mkdir(parents=True, exist_ok=True)
    kept: dict[str, Any] = {}
    counts = Counter[str]()
    for name in sorted(labels):
        kind, path = name.split("_")[0], options.folder / name
        if not path.exists() or counts[kind] >= options.most:
            continue
        counts[kind] += 1
        picture = cv2.imread(str(path))
        factor = options.width / picture.shape[1]
        picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(options.out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        kept[name] = smaller(labels[name], factor)
    (options.out / "labels.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
