"""Camera modules: both streams, light locked and told about, what is wrong is named; calls fit picamera2."""

from __future__ import annotations

import ast
import inspect
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from fake_module import Module

from hardware import picamera, v4l
from hardware.camera import Frame, Remark, open_camera
from hardware.errors import CameraError, Fault, RigError, Unplugged
from hardware.lighting import FLICKER_US, FPS, Light
from hardware.picamera import SIZE, SMALL, PiCamera

REPOSITORY = Path(__file__).parents[2]


def opened(module: Module, mains_hz: int = 50) -> PiCamera:
    return PiCamera(0, mains_hz, lambda number: module)


def some(camera: PiCamera, count: int) -> list[Frame]:
    return [frame for _, frame in zip(range(count), camera.frames(), strict=False)]


def remarks(camera: PiCamera, count: int) -> list[Frame]:
    return [frame for frame in some(camera, count) if frame.remark]


def told(module: Module) -> list[dict[str, object]]:
    return [values[0] for name, values, _ in module.calls if name == "set_controls"]


# -- the light ---------------------------------------------------------------------------------


def test_the_light_is_locked_where_it_settled_to_whole_flickers() -> None:
    module = Module()
    light = opened(module).light
    assert light is not None and light.exposure_us == 20_000
    assert light.exposure_us * light.gain == pytest.approx(23_000 * 1.7, rel=0.1)
    assert light.colours == (1.9, 1.4)
    seeking, locking = told(module)
    assert seeking["AeEnable"] is True
    assert (locking["AeEnable"], locking["AwbEnable"], "AfMode" in locking) == (False, False, False)
    assert not module.automatic


def test_sixty_hertz_has_flickers_of_its_own() -> None:
    light = opened(Module(), 60).light
    assert light is not None and light.exposure_us == 3 * FLICKER_US[60]


def test_a_lens_that_moves_finds_its_place_and_is_locked_there() -> None:
    module = Module(lens=True)
    opened(module)
    seeking, locking = told(module)
    assert (seeking["AfMode"], seeking["AfTrigger"]) == (1, 0)
    assert (locking["AfMode"], locking["LensPosition"]) == (0, 2.5)


@pytest.mark.parametrize(("what", "lens"), [("exposure", False), ("lens", True)])
def test_a_control_that_takes_no_effect_is_told_and_nobody_is_stopped(what: str, lens: bool) -> None:
    camera = opened(Module(defies=(what,), lens=lens))
    assert camera.light is None
    (frame,) = remarks(camera, 300)
    assert frame.number == 0 and frame.remark is Remark.UNLOCKED
    assert frame.sentence.startswith("camera module 0 does not keep its ") and what in frame.sentence
    assert "instead of" in frame.sentence


def test_a_light_that_strays_is_locked_again_and_told() -> None:
    module = Module()
    camera = opened(module)
    frames = camera.frames()
    next(frames)
    module.exposure, kept = 9_000.0, camera.light
    found = [next(frames) for _ in range(40)]
    (frame,) = (frame for frame in found if frame.remark)
    assert frame.remark is Remark.RELOCKED and "changed its light by itself" in frame.sentence
    assert camera.light == kept and module.exposure == 20_000
    assert [frame.number for frame in found] == list(range(1, 41))


def test_the_light_is_measured_anew_while_frames_go_on() -> None:
    module = Module()
    camera = opened(module)
    frames = camera.frames()
    next(frames)
    module.scene = 31_000.0
    camera.relight()
    (frame,) = (frame for frame in (next(frames) for _ in range(80)) if frame.remark)
    assert frame.remark is Remark.RELIT
    assert camera.light is not None and camera.light.exposure_us == 30_000


def test_light_and_lens_are_found_anew_after_the_camera_was_free() -> None:
    module = Module(lens=True)
    camera = opened(module)
    frames = camera.frames()
    next(frames)
    camera.free()
    module.scene = 31_000.0
    assert not any(next(frames).remark for _ in range(60)) and module.automatic
    camera.lock()
    assert camera.light is not None and camera.light.exposure_us == 30_000 and not module.automatic
    assert next(frames).remark is None
    free, *_ = (one for one in told(module) if one.get("AfMode") == 2)
    assert free["AeEnable"] is True


def test_the_next_frame_is_as_dark_as_was_asked_for() -> None:
    module = Module()
    camera = opened(module)
    frames = camera.frames()
    next(frames)
    camera.expose(0.25)
    frame = next(frames)
    assert camera.light is not None and camera.light.exposure_us * camera.light.gain == pytest.approx(
        23_000 * 1.7 / 4, rel=0.05
    )
    assert (module.exposure, frame.remark) == (camera.light.exposure_us, None)
    made = module.made
    camera.expose(0.25)
    assert module.made == made


def test_a_camera_without_exposure_to_set_is_used_as_it_is() -> None:
    """A webcam under libcamera, or its virtual camera: nothing is set that would be refused."""
    module = Module(locks=False)
    camera = opened(module)
    camera.expose(0.5)
    assert camera.light is None and told(module) == [] and remarks(camera, 100) == []


# -- frames ------------------------------------------------------------------------------------


def test_frames_are_numbered_timed_signed_and_given_back() -> None:
    module = Module()
    camera = opened(module)
    found = some(camera, 5)
    assert [frame.number for frame in found] == [0, 1, 2, 3, 4]
    assert found[4].time_s == pytest.approx(4 / FPS, abs=0.01)
    assert found[0].image.shape == (SIZE[1], SIZE[0], 3) and found[0].taker == "imx708"
    assert module.released == module.made
    camera.close()


def test_the_small_stream_comes_without_its_colours_and_padding() -> None:
    frame = some(opened(Module()), 1)[0]
    assert frame.luma is not None and frame.luma.shape == (SMALL[1], SMALL[0])
    assert frame.luma.flags.c_contiguous and np.unique(frame.luma).tolist() == [frame.image[0, 0, 0]]
    assert SIZE[0] * SMALL[1] == SIZE[1] * SMALL[0]


def test_a_camera_that_chooses_other_sizes_is_followed() -> None:
    module = Module()
    module.only = {"main": (1280, 960), "lores": (256, 192)}
    frame = some(opened(module), 1)[0]
    assert frame.image.shape == (960, 1280, 3) and frame.luma is not None and frame.luma.shape == (192, 256)
    assert np.unique(frame.luma).tolist() == [frame.image[0, 0, 0]]


@pytest.mark.parametrize(
    ("pixels", "mode"),
    [((3280, 2464), (1640, 1232)), ((4608, 2592), (2304, 1296)), ((4056, 3040), (2028, 1520))],
)
def test_the_whole_field_is_asked_for(pixels: tuple[int, int], mode: tuple[int, int]) -> None:
    """The modes that join four pixels to one, of the modules 2, 3 and HQ; smaller ones cut the sides off."""
    module = Module()
    module.camera_properties["PixelArraySize"] = pixels
    opened(module)
    (_, _, options) = next(call for call in module.calls if call[0].startswith("create"))
    assert options["sensor"]["output_size"] == mode and options["raw"] is None


def test_a_camera_that_falls_silent_is_unplugged_and_can_be_closed() -> None:
    module = Module()
    camera = opened(module)
    module.left = 3
    frames = camera.frames()
    assert len([next(frames) for _ in range(3)]) == 3
    with pytest.raises(Unplugged, match="ribbon cable"):
        next(frames)
    camera.close()
    camera.close()


def test_closing_without_flushing_would_wait_for_ever() -> None:
    """What the test above guards against: picamera2 stops behind the frame that never comes."""
    module = Module(frames=0)
    with pytest.raises(TimeoutError):
        module.capture_request(wait=1.0)
    with pytest.raises(AssertionError, match="wait for ever"):
        module.stop()


def test_one_that_is_silent_from_the_start_is_given_back() -> None:
    module = Module(frames=0)
    with pytest.raises(CameraError, match="sends no pictures"):
        opened(module)
    assert module.calls[-1][0] == "close"


# -- opening -----------------------------------------------------------------------------------


def without(monkeypatch: pytest.MonkeyPatch, found: object) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", found)


def library(monkeypatch: pytest.MonkeyPatch, make: object, cameras: int = 2) -> None:
    """Put a picamera2 in place that lists so many cameras, and a webcam behind them, and makes them so."""

    class Picamera2:
        @staticmethod
        def global_camera_info() -> list[dict[str, object]]:
            module = {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}
            webcam = {
                "Model": "HD Camera: HD Camera",
                "Id": "/base/scb/pcie@7d500000/usb@0,0-1.1:1.0",
            }
            listed = [*[module] * cameras, webcam]
            return [{**one, "Num": number} for number, one in enumerate(listed)]

        def __new__(cls, number: int) -> object:  # type: ignore[misc]
            return make(number)  # type: ignore[operator]

    without(monkeypatch, SimpleNamespace(Picamera2=Picamera2))


def test_without_picamera2_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, None)
    with pytest.raises(RigError, match="apt install python3-picamera2"):
        PiCamera()


def test_a_picamera2_that_fits_another_numpy_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = "numpy.dtype size changed, may indicate binary incompatibility"
    (tmp_path / "picamera2.py").write_text(f"raise ValueError({words!r})")
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RigError, match=r"does not fit the NumPy .*size changed"):
        PiCamera()


@pytest.mark.parametrize(
    ("name", "number", "exposure"),
    [("pi", 0, 20_000), ("pi:1", 1, 20_000), ("pi:1?mains=60", 1, 3 * FLICKER_US[60])],
)
def test_a_module_is_opened_by_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, number: int, exposure: int
) -> None:
    asked: list[int] = []

    def give(number: int) -> Module:
        asked.append(number)
        return Module()

    library(monkeypatch, give)
    camera = open_camera(name)
    assert isinstance(camera, PiCamera) and asked == [number]
    assert camera.light is not None and camera.light.exposure_us == exposure


def test_a_module_that_is_not_listed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    library(monkeypatch, Module, cameras=1)
    monkeypatch.setattr(v4l, "forbidden", lambda: False)
    with pytest.raises(CameraError, match="no camera module 1: is the ribbon cable") as error:
        PiCamera(1)
    assert error.value.fault is Fault.GONE


def test_a_webcam_is_no_camera_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """libcamera lists it, too, and it cannot give the two streams that a module can."""
    library(monkeypatch, lambda _: pytest.fail("the webcam is opened"), cameras=0)
    monkeypatch.setattr(v4l, "forbidden", lambda: False)
    with pytest.raises(CameraError, match="there is no camera module 0"):
        PiCamera()


def test_modules_that_this_user_may_not_see_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """libcamera lists none then, as if there were none."""
    library(monkeypatch, Module, cameras=0)
    monkeypatch.setattr(v4l, "forbidden", lambda: True)
    with pytest.raises(CameraError, match="usermod -aG video") as error:
        PiCamera(0)
    assert error.value.fault is Fault.FORBIDDEN


def test_media_devices_that_may_not_be_opened_are_told_from_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not v4l.forbidden(tmp_path)
    (tmp_path / "media0").touch()
    assert not v4l.forbidden(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert v4l.forbidden(tmp_path)


@pytest.mark.parametrize(
    ("reason", "fault", "says"),
    [
        ("Failed to acquire camera: Device or resource busy", Fault.BUSY, "another program"),
        ("Could not open any dmaHeap device", Fault.FORBIDDEN, "group|usermod"),
        ("Failed to configure sensor", Fault.MUTE, "Failed to configure sensor.*ribbon"),
    ],
)
def test_the_reason_behind_picamera2s_own_words_is_told(
    monkeypatch: pytest.MonkeyPatch, reason: str, fault: Fault, says: str
) -> None:
    def refuse(number: int) -> Module:
        try:
            raise RuntimeError(reason)
        except RuntimeError as error:
            raise RuntimeError("Camera __init__ sequence did not complete.") from error

    library(monkeypatch, refuse)
    with pytest.raises(CameraError, match=says) as error:
        PiCamera(1)
    assert error.value.fault is fault


def test_a_module_that_cannot_be_configured_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    module = Module()

    def refuse(configuration: object) -> None:
        raise RuntimeError("Invalid camera configuration")

    monkeypatch.setattr(module, "configure", refuse)
    with pytest.raises(CameraError, match="Invalid camera configuration"):
        opened(module)
    assert module.calls[-1][0] == "close"


# -- the real picamera2 ------------------------------------------------------------------------


def real(file: str, name: str) -> dict[str, inspect.Signature | None]:
    """A class of the real picamera2, read without importing it, for libcamera is not here.

    Methods come with their signatures, properties without.
    """
    spec = find_spec("picamera2")
    if spec is None or spec.origin is None:
        pytest.skip("not installed: pip install --no-deps picamera2")
    tree = ast.parse((Path(spec.origin).parent / file).read_text())
    found = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    methods = [node for node in found.body if isinstance(node, ast.FunctionDef)]
    return {method.name: None if is_property(method) else signature(method) for method in methods}


def decorators(method: ast.FunctionDef) -> set[str]:
    return {ast.unparse(one).rpartition(".")[2] for one in method.decorator_list}


def is_property(method: ast.FunctionDef) -> bool:
    return bool(decorators(method) & {"property", "setter"})


def signature(method: ast.FunctionDef) -> inspect.Signature:
    arguments, kind = method.args, inspect.Parameter.POSITIONAL_OR_KEYWORD
    plain = arguments.posonlyargs + arguments.args
    plain = plain if decorators(method) & {"staticmethod"} else plain[1:]
    required = len(plain) - len(arguments.defaults)
    made = [
        inspect.Parameter(each.arg, kind, default=inspect.Parameter.empty if n < required else None)
        for n, each in enumerate(plain)
    ]
    named = [
        inspect.Parameter(each.arg, inspect.Parameter.KEYWORD_ONLY, default=None)
        for each in arguments.kwonlyargs
    ]
    return inspect.Signature(made + named)


def used(names: set[str]) -> set[str]:
    """What the driver's source takes of the things that go by these names in it."""
    tree = ast.parse(Path(picamera.__file__).read_text())
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return {node.attr for node in found if ast.unparse(node.value) in names}


def test_every_call_fits_the_real_picamera2() -> None:
    camera, request = real("picamera2.py", "Picamera2"), real("request.py", "CompletedRequest")
    module = Module(lens=True)
    driver = opened(module)
    next(driver.frames())
    driver.close()
    for name, values, named in module.calls:
        found = camera if name in camera else request
        bound = found[name]
        assert bound is not None, f"{name} is a property"
        bound.bind(*values, **named)
    opener, listing = camera["__init__"], camera["global_camera_info"]
    assert opener is not None and listing is not None
    opener.bind(0)
    listing.bind()


def test_no_call_of_the_driver_escapes_the_test_above() -> None:
    camera, request = real("picamera2.py", "Picamera2"), real("request.py", "CompletedRequest")
    module = Module(lens=True)
    driver = opened(module)
    next(driver.frames())
    driver.close()
    called = {name for name, _, _ in module.calls}
    of_camera, of_request = used({"self._camera"}), used({"request"})
    assert of_camera >= {"capture_request", "camera_controls"} and of_request >= {"make_array", "release"}
    for name in of_camera:
        assert name in camera
        assert (camera[name] is None) == (name not in called), name
    assert of_request <= request.keys() & called
    assert used({"Picamera2"}) == {"global_camera_info"}


def test_a_call_that_does_not_fit_would_be_noticed() -> None:
    camera = real("picamera2.py", "Picamera2")
    capture = camera["capture_request"]
    assert capture is not None
    with pytest.raises(TypeError):
        capture.bind(timeout=3.0)


def test_nothing_but_the_driver_imports_picamera2_or_libcamera() -> None:
    importers = set()
    for package in ("companion", "vision", "hardware", "benchmarks"):
        for path in (REPOSITORY / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                if {name.partition(".")[0] for name in names} & {"picamera2", "libcamera"}:
                    importers.add(path.relative_to(REPOSITORY).as_posix())
    assert importers == {"hardware/picamera.py"}


def test_a_light_says_how_it_is() -> None:
    assert str(Light(20_000, 1.95, (1.9, 1.4), 2.5)) == "20000 µs at gain 1.9, lens at 2.5"
