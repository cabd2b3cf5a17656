"""What stands before every request."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.house import House, Language
from companion.web import guard
from companion.web.guard import BODY_BYTES, GAME_BYTES, HEADERS, Guard, Hosts
from companion.web.words import Words


async def _echo(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(message["body"])).encode()})


def ask(
    method: str = "GET",
    path: str = "/",
    body: list[bytes] | None = None,
    query: bytes = b"",
    **headers: str,
) -> tuple[int, dict[str, str], bytes]:
    """Send one request through the guard; headers are written with underscores."""
    sent: list[Any] = []
    chunks = body or [b""]
    given = {"host": "192.168.1.5:8080"} | {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query,
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items() if value],
    }  # fmt: skip

    async def receive() -> Any:
        if not chunks:
            await asyncio.sleep(3600)
        chunk = chunks.pop(0)
        return {"type": "http.request", "body": chunk, "more_body": bool(chunks) or chunk == b"..."}

    async def send(message: Any) -> None:
        sent.append(message)

    words = Words(House(language=Language.DE))
    asyncio.run(Guard(_echo, Hosts(["Lama.Example"], "table"), lambda: words)(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1]["body"]


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.5", "192.168.1.5:8080", "127.0.0.1:1", "[::1]:8080", "[fe80::1]", "localhost",
        "LOCALHOST:80", "table", "table.local:8080", "lama.example", "lama.example.",
    ],
)  # fmt: skip
def test_our_own_hosts_are_answered(host: str) -> None:
    assert ask(host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "evil.example:8080", "192.168.1.5.evil.example", "table.evil", "a@192.168.1.5",
     "192.168.1.5/evil.example", "[::1", "1e2", "table local", "localhost:80@evil.example"],
)  # fmt: skip
def test_other_hosts_are_sent_away(host: str) -> None:
    assert ask(host=host)[0] == 421


@given(st.text(max_size=40))
def test_any_host_at_all_gets_an_answer(host: str) -> None:
    assert Hosts(machine="table").answers(host) in (True, False)


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PATCH", "OPTIONS", "BREW"])
def test_other_methods_are_refused(method: str) -> None:
    status, headers, _ = ask(method)
    assert status == 405 and "GET" in headers["allow"]


def test_long_addresses_are_refused() -> None:
    assert ask(path="/" + "a" * 3000)[0] == 414
    assert ask(query=b"a" * 3000)[0] == 414


def test_a_body_has_a_bound_told_or_not() -> None:
    assert ask("POST", body=[b"a" * BODY_BYTES])[0] == 200
    assert ask("POST", body=[b"a" * BODY_BYTES, b"a"])[0] == 413
    assert ask("POST", content_length=str(BODY_BYTES + 1))[0] == 413
    assert ask("POST", content_length="9" * 5000)[0] == 413
    assert ask("POST", content_length="-1")[0] == 413
    assert ask("POST", "/games", body=[b"a" * GAME_BYTES])[0] == 200
    assert ask("POST", "/games", body=[b"a" * GAME_BYTES, b"a"])[0] == 413


def test_a_body_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.05)
    assert ask("POST", body=[b"..."])[0] == 408


def test_a_body_in_pieces_arrives_whole() -> None:
    assert ask("POST", body=[b"ab", b"cde"])[2] == b"5"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://192.168.1.5:8080"}, 200),
        ({"origin": "http://192.168.1.5:8080", "sec_fetch_site": "same-origin"}, 200),
        ({"origin": "http://192.168.1.5:8081"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
    ],
)
def test_only_our_own_pages_may_send_forms(headers: dict[str, str], status: int) -> None:
    assert ask("POST", **headers)[0] == status
    assert ask("GET", **headers)[0] == 200


@pytest.mark.parametrize("host", ["localhost", "evil.example"])
def test_every_answer_carries_the_safe_headers(host: str) -> None:
    _, headers, _ = ask(host=host)
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= headers.items()
    assert headers["cache-control"] == "no-store"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy


def test_refusals_are_in_the_house_s_language() -> None:
    _, headers, said = ask(host="evil.example")
    assert said.decode() == "Unter diesem Namen gibt es mich nicht. Nimm die Adresse vom Bildschirm am Tisch."
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert ask("POST", content_length="9999999")[2].decode() == "Das ist zu viel: höchstens 16 KiB."
    assert b"512 KiB" in ask("POST", "/games", content_length="9999999")[2]
    assert ask("POST", origin="null")[2].decode() == "Das kam von einer anderen Seite. Nimm bitte diese."
    assert ask("BREW")[2].decode() == "So geht es nicht."
    assert json.loads(ask("BREW", "/api/state")[2]) == {"error": "So geht es nicht."}


def test_websockets_are_closed() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Guard(_echo, Hosts(), lambda: Words(House()))({"type": "websocket"}, None, send))  # type: ignore[arg-type]
    assert sent == [{"type": "websocket.close", "code": 1008}]
