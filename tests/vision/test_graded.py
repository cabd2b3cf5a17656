"""What grades the reader takes labels as calibrating does, and ends with a sentence where they are wrong."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from cases import cases

ROOT = Path(__file__).parents[2]
BONE = Path(__file__).parent / "footage" / "bone"
ROLLS = ["dice_0_000.jpg", "dice_0_001.jpg"]


def spelt(labels):
    for entry in labels.values():
        for die in entry["dice"]:
            die["face"] = int(die["face"]) if die["face"].isdecimal() else die["face"]


SPOILT = {
    "numbers for faces": (spelt, 0, "2      2      0      0"),
    "no edge": (lambda labels: labels[ROLLS[1]]["dice"][0].pop("edge_px"), 1, "has no edge_px"),
    "another letter": (lambda labels: labels[ROLLS[1]]["dice"][0].update(face="l"), 1, "is labelled 'l'"),
    "no dice": (lambda labels: labels[ROLLS[1]].clear(), 1, "lists no dice for dice_0_001.jpg"),
    "another name": (lambda labels: labels.update(roll={"dice": []}), 1, "what does roll show?"),
    "a picture too many": (lambda labels: labels.update(dice_9={"dice": []}), 0, "dice_9 is not there"),
}


@cases("how", SPOILT, quick=2)
def test_labels_are_checked_before_a_reader_is_judged_by_them(how, tmp_path):
    labels = json.loads((BONE / "labels.json").read_text(encoding="utf-8"))
    labels = {name: entry for name, entry in labels.items() if name.startswith("calib") or name in ROLLS}
    for name in labels:
        shutil.copy(BONE / name, tmp_path)
    change, status, said = SPOILT[how]
    change(labels)
    (tmp_path / "labels.json").write_text(json.dumps(labels), encoding="utf-8-sig")
    run = [sys.executable, ROOT / "benchmarks" / "accuracy.py", tmp_path]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert said in (done.stderr if status else done.stdout)
    assert "Traceback" not in done.stderr
