"""The command line: ``companion COMMAND``. Every failure is a sentence and an exit status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module

from companion.errors import ConfigError
from companion.folders import Taken
from companion.journal import JournalError
from companion.numbers import MOST_DIGITS, is_number
from companion.rules.notation import NotationError
from companion.statuses import JOURNAL_FAILED, REFUSED, RIG_FAILED
from companion.tools.spoken import Untaken, heard, unheard
from hardware.errors import RigError
from vision.errors import VisionError

STATUSES = """\
exit status:
  0  all is well
  1  a file was refused: a game record, a picture, a calibration, the configuration
  2  the command line makes no sense
  3  a part of the rig failed: camera, buttons, display
  4  a game cannot be kept: its folder is in use, or the journal cannot be opened or written
"""

EPILOG = f"""\
Start here:
  companion demo                 robots play a whole game in front of a synthetic camera
  companion demo --play          you play at seat 1, with the keyboard
  companion replay GAME.lama     where a recorded game stands

{STATUSES}"""

FACES = "1 2 3 4 5 6 L, sorted, L last, as in 13L"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit status."""
    with redirect_stdout(heard(sys.stdout)), redirect_stderr(unheard(sys.stderr)):
        try:
            return _done(_parser().parse_args(arguments))
        except Untaken as error:
            return 0 if isinstance(error.__cause__, BrokenPipeError) else _failed(error, REFUSED)


def _done(options: argparse.Namespace) -> int:
    """Do what is asked; the result is the exit status."""
    module, _, function = options.do.partition(":")
    try:
        status: int = getattr(import_module(module), function)(options)
        if sys.stdout:  # none if whoever started it has closed it
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return 130
    except (NotationError, VisionError, ConfigError) as error:
        return _failed(error, REFUSED)
    except RigError as error:
        return _failed(error, RIG_FAILED)
    except (JournalError, Taken) as error:
        return _failed(error, JOURNAL_FAILED)


def _failed(error: Exception, status: int) -> int:
    print(f"companion: {error}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="companion",
        description="The table companion for L.A.M.A. Dice: reads the dice, referees, keeps the score.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_demo(commands)
    _add_run(commands)
    _add_records(commands)
    _add_eyes(commands)
    _add_appliance(commands)
    return parser


Commands = argparse._SubParsersAction  # the only name argparse has for it


def _add(
    commands: Commands[argparse.ArgumentParser], name: str, do: str, help: str, more: str = ""
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=help,
        description=f"{help[0].upper()}{help[1:]}.\n\n{more}".rstrip(),
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(do=do)
    return parser


def _add_records(commands: Commands[argparse.ArgumentParser]) -> None:
    replay = _add(
        commands,
        "replay",
        "companion.tools.records:replay",
        "replay game records and tell where each game stands",
        "A damaged or illegal record is refused with its line, and the status is 1.",
    )
    replay.add_argument("files", nargs="+", metavar="FILE", help="a .lama file; - reads standard input")
    replay.add_argument("--json", action="store_true", help="print one JSON object a file, a line each")
    amend = _add(
        commands,
        "amend",
        "companion.tools.records:amend",
        "correct a line of a recorded game; everything after it is replayed",
        "Nothing is erased: the correction is a new line. One that a later line contradicts is refused.\n"
        "Example: companion amend GAME.lama 12 fell 13L",
    )
    amend.add_argument("file", metavar="FILE", help="a .lama file")
    amend.add_argument("line", type=_positive, metavar="LINE", help="the number of the line to correct")
    amend.add_argument("words", nargs="+", metavar="COMMAND", help=f"what it should say; faces are {FACES}")


def _add_eyes(commands: Commands[argparse.ArgumentParser]) -> None:
    _add_calibrate(commands)
    _add_camera(commands)
    read = _add(
        commands,
        "read",
        "companion.tools.reading:read",
        "read the dice on stills",
        "What cannot be read for certain is refused with its reason; only 'ok' is a result. Dice that are\n"
        "refused are no failure: the status is 0 then, too; it is 1 for a file that is no picture.",
    )
    read.add_argument("images", nargs="+", metavar="IMAGE", help="a picture seen from above")
    read.add_argument(
        "--explain", metavar="OUT.png", help="draw what was seen, all scores, and why it is not certain"
    )
    watch = _add(
        commands,
        "watch",
        "companion.tools.reading:watch",
        "watch a film or a camera and report every settled roll once",
    )
    watch.add_argument(
        "source", type=_camera, metavar="VIDEO|DEVICE", help="a film, a folder, a camera's index or /dev path"
    )
    for parser in (read, watch):
        parser.add_argument(
            "--calibration", required=True, metavar="FILE", help="made by companion calibrate"
        )
        parser.add_argument("--json", action="store_true", help="print JSON, a line each")


def _add_appliance(commands: Commands[argparse.ArgumentParser]) -> None:
    off = _add(
        commands,
        "off-switch",
        "companion.tools.off_switch:off_switch",
        "wait until the off button was held; its service then switches the machine off",
        "The status is 0 only if the button was seen going down, held for [power] hold seconds, and let go.",
    )
    doctor = _add(
        commands,
        "doctor",
        "companion.tools.doctor:doctor",
        "check every part on its own: fine, or what to do",
        "It asks for each button, and whether lamps, picture and voice came across. Stop the service that\n"
        "holds the parts before: sudo systemctl stop lama-companion. The status is 1 if anything is wrong.",
    )
    doctor.add_argument("--once", action="store_true", help="ask nobody for anything")
    doctor.add_argument("--json", action="store_true", help="print JSON, a line each; asks nobody either")
    wiring = _add(
        commands,
        "wiring",
        "companion.tools.wiring:wiring",
        "draw what goes to which pin, from the configuration",
        "Two parts on one pin are refused by name.",
    )
    wiring.add_argument("--svg", metavar="OUT.svg", help="draw it as a picture instead of text")
    sheet = _add(
        commands,
        "sheet",
        "companion.tools.sheet:sheet",
        "make a sheet to print, cut out and lay into the tray, for aiming the camera",
        "People look at it on the camera's picture; nothing needs it to read dice.",
    )
    sheet.add_argument("--out", metavar="OUT.pdf", default="sheet.pdf", help="where (default sheet.pdf)")
    sheet.add_argument("--paper", choices=("a4", "letter"), default="a4", help="its size (default a4)")
    sheet.add_argument("--language", choices=("en", "de"), default="en", help="of its words (default en)")
    for parser in (off, doctor, wiring):
        parser.add_argument("--config", metavar="FILE", help="the configuration")
        parser.add_argument("--rig", choices=("gpio", "mock"), help="the buttons and lamps (default gpio)")
    uninstall = _add(
        commands,
        "uninstall",
        "companion.tools.uninstalling:uninstall",
        "remove what systemd/install.sh installed; games, configuration and calibration stay",
    )
    uninstall.add_argument("--print", action="store_true", help="only say what would be done")


def _add_camera(commands: Commands[argparse.ArgumentParser]) -> None:
    camera = _add(
        commands,
        "camera",
        "companion.tools.aiming:aim",
        "help with aiming the camera: what to change, in words, or fine",
        "A line each time the advice changes. The status is 0 if at the end nothing is to change, else 1.",
    )
    camera.add_argument(
        "--camera",
        type=_camera,
        default="0",
        metavar="FILM|DIR|DEVICE",
        help="film, folder of stills, camera (default 0), or synthetic",
    )
    camera.add_argument(
        "--calibration", metavar="FILE", help="compare how large the dice are with how they were learnt"
    )
    camera.add_argument("--picture", metavar="OUT.png", help="write what was looked at, the tray drawn in")
    camera.add_argument("--once", action="store_true", help="look once, then end")


def _add_calibrate(commands: Commands[argparse.ArgumentParser]) -> None:
    calibrate = _add(
        commands,
        "calibrate",
        "companion.tools.calibrating:calibrate",
        "learn a set of dice from labelled stills or from throws, and from corrections",
        "DIR holds pictures and labels.json: for each picture the dice with face, x, y (pixels,\n"
        "the centre of the top face) and edge_px. About ten pictures with every face at least twice.\n"
        "With --camera throw the dice a few times and name each kind of face once; about a minute.\n"
        "Examples: companion calibrate --camera 0 --out dice.npz\n"
        "          companion calibrate --teach roll.jpg 1 3 L --calibration dice.npz",
    )
    calibrate.add_argument("folder", nargs="?", metavar="DIR", help="the folder of stills")
    calibrate.add_argument("--out", metavar="FILE", help="where to write the calibration")
    calibrate.add_argument(
        "--camera",
        type=_camera,
        metavar="FILM|DIR|DEVICE",
        help="where to watch throws; synthetic makes them up",
    )
    calibrate.add_argument("--pips", action="store_true", help="ordinary dice, without llamas")
    calibrate.add_argument(
        "--sheet", metavar="PNG", help="where to show the faces found (default: beside FILE)"
    )
    calibrate.add_argument(
        "--teach", nargs="+", metavar=("PICTURE", "FACE"), help="learn from a roll and what it shows"
    )
    calibrate.add_argument("--take-back", action="store_true", help="undo what was taught last")
    calibrate.add_argument("--calibration", metavar="FILE", help="the calibration to teach")


def _add_run(commands: Commands[argparse.ArgumentParser]) -> None:
    run = _add(
        commands,
        "run",
        "companion.tools.refused:run",
        "referee a real game",
        "The first start asks on the screen and keeps the answers in the configuration, with the options it\n"
        "was given; later ones count for one evening. An unfinished game is offered first. On a laptop\n"
        "--rig mock makes the keyboard the buttons; without a window type at the console: press N, hold N,\n"
        "undo, was 13L, fell 13L, menu, setup, close, end, or any line of a game.\n"
        "Try it without anything: companion run --rig mock --camera synthetic --deal shuffle",
    )
    run.add_argument(
        "--config",
        metavar="FILE",
        help="the configuration (default ~/.config/lama-companion/companion.toml)",
    )
    run.add_argument("--setup", action="store_true", help="ask as at the first start")
    run.add_argument("--rig", choices=("gpio", "mock"), help="the buttons and lamps (default gpio)")
    run.add_argument(
        "--camera",
        type=_camera,
        metavar="FILM|DIR|DEVICE",
        help="film, folder of stills, pi, camera's index, none, or synthetic",
    )
    run.add_argument("--calibration", metavar="FILE", help="what the dice look like; a film needs one")
    _add_game(run)
    _add_outputs(run)
    run.add_argument("--language", choices=("en", "de"), help="of the screen")


def _add_game(run: argparse.ArgumentParser) -> None:
    run.add_argument("--seats", metavar="A,B,…", type=_names, default=(), help="names, clockwise")
    run.add_argument("--starts", type=_positive, metavar="N", help="begin at once; seat N starts")
    run.add_argument(
        "--deal",
        action="append",
        metavar="'G G …'|shuffle",
        help="a deal a round, a group of cards a seat; or shuffle",
    )
    run.add_argument(
        "--robots",
        metavar="1,2,…",
        type=_numbers,
        default=(),
        help="which of --seats play by themselves; where all do, add --starts and --deal",
    )
    run.add_argument("--game", metavar="ID/VERSION", help="which game (default lama-dice/1)")
    kept = run.add_mutually_exclusive_group()
    kept.add_argument("--resume", action="store_true", help="go on with the unfinished game, do not ask")
    kept.add_argument("--new", action="store_true", help="begin a new game, do not ask")


def _add_demo(commands: Commands[argparse.ArgumentParser]) -> None:
    demo = _add(
        commands,
        "demo",
        "companion.tools.demoing:demo",
        "watch robots play a whole game, read by a synthetic camera",
        "Robots press mock buttons, dice tumble on a synthetic table, the real reader reads them, the\n"
        "session referees, the journal is written. Nothing is needed but this program.",
    )
    demo.add_argument("--fast", action="store_true", help="as quick as it goes")
    demo.add_argument("--seed", type=_whole, default=None, metavar="N", help="play this very game again")
    demo.add_argument("--play", action="store_true", help="you play at seat 1, with the keyboard")
    demo.add_argument(
        "--players", type=_whole, default=3, choices=range(2, 7), help="how many play (default 3)"
    )
    _add_outputs(demo)
    demo.add_argument("--language", choices=("en", "de"), default="en", help="of the screen (default en)")


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--journal", metavar="PATH", help="the folder for games, or one .lama file")
    parser.add_argument(
        "--screen",
        metavar="NAME",
        help="where the screen goes: window, fullscreen, kms, luma:CONTROLLER, file[:PATH] or none "
        "(default: a window if there is one)",
    )
    parser.add_argument(
        "--size", type=_size, metavar="WxH", default=None, help="of a window or a file, 64x32 to 4096x4096"
    )
    parser.add_argument(
        "--page",
        nargs="?",
        const="on",
        type=_page,
        metavar="on|off|PORT",
        help="the page for phones, on the local network",
    )


def _camera(word: str) -> str:
    from companion.config import endless  # noqa: PLC0415 - only a camera needs it

    if not word:
        raise argparse.ArgumentTypeError("the name is empty")  # and would be the folder that is worked in
    if endless(word):
        raise argparse.ArgumentTypeError(f"'{_short(word)}' has too many digits for a camera")
    return word


def _page(word: str) -> str:
    if word in ("on", "off") or (is_number(word) and int(word) <= 65535):
        return word
    raise argparse.ArgumentTypeError(f"'{_short(word)}' is neither on, off nor a port from 0 to 65535")


def _short(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:40]}…"


def _whole(word: str, least: int = 0) -> int:
    if not is_number(word) or int(word) < least:
        most = 10**MOST_DIGITS - 1
        raise argparse.ArgumentTypeError(f"'{_short(word)}' is not a number from {least} to {most}")
    return int(word)


def _positive(word: str) -> int:
    return _whole(word, 1)


def _numbers(word: str) -> tuple[int, ...]:
    return tuple(_positive(part) for part in word.split(","))


def _names(word: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in word.split(","))


def _size(word: str) -> tuple[int, int]:
    width, _, height = word.partition("x")
    size = _positive(width), _positive(height)
    if not (64 <= size[0] <= 4096 and 32 <= size[1] <= 4096):
        raise argparse.ArgumentTypeError(f"{word} is no screen: 64x32 up to 4096x4096")
    return size


if __name__ == "__main__":
    sys.exit(main())
