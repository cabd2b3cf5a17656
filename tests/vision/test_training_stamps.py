"""What the network for prints is taught: the same for the same seed, and about half of it stands."""

import numpy as np
import pytest

from vision.nets import STANCE_SIDE
from vision.training import fonts
from vision.training.mistaken import mistaken
from vision.training.stamps import stamps


def _installed() -> bool:
    try:
        return bool(fonts.fonts() and fonts.symbols())
    except fonts.FontsMissing:
        return False


pytestmark = pytest.mark.skipif(not _installed(), reason="the fonts are not installed")


@pytest.mark.parametrize("made", [stamps, mistaken])
def test_pictures_are_the_same_for_the_same_seed_and_unlike_for_others(made) -> None:
    one, same, other = (made(np.random.default_rng(seed), 8) for seed in (1, 1, 2))
    assert np.array_equal(one[0], same[0])
    assert np.array_equal(one[1], same[1])
    assert not np.array_equal(one[0], other[0])


@pytest.mark.parametrize("made", [stamps, mistaken])
def test_about_half_of_them_stand_and_every_picture_shows_something(made) -> None:
    pictures, stands = made(np.random.default_rng(3), 60)
    assert pictures.shape == (60, STANCE_SIDE, STANCE_SIDE, 3)
    assert 10 < stands.sum() < 45
    assert np.mean([picture.std() > 2 for picture in pictures]) > 0.9
