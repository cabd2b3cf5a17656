"""What all tests share: modules beside this file can be imported, and Hypothesis repeats itself."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from people import People

# What a developer has at home is nobody's business here, nor that of any program that is started.
_HOME = TemporaryDirectory(prefix="lama-tests-")
os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_STATE_HOME"] = _HOME.name

settings.register_profile("repeatable", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("repeatable")


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Three at a table whose game has begun."""
    table = People(tmp_path)
    table.begin()
    return table
