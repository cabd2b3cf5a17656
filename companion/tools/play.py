"""``companion run`` and ``companion demo``: everything put together, by name."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from gpiozero.pins.mock import MockFactory

from companion.app import Companion, Eyes, Inbox, listen, stopped_by_the_system
from companion.app import run as run_companion
from companion.deals import Dealer, given, shuffled
from companion.demo import Demo, Report, SimulatedClock
from companion.hands import Hands
from companion.journal import SUFFIX, JournalError, unfinished
from companion.keyboard import Keyboard
from companion.robots import Robots
from companion.rules.games import GAMES
from companion.rules.notation import Unreadable, parse, read
from companion.rules.table import RuleError, winners
from companion.session import Session, Settings
from companion.showcase import SHOWCASE_SIZE, Showcase
from companion.signals import Edge, Stop
from companion.statuses import BAD_USAGE, JOURNAL_FAILED
from companion.tools.records import told
from companion.tools.synthetic_camera import SyntheticCamera, Thrower
from companion.update import Update
from companion.wording import tell
from hardware.buttons import MockFingers, Panel, pin_factory
from hardware.camera import Camera, open_camera
from hardware.display import Display, DisplayError, open_display
from vision.calibrate import Calibration, learn
from vision.dice import Reader
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

SYNTHETIC = "synthetic"
SCREEN_FILE = Path("out") / "screen.png"
SIZE = (1280, 720)
PATTERNS = {"en": "Player {}", "de": "Spieler {}"}
TITLE = "L.A.M.A. Dice companion"
#: Robots must keep up with a film, whose players do not wait for them.
ROBOT_THINKS_S = 0.2
CONSOLE_HELP = "Type press N, hold N, undo, was 13L, end, or any line of a game."
CAMERA_SIZE = (1024, 768)
GUEST = {"en": "Guest", "de": "Gast"}
ROBOT_NAMES = ("Rosa", "John", "Martin", "George", "Judy", "Victor")


def run(options: argparse.Namespace) -> int:
    """Referee a real game until it is ended."""
    if problem := _contradiction(options):
        print(f"companion run: {problem}", file=sys.stderr)
        return BAD_USAGE
    with ExitStack() as open_parts:
        inbox: Inbox = Inbox()
        open_parts.enter_context(stopped_by_the_system(inbox))
        camera, eyes = _eyes(options, inbox, open_parts)
        factory = pin_factory(options.rig)
        panel = open_parts.enter_context(Panel(factory, _on_edge(inbox, time.monotonic)))
        session = _session(options)
        open_parts.callback(session.close)
        display = open_parts.enter_context(_display(options, "L.A.M.A. Dice"))
        companion = Companion(session, panel, display, inbox, options.language)
        _begin(session, options)
        if display.interactive:
            print(tell(options.language, "keys_help"), flush=True)
        else:
            print(CONSOLE_HELP, flush=True)
            listen(sys.stdin, inbox)
        also = _company(options, factory, companion, camera)
        stop = run_companion(companion, eyes, also)
        return _ended(session, stop.reason, stop.status)


def _contradiction(options: argparse.Namespace) -> str | None:
    """Find options that cannot hold together, and say what to change."""
    names, starts, deals = options.seats, options.starts, options.deal or []
    wrong = {
        "--camera needs --calibration FILE (make one with companion calibrate DIR --out FILE)": (
            options.camera not in (None, SYNTHETIC) and not options.calibration
        ),
        "--calibration needs --camera FILM|DIR|DEVICE": (
            options.calibration and options.camera in (None, SYNTHETIC)
        ),
        f"there is no game {options.game}; choose one of {', '.join(GAMES)}": options.game not in GAMES,
        f"--seats names {len(names)}; 2 to 6 can play": names and not 2 <= len(names) <= 6,
        "--starts needs --seats, so that it is known who plays": starts and not names,
        f"--starts {starts}: the seats are 1 to {len(names)}": starts and names and starts > len(names),
        "--resume goes on with a game as it is: leave out --seats and --starts": (
            options.resume and (names or starts)
        ),
        "--robots press mock buttons: add --rig mock": options.robots and options.rig != "mock",
        "--deal shuffle deals every round: leave the other deals out": "shuffle" in deals and len(deals) > 1,
    }
    return next((sentence for sentence, holds in wrong.items() if holds), None) or _bad_deal(options)


def _bad_deal(options: argparse.Namespace) -> str | None:
    """Try each given deal on an empty table, before a game begins with it."""
    for words in options.deal or ():
        try:
            if words != "shuffle" and options.seats:
                GAMES[options.game].start(options.seats, 1).play(parse(f"deal {words.removeprefix('deal ')}"))
        except (RuleError, Unreadable) as error:
            return f"--deal '{words}': {error}"
    return None


def _eyes(
    options: argparse.Namespace, inbox: Inbox, open_parts: ExitStack
) -> tuple[Camera | None, Eyes | None]:
    """Open the camera, and its watcher. The synthetic table is calibrated on itself."""
    if not options.camera:
        return None, None
    if options.camera == SYNTHETIC:
        table = _synthetic_table(random.randrange(10_000))
        calibration = _learnt(table)
        camera: Camera = SyntheticCamera(table)
    else:
        calibration = Calibration.load(Path(options.calibration))
        camera = open_camera(options.camera, paced=True)
    open_parts.callback(camera.close)
    return camera, Eyes(camera, Watcher(Reader(calibration)), inbox)


def _on_edge(inbox: Inbox, clock: Callable[[], float]) -> Callable[[int, bool], None]:
    return lambda button, down: inbox.put(Edge(button, down, clock()))


def games_folder() -> Path:
    """Where games are kept unless another place is named."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "lama-companion" / "games"


def _place(journal: str | None) -> tuple[Path, Path | None]:
    """Tell the folder for games, and the one file if one is named."""
    if journal is None:
        return games_folder(), None
    path = Path(journal)
    return (path.parent, path) if path.suffix == SUFFIX else (path, None)


def _session(options: argparse.Namespace) -> Session:
    folder, path = _place(options.journal)
    found = None
    if not options.new:
        found = path if path and path.exists() else (unfinished(folder) if path is None else None)
    if options.resume and found is None:
        raise JournalError(f"there is no unfinished game in {folder}: leave out --resume to begin one")
    settings = Settings(
        folder=folder,
        path=path,
        game=options.game,
        names=options.seats,
        seated=bool(options.seats),
        name_pattern=PATTERNS[options.language],
        dealer=_dealer(options.deal),
    )
    return Session(settings, found)


def _dealer(deals: list[str] | None) -> Dealer | None:
    if not deals:
        return None
    return shuffled(random.Random()) if deals == ["shuffle"] else given(deals)


def _begin(session: Session, options: argparse.Namespace) -> None:
    """Skip the questions that the command line has answered."""
    if options.resume and session.found:
        session.resume(session.found)
    elif options.starts and not session.found:
        session.begin(options.starts)


def _display(options: argparse.Namespace, title: str, size: tuple[int, int] | None = None) -> Display:
    """Open the screen asked for; without a word, a window where there is one, else a file."""
    wanted = size or options.size or SIZE
    if options.screen:
        name = f"file:{SCREEN_FILE}" if options.screen == "file" else options.screen
        return open_display(name, wanted, title=title)
    try:
        return open_display("window", wanted, title=title)
    except DisplayError:
        print(f"No display is attached: the screen goes to {SCREEN_FILE} instead.", flush=True)
        return open_display(f"file:{SCREEN_FILE}", wanted, title=title)


def _company(
    options: argparse.Namespace, factory: object, companion: Companion, camera: Camera | None
) -> Callable[[], float | None]:
    """Let robots press and synthetic dice be thrown, from the main loop."""
    steps: list[Callable[[float, Update], None]] = []
    if isinstance(factory, MockFactory) and options.robots:
        robots = Robots(random.Random(), frozenset(options.robots), wander=0.0)
        hands = Hands(robots, MockFingers(factory).move, think_s=ROBOT_THINKS_S)
        steps.append(lambda at, update: hands.step(at, update, None))
    if isinstance(camera, SyntheticCamera):
        steps.append(Thrower(camera).step)

    def step() -> float | None:
        for each in steps:
            each(time.monotonic(), companion.update)
        return 0.03 if steps else None

    return step


def _ended(session: Session, reason: str, status: int) -> int:
    print(f"companion: {reason}.", file=sys.stderr if status else sys.stdout)
    if session.path:
        replay = read(session.path.read_bytes())
        print(told(str(session.path), replay))
        over = winners(replay.record.table)
        again = "replay" if over else "run --resume --journal"
        print(f"{'Look at it' if over else 'Go on'} with: companion {again} {session.path}")
    return JOURNAL_FAILED if session.failed and not status else status


def demo(options: argparse.Namespace) -> int:
    """Play a whole game in front of a synthetic camera."""
    seed = options.seed if options.seed is not None else random.randrange(10_000)
    print(
        f"companion demo --seed {seed}"
        + (f"\n{tell(options.language, 'keys_help')}" if options.play else ""),
        flush=True,
    )
    with ExitStack() as open_parts:
        stop, session, report = _play_demo(options, seed, open_parts)
        status = _ended(session, stop.reason, stop.status)
        print(report)
        return status


def _play_demo(options: argparse.Namespace, seed: int, open_parts: ExitStack) -> tuple[Stop, Session, Report]:
    rng, inbox, factory, clock = random.Random(seed), Inbox(), MockFactory(), SimulatedClock()
    open_parts.enter_context(stopped_by_the_system(inbox))
    panel = open_parts.enter_context(Panel(factory, _on_edge(inbox, clock)))
    session = _demo_session(options, random.Random(seed + 1))
    open_parts.callback(session.close)
    showcase = open_parts.enter_context(_showcase(options))
    fast = options.fast or not (options.screen or showcase.interactive)
    if fast and not options.fast:
        print("Nobody can watch, so it plays as quick as it goes.", flush=True)
    keyboard = Keyboard(frozenset({1} if options.play else ()))
    companion = Companion(session, panel, showcase.screen, inbox, options.language, clock, keyboard)
    companion.pump()
    table = _synthetic_table(seed)
    watcher = Watcher(Reader(_learnt(table)))
    session.begin(rng.randrange(options.players) + 1)
    companion.update = session.update()
    seats = frozenset(range(2 if options.play else 1, options.players + 1))
    robots = Robots(rng, seats)
    hands = Hands(robots, MockFingers(factory).move, think_s=0.1 if fast else 0.9)
    evening = Demo(
        companion,
        table,
        watcher,
        hands,
        clock,
        rng,
        throw_after_s=0.1 if fast else 0.5,
        linger_s=0.0 if fast else 4.0,
        watched=showcase.look,
        pace=_no_pace if fast else RealTime(),
    )
    return evening.play(), session, evening.report


def _demo_session(options: argparse.Namespace, rng: random.Random) -> Session:
    folder, path = _place(options.journal)
    first = GUEST[options.language] if options.play else ROBOT_NAMES[0]
    names = (first, *ROBOT_NAMES[1 : options.players])
    return Session(Settings(folder, path, names=names, seated=True, dealer=shuffled(rng)))


def _synthetic_table(seed: int) -> SyntheticTable:
    """Set up a table whose dice, cloth and light the seed chooses."""
    return SyntheticTable(seed, CAMERA_SIZE, surface="any", light="any", design="any")


def _learnt(table: SyntheticTable) -> Calibration:
    """Calibrate on the table's own stills, as people do with their dice."""
    with TemporaryDirectory() as folder:
        table.calibration_stills(Path(folder))
        return learn(Path(folder))


def _no_pace(_: float) -> None:
    """Go on at once."""


class RealTime:
    """Wait until a frame's time has come; a late evening does not hurry."""

    def __init__(self) -> None:
        self._start: float | None = None

    def __call__(self, at: float) -> None:
        """Sleep until this time of the simulated evening."""
        now = time.monotonic()
        if self._start is None or now - self._start > at + 0.2:
            self._start = now - at
        time.sleep(max(0.0, self._start + at - now))


def _showcase(options: argparse.Namespace) -> Showcase:
    """Show screen and camera side by side; a screen of a chosen size stands alone."""
    if options.size:
        return Showcase(_display(options, TITLE), True, options.language, "what_happens")
    caption = "keys_help" if options.play else "what_happens"
    return Showcase(_display(options, TITLE, SHOWCASE_SIZE), False, options.language, caption)
