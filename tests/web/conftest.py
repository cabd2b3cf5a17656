"""A table with a page for every test, and a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tables import Phone, TableWithPage, served

from companion.web.server import PageServer


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[TableWithPage, PageServer]]:
    with served(tmp_path, deal=False) as both:
        yield both


@pytest.fixture
def table(place: tuple[TableWithPage, PageServer]) -> TableWithPage:
    return place[0]


@pytest.fixture
def phone(place: tuple[TableWithPage, PageServer]) -> Phone:
    return Phone(place[1])


@pytest.fixture
def unlocked(phone: Phone) -> Phone:
    assert phone.unlock().status_code == 303
    return phone
