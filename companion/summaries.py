"""Summaries of games, kept in a file beside them: to read a thousand games anew takes long.

Everything in it comes from the games themselves. A file that is missing, damaged or made by other
rules is passed over, and one that cannot be written is done without: the games are read again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from companion.rules.pieces import Group, parse_group, text
from companion.summary import Game, shared

NAME = ".summaries"


@dataclass(frozen=True, slots=True)
class Written:
    """When a file was last written (in nanoseconds), and its size in bytes."""

    ns: int
    size: int

    @property
    def at(self) -> float:
        """When, in seconds."""
        return self.ns / 1e9


#: What is known of files: how they were when they were read, and the game that was in them.
Known = Mapping[Path, tuple[Written, Game]]


class Summaries:
    """The summaries kept in a folder of games. ``save`` writes only what differs from the last time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._saved: dict[Path, Written] = {}

    def load(self) -> dict[Path, tuple[Written, Game]]:
        """Read what is kept; nothing if there is none, or it is not as it was written."""
        try:
            mark, _, body = (self._folder / NAME).read_bytes().partition(b"\n")
        except OSError:
            return {}
        if mark != _mark(body):
            return {}
        known = dict(_entry(self._folder, facts) for facts in json.loads(body))
        self._saved = _as_written(known)
        return known

    def save(self, known: Known) -> None:
        """Keep what is known, in place of what was. A folder that takes nothing is left as it is."""
        if _as_written(known) == self._saved:
            return
        body = json.dumps([_facts(path, *known[path]) for path in sorted(known)]).encode()
        # A second writer may be at the same file: what both have mixed up does not bear its mark.
        beside = self._folder / f"{NAME}.new"
        try:
            beside.write_bytes(_mark(body) + b"\n" + body)
            beside.replace(self._folder / NAME)
            self._saved = _as_written(known)
        except OSError:
            with suppress(OSError):
                beside.unlink(missing_ok=True)  # its room may be the last that a game has


def _as_written(known: Known) -> dict[Path, Written]:
    return {path: written for path, (written, _) in known.items()}


def _mark(body: bytes) -> bytes:
    """Tell summaries by what they hold and what made them."""
    return hashlib.sha256(_makers() + body).hexdigest().encode()


@cache
def _makers() -> bytes:
    """Tell the rules apart by their text: other rules may find another end of the same game."""
    here = Path(__file__).parent
    sources = (*sorted(here.glob("rules/*.py")), here / "summary.py", Path(__file__))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).digest()


def _facts(path: Path, written: Written, game: Game) -> dict[str, Any]:
    times = {"begun": game.begun.isoformat(), "ended": game.ended.isoformat()}
    plain = {key: getattr(game, key) for key in _PLAIN}
    rolls = " ".join(map(text, game.rolls))
    return {"file": path.name, "ns": written.ns, "size": written.size, "rolls": rolls} | times | plain


_PLAIN = ("id", "kind", "names", "taken", "after", "points", "winners", "over")


def _entry(folder: Path, facts: dict[str, Any]) -> tuple[Path, tuple[Written, Game]]:
    path = folder / facts["file"]
    game = Game(
        id=facts["id"],
        path=path,
        begun=datetime.fromisoformat(facts["begun"]),
        ended=datetime.fromisoformat(facts["ended"]),
        kind=facts["kind"],
        names=tuple(facts["names"]),
        taken=tuple(map(tuple, facts["taken"])),
        after=tuple(map(tuple, facts["after"])),
        points=tuple(facts["points"]),
        winners=tuple(facts["winners"]),
        over=facts["over"],
        rolls=tuple(map(_roll, facts["rolls"].split())),
    )
    return path, (Written(facts["ns"], facts["size"]), game)


@cache
def _roll(word: str) -> Group:
    return shared(parse_group(word))
