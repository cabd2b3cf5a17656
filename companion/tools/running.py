"""``companion run``: a real table put together, by name, from the configuration and the options."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from io import TextIOWrapper

from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory

from companion import setup
from companion.app import Companion, listen, stopped_by_the_system
from companion.app import run as run_companion
from companion.evening import Evening
from companion.eyes import Eyes, Inbox, watcher_of
from companion.folders import claimed, is_there
from companion.hands import Hands
from companion.journal import JournalError, unfinished
from companion.pulse import Pulse
from companion.robots import Robots
from companion.session import Session, Settings
from companion.signals import Answer, Device, Trouble
from companion.statuses import BAD_USAGE
from companion.tools import doctor
from companion.tools.keeping import Keeper
from companion.tools.outputs import Output, address_watch, announcer, open_page, screens, voice
from companion.tools.plan import NONE, Plan, contradiction, planned
from companion.tools.sources import Source
from companion.tools.synthetic_camera import SYNTHETIC, Thrower, is_synthetic, learnt, synthetic_table
from companion.tools.together import dealer, ended, on_edge, place, player_name
from companion.update import Message
from companion.wording import say, tell
from hardware.buttons import Panel
from hardware.camera import Camera
from hardware.errors import CameraError, RigError
from hardware.pins import MockFingers, pin_factory
from hardware.service import Service
from vision.calibrate import Calibration

#: Robots must keep up with a film, whose players do not wait for them.
ROBOT_THINKS_S = 0.2
#: What the doctor may take at most, with somebody who answers slowly.
DOCTOR_S = 600.0
CONSOLE_HELP = (
    "Type press N, hold N, undo, was 13L, fell 13L, menu, setup, close, end, or any line of a game."
)


def run(options: argparse.Namespace) -> int:
    """Referee real games until it is ended."""
    plan = planned(options)
    if problem := contradiction(options, plan):
        print(f"companion run: {problem}", file=sys.stderr)
        return BAD_USAGE
    service = Service.of()
    with ExitStack() as parts:
        _claim(options, plan, parts)
        if doctor.wanted(plan.config.buttons):
            service.longer(DOCTOR_S)
            for finding in doctor.examine(plan.path, options.rig, ask=True):
                print(finding, flush=True)
        return _run(options, plan, parts, service)


def _claim(options: argparse.Namespace, plan: Plan, parts: ExitStack) -> None:
    """Have the folder of the games to itself before anything is touched. Raises ``Taken``.

    A single file that is named is locked by its own journal.
    """
    folder, path = place(options.journal, plan.config.folders.games)
    if path is None:
        parts.enter_context(claimed(folder))


def _run(options: argparse.Namespace, plan: Plan, parts: ExitStack, service: Service) -> int:
    inbox: Inbox = Inbox()
    buttons = plan.config.buttons
    factory = pin_factory(buttons.rig)
    panel = parts.enter_context(Panel(factory, on_edge(inbox, time.monotonic), buttons.pins, buttons.lamps))
    source = Source(plan.source)
    eyes = _eyes(plan, source, inbox, must_be_there=bool(options.camera))
    # Until here a signal ends it at once: a driver may keep the main thread, and nothing is begun yet.
    parts.enter_context(stopped_by_the_system(inbox))
    keeper = Keeper(plan, source)
    if not is_synthetic(source.name):  # which nobody owns: its dice are not those of the file
        eyes.keep_lessons(keeper.lessons)
    session = _session(options, plan, keeper, parts)
    if eyes.calibration:
        session.learn(eyes.calibration.sides)
    evening = Evening(session, eyes.order, keeper.keep, eyes.knows_dice)
    shown = parts.enter_context(screens(plan.config.screen, factory))
    outputs, look = _outputs(plan, session, inbox, eyes, parts)
    companion = Companion(
        evening, panel, shown, inbox, outputs=outputs, log=_log, hold_s=buttons.hold, bounce_s=buttons.bounce
    )
    _begin(session, options)
    _ask(evening, plan, eyes)
    companion.update = evening.update()
    if asked_to_stop := companion.pump():
        inbox.put(asked_to_stop)
    if page := session.page:
        print(f"The page is at {page.url} and its code is {page.code}.", flush=True)
    _listen(plan, shown.interactive, inbox, lambda: companion.update.house.words)
    pulse = Pulse(service, lambda: eyes.moving)
    stop = run_companion(companion, eyes, _company(options, factory, companion, source, look), pulse)
    return ended(session, stop.reason, stop.status, _rig(options))


def _rig(options: argparse.Namespace) -> list[str]:
    """List the options that say with which parts it runs."""
    given = {f"--{name}": getattr(options, name) for name in ("config", "rig", "camera", "calibration")}
    return [word for name, value in given.items() if value for word in (name, value)]


def _log(sentence: str) -> None:
    print(f"companion run: {sentence}", file=sys.stderr, flush=True)


def _eyes(plan: Plan, source: Source, inbox: Inbox, must_be_there: bool) -> Eyes:
    """Open the camera, and its watcher if the dice are known. Raises ``RigError``, ``CalibrationError``."""
    wanted = plan.source != NONE or (plan.first and not plan.without_camera)
    calibration = _calibration(plan, source)
    source.size = calibration.size if calibration else None
    camera, problem = _camera(source, must_be_there) if wanted else (None, None)
    watcher = watcher_of(calibration) if calibration else None  # a camera may be found later
    eyes = Eyes(camera, watcher, inbox, reopen=source.open)
    if problem:
        eyes.miss(problem)
    return eyes


def _camera(source: Source, must_be_there: bool) -> tuple[Camera | None, CameraError | None]:
    """Open the camera. One that only the configuration names may be missing: it is looked for meanwhile."""
    try:
        return source.open(), None
    except CameraError as error:
        if must_be_there:
            raise
        print(f"companion run: {error}. The game goes on without it.", file=sys.stderr, flush=True)
        return None, error


def _calibration(plan: Plan, source: Source) -> Calibration | None:
    """Find what the dice look like; a synthetic table that nobody has calibrated is, on itself."""
    synthetic = is_synthetic(source.name)
    if plan.knows_dice and plan.source != SYNTHETIC:
        return Calibration.load(plan.config.camera.calibration)
    return learnt(synthetic_table(source.name)) if synthetic and not plan.first else None


def _session(options: argparse.Namespace, plan: Plan, keeper: Keeper, parts: ExitStack) -> Session:
    folder, path = place(options.journal, plan.config.folders.games)
    found = None
    if not options.new:
        found = path if path and is_there(path) else (unfinished(folder) if path is None else None)
    if options.resume and found is None:
        sentence = f"there is no unfinished game in {folder}: leave out --resume to begin one"
        raise JournalError(sentence, "no_game_waits")
    table = plan.config.table
    settings = Settings(
        folder=folder,
        path=path,
        game=table.game,
        names=options.seats or table.names,
        seated=bool(options.seats),
        default_name=player_name,
        dealer=dealer(options.deal or []),
        house=plan.config.house,
        keep_house=keeper.house,
    )
    session = Session(settings, found)
    parts.callback(session.close)
    return session


def _outputs(
    plan: Plan, session: Session, inbox: Inbox, eyes: Eyes, parts: ExitStack
) -> tuple[tuple[Output, ...], Callable[[], None]]:
    """Open the voice, and the page; one that nobody asked for by name may be missing.

    The second is to be called often: it sees where the page is.
    """
    announce = announcer(parts.enter_context(voice(plan.config.speaker.kind, inbox)))
    if not plan.config.page.on:
        return (announce,), lambda: None
    try:
        server = open_page(plan.config.page, inbox, session.settings.folder, eyes.frame, parts)
    except RigError as error:
        if plan.page_asked_for:
            raise
        sentence = f"{error}. The game goes on without it."
        inbox.put(Trouble(Device.PAGE, sentence, time.monotonic()))
        return (announce,), lambda: None
    session.page = server.page
    return (server.publish, announce), address_watch(session, lambda: server.page, inbox)


def _begin(session: Session, options: argparse.Namespace) -> None:
    """Skip the questions that the command line has answered."""
    if options.resume and session.found:
        session.resume(session.found)
    elif options.starts and not session.found:
        session.begin(options.starts)


def _ask(evening: Evening, plan: Plan, eyes: Eyes) -> None:
    """Ask at a first start for what the options leave open; later only for what is still missing."""
    if plan.first:
        evening.ask(plan.questions)
    elif plan.source != NONE and not eyes.knows_dice:
        evening.ask(setup.CAMERA + setup.DICE)


def _listen(plan: Plan, interactive: bool, inbox: Inbox, words: Callable[[], str]) -> None:
    """Say how to steer it, and listen to the console where there is no window.

    ``words`` names the catalogue in which a line that is refused is answered.
    """

    def reply(answer: Answer) -> None:
        if not answer.accepted and answer.key:
            print(say(Message(answer.key, dict(answer.facts)), words()), flush=True)

    if interactive:
        print(tell(plan.config.house.language, "keys_help"), flush=True)
    else:
        print(CONSOLE_HELP, flush=True)
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # one key that is no UTF-8 must not end the listening
        listen(sys.stdin, inbox, reply=reply)


def _company(
    options: argparse.Namespace,
    factory: Factory,
    companion: Companion,
    source: Source,
    look: Callable[[], None],
) -> Callable[[], float | None]:
    """Let robots press and synthetic dice be thrown, from the main loop; ``look`` is called there too."""
    hands = None
    if isinstance(factory, MockFactory) and options.robots:
        robots = Robots(random.Random(), frozenset(options.robots), wander=0.0)
        hands = Hands(robots, MockFingers(factory).move, think_s=ROBOT_THINKS_S)
    thrower = Thrower(lambda: source.synthetic)

    def step() -> float | None:
        look()
        now, update = time.monotonic(), companion.update
        if hands:
            hands.step(now, update, None)
        if source.synthetic:
            thrower.step(now, update)
        return 0.03 if hands or source.synthetic else None

    return step
