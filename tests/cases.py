"""Cases of slow tests: the first few for ``make test``, the others for ``make proofs``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def cases(names: str | Sequence[str], values: Iterable[Any], *, quick: int) -> pytest.MarkDecorator:
    """Parametrise a test; all but the first so many ``values`` are slow.

    As with pytest's own decorator a value is one argument if ``names`` is one name, else several.
    """
    one = isinstance(names, str)
    arguments = [(value,) if one else value for value in values]
    return pytest.mark.parametrize(
        names,
        [
            pytest.param(*value, marks=pytest.mark.slow if number >= quick else ())
            for number, value in enumerate(arguments)
        ],
    )
