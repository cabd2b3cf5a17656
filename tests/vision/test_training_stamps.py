"""What the network for prints is taught: the same for the same seed, and about half of it stands."""

from dataclasses import replace

import numpy as np
import pytest

from vision.faceless import likeliest
from vision.nets import STANCE_SIDE
from vision.training import artwork
from vision.training.mistaken import mistaken
from vision.training.solids import Eye, Room
from vision.training.stamps import cloth, printed, stamps

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("training_fonts")]


@pytest.mark.parametrize("made", [stamps, mistaken])
def test_pictures_are_the_same_for_the_same_seed_and_unlike_for_others(made) -> None:
    one, same, other = (made(np.random.default_rng(seed), 8) for seed in (1, 1, 2))
    assert np.array_equal(one[0], same[0])
    assert np.array_equal(one[1], same[1])
    assert not np.array_equal(one[0], other[0])


@pytest.mark.parametrize("made", [stamps, mistaken])
def test_some_of_them_stand_others_do_not_and_every_picture_shows_something(made) -> None:
    pictures, stands = made(np.random.default_rng(3), 180)
    assert pictures.shape == (180, STANCE_SIDE, STANCE_SIDE, 3)
    assert 10 / 60 < stands.mean() < 45 / 60
    assert np.mean([picture.std() > 2 for picture in pictures]) > 0.9


def test_walls_of_trays_are_shown_though_nobody_takes_them_for_dice(monkeypatch) -> None:
    taken = []

    def noted(*place):
        found = likeliest(*place)
        taken.extend(found)
        return found

    monkeypatch.setattr("vision.training.mistaken.likeliest", noted)
    pictures, _ = mistaken(np.random.default_rng(4), 60)
    assert len(taken) < len(pictures)


ROOM = Room((160, 200), 24.0, Eye((100.0, 80.0), 700.0), ())


def inked(monkeypatch, **how) -> float:
    """Return the mean grey of twenty prints on black, each of a maker who prints on plates."""
    rng, middle = np.random.default_rng(5), np.array([100.0, 80.0])
    designs = iter([replace(artwork.random_design(rng), plate=True) for _ in range(20)])
    monkeypatch.setattr("vision.training.stamps.random_design", lambda _: next(designs))
    ground, inks = np.zeros((160, 200, 3), np.float32), [np.full(3, 255.0)]
    return float(np.mean([printed(rng, ground, ROOM, middle, inks, **how) for _ in range(20)]))


def test_where_discs_of_ink_would_pass_for_chips_none_are_printed(monkeypatch) -> None:
    assert inked(monkeypatch, plates=False) < 0.5 * inked(monkeypatch)


def test_a_cloth_has_the_colour_it_is_given_and_prints_on_it() -> None:
    rng, green = np.random.default_rng(2), np.array([40.0, 160.0, 60.0], np.float32)
    cloths = [cloth(rng, ROOM, green) for _ in range(6)]
    assert all(one.shape == (160, 200, 3) for one in cloths)
    assert np.mean([np.median(one[..., 1]) > np.median(one[..., 0]) for one in cloths]) > 0.6
    other = [np.abs(one - np.median(one, (0, 1))).max(-1) > 30 for one in cloths]
    assert np.mean([one.mean() > 0.02 for one in other]) > 0.8


def test_threads_show_through_what_is_printed_on_most_cloths(monkeypatch) -> None:
    """A print of one ink is not one level where threads show."""

    def levels(rng, canvas, *_):
        return np.full_like(canvas, 120.0)

    monkeypatch.setattr("vision.training.stamps.printed", levels)
    rng = np.random.default_rng(3)
    rough = [cloth(rng, ROOM).std() for _ in range(60)]
    assert 24 <= np.count_nonzero(rough) <= 48
    assert 0.02 * 120 < np.median([one for one in rough if one]) < 0.2 * 120
