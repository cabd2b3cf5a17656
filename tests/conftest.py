"""What all tests share: modules beside this file can be imported, and Hypothesis repeats itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from people import People

settings.register_profile("repeatable", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("repeatable")


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Three at a table whose game has begun."""
    table = People(tmp_path)
    table.begin()
    return table
