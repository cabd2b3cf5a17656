"""The server's thread and its connections."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from tables import CODE, PATIENCE_S, TableWithPage, get, served

from companion.web import server as servers
from companion.web.parts import Parts
from companion.web.server import CONNECTIONS_EACH, PageError, PageServer


def connect(server: PageServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=5)


def ended(connection: socket.socket, within_s: float = 5.0) -> bool:
    """Tell whether the other side has ended a connection."""
    connection.settimeout(within_s)
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_a_port_in_use_is_told_with_a_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PageError, match=rf"port {port}: .*choose another"):
            PageServer(Parts(lambda _: None, tmp_path), port, "127.0.0.1").__enter__()


def test_the_page_has_an_address_and_a_code_of_its_own(tmp_path: Path) -> None:
    one, two = (PageServer(Parts(lambda _: None, tmp_path), 0, "127.0.0.1") for _ in range(2))
    with one, two:
        assert one.url == f"http://127.0.0.1:{one.port}/" != two.url
        assert one.page.url == one.url and len(one.page.code) == 6
        assert get(one.url).status_code == get(two.url).status_code == 200


def test_a_closed_page_frees_its_port(tmp_path: Path) -> None:
    parts = Parts(lambda _: None, tmp_path)
    with PageServer(parts, 0, "127.0.0.1") as server:
        port = server.port
    with PageServer(parts, port, "127.0.0.1"):
        assert get(f"http://127.0.0.1:{port}/").status_code == 200


@pytest.fixture
def everywhere(tmp_path: Path) -> Iterator[PageServer]:
    """A page that is served as it is at a table: on every address."""
    with PageServer(Parts(lambda _: None, tmp_path), 0, code=CODE) as server:
        yield server


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 on this computer")
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_the_page_is_served_and_unlocked_over_both_kinds_of_addresses(
    everywhere: PageServer, host: str
) -> None:
    here = f"{host}:{everywhere.port}"
    with httpx.Client(
        base_url=f"http://{here}", headers={"Origin": f"http://{here}"}, timeout=PATIENCE_S
    ) as phone:
        session = phone.get("/api/session").json()
        told = {"X-Table-Token": session["token"]}
        assert phone.put("/api/session", json={"code": CODE}, headers=told).json()["unlocked"]


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 on this computer")
def test_who_guesses_over_one_kind_of_address_is_known_by_it(everywhere: PageServer) -> None:
    with httpx.Client(base_url=f"http://[::1]:{everywhere.port}", timeout=PATIENCE_S) as vandal:
        told = {"X-Table-Token": vandal.get("/api/session").json()["token"]}
        guesses = [vandal.put("/api/session", json={"code": "x"}, headers=told).status_code for _ in range(7)]
    assert guesses[0] == 403 and guesses[-1] == 429
    with httpx.Client(base_url=f"http://127.0.0.1:{everywhere.port}", timeout=PATIENCE_S) as family:
        told = {"X-Table-Token": family.get("/api/session").json()["token"]}
        assert family.put("/api/session", json={"code": CODE}, headers=told).status_code == 200


def test_without_ipv6_the_page_is_served_over_ipv4(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with PageServer(Parts(lambda _: None, tmp_path), 0) as server:
        assert get(f"http://127.0.0.1:{server.port}/").status_code == 200


def test_the_address_is_looked_up_each_time(everywhere: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that comes after the start is on the screen, on the page and in its QR code."""
    monkeypatch.setattr(servers, "own_address", lambda _: "table.local")
    assert everywhere.page.url == f"http://table.local:{everywhere.port}/"
    before = get(f"http://127.0.0.1:{everywhere.port}/qr.svg").text
    monkeypatch.setattr(servers, "own_address", lambda _: "192.168.7.20")
    assert everywhere.page.url == f"http://192.168.7.20:{everywhere.port}/"
    assert "192.168.7.20" in get(f"http://127.0.0.1:{everywhere.port}/house").text
    assert get(f"http://127.0.0.1:{everywhere.port}/qr.svg").text != before


def test_who_comes_from_far_away_is_not_let_in(
    place: tuple[TableWithPage, PageServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "near", lambda client, here: (client, here) != ("127.0.0.1", "127.0.0.1"))
    with connect(place[1]) as stranger:
        assert ended(stranger)


def test_a_head_that_comes_too_slowly_ends_the_connection(
    place: tuple[TableWithPage, PageServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "HEAD_S", 0.2)
    with connect(place[1]) as silent, connect(place[1]) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHo")
        assert ended(silent) and ended(slow)


def test_dribbling_after_an_answer_ends_the_connection(
    place: tuple[TableWithPage, PageServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "HEAD_S", 0.3)
    with connect(place[1]) as slow:
        slow.sendall(b"GET /api/alive HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert slow.recv(65536).startswith(b"HTTP/1.1 200")
        slow.sendall(b"G")
        assert ended(slow)


def test_a_stream_is_not_ended_by_the_bound_for_heads(
    place: tuple[TableWithPage, PageServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "HEAD_S", 0.2)
    with connect(place[1]) as watching:
        watching.sendall(b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert not ended(watching, 0.6)


def test_no_answer_waits_for_an_acknowledgement(place: tuple[TableWithPage, PageServer]) -> None:
    server = place[1]._server
    assert server
    with connect(place[1]):
        _until(lambda: len(server.server_state.connections) == 1)
        (connection,) = server.server_state.connections
        taken = connection.transport.get_extra_info("socket")  # type: ignore[union-attr]
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_one_address_has_a_bound_of_connections(place: tuple[TableWithPage, PageServer]) -> None:
    many = [connect(place[1]) for _ in range(CONNECTIONS_EACH)]
    try:
        time.sleep(0.1)
        with connect(place[1]) as another:
            assert ended(another)
    finally:
        for connection in many:
            connection.close()
    for _ in range(100):
        try:
            assert get(place[1].url).status_code == 200
            return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError("nobody gets in any more")


def test_whoever_does_not_take_what_is_sent_is_let_go(
    place: tuple[TableWithPage, PageServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "TAKE_S", 0.3)
    script = get(place[1].url).text.split('src="')[1].split('"')[0].encode()
    with socket.socket() as greedy:
        greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        greedy.connect(("127.0.0.1", place[1].port))
        greedy.sendall((b"GET " + script + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") * 150)
        server = place[1]._server
        assert server
        _until(lambda: len(server.server_state.connections) == 1)
        _until(lambda: not server.server_state.connections)


def test_whoever_takes_it_late_but_takes_it_is_kept(
    place: tuple[TableWithPage, PageServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "TAKE_S", 1.0)
    script = get(place[1].url).text.split('src="')[1].split('"')[0].encode()
    with connect(place[1]) as late:
        late.sendall((b"GET " + script + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") * 150)
        time.sleep(0.3)
        assert not ended(late, 1.5)


def _until(holds: Callable[[], bool]) -> None:
    for _ in range(100):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to pass")


@pytest.mark.parametrize(
    "request_line",
    [
        b"NONSENSE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused(place: tuple[TableWithPage, PageServer], request_line: bytes) -> None:
    with connect(place[1]) as odd:
        odd.sendall(request_line)
        answer = odd.recv(65536)
        assert answer[9:12] in (b"400", b"421", b"414", b"431"), answer


def test_the_log_tells_no_secret(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path) as (_, server):
        get(server.url + "unlock?then=/")
        httpx.post(server.url + "unlock", data={"code": CODE})
        get(server.url, headers={"host": "evil.example"})
    out = capfd.readouterr()
    assert CODE not in out.out + out.err and out.err == ""


def test_without_a_page_nothing_of_it_is_loaded() -> None:
    script = (
        "import sys, companion.app, companion.session, companion.evening, companion.cli\n"
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('fastapi', 'uvicorn', 'starlette', 'jinja2', 'pydantic')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
