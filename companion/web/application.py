"""The application: routes, refusals and files behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio.to_thread
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from companion.preview import damage
from companion.rules.notation import NotationError
from companion.update import Message
from companion.web.api import Api, problem, retry
from companion.web.asking import TableSilent
from companion.web.desk import Desk, Refused
from companion.web.guard import Guard, Hosts
from companion.web.pages import STATIC
from companion.web.site import Site

#: Requests that read files at the same time: a small computer has other things to do.
WORKERS = 4
_FOR_EVER = "public, max-age=31536000, immutable"
_SENTENCES = {404: "page_nothing_here", 405: "page_not_so"}


class Kept(StaticFiles):
    """Files that a browser may keep: their address names what they hold."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """Send a file."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = _FOR_EVER
        return response

    def get_path(self, scope: Scope) -> str:
        """Leave the version out of the path."""
        return super().get_path(scope).partition("/")[2]


def application(desk: Desk, hosts: Iterable[str] = ()) -> ASGIApp:
    """Build everything that answers requests."""
    site, api = Site(desk), Api(desk)
    app = FastAPI(
        title="L.A.M.A. Dice table companion",
        description="Reading is open; changing anything needs the code on the table's screen.",
        version="1",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(desk),
    )
    app.include_router(api.router())
    app.include_router(site.router())
    app.mount("/static", Kept(directory=STATIC), "static")
    _tell_refusals(app, desk, site)
    packed = GZipMiddleware(app, minimum_size=700, compresslevel=5)
    return Guard(packed, Hosts(hosts), lambda: desk.words)


def _lifespan(desk: Desk) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = WORKERS
        desk.live.open()
        yield

    return lifespan


def _tell_refusals(app: FastAPI, desk: Desk, site: Site) -> None:
    """Give every refusal a sentence: a page for people, JSON for programs."""

    def tell(request: Request, refused: Refused) -> Response:
        if request.url.path.startswith("/api/"):
            return problem(refused.status, desk.words(refused.key, **refused.facts), refused.retry_s)
        response = site.pages.refused(request, desk.words, refused, refused.facts)
        response.headers.update(retry(refused.retry_s))
        return response

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return tell(request, error)

    @app.exception_handler(TableSilent)
    async def silent(request: Request, _: TableSilent) -> Response:
        return tell(request, Refused(504, "page_silent"))

    @app.exception_handler(NotationError)
    async def damaged(request: Request, error: NotationError) -> Response:
        return tell(request, Refused(409, "page_bad_game", sentence=damage(error)))

    @app.exception_handler(OSError)
    async def unreadable(request: Request, error: OSError) -> Response:
        reason = Message("system", {"system": error.errno})
        return tell(request, Refused(404, "page_no_file_there", sentence=reason))

    @app.exception_handler(HTTPException)
    async def nothing(request: Request, error: HTTPException) -> Response:
        key = _SENTENCES.get(error.status_code, "page_bad_form")
        response = tell(request, Refused(error.status_code, key))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(RequestValidationError)
    async def misshapen(request: Request, error: RequestValidationError) -> Response:
        if request.url.path.startswith("/api/"):  # the part that is wrong, the whole body too, and what it is
            said = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        else:
            said = [".".join(map(str, each["loc"][1:])) for each in error.errors()]
        return tell(request, Refused(422, "page_misshapen", where=", ".join(said)))
