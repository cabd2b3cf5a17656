"""Motion is seen down to a slow spin; light, noise and flicker are none; hands are hands."""

import cv2
import numpy as np
import pytest
from dice_scenes import lit, scene, table

from companion.rules.pieces import Face
from companion.signals import Motion
from vision.settle import CALM, Settle

SIZE = (320, 240)
EDGE = 20.0
RATE = 30.0
GROUND = table(5, size=SIZE)


def tray(turn=0.3, x=150.0, y=120.0, dice=True):
    """Draw a small tray, with one die of three that can be moved."""
    placed = [(Face.TWO, 60.0, 60.0, 0.5), (Face.SIX, 240.0, 180.0, 2.0), (Face.FIVE, x, y, turn)]
    return scene(placed if dice else [], ground=GROUND, edge=EDGE)


def grey(picture, gain=1.0, seed=0, noise=1.5):
    return cv2.cvtColor(lit(picture, gain, noise, seed), cv2.COLOR_BGR2GRAY)


def hand(picture, reach, top=60):
    """Lay an arm over the picture, reaching in from the left."""
    picture = picture.copy()
    cv2.ellipse(picture, (0, top + 40), (reach, 40), 0, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
    return picture


def watch(frames, settle=None, start=0.0):
    settle = settle or Settle(EDGE)
    return settle, [settle.feed(frame, start + i / RATE) for i, frame in enumerate(frames)]


def still(count=12, **options):
    return [grey(tray(**options), seed=i) for i in range(count)]


def test_lying_dice_are_still_after_the_time_of_calm_and_stay_so():
    _, motions = watch(still(40))
    first = motions.index(Motion.STILL)
    assert CALM <= first / RATE <= CALM + 0.05
    assert set(motions[first:]) == {Motion.STILL}


@pytest.mark.parametrize("noise", [0.0, 2.0, 6.0, 12.0])
def test_noise_is_not_motion(noise):
    frames = [grey(tray(), seed=i, noise=noise) for i in range(40)]
    assert set(watch(frames)[1][8:]) == {Motion.STILL}


def test_noise_that_is_stronger_in_bright_places_is_not_motion():
    rng = np.random.default_rng(4)
    strength = np.full(SIZE[::-1], 2.0, np.float32)
    strength[:, 290:] = 3.2  # a patch so small that the median noise does not know it
    plain = cv2.cvtColor(tray(), cv2.COLOR_BGR2GRAY).astype(np.float32)
    noisy = [plain + rng.normal(0, 1, plain.shape) * strength for _ in range(90)]
    motions = watch([np.clip(frame, 0, 255).astype(np.uint8) for frame in noisy])[1]
    assert set(motions[8:]) == {Motion.STILL}


@pytest.mark.parametrize("depth", [0.02, 0.06])
def test_flicker_and_its_bands_are_not_motion(depth):
    rows = np.linspace(0, 4 * np.pi, SIZE[1])[:, None, None]
    frames = [grey(tray() * (1 + depth * np.sin(rows + i * 1.9)), seed=i) for i in range(40)]
    assert set(watch(frames)[1][8:]) == {Motion.STILL}


def test_a_slow_change_of_light_is_not_motion():
    frames = [grey(tray(), gain=1 - 0.4 * i / 90, seed=i) for i in range(90)]
    assert set(watch(frames)[1][8:]) == {Motion.STILL}


@pytest.mark.parametrize("step", [0.02, 0.05, 0.3])
def test_a_spin_is_motion_until_it_ends(step):
    spin = [grey(tray(turn=0.3 + step * min(i, 30)), seed=i) for i in range(50)]
    settle, _ = watch(still())
    _, motions = watch(spin, settle, 12 / RATE)
    assert Motion.STILL not in motions[6:31]
    assert motions[-1] is Motion.STILL


def test_a_last_wobble_is_motion_although_it_stops_for_a_moment():
    frames = [grey(tray(turn=0.3 + 0.1 * np.cos(i * 0.9)), seed=i) for i in range(40)]
    settle, _ = watch(still())
    assert Motion.STILL not in watch(frames, settle, 12 / RATE)[1]


def test_a_slow_slide_is_motion():
    frames = [grey(tray(x=150 + 0.25 * i), seed=i) for i in range(40)]
    settle, _ = watch(still())
    assert Motion.STILL not in watch(frames, settle, 12 / RATE)[1][6:]


def test_a_throw_moves_and_then_settles():
    settle, _ = watch(still(dice=False))
    fall = [grey(tray(turn=i * 0.7, x=20 + i * 8.0), seed=i) for i in range(16)]
    rest = [grey(tray(turn=10.5, x=140.0), seed=i) for i in range(10)]
    _, motions = watch([*fall, *rest], settle, 12 / RATE)
    assert set(motions[:16]) == {Motion.MOVING}
    assert Motion.SETTLING in motions[16:]
    assert motions[-1] is Motion.STILL


def test_a_hand_is_a_hand_even_when_it_holds_still():
    settle, _ = watch(still())
    enter = [grey(hand(tray(), reach), seed=reach) for reach in range(40, 160, 12)]
    stay = [grey(hand(tray(), 160), seed=i) for i in range(60)]
    _, motions = watch([*enter, *stay], settle, 12 / RATE)
    assert set(motions[3:]) == {Motion.HAND}
    _, motions = watch(still(), settle, 90 / RATE)
    assert motions[-1] is Motion.STILL


def test_what_stays_at_the_border_for_long_becomes_part_of_the_table():
    settle, _ = watch(still())
    stay = [grey(hand(tray(), 160), seed=i) for i in range(330)]
    assert watch(stay, settle, 12 / RATE)[1][-1] is Motion.STILL


def test_switching_a_lamp_is_no_hand():
    settle, _ = watch(still())
    lamp = np.linspace(0.5, 1.4, SIZE[0])[None, :, None]
    _, motions = watch([grey(tray() * lamp, seed=i) for i in range(15)], settle, 12 / RATE)
    assert motions[-1] is Motion.STILL


def test_an_empty_tray_once_known_is_recognised():
    settle, _ = watch(still(dice=False))
    settle.call_empty()
    assert settle.motion is Motion.EMPTY
    _, motions = watch(still(), settle, 1.0)
    assert motions[-1] is Motion.STILL
    _, motions = watch([grey(tray(dice=False), 0.8, i) for i in range(12)], settle, 2.0)
    assert motions[-1] is Motion.EMPTY


def test_few_frames_a_second_are_enough():
    settle = Settle(EDGE)
    motions = [settle.feed(grey(tray(), seed=i), i / 5) for i in range(8)]
    assert motions[-1] is Motion.STILL


def test_another_size_is_refused():
    settle, _ = watch(still())
    with pytest.raises(ValueError, match="changed size"):
        settle.feed(np.zeros((10, 10), np.uint8), 1.0)
