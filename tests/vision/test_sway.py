"""What the whole view does is the camera's sway; what a die, a hand or all dice do is not."""

import cv2
import numpy as np
import pytest
from dice_scenes import scene, table

from companion.rules.pieces import Face
from companion.signals import Motion
from vision.light import creeping, excess, softened
from vision.settle import Settle
from vision.sway import followed, moved, swayed

SIZE = (320, 240)
EDGE = 20.0
#: Twice as large as what is looked at, so that it can sway by parts of a pixel.
GROUND = table(5, size=(640, 480))
SPOTS = ((Face.TWO, 120.0, 120.0, 0.5), (Face.SIX, 480.0, 390.0, 2.0), (Face.FIVE, 320.0, 240.0, 0.3))


def picture(aside=((0.0, 0.0),) * 3, tray=True, ground=GROUND):
    """Draw dice, each moved aside by so many pixels of the small picture, in a tray or on the bare table."""
    dice = [
        (face, x + 2 * right, y + 2 * down, turn)
        for (face, x, y, turn), (right, down) in zip(SPOTS, aside, strict=True)
    ]
    drawn = scene(dice, ground=ground, edge=2 * EDGE)
    return cv2.rectangle(drawn, (30, 24), (610, 456), (60, 120, 180), 20) if tray else drawn


def grey(drawn, sway=(0.0, 0.0), turn=0.0, seed=0, noise=1.0):
    """Look at a picture through a camera that has swayed by so many pixels and turned by so many degrees."""
    move = cv2.getRotationMatrix2D((320, 240), turn, 1.0)
    move[:, 2] += 2 * np.array(sway)
    seen = cv2.warpAffine(
        cv2.GaussianBlur(drawn, (0, 0), 2.0),
        move,
        (640, 480),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
    )
    small = cv2.cvtColor(cv2.resize(seen, SIZE, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    noisy = small + np.random.default_rng(seed).normal(0, noise, small.shape)
    return np.clip(np.round(noisy), 0, 255).astype(np.uint8)


def small(*args, **options):
    return softened(grey(*args, **options))


@pytest.mark.parametrize(
    ("sway", "turn"), [((0.4, -0.3), 0.0), ((-0.4, 0.4), 0.0), ((0.2, 0.1), 0.15), ((0.0, 0.0), 0.2)]
)
def test_a_view_that_sways_is_brought_back(sway, turn):
    old, now = small(picture()), small(picture(), sway, turn, seed=1)
    before, after = np.abs(now - old), np.abs(now - swayed(old, now))
    assert after.max() < 0.2 * before.max()
    assert excess(old, now) < 0.002 * EDGE**2  # half of what counts as motion


@pytest.mark.parametrize("tray", [True, False])
@pytest.mark.parametrize(
    "aside", [((0.4, 0.3), (0.0, 0.0), (0.0, 0.0)), ((0.5, 0.0),) * 3, ((0.0, 0.9),) * 3]
)
def test_dice_that_slide_are_no_sway_even_all_alike(aside, tray):
    bare = np.full_like(GROUND, 90)
    old, now = small(picture(tray=tray, ground=bare)), small(picture(aside, tray, bare), seed=1)
    assert swayed(old, now) is old or np.abs(swayed(old, now) - old).max() < 2
    assert excess(old, now) > 0


def test_a_die_that_slides_is_seen_while_the_view_sways():
    old = small(picture())
    now = small(picture(((0.0, 0.0), (0.0, 0.0), (0.0, 0.4))), (0.0, 0.6), seed=1)
    x, y, side = 160, 120, round(0.8 * EDGE)
    left = np.maximum(np.abs(now - swayed(old, now)) - 3, 0)
    there = left[y - side : y + side, x - side : x + side].sum()
    assert there > 0.9 * left.sum() > 50


def test_the_view_is_brought_back_beside_a_hand_that_has_come():
    held = cv2.ellipse(picture(), (0, 240), (260, 200), 0, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
    old, now = small(picture()), small(held, (0.4, -0.4), seed=1)
    left = np.maximum(np.abs(now - swayed(old, now)) - 3, 0)
    assert left[:, :140].sum() > 1000
    assert left[:, 140:].sum() < 10


@pytest.mark.parametrize("to", [200, 400])
def test_what_slides_across_a_part_of_the_picture_is_no_sway(to):
    half, whole = picture(), grey(picture(), (0.6, 0.3), seed=1)
    now = grey(half, seed=1)
    now[:, : to // 2] = whole[:, : to // 2]
    assert excess(small(half), softened(now)) > 5


def test_a_camera_that_was_moved_is_told_of():
    old, now = small(picture()), small(picture(), (3.0, 2.0), seed=1)
    assert swayed(old, now) is old


def astray(way, sway, turn):
    """Return by how many pixels a map is wrong, at most, of a view that has swayed and turned."""
    corners = np.array([(0, 0, 1), (SIZE[0], 0, 1), (0, SIZE[1], 1), (*SIZE, 1)], float)
    truth = cv2.getRotationMatrix2D((160, 120), turn, 1.0)
    truth[:, 2] += sway
    return np.abs(corners @ way.T @ truth[:, :2].T + truth[:, 2] - corners[:, :2]).max()


@pytest.mark.parametrize(
    ("sway", "turn"),
    [((0.5, 0.2), 0.0), ((3.0, -1.5), 0.0), ((-1.0, 2.0), 0.0), ((0.5, 0.5), 0.5), ((0.0, 0.0), -0.6)],
)
@pytest.mark.parametrize("dice", [True, False])
def test_a_view_is_followed(sway, turn, dice):
    """Also if dice have come to lie there since."""
    old = picture() if dice else cv2.rectangle(GROUND.copy(), (30, 24), (610, 456), (60, 120, 180), 20)
    way = followed(small(old), small(picture(), sway, turn, seed=1))
    assert way is not None
    assert astray(way, sway, turn) < 0.3


def test_what_has_moved_is_seen_from_where_it_was():
    old, now = small(picture()), small(picture(), (1.5, -1.0), 0.3, seed=1)
    inner = (slice(4, -4),) * 2
    before, after = (np.abs(now - one)[inner] for one in (old, moved(old, followed(old, now))))
    assert after.max() < 0.3 * before.max()
    coloured = np.zeros((*SIZE[::-1], 3), np.uint8)
    assert moved(coloured, np.eye(3)[:2]).shape == coloured.shape
    assert moved(coloured, np.eye(3)[:2]).dtype == np.uint8


def test_a_view_that_stands_and_one_that_shows_nothing_are_not_followed():
    assert followed(small(picture()), small(picture(), (0.03, 0.0), seed=1)) is None
    plain = np.full((*SIZE[::-1], 3), 90, np.uint8)
    assert followed(softened(plain[..., 0]), softened(plain[..., 0])) is None


def test_a_view_of_something_else_is_not_followed():
    other = scene([(Face.TWO, 200.0, 100.0, 0.5)], ground=table(9, size=(640, 480)), edge=2 * EDGE)
    assert followed(small(picture()), small(other, seed=1)) is None


def watch(settle, frames, start):
    return [settle.feed(frame, start + n / 30) for n, frame in enumerate(frames)]


def test_dice_lie_still_in_a_view_that_sways():
    settle, drawn = Settle(EDGE), picture()
    ways = [(0.25 * np.sin(n), 0.2 * np.cos(1.3 * n)) for n in range(30)]
    motions = watch(settle, [grey(drawn, way, seed=n) for n, way in enumerate(ways)], 0.0)
    assert Motion.STILL in motions[:12]
    assert set(motions[12:]) == {Motion.STILL}


def test_a_view_that_sways_does_not_creep():
    ways = [(0.3 * np.cos(n), 0.3 * np.sin(n)) for n in range(7)]
    assert not creeping([small(picture(), way, seed=n) for n, way in enumerate(ways)], EDGE)


def test_a_die_that_creeps_in_a_view_that_sways_is_not_at_rest():
    settle = Settle(EDGE)
    frames = [
        grey(picture(((0.0, 0.0), (0.0, 0.0), (0.5 * n, 0.0))), (0.3 * np.sin(n), 0.3 * np.cos(n)), seed=n)
        for n in range(30)
    ]
    assert Motion.STILL not in watch(settle, frames, 0.0)
