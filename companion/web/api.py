"""The same powers for programs: JSON under ``/api``, told by ``/openapi.json``."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from companion.album import Album
from companion.fairness import fairness
from companion.history import adopt, csv
from companion.journal import JournalError
from companion.preview import Preview, damage, preview
from companion.rules.notation import NotationError, Record, read
from companion.update import Scene, Update
from companion.web.desk import COOKIE, Desk, Refused, Visitor
from companion.web.lock import CODE_DIGITS
from companion.web.pictures import with_reading
from companion.web.records import told
from companion.web.states import game_json, state_json
from companion.web.streams import states

Stem = Annotated[str, Path(max_length=120, description="A game's id, as the list of games tells it")]
Line = Annotated[int, Path(ge=1, le=999_999, description="A line of the record")]
Token = Annotated[str | None, Header(description="The token of /api/session, with its cookie")]
_LONGEST = 400


class Session(BaseModel):
    """Who asks: ``token`` goes into the header ``X-Table-Token`` of everything that changes something."""

    token: str
    unlocked: bool


class Code(BaseModel):
    """The code on the table's screen."""

    code: str = Field(max_length=32, examples=["0" * CODE_DIGITS])


class Request_(BaseModel):  # noqa: N801 - Starlette has the plain name
    """A line of the notation or a request in words; ``known``: the table's mark then."""

    line: str = Field(max_length=_LONGEST, examples=["undo", "join 3", "amend 12 fell 13L"])
    known: str | None = Field(default=None, max_length=300, examples=["2026-11-20-201500:42"])


class Answered(BaseModel):
    """What became of a request; a refused one says why."""

    accepted: bool
    key: str
    sentence: str


class Problem(BaseModel):
    """Why something was not done."""

    error: str


_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": description}
    for status, description in {
        400: "It cannot be read",
        403: "Locked, or the token is missing",
        404: "There is no such thing",
        405: "Not with this method",
        408: "It came too slowly",
        409: "The table refuses it",
        413: "Too much",
        421: "Another host was asked for",
        422: "It does not have the right shape",
        429: "Too often; Retry-After says when",
        504: "The table does not answer",
    }.items()
}


class Api:
    """The routes for programs. Those that read files are plain functions: they run beside the loop."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def router(self) -> APIRouter:
        """List the routes."""
        router = APIRouter(prefix="/api", responses=_PROBLEMS)
        get = ["GET"]
        router.add_api_route("/state", self.state, methods=get)
        router.add_api_route("/live", self.live, methods=get, response_class=StreamingResponse)
        router.add_api_route("/alive", self.alive, methods=get)
        router.add_api_route("/session", self.session, methods=get, response_model=Session)
        router.add_api_route("/session", self.unlock, methods=["PUT"], response_model=Session)
        router.add_api_route("/session", self.lock, methods=["DELETE"], response_model=Session)
        router.add_api_route("/ask", self.ask, methods=["POST"], response_model=Answered)
        router.add_api_route("/preview", self.preview, methods=get)
        router.add_api_route("/record", self.record, methods=get)
        router.add_api_route("/record/{line}/picture", self.picture, methods=get, response_class=Response)
        router.add_api_route("/games", self.games, methods=get)
        router.add_api_route("/games", self.bring, methods=["POST"], status_code=201)
        router.add_api_route("/games/{stem}", self.game, methods=get)
        router.add_api_route("/games/{stem}/record", self.download, methods=get, response_class=Response)
        router.add_api_route("/games/{stem}/csv", self.csv, methods=get, response_class=Response)
        router.add_api_route("/games/{stem}/png", self.png, methods=get, response_class=Response)
        router.add_api_route("/fairness", self.fairness, methods=get)
        router.add_api_route("/camera", self.camera, methods=get, response_class=Response)
        return router

    # -- reading -------------------------------------------------------------------------------

    async def state(self) -> dict[str, Any]:
        """Everything the table's screen shows now."""
        return state_json(self.desk.now, self.desk.words)

    async def live(self, request: Request) -> StreamingResponse:
        """A stream of server-sent events: ``state`` each time the state changes."""
        stream = states(self.desk, request, lambda: state_json(self.desk.now, self.desk.words))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def alive(self) -> dict[str, str]:
        """Tell that the server is there, and which run of it."""
        return {"run": self.desk.run}

    def record(self) -> dict[str, Any]:
        """The commands of the running game that count, with their lines."""
        rows = told(self._record())
        steps = [{"line": r.step.line, "command": str(r.step.command), "round": r.round} for r in rows]
        return {"lines": self.desk.now.lines, "steps": steps}

    def preview(
        self, line: Annotated[list[str], Query(min_length=1, max_length=4, examples=[["rewind 9"]])]
    ) -> dict[str, Any]:
        """Tell what lines of the notation would change, without doing anything."""
        return self._preview_json(preview(self._record(), [words[:_LONGEST] for words in line]))

    def picture(self, line: Line) -> Response:
        """The kept picture of a fall, with its reading drawn in."""
        path = self.desk.now.path
        kept = Album(path).find(line) if path else None
        if kept is None:
            raise Refused(404, "page_no_picture")
        return Response(with_reading(kept), media_type="image/jpeg")

    def games(self) -> list[dict[str, Any]]:
        """All games that are kept, the newest first."""
        return [game_json(game) for game in self.desk.history.games()]

    def game(self, stem: Stem) -> dict[str, Any]:
        """One game, round by round."""
        return game_json(self._game(stem))

    def download(self, stem: Stem) -> Response:
        """A game's record, as it lies on the disk."""
        path = self._game(stem).path
        return _file(path.read_bytes(), "text/plain; charset=utf-8", path.name)

    def csv(self, stem: Stem) -> Response:
        """A game for a spreadsheet."""
        return _file(csv(self._whole(stem)).encode("utf-8-sig"), "text/csv; charset=utf-8", f"{stem}.csv")

    def png(self, stem: Stem) -> Response:
        """A game's last table, as the screen would draw it."""
        if self.desk.parts.portrait is None:
            raise Refused(404, "page_no_picture")
        table = read(self._whole(stem).path.read_bytes()).record.table
        scene = Scene.OVER if table.awaits.kind == "over" else Scene.TURN
        names = tuple(seat.name for seat in table.seats)
        update = Update(
            0, scene, names, tuple(range(1, len(names) + 1)), table=table, house=self.desk.now.house
        )
        return _file(self.desk.parts.portrait(update), "image/png", f"{stem}.png")

    def fairness(self, stem: Annotated[str | None, Query(max_length=120)] = None) -> dict[str, Any]:
        """How often each face came, in one game or in all, and whether fair dice do that."""
        games = [self._game(stem)] if stem else self.desk.history.games()
        found = fairness(roll for game in games for roll in game.rolls)
        faces = {
            str(f.face): {"came": f.came, "expected": round(f.expected, 2), "spread": round(f.spread, 2)}
            for f in found.faces
        }
        return {"rolls": found.rolls, "p": found.p, "finding": str(found.finding), "faces": faces}

    def camera(self) -> Response:
        """The camera's newest picture."""
        picture = self.desk.shutter.jpeg()
        if picture is None:
            raise Refused(404, "page_no_camera")
        return Response(picture, media_type="image/jpeg")

    # -- changing ------------------------------------------------------------------------------

    async def session(self, request: Request, response: Response) -> Session:
        """Tell who asks; the answer brings a cookie."""
        return self._session(request, response, self.desk.visitor(request))

    async def unlock(
        self, request: Request, response: Response, code: Code, x_table_token: Token = None
    ) -> Session:
        """Show the code, once, to change things from here on. Take the new token with the new cookie."""
        self.desk.check_token(request, x_table_token)
        visit = self.desk.unlock(request, code.code)
        return self._session(request, response, Visitor(visit, self.desk.visits.token(visit), True))

    async def lock(self, request: Request, response: Response, x_table_token: Token = None) -> Session:
        """Give the right to change things back."""
        self.desk.check_unlocked(request, x_table_token)
        self.desk.visits.lock(request.cookies[COOKIE])
        return self._session(request, response, self.desk.visitor(request))

    async def ask(self, request: Request, asked: Request_, x_table_token: Token = None) -> Response:
        """Ask the table for something, and wait for what becomes of it."""
        self.desk.check_unlocked(request, x_table_token)
        answer = await self.desk.ask(asked.line, asked.known)
        told = Answered(accepted=answer.accepted, key=answer.key, sentence=self.desk.words.answer(answer))
        return JSONResponse(told.model_dump(), 200 if answer.accepted else 409)

    def bring(
        self,
        request: Request,
        data: Annotated[str, Body(media_type="text/plain", examples=["game lama-dice/1\nseat Rosa\n"])],
        name: Annotated[str, Query(max_length=120)] = "game",
        x_table_token: Token = None,
    ) -> dict[str, Any]:
        """Take in a game from elsewhere; one that is there already stays the only one."""
        self.desk.check_unlocked(request, x_table_token)
        try:
            path = adopt(data.encode(errors="surrogatepass"), PurePath(name).name, self.desk.parts.folder)
        except (NotationError, JournalError) as error:
            raise Refused(422, "page_bad_game", sentence=damage(error)) from error
        return game_json(self._game(path.stem))

    # -- helpers -------------------------------------------------------------------------------

    def _session(self, request: Request, response: Response, visitor: Visitor) -> Session:
        self.desk.keep_cookie(response, visitor.visit)
        return Session(token=visitor.token, unlocked=visitor.unlocked)

    def _record(self) -> Record:
        path = self.desk.now.path
        if path is None:
            raise Refused(404, "page_no_record")
        return self.desk.records.read(path)

    def _game(self, stem: str) -> Any:
        game = self.desk.history.game(stem)
        if game is None:
            raise Refused(404, "page_no_game")
        return game

    def _whole(self, stem: str) -> Any:
        game = self._game(stem)
        if game.damage:
            raise Refused(404, "page_damaged")
        return game

    def _preview_json(self, found: Preview) -> dict[str, Any]:
        words = self.desk.words
        return {
            "accepted": found.accepted,
            "changes": [{"name": c.name, "before": c.before, "after": c.after} for c in found.changes],
            "winners": {"before": found.winners_before, "after": found.winners_after},
            "forgotten": found.forgotten,
            "rewritten": [{"line": r.line, "before": r.before, "after": r.after} for r in found.rewritten],
            "refused": words.say(found.refused) if found.refused else None,
            "line": found.line,
        }


def _file(data: bytes, kind: str, name: str) -> Response:
    """Send a file to be kept; its name is one of ours, plain letters only."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "-", name)
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{plain}"'})


def problem(status: int, sentence: str, retry_s: float = 0.0) -> Response:
    """Tell a program why something was not done."""
    return JSONResponse({"error": sentence}, status, retry(retry_s))


def retry(retry_s: float) -> dict[str, str]:
    """The header that says when to come again."""
    return {"Retry-After": str(int(retry_s + 1))} if retry_s else {}
