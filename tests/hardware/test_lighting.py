"""Light is found, made steady, locked, seen to be locked, and locked again where it strays."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera import Remark
from hardware.lighting import AGREE, DELAY, FLICKER_US, FPS, LOCK, SETTLE, Light, Lighting, Stage

ADVERTISED = {"AeEnable": (), "AwbEnable": (), "ExposureTime": (), "ColourGains": ()} | {
    "AnalogueGain": (1.0, 16.0, 1.0)
}
LENS = {"AfMode": (), "AfTrigger": (), "LensPosition": ()}


def shown(exposure: float = 23_000, gain: float = 1.7, **more: Any) -> dict[str, Any]:
    return {"ExposureTime": exposure, "AnalogueGain": gain, "ColourGains": (1.9, 1.4), **more}


def feed(lighting: Lighting, metadata: dict[str, Any], frames: int) -> list[dict[str, Any]]:
    """Feed the same metadata so often; return what the camera was told."""
    told = (lighting.feed(metadata) for _ in range(frames))
    return [controls for controls in told if controls is not None]


def locked(advertised: dict[str, Any] = ADVERTISED) -> Lighting:
    lighting = Lighting(advertised)
    lighting.seek()
    (controls,) = feed(lighting, shown(), DELAY + 1)
    feed(lighting, shown(controls["ExposureTime"], controls["AnalogueGain"]), AGREE)
    assert lighting.stage is Stage.LOCKED
    return lighting


def test_nothing_is_locked_before_frames_agree() -> None:
    lighting = Lighting(ADVERTISED)
    assert lighting.seek() == {"AeEnable": True, "AwbEnable": True}
    for number in range(40):
        assert lighting.feed(shown(2_000 + 500 * number)) is None
    assert feed(lighting, shown(), AGREE) == []
    (controls,) = feed(lighting, shown(), 1)
    assert controls["ExposureTime"] == 20_000 and controls["AeEnable"] is False
    assert controls["ColourGains"] == (1.9, 1.4) and controls["AwbEnable"] is False


def test_a_camera_that_says_it_still_searches_is_waited_for_but_not_for_ever() -> None:
    for state in ({"AeState": 1}, {"AeLocked": False}):
        lighting = Lighting(ADVERTISED)
        lighting.seek()
        assert feed(lighting, shown(**state), SETTLE - 1) == []
        assert len(feed(lighting, shown(**state), 1)) == 1


def test_the_lens_is_driven_once_and_waited_for() -> None:
    lighting = Lighting(ADVERTISED | LENS)
    assert lighting.seek()["AfMode"] == 1
    assert feed(lighting, shown(AfState=0, LensPosition=0.5), 30) == []
    assert feed(lighting, shown(AfState=1, LensPosition=1.5), 30) == []
    (controls,) = feed(lighting, shown(AfState=2, LensPosition=2.5), AGREE + 1)
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 2.5)


def failing(lighting: Lighting, lens: float) -> dict[str, Any]:
    """Let a lens search twice and find nothing; return what locks it then."""
    feed(lighting, shown(AfState=1, LensPosition=lens), 3)
    assert feed(lighting, shown(AfState=3, LensPosition=lens), 1) == [{"AfTrigger": 0}]
    feed(lighting, shown(AfState=1, LensPosition=lens), 3)
    (controls,) = feed(lighting, shown(AfState=3, LensPosition=lens), DELAY + AGREE)
    return controls


def test_a_lens_that_finds_nothing_searches_once_more_and_then_goes_back_to_where_it_was() -> None:
    lighting = Lighting(ADVERTISED | LENS)
    lighting.seek()
    assert failing(lighting, 11.7)["LensPosition"] == 11.7  # nothing better is known
    lighting.seek()
    feed(lighting, shown(AfState=1, LensPosition=2.5), 1)
    (controls,) = feed(lighting, shown(AfState=2, LensPosition=2.5), DELAY + AGREE)
    assert controls["LensPosition"] == 2.5
    lighting.seek()
    assert failing(lighting, 11.7)["LensPosition"] == 2.5


def test_another_light_does_not_move_the_lens() -> None:
    lighting = Lighting(ADVERTISED | LENS)
    lighting.seek()
    feed(lighting, shown(AfState=1, LensPosition=2.5), 1)
    feed(lighting, shown(AfState=2, LensPosition=2.5), DELAY + AGREE)
    assert not {"AfMode", "AfTrigger"} & lighting.seek(lens=False).keys()
    (controls,) = feed(lighting, shown(30_000, 4.0, AfState=2, LensPosition=2.5), DELAY + AGREE)
    assert controls["LensPosition"] == 2.5


def test_a_camera_that_is_free_adjusts_itself_and_is_told_nothing() -> None:
    lighting = Lighting(ADVERTISED | LENS | {"ExposureValue": ()})
    lighting.expose(0.5)
    assert lighting.free() == {"AeEnable": True, "AwbEnable": True, "ExposureValue": -1.0, "AfMode": 2}
    assert feed(lighting, shown(AfState=1), 300) == [] and lighting.stage is Stage.FREE
    assert lighting.expose(1.0) is None
    assert lighting.seek()["ExposureValue"] == 0.0 and lighting.stage is Stage.SEEKING
    assert Lighting({}).free() == {}


@pytest.mark.parametrize("part", [1.0, 0.5])
@pytest.mark.parametrize("exposure", [3_000, 9_000, 11_000, 20_500, 45_000])
def test_no_gain_is_asked_for_that_the_sensor_does_not_have(exposure: int, part: float) -> None:
    """Camera Module 3 has none below 1.1228, and showed another light than it was told to."""
    least = 1.1228
    lighting = Lighting(ADVERTISED | {"AnalogueGain": (least, 16.0, 1.0)})
    lighting.expose(part)
    lighting.seek()
    (controls,) = feed(lighting, shown(exposure, least), DELAY + 1)
    assert controls["AnalogueGain"] >= least
    feed(lighting, shown(controls["ExposureTime"], controls["AnalogueGain"]), LOCK)
    assert lighting.stage is Stage.LOCKED and lighting.news() is None


def test_flicker_is_told_to_a_camera_that_can_mind_it() -> None:
    controls = Lighting(ADVERTISED | {"AeFlickerMode": (), "AeFlickerPeriod": ()}, 60).seek()
    assert (controls["AeFlickerMode"], controls["AeFlickerPeriod"]) == (1, 8_333)


def test_what_does_not_take_effect_is_named_once() -> None:
    lighting = Lighting(ADVERTISED | LENS)
    lighting.seek()
    feed(lighting, shown(AfState=1, LensPosition=2.5), 1)
    feed(lighting, shown(AfState=2, LensPosition=2.5), DELAY + 1)
    assert feed(lighting, shown(20_000, 1.955, LensPosition=9.0), LOCK) == []
    assert lighting.stage is Stage.LOOSE
    remark, words = lighting.news() or (None, "")
    assert remark is Remark.UNLOCKED and "does not keep its lens" in words and "lens at 9.0" in words
    assert lighting.news() is None and feed(lighting, shown(), 100) == []


def test_a_light_that_strays_is_locked_again_and_told() -> None:
    lighting = locked()
    assert lighting.news() is None
    kept = lighting.light
    assert feed(lighting, shown(8_000), AGREE - 1) == []
    (controls,) = feed(lighting, shown(8_000), 1)
    assert controls["ExposureTime"] == 20_000
    feed(lighting, shown(20_000, 1.955), AGREE)
    assert lighting.light == kept
    assert (lighting.news() or ("",))[0] is Remark.RELOCKED


def test_one_odd_frame_is_no_drift() -> None:
    lighting = locked()
    for _ in range(50):
        assert feed(lighting, shown(8_000), AGREE - 1) == []
        assert feed(lighting, shown(20_000, 1.955), 1) == []


def test_seeking_anew_is_told_when_it_is_done() -> None:
    lighting = locked()
    assert lighting.seek(lens=False)["AeEnable"] is True
    assert feed(lighting, shown(20_000, 1.955), DELAY) == []  # what was locked still shows for a while
    (controls,) = feed(lighting, shown(30_000, 4.0), DELAY)
    assert controls["ExposureTime"] == 30_000
    feed(lighting, shown(30_000, 4.0), AGREE)
    assert (lighting.news() or ("",))[0] is Remark.RELIT and lighting.light == Light(30_000, 4.0, (1.9, 1.4))


def test_less_light_is_taken_from_the_gain_first_and_shows_in_the_frames_before_it_counts() -> None:
    lighting = locked()
    controls = lighting.expose(0.6) or {}
    assert (controls["ExposureTime"], controls["AnalogueGain"]) == (20_000, pytest.approx(1.173, abs=0.01))
    assert lighting.expose(0.6) is None and lighting.stage is Stage.LOCKING
    assert feed(lighting, shown(20_000, 1.955), AGREE) == []  # the frame in the pipe was taken before
    assert lighting.stage is Stage.LOCKING
    feed(lighting, shown(20_000, 1.173), AGREE)
    assert lighting.stage is Stage.LOCKED and lighting.news() is None
    controls = lighting.expose(0.3) or {}
    assert (controls["ExposureTime"], controls["AnalogueGain"]) == (10_000, pytest.approx(1.173, abs=0.01))
    assert (lighting.expose(1.0) or {})["AnalogueGain"] == pytest.approx(1.955)


@pytest.mark.parametrize(
    ("found", "taken"),
    [((12_000, 2.0), (10_000, 1.0)), ((10_000, 1.0), (10_000, 1.0)), ((6_000, 1.0), (2_100, 1.0))],
)
def test_under_a_lamp_no_picture_is_shorter_than_a_flicker_and_in_daylight_there_is_none(
    found: tuple[int, float], taken: tuple[int, float]
) -> None:
    lighting = Lighting(ADVERTISED)
    lighting.expose(0.35)
    lighting.seek()
    (controls,) = feed(lighting, shown(*found), DELAY + 1)
    assert (controls["ExposureTime"], controls["AnalogueGain"]) == taken


def test_less_light_is_less_of_what_is_measured_anew_too() -> None:
    lighting = locked()
    lighting.seek()
    assert lighting.expose(0.5) is None
    (controls,) = feed(lighting, shown(30_000, 4.0), DELAY + 1)
    assert (controls["ExposureTime"], controls["AnalogueGain"]) == (30_000, 2.0)


@pytest.mark.parametrize("advertised", [{}, {"AeEnable": ()}])
def test_a_camera_without_exposure_to_set_is_left_alone(advertised: dict[str, Any]) -> None:
    lighting = Lighting(advertised)
    assert lighting.seek().keys() <= advertised.keys()
    assert feed(lighting, shown(), 300) == [] and feed(lighting, {}, 3) == []
    assert lighting.expose(0.5) is None
    assert lighting.stage is Stage.LOOSE and lighting.light is None and lighting.news() is None


exposures = st.integers(20, 1_000_000)


@given(exposures, st.floats(1.0, 16.0), st.sampled_from(sorted(FLICKER_US)))
def test_a_steady_light_is_as_bright_and_never_asks_for_the_impossible(
    exposure: int, gain: float, mains_hz: int
) -> None:
    before = Light(exposure, gain, (1.0, 1.0))
    after = before.steady(mains_hz, 1.0, 16.0)
    if after != before:
        assert after.exposure_us % FLICKER_US[mains_hz] == 0
        assert 0 < after.exposure_us <= 1e6 / FPS
        assert 1.0 <= after.gain <= 16.0
        assert after.exposure_us * after.gain == pytest.approx(exposure * gain)
    else:
        flicker = FLICKER_US[mains_hz]
        assert exposure * gain < flicker or exposure * gain > 16.0 * flicker or exposure % flicker == 0


@given(exposures, st.floats(1.0, 16.0), st.floats(0.97, 1.03))
def test_what_a_sensor_rounds_is_the_same_light(exposure: int, gain: float, by: float) -> None:
    light = Light(exposure, gain, (1.9, 1.4), 2.5)
    rounded = Light(round(exposure * by), gain * by, (1.9 * by, 1.4), 2.55)
    assert light.unlike(rounded) == ()
    assert light.unlike(Light(2 * exposure + 100, gain, (1.9, 1.4), None)) == ("exposure", "lens")
    assert light.unlike(Light(exposure, gain * 1.2, (1.9, 1.6), 2.5)) == ("gain", "colours")


@given(exposures, st.floats(1.0, 16.0), st.floats(0.1, 1.0), st.sampled_from(sorted(FLICKER_US)))
def test_a_part_of_a_light_is_that_part_and_has_a_gain(
    exposure: int, gain: float, part: float, mains_hz: int
) -> None:
    less = Light(exposure, gain, (1.0, 1.0)).share(part, 1.0)
    assert less.exposure_us * less.gain == pytest.approx(exposure * gain * part, abs=less.gain)
    assert less.gain >= 1.0 and less.exposure_us <= exposure
    assert less.steady(mains_hz, 1.0, 16.0).gain >= 1.0
