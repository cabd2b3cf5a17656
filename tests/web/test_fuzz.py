"""Whatever anybody sends, the server answers, and never that it broke.

Requests are generated from the schema that the server itself tells, well-formed and not, and from the
words that the table understands; every one is sent by a phone that has been unlocked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from tables import PATIENCE_S, TableWithPage, get, served

from companion.requests import FORMS
from companion.web.desk import COOKIE, TOKEN
from companion.web.server import PageServer

EXAMPLES = 12
#: A stream has no end to wait for.
ENDLESS = frozenset({"/api/live"})
CHECKS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
)

Place = tuple[TableWithPage, PageServer]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("games"), deal=True) as both:
        yield both


def credentials(place: Place) -> tuple[dict[str, str], dict[str, str]]:
    """Cookie and header of a phone just unlocked: the one before may have been locked again."""
    desk = place[1]._desk
    assert desk
    visit = desk.visits.unlock(desk.parts.clock())
    return {COOKIE: visit}, {TOKEN: desk.visits.token(visit)}


@pytest.mark.parametrize(
    "mode", [pytest.param(GenerationMode.POSITIVE, marks=pytest.mark.slow), GenerationMode.NEGATIVE]
)
def test_no_request_made_from_the_schema_breaks_the_server(place: Place, mode: GenerationMode) -> None:
    server = place[1]
    schema = schemathesis.openapi.from_url(server.url + "openapi.json")
    sent: set[int] = set()

    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path in ENDLESS:
            continue

        @CHECKS
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: schemathesis.Case) -> None:
            cookies, headers = credentials(place)
            answer = case.call(cookies=cookies, headers=headers, timeout=10)
            assert answer.status_code < 500, (case.as_curl_command(), answer.text)
            sent.add(answer.status_code)

        with suppress(Unsatisfiable):  # nothing about this operation can be wrong
            check()
    assert {GenerationMode.POSITIVE: 200, GenerationMode.NEGATIVE: 422}[mode] in sent
    assert {404, 409} & sent


words = st.one_of(
    st.sampled_from([form.example for form in FORMS.values()]),
    st.builds(
        lambda word, rest: f"{word} {rest}",
        st.sampled_from([*FORMS, "1", "2", "fell", "deal", "amend", "rewind", "setup", "menu"]),
        st.one_of(
            st.text(max_size=30),
            st.integers(-1, 40).map(str),
            st.sampled_from(["roll", "quit", "13L", "8 fell 13L", "keep", "dice", "camera", "L", "enter"]),
        ),
    ),
    st.text(max_size=400),
    st.lists(st.sampled_from(["1 roll", "rewind 6", "fell 13L"]), max_size=4).map("\n".join),
)


@pytest.mark.slow
@settings(CHECKS, max_examples=75)
@given(line=words, known=st.one_of(st.none(), st.text(max_size=30)))
def test_no_words_break_the_table(place: Place, line: str, known: str | None) -> None:
    server = place[1]
    cookies, headers = credentials(place)
    with httpx.Client(base_url=server.url, cookies=cookies, headers=headers, timeout=PATIENCE_S) as client:
        body = {"line": line, "known": known}
        answer = client.post("/api/ask", json=body)
        assert answer.status_code in (200, 409, 422), answer.text
        for path in ("/", "/record", "/rules", "/house", "/api/state"):
            assert client.get(path).status_code == 200


@settings(CHECKS, max_examples=80)
@given(
    path=st.sampled_from(["/ask", "/set", "/name", "/games", "/unlock", "/lock"]),
    fields=st.dictionaries(
        st.sampled_from(["line", "known", "then", "key", "value", "button", "name", "code", "die1", "die2"]),
        st.text(max_size=40),
    ),
    raw=st.one_of(st.none(), st.binary(max_size=200)),
)
def test_no_form_breaks_the_server(
    place: Place, path: str, fields: dict[str, str], raw: bytes | None
) -> None:
    server = place[1]
    cookies, headers = credentials(place)
    with httpx.Client(base_url=server.url, cookies=cookies, headers=headers, timeout=PATIENCE_S) as client:
        if raw is None:
            answer = client.post(path, data=fields)
        else:
            answer = client.post(
                path, content=raw, headers={"content-type": "multipart/form-data; boundary=x"}
            )
        assert answer.status_code < 500, answer.text


@settings(CHECKS, max_examples=60)
@given(
    path=st.one_of(
        st.text(st.characters(codec="ascii", exclude_characters="\r\n"), max_size=60).map("/".__add__),
        st.sampled_from(["/record/", "/games/", "/names/", "/static/", "/api/games/"]).flatmap(
            lambda start: st.text(max_size=20).map(lambda rest: start + rest)
        ),
    )
)
def test_no_address_breaks_the_server(place: Place, path: str) -> None:
    try:
        url = httpx.URL(place[1].url).copy_with(path=path)
    except httpx.InvalidURL:
        return
    assert get(url).status_code < 500


def test_a_record_that_breaks_under_the_server_is_told(tmp_path: Path) -> None:
    with served(tmp_path) as (table, server):
        table.ask("begin 1")
        record = next(tmp_path.glob("*.lama"))
        record.write_bytes(b"\xff\xfe nonsense\n")
        for path in ("record", "rules", "games", "api/record", f"games/{record.stem}", "record/6"):
            assert get(server.url + path).status_code in (200, 404, 409), path
        record.unlink()
        for path in ("record", "rules", "games", "api/record", "record/6"):
            assert get(server.url + path).status_code in (200, 404, 409), path
