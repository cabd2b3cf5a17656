"""How often throws into synthetic trays are told once, as thrown, and rightly.

    python benchmarks/throws.py [--tables N] [--first SEED] [--throws N]

Each table has dice, cloth, walls and light of its own; dice come in over a wall of the tray, from any
side, and a hand takes them away before the next throw. ``films.py`` does the same with rendered films.
"""

from __future__ import annotations

import argparse
from collections import Counter

from graded import begin, upper_bound

from companion.signals import How, Seen, Verdict
from companion.tools.synthetic_camera import learnt, synthetic_table
from vision.dice import Reader
from vision.synthetic import SyntheticTable, Thrown
from vision.watch import Watcher

#: Seconds after rest in which a throw has to be told.
_SOON = 2.0


def told(table: SyntheticTable, watcher: Watcher, thrown: Thrown) -> list[Seen]:
    """Follow a throw until it should have been told; return what was read from then on."""
    seen = []
    while table.frame <= thrown.rest + _SOON * table.fps:
        number = table.frame
        seen.append(watcher.feed(table.next_frame(), number / table.fps, number))
    return [one for one in seen if one and one.reading]


def kind(thrown: Thrown, seen: list[Seen]) -> str:
    """Name what became of a throw; a die may lean, and has to be refused then."""
    if len(seen) != 1:
        return "twice" if seen else "missed"
    (one,) = seen
    assert one.reading is not None
    if one.how is not How.THROWN:
        return f"told as {one.how}"
    if one.reading.verdict is not Verdict.OK:
        return "refused"
    return "right" if one.reading.faces == thrown.faces else "wrong"


def main() -> None:
    """Read the command line, throw, and print what became of the throws."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=20, help="how many tables")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first")
    parser.add_argument("--throws", type=int, default=10, help="throws at each")
    options = parser.parse_args()
    begin()
    count = Counter[str]()
    for seed in range(options.first, options.first + options.tables):
        table = synthetic_table(f"synthetic:{seed}")
        watcher = Watcher(Reader(learnt(table)))
        kinds = Counter(
            kind(thrown := table.throw(), told(table, watcher, thrown)) for _ in range(options.throws)
        )
        if faults := {one: kinds[one] for one in kinds if one not in ("right", "refused")}:
            print(f"table {seed}: {faults}", flush=True)
        count += kinds
    total = count.total()
    print(f"{total} throws: " + ", ".join(f"{number} {one}" for one, number in count.most_common()))
    failed = total - count["right"] - count["refused"]
    print(f"neither right nor refused: below {100 * upper_bound(failed, total):.1f} % (95 %)")


if __name__ == "__main__":
    main()
