"""Motion is seen down to a slow spin; light, noise and flicker are none; hands are hands, falls are falls."""

from functools import cache

import cv2
import numpy as np
import pytest
from dice_scenes import Design, lit, scene, table

from cases import cases
from companion.rules.pieces import Face
from companion.signals import Motion
from vision.frames import scaled
from vision.light import change, creeping, softened
from vision.settle import CALM, Settle
from vision.synthetic import SyntheticTable

SIZE = (320, 240)
EDGE = 20.0
RATE = 30.0
GROUND = table(5, size=SIZE)


@cache
def tray(turn=0.3, x=150.0, y=120.0, dice=3):
    """Draw a small tray, with one die of three, the last, that can be moved or left out."""
    placed = [(Face.TWO, 60.0, 60.0, 0.5), (Face.SIX, 240.0, 200.0, 2.0), (Face.FIVE, x, y, turn)]
    return scene(placed[:dice], ground=GROUND, edge=EDGE)


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
    frames = [grey(tray(), seed=i, noise=noise) for i in range(60)]
    assert set(watch(frames)[1][8 if noise < 3 else 20 :]) == {Motion.STILL}


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


def spinning(step, noise, count):
    """Film a grey die that turns on its corner: hardly brighter than what it lies on."""
    faint = Design(body=(90, 140, 80), ink=(60, 100, 50))
    for i in range(count):
        yield grey(
            scene([(Face.FIVE, 150.0, 120.0, 0.3 + step * i)], faint, GROUND, EDGE), seed=i, noise=noise
        )


@pytest.mark.parametrize("noise", [1.5, 5.0])
def test_a_faint_die_that_spins_slowly_on_its_corner_is_not_at_rest(noise):
    assert Motion.STILL not in watch(spinning(0.03, noise, 24))[1]
    assert watch(spinning(0.0, noise, 10 if noise < 3 else 20))[1][-1] is Motion.STILL


@pytest.mark.parametrize("seed", range(8))
def test_a_die_that_turns_slowly_in_grain_is_not_at_rest(seed):
    """It is flat then and shows what it will; but it has not come to rest."""
    rng = np.random.default_rng(seed)

    def picture(turn):
        picture = np.full((150, 200), 60, np.float32)
        die = np.rint(cv2.boxPoints(((100.3, 75.2), (14, 14), turn)) * 16).astype(np.int32)
        picture = cv2.GaussianBlur(cv2.fillPoly(picture, [die], 95, cv2.LINE_AA, 4), (0, 0), 0.7)
        return np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)

    turns = [*range(0, 60, 6), *range(60, 150, 2), *[150] * 50]
    motions = watch([picture(turn) for turn in turns], Settle(14.0))[1]
    assert 55 < motions.index(Motion.STILL) < 55 + 0.8 * RATE


def test_what_creeps_is_seen_at_its_place_and_nothing_else_is():
    frames = [softened(frame) for frame in spinning(0.03, 5.0, 5)]
    assert creeping(frames, EDGE)
    assert not creeping([softened(frame) for frame in spinning(0.0, 5.0, 5)], EDGE)
    shadow = np.linspace(1, 0.9, SIZE[0])[None, :, None]
    passing = [softened(grey(tray() * shadow ** (i / 4), seed=i)) for i in range(5)]
    assert not creeping(passing, EDGE)


def test_a_slow_slide_is_motion():
    frames = [grey(tray(x=150 + 0.25 * i), seed=i) for i in range(40)]
    settle, _ = watch(still())
    assert Motion.STILL not in watch(frames, settle, 12 / RATE)[1][6:]


def test_a_throw_moves_and_then_settles():
    settle, _ = watch(still(dice=0))
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


def test_what_was_left_at_the_border_is_no_hand_for_long():
    settle, _ = watch(still())
    left = [grey(hand(tray(), 100), seed=i) for i in range(110)]
    _, motions = watch(left, settle, 12 / RATE)
    assert motions.count(Motion.HAND) <= 3.1 * RATE
    assert motions[-1] in (Motion.STILL, Motion.CHANGED)


def test_what_is_no_larger_than_dice_at_the_border_is_no_hand_for_longer_than_it_moves():
    settle, _ = watch(still())
    small = [grey(hand(tray(), reach), seed=reach) for reach in (10, 20, 30, *[40] * 30)]
    _, motions = watch(small, settle, 12 / RATE)
    assert Motion.HAND in motions
    assert motions.count(Motion.HAND) <= 0.7 * RATE
    assert motions[-1] in (Motion.STILL, Motion.CHANGED)


def fallen(settle, frames, start=12 / RATE):
    watch([*frames, *[frames[-1]] * 8], settle, start)
    return settle.fell, settle.handled


def told(dice=2):
    settle, _ = watch(still(dice=dice))
    settle.call_told()
    return settle


def test_dice_that_move_without_a_hand_fall():
    fall = [grey(tray(turn=i * 0.7, x=20 + i * 8.0), seed=i) for i in range(8)]
    assert fallen(told(), fall) == (True, False)


@pytest.mark.parametrize("rate", [60, 120, 240])
def test_dice_fall_in_many_pictures_a_second(rate):
    """From one of them to the next a die hardly shifts."""
    step = RATE / rate
    fall = [grey(tray(turn=i * 0.7 * step, x=20 + i * 8.0 * step), seed=i) for i in range(int(8 / step))]
    settle = told()
    for number, picture in enumerate(fall):
        settle.feed(picture, 1 + number / rate)
    assert settle.fell


@pytest.mark.parametrize("times", [2, 3])
def test_a_fall_is_one_in_a_stream_that_shows_each_picture_several_times(times):
    """So do a webcam in poor light and a film that was made with more pictures a second than it has."""
    fall = [grey(hand(tray(turn=i * 0.7, x=150 + i * 8.0 * times), 100), seed=i) for i in range(10 // times)]
    assert fallen(told(), [picture for picture in fall for _ in range(times)]) == (True, True)


@pytest.mark.parametrize(
    ("rate", "times"),
    [(30, (4,)), (30, (5,)), (30, (6,)), (60, (10,)), (60, (12,)), (120, (20,)), (30, (5, 4, 6, 5))],
)
def test_nothing_rests_until_the_next_picture_of_a_stream_that_shows_each_several_times(rate, times):
    shown = [grey(tray(turn=0.3 + 0.3 * min(i, 20)), seed=i) for i in range(26)]
    stream = [(i, frame) for i, frame in enumerate(shown) for _ in range(times[i % len(times)])]
    settle, motions = Settle(EDGE), {}
    for number, (i, frame) in enumerate(stream):
        motions.setdefault(i, []).append(settle.feed(frame, number / rate))
    assert not any(Motion.STILL in motions[i] for i in range(2, 21))
    assert motions[25][-1] is Motion.STILL


def test_a_stop_in_pictures_without_noise_delays_no_later_rest():
    turns = [0.3 + 0.3 * min(i, 5) + 0.3 * max(0, i - 12) for i in range(16)]
    moved = [grey(tray(turn=turn), noise=0.0) for turn in turns]
    rest = [grey(tray(turn=turns[-1] + 0.3), noise=0.0)] * 12
    _, motions = watch(moved + rest)
    assert Motion.STILL in motions[len(moved) : len(moved) + 6]


def test_dice_that_leave_a_hand_fall():
    fall = [grey(hand(tray(turn=i * 0.7, x=150 + i * 8.0), 100), seed=i) for i in range(8)]
    assert fallen(told(), [*fall, *still(3, x=206.0)]) == (True, True)


def test_dice_that_a_hand_sets_down_do_not_fall():
    coming = [grey(hand(tray(dice=2), reach, 90), seed=reach) for reach in range(60, 300, 30)]
    going = [grey(hand(tray(x=200.0), reach, 90), seed=reach) for reach in range(300, 30, -30)]
    assert fallen(told(), [*coming, *going, *still(3, x=200.0)]) == (False, True)


def test_a_hand_that_takes_dice_away_makes_none_fall():
    coming = [grey(hand(tray(), reach, 90), seed=reach) for reach in range(60, 330, 30)]
    going = [grey(hand(tray(dice=2), reach, 90), seed=reach) for reach in range(330, 30, -30)]
    assert fallen(told(dice=3), [*coming, *going, *still(3, dice=2)]) == (False, True)


@pytest.mark.parametrize("quarters", range(4))
def test_what_little_of_a_hand_shows_at_the_border_does_not_fall(quarters):
    fingers = [hand(tray(), reach) for reach in (6, 12, 17, 12, 17, 12, 6, 12, 17, 6)]
    pictures = [np.rot90(one, quarters).copy() for one in (*[tray()] * 12, *fingers)]
    frames = [grey(one, seed=i) for i, one in enumerate(pictures)]
    settle, _ = watch(frames[:12])
    settle.call_told()
    assert not fallen(settle, frames[12:])[0]


def test_noise_where_a_die_was_set_down_does_not_fall():
    """Beside what has changed enough for sure, some pixels have one moment and have not the next."""
    settle = told(dice=2)
    change, rng = np.zeros(SIZE[::-1], np.uint8), np.random.default_rng(3)
    change[100:140, 130:170] = 1
    covered = np.zeros_like(change)
    for _ in range(8):
        settle._note_fall(change ^ (rng.random(change.shape) < 0.02).astype(np.uint8), covered, 1 / RATE)
    assert not settle.fell


def test_what_appears_and_stays_and_is_gone_again_does_not_fall():
    settle, nothing = told(), np.zeros(SIZE[::-1], np.uint8)
    fingers = nothing.copy()
    fingers[100:160, 130:190] = 1
    for _ in range(4):
        for changed in (fingers, fingers, nothing, nothing):
            settle._note_fall(changed, nothing, 1 / RATE)
    assert not settle.fell


@pytest.mark.parametrize(("pictures", "fell"), [(3, False), (4, True)])
def test_a_small_die_seen_apart_from_the_border_for_more_than_a_tenth_of_a_second_falls(pictures, fell):
    settle = told()
    for step in range(pictures + 1):
        changed = np.zeros(SIZE[::-1], np.uint8)
        cv2.rectangle(changed, (130 + 4 * step, 100), (149 + 4 * step, 119), 1, cv2.FILLED)
        settle._note_fall(changed, np.zeros_like(changed), 1 / RATE)
    assert settle.fell is fell


def over_the_wall(steps, reach=0, waits=0):
    """Let three dice that touch come in over the left border, beside a hand if that reaches in, and rest."""
    settle, _ = watch([grey(tray(dice=0), seed=i) for i in range(12)])
    settle.call_empty()
    frames = [grey(hand(tray(dice=0), reach, top=20), seed=i) for i in range(waits)]
    for step, x in enumerate([*steps, *[steps[-1]] * 8]):
        dice = [(face, float(x), 150 + 22.0 * row, 0.9 * x) for row, face in enumerate(list(Face)[:3])]
        picture = scene(dice, ground=GROUND, edge=EDGE)
        frames.append(grey(hand(picture, reach, top=20) if step < len(steps) else picture, seed=step))
    return watch(frames, settle, 12 / RATE)


def test_dice_that_come_in_over_a_wall_and_hardly_roll_fell():
    settle, motions = over_the_wall([2, 6, 10, 14, 18, 24, 30])
    assert Motion.HAND in motions and settle.handled, "at the border they may be fingers"
    assert settle.fell


def test_what_moves_as_little_beside_a_hand_may_be_held_by_it():
    settle, _ = over_the_wall([2, 6, 10, 14, 18, 24, 30], reach=90, waits=12)
    assert settle.handled and not settle.fell


def test_nothing_that_is_at_a_wall_for_a_moment_sets_dice_down():
    """Dice and their long shadows cover as much there as a hand."""
    settle, _ = over_the_wall([2, 6, 10, 14, 18, 24, 30], reach=90)
    assert settle.handled and settle.fell


def test_light_beside_pale_dice_on_pale_cloth_makes_no_change():
    table = SyntheticTable(107, (1024, 768), surface="any", light="any", design="any", cocked=0.0)
    empty, thrown = table.next_frame(), table.throw()
    while table.frame <= thrown.rest:
        picture = table.next_frame()
    before, after = (
        softened(cv2.cvtColor(scaled(one, 0.25), cv2.COLOR_BGR2GRAY)) for one in (empty, picture)
    )
    changed, _ = change(before, after)
    for _, x, y in thrown.dice:
        assert changed[round(y / 4) - 3 : round(y / 4) + 4, round(x / 4) - 3 : round(x / 4) + 4].mean() > 0.5
        cv2.circle(changed, (round(x / 4), round(y / 4)), 30, 0, cv2.FILLED)  # one and a half edges around
    assert cv2.countNonZero(changed) < 100


def test_a_rest_that_was_told_is_known_again():
    settle = told(dice=3)
    watch([grey(hand(tray(), 120)), *still(10)], settle, 1.0)
    assert settle.motion is Motion.STILL and settle.as_told
    watch([grey(hand(tray(), 120)), *still(10, x=158.0)], settle, 2.0)
    assert settle.motion is Motion.CHANGED and not settle.as_told


def test_missing_pictures_begin_a_new_rest():
    settle = told(dice=3)
    settle.restart()
    assert settle.feed(still(1)[0], 60.0) is Motion.SETTLING
    assert watch(still(10), settle, 60.1)[1][-1] is Motion.STILL


@pytest.mark.parametrize(("depth", "width"), [(0.9, 15), (0.7, 30)])
@pytest.mark.parametrize("dice", [0, 3])
def test_the_shadow_of_somebody_who_leans_over_is_neither_motion_nor_a_hand(depth, width, dice):
    settle, _ = watch(still(dice=dice))
    settle.call_told()
    across = np.arange(SIZE[0])[None, :, None]
    edges = 90 + 60 * np.sin(np.arange(90) / 9)
    shaded = [1 - (1 - depth) / (1 + np.exp((across - edge) / width)) for edge in edges]
    _, motions = watch(
        [grey(tray(dice=dice) * one, seed=i) for i, one in enumerate(shaded)], settle, 12 / RATE
    )
    assert set(motions) == {Motion.STILL}
    assert settle.as_told and not settle.fell and not settle.handled


@pytest.mark.parametrize("most", [1.15, 1.4])
def test_a_screen_at_one_side_that_flickers_is_neither_motion_nor_a_hand(most):
    settle, _ = watch(still())
    settle.call_told()
    rng = np.random.default_rng(3)
    lamps = [np.linspace(rng.uniform(1 / most, 1), 1, SIZE[0])[None, :, None] for _ in range(60)]
    _, motions = watch([grey(tray() * one, seed=i) for i, one in enumerate(lamps)], settle, 12 / RATE)
    assert set(motions) == {Motion.STILL}
    assert settle.as_told and not settle.fell and not settle.handled


def test_dice_fall_in_a_shadow_that_drifts_and_are_seen_to():
    settle = told()
    across = np.arange(SIZE[0])[None, :, None]
    shaded = [1 - 0.2 / (1 + np.exp((across - 60 - 4 * i) / 15)) for i in range(30)]
    fall = [tray(turn=min(i, 7) * 0.7, x=20 + min(i, 7) * 8.0) for i in range(30)]
    frames = [grey(one * shade, seed=i) for i, (one, shade) in enumerate(zip(fall, shaded, strict=True))]
    _, motions = watch(frames, settle, 12 / RATE)
    assert (settle.fell, settle.handled, settle.as_told) == (True, False, False)
    assert Motion.STILL not in motions[:8]
    assert Motion.STILL in motions[8:14]


@cases("surface", ["felt-green", "felt-black", "wood", "white"], quick=2)
@pytest.mark.parametrize("colour", [(150, 180, 230), (90, 120, 180), (20, 25, 35), None])
@pytest.mark.parametrize("most", [1.0, 1.4])
def test_a_hand_of_any_colour_is_no_lamp(surface, colour, most):
    """The last has a glove of nearly the cloth's own colour; the lamp was switched on just before."""
    cloth = scaled(SyntheticTable(4, size=(640, 480), surface=surface, light="soft").next_frame(), 0.5)
    skin = colour or tuple(0.8 * np.median(cloth, (0, 1)))
    side = np.linspace(1 / most, 1, SIZE[0])[None, :, None]

    def reaching(reach):
        hand = cv2.ellipse(cloth.copy(), (reach, 120), (44, 32), 20, 0, 360, skin, -1, cv2.LINE_AA)
        return cv2.line(hand, (reach, 120), (-20, 60), skin, 40, cv2.LINE_AA)

    settle, _ = watch([grey(cloth, seed=i) for i in range(12)])
    frames = [*[cloth] * 8, *[reaching(reach) for reach in (0, 40, 80, 120, *[150] * 12)]]
    _, motions = watch([grey(one * side, seed=i) for i, one in enumerate(frames)], settle, 12 / RATE)
    assert set(motions[11:]) == {Motion.HAND}
    assert settle.handled


def test_switching_a_lamp_is_no_hand():
    settle, _ = watch(still())
    lamp = np.linspace(0.5, 1.4, SIZE[0])[None, :, None]
    _, motions = watch([grey(tray() * lamp, seed=i) for i in range(15)], settle, 12 / RATE)
    assert motions[-1] is Motion.STILL


def test_an_empty_tray_once_known_is_recognised():
    settle, _ = watch(still(dice=0))
    settle.call_empty()
    assert settle.motion is Motion.EMPTY
    _, motions = watch(still(), settle, 1.0)
    assert motions[-1] is Motion.CHANGED  # nothing fell
    _, motions = watch([grey(tray(dice=0), 0.8, i) for i in range(12)], settle, 2.0)
    assert motions[-1] is Motion.EMPTY


def test_few_frames_a_second_are_enough():
    settle = Settle(EDGE)
    motions = [settle.feed(grey(tray(), seed=i), i / 5) for i in range(8)]
    assert motions[-1] is Motion.STILL


def test_another_size_is_refused():
    settle, _ = watch(still())
    with pytest.raises(ValueError, match="changed size"):
        settle.feed(np.zeros((10, 10), np.uint8), 1.0)
