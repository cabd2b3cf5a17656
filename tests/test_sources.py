"""Which camera is taken when none is named, and which pictures come from files."""

from __future__ import annotations

import pytest

from companion.tools import plan, sources
from companion.tools.sources import Source
from hardware.errors import RigError


@pytest.mark.parametrize(
    ("there", "found"), [(("pi", "0"), "pi"), (("0", "2"), "0"), (("2",), "2"), ((), "none")]
)
def test_a_camera_module_is_looked_for_before_webcams(
    there: tuple[str, ...], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_camera(name: str, paced: bool = False, size: object = None) -> object:
        if name not in there:
            raise RigError(f"no {name}")
        return object()

    monkeypatch.setattr(sources, "open_camera", open_camera)
    monkeypatch.setattr(sources.Path, "exists", lambda _: True)
    source = Source("none")
    assert (source.open() is None) == (found == "none")
    assert source.name == found


@pytest.mark.parametrize(
    ("source", "film"),
    [
        ("pi", False),
        ("pi:1", False),
        ("0", False),
        ("/dev/video0", False),
        ("none", False),
        ("synthetic:7", False),
        ("film.mp4", True),
        ("pictures", True),
        ("pirates.mp4", True),
    ],
)
def test_what_comes_from_files(source: str, film: bool) -> None:
    assert plan._is_film(source) is film
