"""The pages for people: what stands where, and what their forms do. Everything works without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from companion.album import Album
from companion.fairness import fairness, in_words
from companion.history import adopt, standings
from companion.journal import JournalError
from companion.preview import damage
from companion.rules.notation import NotationError, Unreadable
from companion.rules.pieces import FACES
from companion.setup import AIMED
from companion.steps import to_undo
from companion.web import plots
from companion.web.correcting import asked_instead, corrections, offer
from companion.web.desk import COOKIE, Desk, Refused
from companion.web.pages import PART, Form, Pages, local
from companion.web.pictures import code_of, jpeg, sharpness
from companion.web.records import alternatives, before, find, told
from companion.web.shown import picture_of, shown
from companion.web.streams import fragments
from companion.why import rules_page, why

#: So long games are read before a page tells how far it is, in seconds.
LOOK_S = 0.7
#: So many games stand in the open; the others behind a tap, so that the plots are not far below.
LATEST = 12
HOUSE_KEYS = ("language", "edition", "theme", "cocked", "deal", "odds", "voice")


class Site:
    """The routes of the pages. Those that read files are plain functions: they run beside the loop."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.pages = desk, Pages(desk)

    def router(self) -> APIRouter:
        """List the pages; the schema does not tell them."""
        router = APIRouter(include_in_schema=False)
        reading: dict[str, Callable[..., Any]] = {
            "/": self.table, "/live": self.live, "/dice": self.dice, "/names/{button}": self.name,
            "/record": self.record, "/record/{line}": self.line, "/games": self.games,
            "/games/{stem}": self.game, "/rules": self.rules, "/house": self.house, "/camera": self.camera,
            "/unlock": self.unlock, "/qr.svg": self.qr, "/seen.jpg": self.seen,
        }  # fmt: skip
        for path, handler in reading.items():
            router.add_api_route(path, handler, methods=["GET"], response_model=None)
        doing: dict[str, Callable[..., Any]] = {
            "/ask": self.ask, "/set": self.set, "/name": self.rename, "/games": self.bring,
            "/unlock": self.enter, "/lock": self.leave,
        }  # fmt: skip
        for path, handler in doing.items():
            router.add_api_route(path, handler, methods=["POST"], response_model=None)
        return router

    # -- the table ---------------------------------------------------------------------------------

    async def table(self, request: Request) -> Response:
        """The live page: whatever the table is doing now."""
        return self.pages.page(request, "table", shown=shown(self.desk.now, self.desk.words))

    async def live(self, request: Request) -> Response:
        """The live page's part that changes, each time it does."""
        stream = fragments(self.desk, self.pages, request)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    async def dice(self, request: Request) -> Response:
        """Three faces to tap, for a table without a camera."""
        return self.pages.page(request, "dice", known=self.desk.now.marked.record, faces=FACES)

    async def name(self, request: Request, button: int) -> Response:
        """A field for a player's name."""
        if not 1 <= button <= 6:
            raise Refused(404, "page_nothing_here")
        names = dict(zip(self.desk.now.buttons, self.desk.now.names, strict=False))
        return self.pages.page(request, "name", button=button, name=names.get(button, ""))

    # -- the record --------------------------------------------------------------------------------

    def record(self, request: Request) -> Response:
        """Every command that counts, the newest first."""
        now = self.desk.now  # before the record is read: what comes meanwhile was not shown
        if now.path is None:
            return self.pages.page(request, "record", rows=(), undo=None)
        record = self.desk.records.read(now.path)
        undo = to_undo(record, now.deals)
        return self.pages.page(
            request,
            "record",
            rows=tuple(reversed(told(record))),
            known=now.marked.record,
            undo=offer(record, undo.lines, ["undo"]) if undo else None,
            again=undo.again if undo else None,
        )

    def line(self, request: Request, line: int) -> Response:
        """One command: what it says, what could stand instead, and what that would change."""
        now = self.desk.now
        if PART in request.headers and _game(request.query_params.get("known", "")) != _game(now.mark):
            return self.pages.sent_on(request, "/record")  # the rest of the page is of another game
        record = self.desk.records.read(now.path) if now.path else None
        row = find(record, line) if record else None
        if record is None or now.path is None or row is None:
            raise Refused(404, "page_nothing_here")
        stands, awaits = row.step.command, before(record, line).awaits
        instead, unread = None, False
        try:
            instead = asked_instead(request.query_params, stands)
        except Unreadable:
            unread = True
        return self.pages.page(
            request,
            "line",
            row=row,
            known=now.marked.record,
            kept=Album(now.path).find(line),
            alternatives=alternatives(awaits, stands),
            faces=FACES,
            instead=instead,
            fell=(instead if instead and instead.verb == "fell" else stands).groups,
            unread=unread,
            names=record.names,
            typed=request.query_params,
            offers=corrections(record, row.step, instead) if instead else (),
            forget=offer(record, [f"rewind {line}"], [f"rewind {line}"]),
        )

    # -- looking back ------------------------------------------------------------------------------

    def games(self, request: Request) -> Response:
        """All games, who wins, and whether the dice are fair; how far it is while many are new."""
        until = self.desk.parts.clock() + LOOK_S
        look = self.desk.history.look(lambda: self.desk.parts.clock() > until)
        if not look.whole:
            return self.pages.page(request, "looking", look=look)
        if PART in request.headers:
            return self.pages.sent_on(request, "/games")
        games = look.games
        found = fairness(roll for game in games for roll in game.rolls)
        people = standings(games)
        return self.pages.page(
            request,
            "games",
            games=games,
            latest=LATEST,
            people=people,
            wins=plots.wins(people),
            fairness=found,
            faces=plots.faces(found),
            verdict=in_words(found),
            box=plots,
        )

    def game(self, request: Request, stem: str) -> Response:
        """One game: its rounds, its dice, its downloads."""
        game = self.desk.history.game(stem)
        if game is None:
            raise Refused(404, "page_no_game")
        if game.damage:
            return self.pages.page(request, "game", game=game)
        found = fairness(game.rolls)
        return self.pages.page(
            request,
            "game",
            game=game,
            rounds=plots.rounds(game),
            fairness=found,
            faces=plots.faces(found),
            verdict=in_words(found),
            portrait=self.desk.parts.portrait is not None,
            box=plots,
        )

    # -- rules, house, camera ----------------------------------------------------------------------

    def rules(self, request: Request) -> Response:
        """The rules as this table plays them, with the case at hand on top."""
        now = self.desk.now
        record = self.desk.records.read(now.path) if now.path else None
        reasons = why(now.table, record.steps) if now.table and record else ()
        return self.pages.page(request, "rules", sections=rules_page(now.house), reasons=reasons)

    async def house(self, request: Request) -> Response:
        """What a family sets, and how to get here with another phone."""
        fixed = self.desk.now.fixed
        return self.pages.page(request, "house", keys=HOUSE_KEYS, fixed=fixed, url=self.desk.address())

    def camera(self, request: Request) -> Response:
        """What the camera sees, what to change, and how sharp it is."""
        picture = self.desk.parts.frame()
        focus = None if picture is None else sharpness(picture)
        name = "focus" if "HX-Request" in request.headers else "camera"
        now = self.desk.now
        aimed = now.setup is not None and now.setup.answer == AIMED
        return self.pages.page(request, name, setup=now.setup, focus=focus, known=now.mark, aimed=aimed)

    async def qr(self) -> Response:
        """The address for another phone, and nothing but the address."""
        return Response(code_of(self.desk.address()), media_type="image/svg+xml")

    def seen(self) -> Response:
        """The picture of the dice that is now shown."""
        picture = picture_of(self.desk.now)
        if picture is None:
            raise Refused(404, "page_no_picture")
        return Response(jpeg(picture), media_type="image/jpeg")

    # -- what forms do -----------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """Ask the table for one thing, or for several lines of the record, all or none."""
        form = await self._form(request)
        line = "\n".join(form.getlist("line")) or _fell(form)
        answer = await self.desk.ask(line, form["known"] or None)
        return self.pages.answered(request, answer, local(form["then"]))

    async def set(self, request: Request) -> Response:
        """Change something about the house."""
        form = await self._form(request)
        answer = await self.desk.ask(f"set {form['key']} {form['value']}", None)
        return self.pages.answered(request, answer, "/house")

    async def rename(self, request: Request) -> Response:
        """Name the player at a button."""
        form = await self._form(request)
        name = " ".join(form["name"].split())
        answer = await self.desk.ask(f"name {form['button']} {name}".rstrip(), None)
        return self.pages.answered(request, answer, "/")

    async def bring(self, request: Request) -> Response:
        """Take in a game from elsewhere."""
        form = await self._form(request)
        data, name = await form.file("game")
        try:
            path = adopt(data, name, self.desk.parts.folder)
        except (NotationError, JournalError) as error:
            raise Refused(422, "page_bad_game", sentence=damage(error)) from error
        return RedirectResponse(f"/games/{path.stem}", 303)

    async def unlock(self, request: Request) -> Response:
        """A field for the code."""
        return self.pages.page(request, "unlock", then=local(request.query_params.get("then", "/")))

    async def enter(self, request: Request) -> Response:
        """Exchange the code for the right to change things."""
        form = await self.pages.form(request)
        self.desk.check_token(request, form["token"])
        visit = self.desk.unlock(request, form["code"])
        response = self.pages.sent_on(request, local(form["then"]))
        self.desk.keep_cookie(response, visit)
        return response

    async def leave(self, request: Request) -> Response:
        """Give the right to change things back."""
        await self._form(request)
        self.desk.visits.lock(request.cookies[COOKIE])
        return RedirectResponse("/house", 303)

    async def _form(self, request: Request) -> Form:
        form = await self.pages.form(request)
        self.desk.check_unlocked(request, form["token"])
        return form


def _game(mark: str) -> str:
    """Tell which game a mark is of."""
    return mark.partition(":")[0]


def _fell(form: Form) -> str:
    """The line for three dice that were tapped; too few make a line that the table refuses."""
    faces = "".join(sorted(form[f"die{number}"] for number in (1, 2, 3)))
    return f"fell {faces}"
