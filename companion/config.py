"""The configuration as a value, checked whole: every problem is told with key, value and remedy, at once.

``companion.configfile`` reads and writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from companion import checks
from companion.checks import Check, Wrong
from companion.errors import ConfigError
from companion.house import HOUSE, Cocked, Deal, Edition, House, Language, Theme
from companion.numbers import MOST_DIGITS
from companion.rules.games import GAMES
from companion.wires import Wire, collisions, wires
from hardware.modules import MODULES, is_misnamed
from hardware.pins import BUTTON_PINS, LAMP_PINS

Size = tuple[int, int]

_ENDLESS: Final = re.compile(rf"(?:pi:|synthetic:)?\d{{{MOST_DIGITS + 1},}}(?:\?.*)?")


@dataclass(frozen=True, slots=True)
class Table:
    """What is played here, and who sits at the buttons, from button 1."""

    game: str = "lama-dice/1"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """The display by name, pixels for one that has no size of its own, further displays by name."""

    kind: str = "auto"
    size: Size | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Camera:
    """Where pictures come from (``none``: from nowhere), and what the dice there look like."""

    source: str = "none"
    calibration: Path = Path("dice.npz")


@dataclass(frozen=True, slots=True)
class Buttons:
    """Buttons and lamps: which rig, BCM numbers of its lines, seconds of a hold and of a bounce."""

    rig: str = "gpio"
    pins: tuple[int, ...] = BUTTON_PINS
    lamps: tuple[int, ...] = LAMP_PINS
    hold: float = 0.7
    bounce: float = 0.02


@dataclass(frozen=True, slots=True)
class Power:
    """The button that switches the machine off: its BCM number, and for how many seconds it is held."""

    pin: int = 4
    hold: float = 3.0


@dataclass(frozen=True, slots=True)
class Page:
    """Whether there is a page for phones, on which port, and by which further names."""

    on: bool = True
    port: int = 8080
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Speaker:
    """Which voice speaks, while the house wants one."""

    kind: str = "auto"


@dataclass(frozen=True, slots=True)
class Folders:
    """Where things are kept; none: where the system keeps such things."""

    games: Path | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set."""

    house: House = HOUSE
    table: Table = field(default_factory=Table)
    screen: Screen = field(default_factory=Screen)
    camera: Camera = field(default_factory=Camera)
    buttons: Buttons = field(default_factory=Buttons)
    power: Power = field(default_factory=Power)
    page: Page = field(default_factory=Page)
    speaker: Speaker = field(default_factory=Speaker)
    folders: Folders = field(default_factory=Folders)


def endless(camera: str) -> bool:
    """Tell whether a camera's name is a number that none has, or a synthetic table's that none needs."""
    return _ENDLESS.fullmatch(camera) is not None


def _camera(value: object) -> object:
    name = checks.word("a camera")(value)
    if endless(str(name)):
        raise Wrong(f"a camera's number has at most {MOST_DIGITS} digits")
    if is_misnamed(str(name)):
        raise Wrong(MODULES)
    return name


#: Every key there is, by table, with what its value must be.
KEYS: Final[Mapping[str, Mapping[str, Check]]] = {
    "house": {
        "language": checks.member_of(Language),
        "edition": checks.member_of(Edition),
        "theme": checks.member_of(Theme),
        "cocked": checks.member_of(Cocked),
        "odds": checks.yes_or_no,
        "voice": checks.yes_or_no,
        "deal": checks.member_of(Deal),
    },
    "table": {
        "game": checks.one_of(*GAMES),
        "names": checks.names,
    },
    "screen": {
        "kind": checks.display("auto"),
        "size": checks.size,
        "also": checks.list_of(checks.display()),
    },
    "camera": {"source": _camera, "calibration": checks.path},
    "buttons": {
        "rig": checks.one_of("gpio", "mock"),
        "pins": checks.pins,
        "lamps": checks.pins,
        "hold": checks.seconds(0.3, 5.0),
        "bounce": checks.seconds(0.0, 0.2),
    },
    "power": {"pin": checks.whole(0, checks.MAX_PIN), "hold": checks.seconds(1.0, 10.0)},
    "page": {
        "on": checks.yes_or_no,
        "port": checks.whole(0, 65535),
        "hosts": checks.list_of(checks.host),
    },
    "speaker": {"kind": checks.one_of("auto", "espeak-ng", "piper", "none")},
    "folders": {"games": checks.maybe(checks.path)},
}
_PARTS: Final[Mapping[str, Callable[..., object]]] = {
    "house": House,
    "table": Table,
    "screen": Screen,
    "camera": Camera,
    "buttons": Buttons,
    "power": Power,
    "page": Page,
    "speaker": Speaker,
    "folders": Folders,
}


#: The form of the file; one that names none has the first. It grows when a value changes its meaning.
FORMAT: Final = 1
_FORMAT_KEY: Final = "format"
_UNKNOWN: Final = "there is no"
_OTHER_VERSION: Final = (
    "if another version of the companion wrote this: take out what is named, or install that version again; "
    "nothing was changed"
)


def checked(raw: Mapping[str, Any], file: str) -> Config:
    """Check what a configuration says; ``file`` is its name in the sentences of ``ConfigError``."""
    if problem := _format_problem(raw.get(_FORMAT_KEY, FORMAT)):
        raise ConfigError(f"{file}: {problem}")
    problems: list[str] = []
    parts: dict[str, Any] = {}
    for table, values in _moved(raw).items():
        if table == _FORMAT_KEY:
            continue
        if table not in KEYS:
            problems.append(f"{_UNKNOWN} table [{_key(table)}]{_nearest(table, KEYS)}")
        elif not isinstance(values, Mapping):
            problems.append(f"{table} = {_shown(values)} is no table; write [{table}] on a line of its own")
        else:
            parts[table] = _PARTS[table](**_values(table, values, problems))
    if any(problem.startswith(_UNKNOWN) for problem in problems):
        problems.append(_OTHER_VERSION)
    config = Config(**parts)
    if not any(problem.startswith(("[buttons] pins =", "[buttons] lamps =")) for problem in problems):
        problems += _pins(config)  # else these are not what the file says
    if problems:
        raise ConfigError("\n".join(f"{file}: {problem}" for problem in problems))
    return config


def _format_problem(form: object) -> str | None:
    """Refuse a file whose values may mean something else than here."""
    if form == FORMAT and not isinstance(form, bool):
        return None
    if isinstance(form, int) and form > FORMAT:
        return (
            f"format = {form}: a newer companion wrote this file; this one reads format {FORMAT}. Install "
            "the newer one again, or move the file away and answer the first questions anew; nothing was "
            "changed"
        )
    return f"format = {_shown(form)}: write {FORMAT}, or leave the line out"


def _moved(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read ``deal`` where it stood once, in [table], as the house's, unless the house says otherwise."""
    table, house = raw.get("table"), raw.get("house", {})
    if not (isinstance(table, Mapping) and isinstance(house, Mapping) and "deal" in table):
        return raw
    deal = str(Deal.BOX) if table["deal"] == "typed" else table["deal"]
    rest = {key: value for key, value in table.items() if key != "deal"}
    return {**raw, "table": rest, "house": {"deal": deal, **house}}


def everything(config: Config) -> dict[str, dict[str, object]]:
    """Write a whole configuration as changes by table and key."""
    return {table: asdict(getattr(config, table)) for table in KEYS}


def placed(config: Config, folder: Path) -> Config:
    """Tell where the files lie: paths are as seen from the configuration's folder, ``~`` is the home."""
    games = config.folders.games
    return replace(
        config,
        camera=replace(config.camera, calibration=folder / config.camera.calibration.expanduser()),
        folders=replace(config.folders, games=games and folder / games.expanduser()),
    )


def difference(before: House, after: House) -> dict[str, object]:
    """Tell the keys of the house that differ, with their new values."""
    names = (one.name for one in fields(House))
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(before, name)}


def _nearest(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"


def _values(table: str, values: Mapping[str, Any], problems: list[str]) -> dict[str, object]:
    """Check the values of one table; what is wrong is added to the problems."""
    found: dict[str, object] = {}
    for key, value in values.items():
        if key not in KEYS[table]:
            problems.append(f"{_UNKNOWN} key {_key(key)} in [{table}]{_nearest(key, KEYS[table])}")
            continue
        try:
            found[key] = KEYS[table][key](value)
        except Wrong as wrong:
            problems.append(f"[{table}] {key} = {_shown(value)}: {wrong}")
    return found


def wired(config: Config) -> tuple[Wire, ...]:
    """List the wires of a table."""
    buttons, screen = config.buttons, config.screen
    return wires(buttons.pins, buttons.lamps, config.power.pin, (screen.kind, *screen.also))


def _pins(config: Config) -> Iterator[str]:
    yield from (f"the pins: {problem}" for problem in collisions(wired(config)))
    buttons = config.buttons
    if len(buttons.pins) != len(buttons.lamps):
        counts = f"{len(buttons.pins)} pins but {len(buttons.lamps)} lamps"
        yield f"[buttons] pins and lamps: there are {counts}; every button needs its lamp"


def _key(name: str) -> str:
    """Write a key as its file does."""
    return name if name.isidentifier() else _shown(name)


def _shown(value: object) -> str:
    """Write a value as its file does, on one line and shortened."""
    words = "true" if value is True else "false" if value is False else repr(value)
    if isinstance(value, str) and value.isprintable():
        words = f'"{value}"'
    return words if len(words) <= 60 else f"{words[:59]}…"
