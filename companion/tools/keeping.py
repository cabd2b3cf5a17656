"""Keeps what people settle while the companion runs: how the house likes it, the camera, the dice."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Lock
from typing import Final

from companion import folders
from companion.config import difference, everything
from companion.configfile import change
from companion.errors import ConfigError
from companion.house import House
from companion.orders import Keep, KeepDice
from companion.tools.plan import NONE, Plan
from companion.tools.sources import Source
from companion.update import Message
from vision.calibrate import Calibration
from vision.labels import CalibrationError

Changes = dict[str, dict[str, object]]

_OTHERS: Final = (
    "was written or removed by another program: what rolls teach is not kept there; start the table anew"
)


class Keeper:
    """Writes the configuration's file. A first start's answers bring its options with them.

    ``source`` has the name of the camera, which may be found late. Dice are kept from two threads:
    newly learnt ones, and those that lessons have made better known.
    """

    def __init__(self, plan: Plan, source: Source) -> None:
        self._path, self._source = plan.path, source
        self._dice = plan.config.camera.calibration
        self._house = plan.config.house
        self._with: Changes = _chosen(plan, source.name) if plan.first else {}
        self._keeping = Lock()
        self._newest: Calibration | None = None
        self._written = _written(self._dice)

    def house(self, house: House) -> Message | None:
        """Save how the house likes it; what prevents it comes back."""
        try:
            self._change({"house": difference(self._house, house)})
        except ConfigError as error:
            return self._prevented(error, self._path)  # the next change brings this one with it
        self._house = house
        return None

    def keep(self, what: Keep) -> Message | None:
        """Save what the setup found; what prevents it comes back."""
        try:
            if isinstance(what, KeepDice):
                self._keep_dice(what.calibration)
            else:
                self._change({"camera": {"source": self._source.name if what.used else NONE}})
        except (ConfigError, CalibrationError, OSError) as error:
            return self._prevented(error, self._dice if isinstance(what, KeepDice) else self._path)
        return None

    def _keep_dice(self, learnt: Calibration) -> None:
        """Save newly learnt dice, after which no lesson about others is saved."""
        with self._keeping:
            self._newest = learnt
            self._save(learnt)

    def _save(self, dice: Calibration) -> None:
        folders.make(self._dice.parent)
        dice.save(self._dice)
        self._written = _written(self._dice)

    def lessons(self, dice: Calibration | None, taught: Calibration) -> None:
        """Save dice with what people have taught of them; that it fails goes to the log.

        If others were kept since these came, those stay, whoever kept them.
        """
        with self._keeping:
            if self._newest not in (None, dice):
                return
            if _written(self._dice) != self._written:
                print(f"companion: {self._dice} {_OTHERS}", file=sys.stderr, flush=True)
                return
            try:
                self._save(taught)
            except (CalibrationError, OSError) as error:
                self._prevented(error, self._dice)

    @staticmethod
    def _prevented(error: Exception, file: Path) -> Message:
        """Say why a file was not written, and in English to the log."""
        print(f"companion: {error}", file=sys.stderr, flush=True)
        cause = error if isinstance(error, OSError) else error.__cause__
        if isinstance(cause, OSError):
            return Message("file_unwritable", {"file": file.name, "system": cause.errno})
        return Message("file_wrong", {"file": file.name})

    def _change(self, changes: Changes) -> None:
        tables = {**self._with, **changes}
        both = {table: {**self._with.get(table, {}), **changes.get(table, {})} for table in tables}
        change(self._path, both)
        self._with = {}


def _written(path: Path) -> tuple[int, int, int] | None:
    """Tell which writing of a file is there, if one is."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _chosen(plan: Plan, source: str) -> Changes:
    """List what the options of a first start say otherwise than the file, to be written with the answers.

    The camera is among them before it is asked about, so that a setup cut short is taken up there.
    """
    now, before = everything(plan.config), everything(plan.kept)
    changes = {
        table: {key: value for key, value in values.items() if value != before[table][key]}
        for table, values in now.items()
    }
    changes["camera"]["source"] = source
    return changes
