"""Two sets of dice in one folder are noticed by their colours; other light makes no other set."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cases import cases
from vision.labels import CalibrationError, stills
from vision.mixed import refuse_mixed

FOOTAGE = Path(__file__).parent / "footage"
SETS = ["around", "bone", "home", "outline", "patterns", "pips", "rust"]


def dice(name, chosen=slice(None)):
    """Return what is learnt from, of some of a set's pictures, under names of their own."""
    found = [sample for still in stills(FOOTAGE / name) for sample in still.dice]
    files = sorted({sample.file for sample in found})[chosen]
    return [replace(one, file=f"{name}/{one.file}") for one in found if one.file in files]


def relit(found, look):
    """Return the same, in half of the pictures in another light, table and all."""
    files = sorted({one.file for one in found})[::2]
    return [replace(one, crop=look(one.crop)) if one.file in files else one for one in found]


def painted(crop):
    """Return a crop of a die of another colour, print and all, on the same table."""
    other = crop.copy()
    other[8:-8, 8:-8] = 255 - other[8:-8, 8:-8]
    return other


def through(gain):
    return lambda crop: np.clip(crop * np.array(gain), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", SETS)
def test_one_set_is_one_set(name):
    assert refuse_mixed(dice(name)) == ()


@pytest.mark.parametrize("name", SETS)
@cases("gain", [(0.5, 0.5, 0.5), (1.5, 1.5, 1.5), (0.8, 1, 1.1)], quick=1)
def test_one_set_in_two_lights_is_one_set(name, gain):
    assert refuse_mixed(relit(dice(name), through(gain))) == ()


@pytest.mark.parametrize("name", ["bone", "patterns", "rust"])
def test_dice_of_two_colours_on_one_table_are_refused_and_named(name):
    found = relit(dice(name), painted)
    with pytest.raises(CalibrationError, match="on the same table: are two sets mixed") as told:
        refuse_mixed(found)
    named = {one.split(" have ")[0].split()[-1] for one in str(told.value).split(", ")[:3]}
    files = sorted({one.file for one in found})
    assert named <= set(files[::2]) or named <= set(files[1::2])


@pytest.mark.parametrize("few", [2, 3, 4])
def test_a_few_pictures_of_another_set_are_named(few):
    found = [*dice("pips", slice(few, None)), *dice("rust", slice(few))]
    with pytest.raises(CalibrationError, match="the dice in rust/"):
        refuse_mixed(found)


def test_other_dice_on_another_table_are_told_but_not_refused():
    few = dice("rust", slice(3))
    assert refuse_mixed([*dice("around", slice(3, None)), *few]) == tuple(sorted({one.file for one in few}))


def test_dice_of_several_colours_are_not_judged():
    """Whatever numbers fall, each picture shows all of the colours."""
    rng = np.random.default_rng(1)
    found = [
        replace(one, crop=painted(one.crop)) if number % 3 else one for number, one in enumerate(dice("bone"))
    ]
    rng.shuffle(found)
    assert refuse_mixed(found) == ()


def test_dice_taken_one_at_a_time_may_each_have_a_colour_of_their_own():
    found = relit(dice("rust"), painted)
    alone = [replace(one, file=f"{one.file}/{number}") for number, one in enumerate(found)]
    assert refuse_mixed(alone) == ()


def test_a_single_picture_and_a_large_folder_are_no_matter():
    found = dice("rust")
    assert refuse_mixed(found[:3]) == ()
    many = [replace(one, file=f"{copy}/{one.file}") for copy in range(12) for one in found]
    assert refuse_mixed(many) == ()


def test_prints_as_large_as_what_is_left_of_the_body_are_of_one_set():
    """Then neither has the middle colour of a face, and in other light the other one is farther from it."""

    def bold(crop, light):
        high, wide = crop.shape[:2]
        print_ = np.clip((np.arange(wide) - 0.5 * wide) / 10 + 0.5, 0, 1)[None, :, None]
        face = (1 - print_) * np.array((60.0, 62, 64)) + print_ * np.array((104.0, 190, 225))
        made = crop.copy()
        made[8:-8, 8:-8] = np.clip(face * light, 0, 255)[:, 8 : wide - 8].repeat(high - 16, 0)
        return made

    found = dice("bone")
    files = sorted({one.file for one in found})
    lit = [replace(one, crop=bold(one.crop, 1.3 if one.file in files[:3] else 1.0)) for one in found]
    assert refuse_mixed(lit) == ()
