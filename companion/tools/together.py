"""What ``run`` and ``demo`` both put together: where games are kept, screens, deals, the end."""

from __future__ import annotations

import os
import random
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from gpiozero.pins import Factory

from companion.deals import Dealer, given, shuffled
from companion.eyes import Inbox
from companion.house import Language
from companion.journal import SUFFIX, contents
from companion.rules.notation import NotationError, read
from companion.rules.table import winners
from companion.session import Session
from companion.signals import Edge
from companion.statuses import JOURNAL_FAILED
from companion.tools.records import told
from companion.wording import tell
from hardware.buttons import OnEdge
from hardware.display import Display, DisplayError, StandIn, open_display

SCREEN_FILE = Path("out") / "screen.png"
#: The display that writes there.
FILE = f"file:{SCREEN_FILE}"
SIZE = (1280, 720)


def on_edge(inbox: Inbox, clock: Callable[[], float]) -> OnEdge:
    """Put what a button does into the inbox, with its time."""
    return lambda button, down, ago: inbox.put(Edge(button, down, clock() - ago))


def games_folder() -> Path:
    """Where games are kept unless another place is named."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "lama-companion" / "games"


def demo_folder() -> Path:
    """Where the demo's games are kept: they are nobody's last game, and count in no standings."""
    return games_folder().with_name("demo")


def place(journal: str | None, games: Path | None = None) -> tuple[Path, Path | None]:
    """Tell the folder for games, and the one file if one is named."""
    if journal is None:
        return games or games_folder(), None
    path = Path(journal)
    return (path.parent, path) if path.suffix == SUFFIX else (path, None)


def dealer(deals: Sequence[str]) -> Dealer | None:
    """Deal what was given, or shuffle; nothing where cards are typed."""
    if not deals:
        return None
    return shuffled(random.Random()) if list(deals) == ["shuffle"] else given(deals)


def player_name(language: Language, button: int) -> str:
    """Name a button's player whom nobody has named."""
    return tell(language, "player", number=button)


def display(
    kind: str | None,
    size: tuple[int, int],
    title: str,
    factory: Factory | None = None,
    or_file: bool = True,
) -> Display:
    """Open the screen asked for; without a word a window, the bare screen where no desktop is, or a file.

    ``factory`` holds the pins of buttons and lamps. Raises ``DisplayError``; where a file would do, only if
    not ``or_file``.
    """
    if kind and kind != "auto":
        name = FILE if kind == "file" else kind
        return open_display(name, size, title=title, factory=factory)
    try:
        return open_display("window" if _has_desktop() else "kms", size, title=title)
    except DisplayError:
        if not or_file:
            raise
        print(f"No display is attached: the screen goes to {SCREEN_FILE} instead.", flush=True)
        return StandIn(open_display(FILE, size, title=title))


def _has_desktop() -> bool:
    """Tell whether windows can be had; whoever names SDL's driver knows best."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    return sys.platform != "linux" or any(os.environ.get(name) for name in named)


def ended(session: Session, reason: str, status: int, rig: Sequence[str] = ()) -> int:
    """Say how it ended and where the game is; the result is the exit status.

    ``rig`` are the options of ``companion run`` with which people go on in front of the same parts.
    """
    print(f"companion: {reason}.", file=sys.stderr if status else sys.stdout)
    kept = session.path is None or _told_where(session.path, rig)
    return JOURNAL_FAILED if not status and (session.failed or not kept) else status


def _told_where(path: Path, rig: Sequence[str]) -> bool:
    """Say how a game stands on the disk, and how to go on with it; or why it is not there, and say no."""
    try:
        replay = read(contents(path))
    except (OSError, NotationError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"companion: {path} cannot be read: {reason}", file=sys.stderr)
        return False
    print(told(str(path), replay))
    over = winners(replay.record.table)
    again = ["replay", str(path)] if over else ["run", *rig, "--resume", "--journal", str(path)]
    print(f"{'Look at it' if over else 'Go on'} with: companion {shlex.join(again)}")
    return True
