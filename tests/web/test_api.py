"""The same powers for programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from tables import CODE, DEAL, PATIENCE_S, Phone, TableWithPage, served

from companion.rules.pieces import FACE_OF
from companion.signals import Die, How, Motion, Reading, Seen, Verdict
from companion.update import Update
from companion.web.server import PageServer


class Program:
    """A program that talks to the table."""

    def __init__(self, server: PageServer) -> None:
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE_S)
        self.told = self.http.get("/api/session").json()

    def unlock(self, code: str = CODE) -> httpx.Response:
        answer = self.http.put("/api/session", json={"code": code}, headers=self.headers)
        if answer.status_code == 200:
            self.told = answer.json()
        return answer

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Table-Token": self.told["token"]}

    def ask(self, line: str, known: str | None = None) -> httpx.Response:
        return self.http.post("/api/ask", json={"line": line, "known": known}, headers=self.headers)

    def get(self, path: str, **query: Any) -> Any:
        return self.http.get(path, params=query).json()


@pytest.fixture
def program(place: tuple[TableWithPage, PageServer]) -> Program:
    program = Program(place[1])
    assert program.unlock().json()["unlocked"] is True
    return program


def test_the_state_is_told_without_the_code(
    place: tuple[TableWithPage, PageServer], program: Program
) -> None:
    table, server = place
    table.session.page = server.page
    for line in ("begin 1", DEAL, "1 roll"):
        table.ask(line)
    state = program.get("/api/state")
    assert (state["scene"], state["names"][0], state["table"]["awaits"]["for"]) == ("fall", "Rosa", "fall")
    assert state["lines"] == table.update.lines
    assert CODE not in program.http.get("/api/state").text


def test_asking_is_answered(table: TableWithPage, program: Program) -> None:
    assert program.ask("begin 1").json() == {"accepted": True, "key": "", "sentence": "Done."}
    refused = program.ask("1 roll")
    assert refused.status_code == 409
    assert refused.json()["key"] == "not_awaited" and "the cards" in refused.json()["sentence"]


def test_who_is_late_is_told_and_changes_nothing(table: TableWithPage, program: Program) -> None:
    program.ask("begin 1")
    program.ask(DEAL, known=table.update.mark)
    known = table.update.mark
    assert program.ask("1 roll", known).status_code == 200
    late = program.ask("1 quit", known)
    assert (late.status_code, late.json()["key"]) == (409, "changed_meanwhile")
    assert program.get("/api/record")["steps"][-1]["command"] == "1 roll"


def test_without_code_or_token_nothing_changes(place: tuple[TableWithPage, PageServer]) -> None:
    table, server = place
    stranger, before = Program(server), table.update
    assert stranger.ask("begin 1").status_code == 403
    assert stranger.unlock("000000").status_code == 403
    assert stranger.http.put("/api/session", json={"code": CODE}).status_code == 403
    assert stranger.unlock().status_code == 200
    stranger.told["token"] = "x"
    assert stranger.ask("begin 1").status_code == 403
    assert table.update is before


def test_a_session_can_be_given_back(program: Program) -> None:
    answer = program.http.delete("/api/session", headers=program.headers)
    assert answer.json()["unlocked"] is False
    assert program.ask("begin 1").status_code == 403


def test_a_preview_tells_and_does_nothing(table: TableWithPage, program: Program) -> None:
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L", "2 quit", "3 quit", "1 quit"):
        program.ask(line)
    lines = table.update.lines
    found = program.get("/api/preview", line="amend 9 1 discard 1")
    assert found["accepted"] and found["changes"][0] == {"name": "Rosa", "before": 19, "after": 18}
    refused = program.get("/api/preview", line="amend 8 fell 22L")
    assert not refused["accepted"] and refused["line"] == 9 and "line 9" in refused["refused"]
    assert table.update.lines == lines


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ({}, "body: "),
        ({"content": b'{"line": "undo"}'}, "body: "),
        ({"data": {"line": "undo"}}, "body: "),
        ({"json": {"known": 3}}, "body.line: "),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, "body.1: "),
    ],
    ids=["nothing", "of no kind", "a form", "a part", "no JSON"],
)
def test_a_program_that_sends_something_else_is_told_what_is_wrong_and_where(
    table: TableWithPage, program: Program, sent: dict[str, Any], where: str
) -> None:
    answer = program.http.post("/api/ask", **sent)
    assert answer.status_code == 422
    assert re.search(f"wrong: {where}[A-Z].+", answer.json()["error"])


def test_games_come_and_go(tmp_path: Path, table: TableWithPage, program: Program) -> None:
    data = "game lama-dice/1\nseat =1+1\nseat B\nstarts 1\ndeal 111111 222222\n"
    bad = program.http.post(
        "/api/games", content=data.replace("111111", "11111"), headers=program.headers | _TEXT
    )
    assert bad.status_code == 422
    data = "game lama-dice/1\nseat =1+1\nseat B\nstarts 1\ndeal 111112 222233\n1 quit\n2 quit\n"
    come = program.http.post(
        "/api/games", params={"name": "../x/My game"}, content=data, headers=program.headers | _TEXT
    )
    assert come.status_code == 201 and come.json()["id"] == "My-game"
    assert program.get("/api/games")[0]["names"] == ["=1+1", "B"]
    assert program.http.get("/api/games/My-game/record").text == data
    csv = program.http.get("/api/games/My-game/csv")
    assert "'=1+1" in csv.text and csv.headers["content-disposition"] == 'attachment; filename="My-game.csv"'
    assert program.get("/api/fairness", stem="My-game")["finding"] == "too_few"


_TEXT = {"content-type": "text/plain"}


@pytest.mark.parametrize(
    "path",
    ["/api/games/x", "/api/games/x/csv", "/api/games/..%2f..%2fetc%2fpasswd/record", "/api/camera",
     "/api/games/x/png", "/api/record", "/api/record/5/picture", "/api/fairness?stem=x", "/api/nothing"],
)  # fmt: skip
def test_what_is_not_there_is_told(program: Program, path: str) -> None:
    answer = program.http.get(path)
    assert answer.status_code == 404 and answer.json()["error"]


def test_pictures(tmp_path: Path) -> None:
    picture = np.full((120, 160, 3), 90, np.uint8)

    def portrait(update: Update) -> bytes:
        return b"PNG " + update.names[0].encode()

    with served(tmp_path, False, frame=lambda: picture, portrait=portrait) as (table, server):
        program = Program(server)
        program.unlock()
        assert program.http.get("/api/camera").content[:2] == b"\xff\xd8"
        for line in ("begin 1", DEAL, "1 roll"):
            program.ask(line)
        dice = tuple(Die(FACE_OF[face], 40.0 * x, 60.0, 0.9) for x, face in enumerate("13L", 1))
        reading = Reading(Verdict.OK, dice)
        table.inbox.put(
            Seen(Motion.STILL, 1.0, 1, reading, True, picture, How.THROWN, None, ((0.25, 0.5),) * 3, 0.1)
        )
        assert program.ask("press 2").status_code == 409
        line = program.get("/api/record")["steps"][-1]["line"]
        kept = program.http.get(f"/api/record/{line}/picture")
        assert kept.headers["content-type"] == "image/jpeg" and kept.content[:2] == b"\xff\xd8"
        assert program.http.get("/seen.jpg").content[:2] == b"\xff\xd8"
        assert program.ask("was 135").status_code == 200
        assert 'read as 1, 3, llama"' in program.http.get(f"/record/{line}").text, "that is on the picture"
        stem = program.get("/api/games")[0]["id"]
        assert program.http.get(f"/api/games/{stem}/png").content == b"PNG Rosa"


def test_the_schema_tells_every_route_and_the_token(program: Program) -> None:
    schema = program.get("/openapi.json")
    assert all(path.startswith("/api/") for path in schema["paths"])
    assert {"/api/state", "/api/ask", "/api/games/{stem}/csv"} <= set(schema["paths"])
    names = [each["name"] for each in schema["paths"]["/api/ask"]["post"]["parameters"]]
    assert "x-table-token" in names
    assert program.http.get("/docs").status_code == 404


def test_people_and_programs_share_the_lock(place: tuple[TableWithPage, PageServer], phone: Phone) -> None:
    program = Program(place[1])
    for _ in range(5):
        program.unlock("999999")
    assert phone.unlock().status_code == 429
