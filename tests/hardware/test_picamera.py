"""Camera modules: light settles, is locked and seen to be; what is wrong is named; calls fit picamera2."""

from __future__ import annotations

import ast
import inspect
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera import open_camera
from hardware.errors import RigError, Unplugged
from hardware.picamera import FLICKER_US, FPS, SIZE, Light, PiCamera

Calls = list[tuple[str, tuple[Any, ...], dict[str, Any]]]


class Module:
    """A camera module as picamera2 gives it: it adjusts itself until a few frames after it is told not to."""

    def __init__(self, obeys: bool = True, frames: int = 10_000, focus: float | None = None) -> None:
        self.obeys, self.left, self.focus = obeys, frames, focus
        self.calls: Calls = []
        self.made, self.released = 0, 0
        self.exposure, self.gain, self.colours = 2_000.0, 1.0, (1.0, 1.0)
        self.pending: list[tuple[int, dict[str, Any]]] = []
        self.automatic = True
        self.camera_controls = {"AnalogueGain": (1.0, 16.0, 1.0)}
        if focus is not None:
            self.camera_controls["LensPosition"] = (0.0, 32.0, 1.0)

    def note(self, name: str, *values: Any, **named: Any) -> None:
        self.calls.append((name, values, named))

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:
        self.note("create_video_configuration", **options)
        return options

    def configure(self, configuration: dict[str, Any]) -> None:
        self.note("configure", configuration)
        self.size = configuration["main"]["size"]

    def start(self) -> None:
        self.note("start")

    def stop(self) -> None:
        self.note("stop")

    def close(self) -> None:
        self.note("close")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.note("set_controls", controls)
        self.pending.append((self.made + 4, controls))

    def capture_request(self, wait: float) -> Request:
        self.note("capture_request", wait=wait)
        if self.left == 0:
            raise TimeoutError("timed out")
        self.left, self.made = self.left - 1, self.made + 1
        for due, controls in self.pending:
            if self.obeys and due == self.made:
                self.automatic = False
                self.exposure, self.gain = controls["ExposureTime"], controls["AnalogueGain"]
                self.colours = controls["ColourGains"]
        if self.automatic:
            self.exposure += (23_000 - self.exposure) * 0.2 + (
                400 * (-1) ** self.made if not self.obeys else 0
            )
            self.gain += (1.7 - self.gain) * 0.2
            self.colours = (1.9, 1.4)
        return Request(self)


class Request:
    """One frame of a module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        focus = {} if module.focus is None else {"LensPosition": module.focus}
        self.metadata = {
            "ExposureTime": int(module.exposure),
            "AnalogueGain": module.gain,
            "ColourGains": module.colours,
            "SensorTimestamp": 5_000_000_000 + module.made * 33_333_333,
            **focus,
        }

    def make_array(self, name: str) -> np.ndarray:
        self.module.note("make_array", name)
        return np.full((self.module.size[1], self.module.size[0], 3), self.module.made % 256, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        self.module.note("get_metadata")
        return self.metadata

    def release(self) -> None:
        self.module.note("release")
        self.module.released += 1


def opened(module: Module, mains_hz: int = 50) -> PiCamera:
    return PiCamera(0, mains_hz, lambda number: module)


def test_the_light_is_locked_where_it_settled_to_whole_flickers() -> None:
    module = Module()
    light = opened(module).light
    assert light.exposure_us == 20_000
    assert light.exposure_us * light.gain == pytest.approx(23_000 * 1.7, rel=0.1)
    assert light.colours == (1.9, 1.4)
    (_, (controls,), _) = next(call for call in module.calls if call[0] == "set_controls")
    assert (controls["AeEnable"], controls["AwbEnable"], "AfMode" in controls) == (False, False, False)
    assert not module.automatic


def test_sixty_hertz_has_flickers_of_its_own() -> None:
    assert opened(Module(), 60).light.exposure_us == 3 * FLICKER_US[60]


def test_a_lens_that_moves_is_locked_too() -> None:
    module = Module(focus=2.5)
    opened(module)
    (_, (controls,), _) = next(call for call in module.calls if call[0] == "set_controls")
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 2.5)


def test_a_camera_that_goes_on_adjusting_is_refused_and_given_back() -> None:
    module = Module(obeys=False)
    with pytest.raises(RigError, match=r"does not keep its exposure .* instead of"):
        opened(module)
    assert [name for name, _, _ in module.calls][-2:] == ["stop", "close"]


def test_frames_are_numbered_timed_and_given_back() -> None:
    module = Module()
    camera = opened(module)
    found = [frame for _, frame in zip(range(5), camera.frames(), strict=False)]
    assert [frame.number for frame in found] == [0, 1, 2, 3, 4]
    assert found[4].time_s == pytest.approx(4 / FPS, abs=0.01)
    assert found[0].image.shape == (SIZE[1], SIZE[0], 3)
    assert module.released == module.made
    camera.close()


def test_a_camera_that_falls_silent_is_unplugged() -> None:
    module = Module()
    camera = opened(module)
    module.left = 3
    frames = camera.frames()
    assert len([next(frames) for _ in range(3)]) == 3
    with pytest.raises(Unplugged, match="ribbon cable"):
        next(frames)


def test_one_that_is_silent_from_the_start_is_given_back() -> None:
    module = Module(frames=0)
    with pytest.raises(RigError, match="sends no pictures"):
        opened(module)
    assert module.calls[-1][0] == "close"


exposures = st.integers(20, 1_000_000)


@given(exposures, st.floats(1.0, 16.0), st.sampled_from(sorted(FLICKER_US)))
def test_a_steady_light_is_as_bright_and_never_asks_for_the_impossible(
    exposure: int, gain: float, mains_hz: int
) -> None:
    before = Light(exposure, gain, (1.0, 1.0))
    after = before.steady(mains_hz, 16.0)
    if after != before:
        assert after.exposure_us % FLICKER_US[mains_hz] == 0
        assert 0 < after.exposure_us <= 1e6 / FPS
        assert 1.0 <= after.gain <= 16.0
        assert after.exposure_us * after.gain == pytest.approx(exposure * gain)
    else:
        flicker = FLICKER_US[mains_hz]
        assert exposure * gain < flicker or exposure * gain > 16.0 * flicker or exposure % flicker == 0


def without(monkeypatch: pytest.MonkeyPatch, found: object) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", found)


def test_without_picamera2_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, None)
    with pytest.raises(RigError, match="apt install python3-picamera2"):
        PiCamera()


@pytest.mark.parametrize("name", ["pi", "pi:1"])
def test_a_module_is_opened_by_its_name(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    asked: list[int] = []

    def give(number: int) -> Module:
        asked.append(number)
        return Module()

    without(monkeypatch, SimpleNamespace(Picamera2=give))
    assert isinstance(open_camera(name), PiCamera)
    assert asked == [1 if name == "pi:1" else 0]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (IndexError("list index out of range"), r"no camera module 1: is the ribbon cable"),
        (RuntimeError("Camera __init__ sequence did not complete."), "another program"),
    ],
)
def test_a_module_that_cannot_be_opened_is_named(
    monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    def refuse(number: int) -> Module:
        raise error

    without(monkeypatch, SimpleNamespace(Picamera2=refuse))
    with pytest.raises(RigError, match=says):
        PiCamera(1)


def real(file: str, name: str) -> dict[str, inspect.Signature]:
    """The signatures of a class of the real picamera2, read without importing it: libcamera is not here."""
    spec = find_spec("picamera2")
    if spec is None or spec.origin is None:
        pytest.skip("not installed: pip install --no-deps picamera2")
    tree = ast.parse((Path(spec.origin).parent / file).read_text())
    found = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    methods = [node for node in found.body if isinstance(node, ast.FunctionDef)]
    return {method.name: signature(method.args) for method in methods}


def signature(arguments: ast.arguments) -> inspect.Signature:
    plain = arguments.posonlyargs + arguments.args
    required = len(plain) - len(arguments.defaults)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    made = [
        inspect.Parameter(each.arg, kind, default=inspect.Parameter.empty if n < required else None)
        for n, each in enumerate(plain)
    ]
    named = [
        inspect.Parameter(each.arg, inspect.Parameter.KEYWORD_ONLY, default=None)
        for each in arguments.kwonlyargs
    ]
    return inspect.Signature(made + named)


def test_every_call_fits_the_real_picamera2() -> None:
    camera, request = real("picamera2.py", "Picamera2"), real("request.py", "CompletedRequest")
    module = Module(focus=1.0)
    with_frames = opened(module)
    next(with_frames.frames())
    with_frames.close()
    assert len({name for name, _, _ in module.calls}) == 10
    for name, values, named in module.calls:
        found = camera if name in camera else request
        found[name].bind(module, *values, **named)
    camera["__init__"].bind(module, 0)
    assert "camera_controls" in camera
