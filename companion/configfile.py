"""The configuration's file: TOML, changed without touching a remark.

A change is written beside the file and moved into its place, so that a power cut leaves the old
file or the new one, never half of one.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from companion import folders
from companion.config import Config, checked
from companion.errors import ConfigError

_LARGEST: Final = 2**63 - 1


def default_path() -> Path:
    """Tell where the configuration lies unless another place is named."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "lama-companion" / "companion.toml"


def load(path: Path) -> Config:
    """Read and check a configuration. Raises ``ConfigError`` with every problem there is."""
    return checked(_parsed(_text(path), path), str(path))


def change(path: Path, changes: Mapping[str, Mapping[str, object]]) -> None:
    """Set some values by table and key; what else is in the file stays as it is, remarks too.

    A file that is not there yet is begun with every key explained. Raises ``ConfigError`` if the
    file makes no sense, would make none afterwards, or cannot be written; it is untouched then.
    """
    import tomlkit  # noqa: PLC0415 - only a change needs it

    text = _text(path) if folders.is_there(path) else template()
    checked(_parsed(text, path), str(path))
    document = tomlkit.parse(text)
    for table, values in changes.items():
        if table not in document:
            document.add(tomlkit.nl())
            document.add(table, tomlkit.table())
        for key, value in values.items():
            document[table][key] = _plain(key, value)
    new = tomlkit.dumps(document)
    checked(_parsed(new, path), str(path))
    _replace(path, new)


def template() -> str:
    """Return the file that explains every key, with what holds without it."""
    return (files("companion") / "companion.toml").read_text("utf-8")


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: this cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is no UTF-8; save the file as UTF-8 text") from error


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        return _understood(text, path)
    except RecursionError as error:
        raise ConfigError(f"{path}: something in it is nested too deeply. Mend or remove it") from error


def _understood(text: str, path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: this is not TOML: {error}. Mend or remove that line") from error
    except ValueError:  # it has more digits than Python turns into a number
        found = {"": _LARGEST + 1}
    if _too_large(found):
        raise ConfigError(f"{path}: a number in it is too large: TOML's have 64 bits. Mend or remove it")
    return found


def _too_large(value: object) -> bool:
    """Tell whether there is a number that TOML does not have: it would not even fit into a sentence."""
    match value:
        case dict():
            return any(map(_too_large, value.values()))
        case list():
            return any(map(_too_large, value))
        case _:
            return isinstance(value, int) and not -_LARGEST <= value <= _LARGEST


# -- writing -----------------------------------------------------------------------------------


def _plain(key: str, value: object) -> object:
    """Turn a value into what TOML can say."""
    match value:
        case None:
            return ""
        case bool() | int() | float():
            return value
        case (wide, high) if key == "size":
            return f"{wide}x{high}"
        case tuple() | list():
            return [_plain("", one) for one in value]
        case dict():
            return {name: _plain(name, one) for name, one in value.items()}
        case _:
            return str(value)


def _replace(path: Path, text: str) -> None:
    """Write beside the file, then move into its place. A link stays a link."""
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name}.new")
    try:
        folders.make(place.parent)
        with beside.open("w", encoding="utf-8") as file:
            folders.liken(file.fileno(), place)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
        folders.sync(place.parent)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)  # its room may be the last that a game has
        remedy = "Check the folder's permissions and free space"
        raise ConfigError(f"{path}: this cannot be written ({error.strerror}). {remedy}") from error
