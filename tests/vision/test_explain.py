"""What explains a reading can be read itself."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.explain import _beside

EDGE = 50.0
turns = st.floats(0, 2 * np.pi)


def look(x, y):
    return SimpleNamespace(x=x, y=y, edge=EDGE)


@given(turns, turns, st.booleans())
def test_the_name_of_a_die_is_on_none_that_touches_it(first, second, corner):
    """Three in a row or around a corner, turned as they like: each name is written on the table."""
    middle = np.array([300.0, 300.0])
    bend = np.pi / 2 if corner else np.clip(second - np.pi, -0.3, 0.3)
    places = [
        middle,
        *(middle + EDGE * np.array([np.cos(t), np.sin(t)]) for t in (first, first + np.pi + bend)),
    ]
    looks = [look(*place) for place in places]
    for one, place in zip(looks, places, strict=True):
        name = place + _beside(one, looks) * EDGE
        assert min(np.linalg.norm(name - other) for other in places) > 0.75 * EDGE


@given(st.floats(-100, 100), st.floats(-100, 100))
def test_the_name_of_a_die_that_lies_alone_stands_to_the_right_of_it(x, y):
    one = look(x, y)
    assert _beside(one, [one, look(x + 500, y)])[0] > 0.5
