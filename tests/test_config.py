"""The configuration: any TOML is a configuration or a clear refusal; changes keep the file whole."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.config import FORMAT, KEYS, Buttons, Config, checked, difference, everything
from companion.configfile import change, default_path, load, template
from companion.errors import ConfigError
from companion.house import HOUSE, Cocked, Deal, Edition, House, Language, Theme

DOCS = Path(__file__).parents[1] / "docs" / "configuration.md"


def said(text: str, tmp_path: Path) -> str:
    path = tmp_path / "companion.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(path)
    assert all(line.startswith(f"{path}: ") for line in str(refused.value).splitlines())
    return str(refused.value)


def test_the_file_that_explains_itself_says_what_holds_without_it() -> None:
    assert checked(tomllib.loads(template()), "template") == Config()


def test_every_key_is_explained_in_the_file_and_in_the_documentation() -> None:
    shown, told = tomlkit.parse(template()), DOCS.read_text(encoding="utf-8")
    for table, keys in KEYS.items():
        assert f"[{table}]" in told
        for key in keys:
            assert key in shown[table]
            assert re.search(rf"`{key}`", told), f"{key} is not documented"


@pytest.mark.parametrize(
    "text",
    [
        "[power]\nhold = " + "9" * 5_000,
        "[power]\nhold = " + "9" * 400,
        "[buttons]\npins = [5, 0x" + "f" * 5_000 + "]",
        "format = " + "9" * 5_000,
    ],
)
def test_a_number_without_end_is_refused(text: str, tmp_path: Path) -> None:
    assert "a number in it is too large" in said(text, tmp_path)


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5_000 + "]" * 5_000, "house." + "a." * 3_000 + "b = 1", "a = " + "{b = " * 5_000]
)
def test_what_is_nested_without_end_is_refused(text: str, tmp_path: Path) -> None:
    assert "nested too deeply" in said(text, tmp_path)


@pytest.mark.parametrize("name", ["", "pi:", "synthetic:"])
def test_a_camera_s_number_without_end_is_refused(name: str, tmp_path: Path) -> None:
    text = f'[camera]\nsource = "{name}{{}}"'
    assert "at most 9 digits" in said(text.format("1" * 5_000), tmp_path)
    assert checked(tomllib.loads(text.format("1" * 9)), "x").camera.source == name + "1" * 9


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ('[house]\nlangauge = "de"', ["there is no key langauge in [house]; did you mean language?"]),
        ("[huose]", ["there is no table [huose]; did you mean house?"]),
        ("[zzz]", ["there is no table [zzz]; there are house, table, screen"]),
        ('[house]\nlanguage = "fr"', ['[house] language = "fr": choose "en" or "de"']),
        ('[house]\nodds = "yes"', ['[house] odds = "yes": write true or false']),
        ('house = "de"', ['house = "de" is no table; write [house]']),
        ('[table]\ngame = "chess"', ['"lama-dice/1"']),
        ('[table]\nnames = ["Rosa", "Rosa"]', ["give everybody another name"]),
        ('[table]\nnames = ["A;b"]', ["without semicolons"]),
        ('[table]\nnames = "Rosa"', ["square brackets"]),
        ('[screen]\nsize = "800"', ["WIDTHxHEIGHT"]),
        ('[screen]\nsize = "8x8"', ['from "64x32"']),
        (
            '[screen]\nkind = "luma:ssd1307"',
            ['[screen] kind = "luma:ssd1307": choose auto, window', "ssd1306"],
        ),
        ('[screen]\nkind = "kms?trun=90"', ["no option 'trun'; there are turn, display"]),
        ('[screen]\nkind = "file:"', ["file:PATH"]),
        ('[screen]\nalso = ["auto"]', ["choose window"]),
        ("[screen]\nalso = 3", ["square brackets"]),
        ("[buttons]\npins = [5, 5]\nlamps = [1, 2]", ["pin 5 stands there twice"]),
        ("[buttons]\npins = [12, 6]\nlamps = [16, 12]", ["button 1 and lamp 2 are both on pin 12"]),
        ("[buttons]\npins = [5, 6]", ["2 pins but 6 lamps"]),
        ("[buttons]\npins = [28]", ["a whole number from 0 to 27"]),
        ("[buttons]\npins = []", ["1 to 6 BCM numbers"]),
        ("[buttons]\nhold = 0.1", ["[buttons] hold = 0.1: write seconds from 0.3 to 5"]),
        ("[buttons]\nhold = nan", ["write seconds"]),
        ('[buttons]\nrig = "pi"', ['choose "gpio" or "mock"']),
        ("[page]\nport = 99999", ["[page] port = 99999: write a whole number from 0 to 65535"]),
        ('[page]\nhosts = ["http://x:1"]', ["without port"]),
        ("[camera]\nsource = 0", ["[camera] source = 0: name a camera in quotes"]),
        ('[camera]\nsource = "pi:x"', ['[camera] source = "pi:x": a camera module is pi or pi:1']),
        ('[camera]\nsource = "pi?mains=55"', ['source = "pi?mains=55": a camera module is', "?mains=60"]),
        ('[camera]\ncalibration = ""', ["write a path in quotes"]),
        (
            '[camera]\ncalibration = "~nobody-here/d"',
            ['calibration = "~nobody-here/d": ', "no user nobody-here"],
        ),
        ('[folders]\ngames = "~nobody-here"', ['[folders] games = "~nobody-here": ', "no user nobody-here"]),
        ("a = = 1", ["this is not TOML", "line 1"]),
        ('[table]\ndeal = "given"', ['[house] deal = "given"', '"box" or "shuffle"']),
        ('[house]\nodds = 1\ntheme = "blue"', ["odds = 1", 'theme = "blue"']),
    ],
)
def test_a_wrong_value_is_named_with_its_remedy(text: str, sentences: list[str], tmp_path: Path) -> None:
    refusal = said(text, tmp_path)
    for sentence in sentences:
        assert sentence in refusal


def test_nothing_is_said_of_pins_that_the_file_does_not_name(tmp_path: Path) -> None:
    refusal = said("[buttons]\npins = [5, 5, 6]\nlamps = [12, 16, 20]", tmp_path)
    assert "pin 5 stands there twice" in refusal and len(refusal.splitlines()) == 1


@pytest.mark.parametrize("form", [2, 7])
def test_a_file_of_a_newer_companion_is_named_as_such_and_nothing_else(form: int, tmp_path: Path) -> None:
    refusal = said(f"format = {form}\n[house]\nvolume = 11\n", tmp_path)
    assert f"format = {form}: a newer companion wrote this file; this one reads format {FORMAT}" in refusal
    assert "move the file away" in refusal and len(refusal.splitlines()) == 1


@pytest.mark.parametrize("form", ["0", "-1", '"1"', "true", "1.5", "[]"])
def test_a_format_that_never_was_is_refused(form: str, tmp_path: Path) -> None:
    assert "write 1, or leave the line out" in said(f"format = {form}\n", tmp_path)


def test_a_format_that_is_told_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(f"format = {FORMAT}\n[house]\nodds = true\n", encoding="utf-8")
    change(path, {"house": {"voice": True}})
    assert load(path).house == House(odds=True, voice=True)
    assert path.read_text(encoding="utf-8").startswith(f"format = {FORMAT}\n")


@pytest.mark.parametrize("text", ["[volume]\nhigh = 1\n", "[house]\nvolume = 11\n"])
def test_what_another_version_may_have_written_is_named_with_what_to_do(text: str, tmp_path: Path) -> None:
    refusal = said(text, tmp_path)
    assert "volume" in refusal and refusal.count("install that version again; nothing was changed") == 1
    assert "install that version" not in said("[house]\nodds = 3\n", tmp_path)


def test_a_file_that_is_no_text_or_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(b"[house]\n# \xff")
    with pytest.raises(ConfigError, match=r"byte 10 is no UTF-8"):
        load(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)


def test_a_mark_at_the_beginning_as_some_editors_write_it_is_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(b"\xef\xbb\xbf[house]\nodds = true\n")
    assert load(path).house.odds


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
tables = st.sampled_from([*KEYS, "huose", ""])
keys = st.sampled_from([key for table in KEYS.values() for key in table] + ["langauge", ""])


@given(st.dictionaries(tables, st.dictionaries(keys, values, max_size=4) | values, max_size=4))
def test_any_values_are_a_configuration_or_a_clear_refusal(raw: dict[str, Any]) -> None:
    try:
        assert isinstance(checked(raw, "some.toml"), Config)
    except ConfigError as refusal:
        for line in str(refusal).splitlines():
            assert line.startswith("some.toml: ")


houses = st.builds(
    House,
    st.sampled_from(Language),
    st.sampled_from(Edition),
    st.sampled_from(Theme),
    st.sampled_from(Cocked),
    st.booleans(),
    st.booleans(),
    st.sampled_from(Deal),
)
sizes = st.none() | st.tuples(st.integers(64, 4096), st.integers(32, 4096))
displays = st.sampled_from(["kms?turn=90", "luma:ssd1306", "file:a b.png", "none"])
#: Pins that nothing else wants, whatever is configured beside them.
lines = st.permutations(sorted({*range(5, 28)} - {14, 15})).map(
    lambda pins: (tuple(pins[:6]), tuple(pins[6:12]))
)


@given(
    house=houses,
    pins=lines,
    size=sizes,
    also=st.lists(displays, max_size=2),
    name=st.text(st.characters(categories=["L", "N", "S"]), min_size=1, max_size=24),
)
def test_what_is_written_is_read_again(tmp_path_factory: Any, **made: Any) -> None:
    path = tmp_path_factory.mktemp("config") / "companion.toml"
    base = everything(Config())
    base["house"] = {key: getattr(made["house"], key) for key in KEYS["house"]}
    base["buttons"] |= {"pins": made["pins"][0], "lamps": made["pins"][1]}
    base["screen"] |= {"size": made["size"], "also": made["also"]}
    base["table"]["names"] = (made["name"],)
    change(path, base)
    found = load(path)
    assert found.house == made["house"]
    assert (found.buttons.pins, found.buttons.lamps) == made["pins"]
    assert found.screen.size == made["size"] and list(found.screen.also) == made["also"]
    assert found.table.names == (made["name"],)
    before = path.read_bytes()
    change(path, everything(found))
    assert load(path) == found and path.read_bytes() == before


MINE = """# my own remark
[page]
port = 80    # behind a proxy
on = true

[house]   # ours
theme = "light"
"""


def test_a_change_leaves_remarks_and_order_alone(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(MINE, encoding="utf-8")
    change(path, {"house": {"theme": Theme.DARK, "odds": True}, "camera": {"source": "0"}})
    text = path.read_text(encoding="utf-8")
    assert text.startswith(
        "# my own remark\n[page]\nport = 80    # behind a proxy\non = true\n\n[house]   # ours\n"
    )
    assert 'theme = "dark"' in text
    assert load(path).camera.source == "0" and load(path).house == House(odds=True)


@pytest.mark.parametrize(
    "text", ["house = {odds = true}", "house.odds = true", "[house]\nodds = true\n[page]"]
)
def test_a_change_finds_its_key_however_it_is_written(text: str, tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(text, encoding="utf-8")
    change(path, {"house": {"odds": False, "voice": True}, "page": {"on": True}})
    assert load(path).house == House(voice=True) and load(path).page.on


def test_a_file_that_makes_no_sense_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text("[house]\nodds = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="odds = 3"):
        change(path, {"house": {"voice": True}})
    with pytest.raises(ConfigError, match="port = -1"):
        change(tmp_path / "new.toml", {"page": {"port": -1}})
    assert path.read_text(encoding="utf-8") == "[house]\nodds = 3\n"
    assert not (tmp_path / "new.toml").exists()


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "companion.toml"
    real.write_text("[house]\n", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    change(link, {"house": {"odds": True}})
    assert link.is_symlink() and load(real).house.odds and real.stat().st_mode & 0o777 == 0o640


def test_a_folder_made_for_it_is_on_the_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, sync = set[int](), os.fsync

    def noted(descriptor: int) -> None:
        sync(descriptor)
        synced.add(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    change(tmp_path / "home" / "here" / "companion.toml", {"house": {"odds": True}})
    made = (tmp_path, tmp_path / "home", tmp_path / "home" / "here")
    assert {folder.stat().st_ino for folder in made} <= synced


def test_a_file_that_cannot_be_looked_at_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / ("x" * 300)
    with pytest.raises(ConfigError, match="this cannot be read: File name too long"):
        change(path, {"house": {"odds": True}})
    assert main(["run", "--rig", "mock", "--config", str(path)]) == 1
    assert "this cannot be read: File name too long" in capsys.readouterr().err


class PowerCut(BaseException):
    """The plug is pulled: nothing runs any more, not even a handler of errors."""


@pytest.mark.parametrize("step", ["write", "fsync", "replace", "sync"])
@pytest.mark.parametrize("how", [PowerCut, OSError])
def test_a_power_cut_or_a_full_disk_leaves_the_old_file_or_the_new(
    step: str, how: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "companion.toml"
    change(path, {"house": {"odds": True}})
    before = path.read_bytes()
    with monkeypatch.context() as broken:
        broken_at(step, how, broken)
        with pytest.raises(PowerCut if how is PowerCut else ConfigError):
            change(path, {"house": {"odds": False, "voice": True}})
    left = path.read_bytes()
    assert (left == before) == (step != "sync")
    assert load(path).house in (House(odds=True), House(voice=True))
    assert how is PowerCut or list(tmp_path.iterdir()) == [path]
    change(path, {"house": {"theme": Theme.LIGHT}})
    assert load(path).house.theme is Theme.LIGHT and len(list(tmp_path.iterdir())) == 1


def broken_at(step: str, how: type[BaseException], patch: pytest.MonkeyPatch) -> None:
    """Break one of the steps of writing: the data, its sync, the move, the folder's sync."""
    syncs: list[int] = []
    real_sync, real_open = os.fsync, Path.open

    def fail(*_: Any, **__: Any) -> None:
        raise how("pulled") if how is PowerCut else OSError(28, "No space left on device")

    def sync(descriptor: int) -> None:
        syncs.append(descriptor)
        if (step, len(syncs)) in (("fsync", 1), ("sync", 2)):
            fail()
        real_sync(descriptor)

    def half(self: Path, *arguments: Any, **words: Any) -> Any:
        file = real_open(self, *arguments, **words)
        if "w" in arguments:
            write: Callable[[str], int] = file.write
            file.write = lambda text: (write(text[: len(text) // 2]), file.flush(), fail())  # type: ignore[method-assign]
        return file

    patch.setattr(os, "fsync", sync)
    if step == "replace":
        patch.setattr(Path, "replace", fail)
    if step == "write":
        patch.setattr(Path, "open", half)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigError, match=r"cannot be written .*permissions"):
        change(tmp_path / "companion.toml", {"house": {"odds": True}})


@pytest.mark.parametrize(
    ("text", "deal"),
    [
        ("", Deal.BOX),
        ('[table]\ndeal = "typed"', Deal.BOX),
        ('[table]\ndeal = "shuffle"', Deal.SHUFFLE),
        ('[table]\ndeal = "shuffle"\n[house]\nodds = true', Deal.SHUFFLE),
        ('[table]\ndeal = "shuffle"\n[house]\ndeal = "box"', Deal.BOX),
    ],
)
def test_where_cards_come_from_is_the_houses_affair(text: str, deal: Deal, tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(text, encoding="utf-8")
    assert load(path).house.deal is deal
    change(path, {"house": {"deal": Deal.BOX}})
    assert load(path).house.deal is Deal.BOX


def test_there_is_a_page_unless_the_file_says_otherwise() -> None:
    assert checked({}, "some.toml").page.on
    assert not checked({"page": {"on": False}}, "some.toml").page.on


def test_only_what_changed_is_written() -> None:
    assert difference(HOUSE, House(voice=True, language=Language.DE)) == {"language": "de", "voice": True}
    assert difference(HOUSE, HOUSE) == {}


def test_where_the_configuration_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_path() == tmp_path / "lama-companion" / "companion.toml"


def test_the_defaults_are_those_of_the_hardware() -> None:
    from hardware.gestures import BOUNCE_S, HOLD_S

    assert (Buttons().hold, Buttons().bounce) == (HOLD_S, BOUNCE_S)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_a_file_that_the_superuser_changes_stays_its_owner_s(tmp_path: Path) -> None:
    """The service's is for its user alone, who has to go on reading it."""
    path = tmp_path / "companion.toml"
    path.write_text("[house]\nodds = true\n", encoding="utf-8")
    os.chown(path, 65_534, 65_533)
    path.chmod(0o600)
    change(path, {"house": {"voice": True}})
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (65_534, 65_533, 0o600)
