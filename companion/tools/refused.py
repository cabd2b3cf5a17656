"""Why a service cannot begin, on the screen: at the table nobody reads the system's log."""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from gpiozero.pins.mock import MockFactory

from companion import config
from companion.configfile import default_path
from companion.errors import ConfigError
from companion.house import Language
from companion.tools.doctor import page
from companion.tools.outputs import screens
from companion.tools.running import run as run_table
from companion.tools.spoken import unheard
from companion.wording import tell
from hardware.display import Screens
from hardware.errors import RigError
from hardware.service import Service
from vision.errors import VisionError

#: Seconds that it is shown for; whoever restarts the service from a console waits as long.
SHOWN_S: Final = 30.0
_TURN_S: Final = 0.1


def run(options: argparse.Namespace) -> int:
    """Referee games, whoever reads the log. What no restart mends is also shown, by a service, and raised."""
    try:
        with redirect_stdout(unheard(sys.stdout)):
            return run_table(options)
    except (ConfigError, VisionError) as error:
        service = Service.of()
        if service.address:
            _shown(error, options, service)
        raise


def _shown(error: Exception, options: argparse.Namespace, service: Service) -> None:
    path = Path(options.config) if options.config else default_path()
    try:
        with screens(config.Screen(), MockFactory()) as shown:
            explain(str(error), options.language or language(path), shown, service)
    except RigError:
        return  # no screen can be opened: the log has the sentence


def explain(
    sentence: str, told_in: str, shown: Screens, service: Service, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Show a sentence for a while, of which the service manager is told."""
    service.longer(SHOWN_S + 10)
    service.status(sentence)
    shown.show(lambda size: page(size, tell(told_in, "cannot_start"), sentence))
    for _ in range(round(SHOWN_S / _TURN_S)):
        shown.poll()
        sleep(_TURN_S)


def language(path: Path) -> str:
    """Tell the house's language, as far as a refused file says one."""
    try:
        word = tomllib.loads(path.read_text("utf-8-sig"))["house"]["language"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return str(Language.EN)
    return word if word in tuple(Language) else str(Language.EN)
