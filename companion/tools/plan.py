"""What an evening is to be: the configuration's file and the options of the command line, taken together."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from companion import setup
from companion.config import Config, Page, placed
from companion.configfile import default_path, load
from companion.folders import is_there
from companion.house import Deal, Language
from companion.rules.games import GAMES
from companion.rules.notation import MAX_SEATS, Unreadable, parse
from companion.rules.table import RuleError
from companion.tools.synthetic_camera import is_synthetic
from companion.tools.together import FILE
from companion.update import SetupStep
from hardware.camera import is_live

NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """What holds this evening. ``kept`` is what the file says, ``path`` that file.

    ``first``: nothing is configured and nobody has said who plays, so the screen asks;
    ``language_told``: but not for the language, which the command line tells.
    ``without_camera``: the command line says that there is to be none.
    ``page_asked_for``: it says something of the page.
    """

    config: Config
    kept: Config
    path: Path
    first: bool
    without_camera: bool = False
    page_asked_for: bool = False
    language_told: bool = False

    @property
    def source(self) -> str:
        """Where pictures come from, or ``none``."""
        return self.config.camera.source

    @property
    def questions(self) -> tuple[SetupStep, ...]:
        """What is asked at a first start: all that the command line leaves open."""
        steps = setup.HOUSE if self.without_camera else setup.FIRST
        return tuple(step for step in steps if not (self.language_told and step is SetupStep.LANGUAGE))

    @property
    def knows_dice(self) -> bool:
        """Tell whether there is a calibration."""
        return is_there(self.config.camera.calibration)


def planned(options: argparse.Namespace) -> Plan:
    """Read the configuration and lay the options over it. Raises ``ConfigError``."""
    path = Path(options.config) if options.config else default_path()
    there = is_there(path)
    kept = placed(load(path) if there else Config(), path.absolute().parent)
    config = _with(options, kept)
    first = options.setup or not (there or _says_who_plays(options))
    told = options.camera == NONE, options.page is not None, options.language is not None
    return Plan(config, kept, path, first, *told)


def _says_who_plays(options: argparse.Namespace) -> bool:
    """Tell whether the command line begins the game by itself: then nobody is asked how things are."""
    return bool(options.seats or options.resume or options.robots or options.calibration)


def _with(options: argparse.Namespace, config: Config) -> Config:
    """Lay the options over a configuration."""
    house, table, screen, camera = config.house, config.table, config.screen, config.camera
    if options.language:
        house = replace(house, language=Language(options.language))
    if options.game:
        table = replace(table, game=options.game)
    if options.screen or options.size:
        kind = FILE if options.screen == "file" else options.screen or screen.kind
        screen = replace(screen, kind=kind, size=options.size or screen.size)
    if options.camera:
        camera = replace(camera, source=options.camera)
    if options.calibration:
        camera = replace(camera, calibration=Path(options.calibration).absolute())
    buttons = replace(config.buttons, rig=options.rig or config.buttons.rig)
    page = with_page(options.page, config.page)
    return replace(config, house=house, table=table, screen=screen, camera=camera, buttons=buttons, page=page)


def with_page(word: str | None, page: Page) -> Page:
    """Switch the page on or off, or put it on a port."""
    if word is None:
        return page
    return replace(page, on=word != "off", port=int(word) if word.isdecimal() else page.port)


def contradiction(options: argparse.Namespace, plan: Plan) -> str | None:
    """Find options that cannot hold together, and say what to change."""
    names, starts, deals, config = options.seats, options.starts, options.deal or [], plan.config
    game, source = config.table.game, config.camera.source
    unknown, known = _is_film(source) and is_there(Path(source)) and not plan.knows_dice, options.calibration
    make = "make one with companion calibrate DIR --out FILE"
    wrong = {
        f"--camera needs --calibration FILE for a film: {make}": unknown and not known,
        f"--calibration {known}: there is no such file; {make}": unknown and known,
        "--calibration needs --camera FILM|DIR|DEVICE": options.calibration and source == NONE,
        f"there is no game {game}; choose one of {', '.join(GAMES)}": game not in GAMES,
        f"--seats names {len(names)}; 2 to 6 can play": names and not 2 <= len(names) <= 6,
        "--starts needs --seats, so that it is known who plays": starts and not names,
        f"--starts {starts}: the seats are 1 to {len(names)}": starts and names and starts > len(names),
        "--resume goes on with a game as it is: leave out --seats and --starts": (
            options.resume and (names or starts)
        ),
        "--robots press mock buttons: add --rig mock": options.robots and config.buttons.rig != "mock",
        f"--robots: the seats are 1 to {MAX_SEATS}": any(seat > MAX_SEATS for seat in options.robots),
        "--robots needs --seats, so that it is known who plays": (
            options.robots and not (names or options.resume)
        ),
        "--robots at every seat begin and deal nothing: add --starts N and --deal shuffle": (
            _all_robots(options) and not (starts and (deals or config.house.deal is Deal.SHUFFLE))
        ),
        "--deal shuffle deals every round: leave the other deals out": "shuffle" in deals and len(deals) > 1,
    }
    found = (sentence for sentence, holds in wrong.items() if holds)
    return next(found, None) or _bad_deal(options, game)


def _all_robots(options: argparse.Namespace) -> bool:
    """Tell whether nobody but robots is to play, from the first deal on."""
    return bool(options.seats) and {*range(1, len(options.seats) + 1)} <= {*options.robots}


def _is_film(source: str) -> bool:
    """Tell whether pictures come from files: nobody can throw other dice there."""
    return not (source == NONE or is_live(source) or is_synthetic(source))


def _bad_deal(options: argparse.Namespace, game: str) -> str | None:
    """Try each given deal on an empty table, before a game begins with it."""
    for words in options.deal or ():
        try:
            if words != "shuffle" and options.seats:
                GAMES[game].start(options.seats, 1).play(parse(f"deal {words.removeprefix('deal ')}"))
        except (RuleError, Unreadable) as error:
            return f"--deal '{words}': {error}"
    return None
