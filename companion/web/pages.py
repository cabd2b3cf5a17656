"""Templates become pages here; forms are read here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from companion.signals import Answer
from companion.web.desk import Desk, Refused, Visitor
from companion.web.guard import SAFE
from companion.web.shown import Shown
from companion.web.words import Words
from companion.wording import isolated

STATIC = Path(str(files("companion.web"))) / "static"
#: Browsers that ask with htmx say so, and get a part of a page.
PART = "HX-Request"
#: Whatever part of a page was asked for: its place is not taken by the reason why it does not come.
_AS_ANSWER = {"HX-Retarget": "#answer", "HX-Reswap": "innerHTML", "HX-Reselect": "p"}


class Form:
    """What a form sent. A field that is missing is empty."""

    def __init__(self, data: FormData) -> None:
        self._data = data

    def __getitem__(self, name: str) -> str:
        value = self._data.get(name)
        return value if isinstance(value, str) else ""

    def getlist(self, name: str) -> list[str]:
        """All values of a field, in order."""
        return [value for value in self._data.getlist(name) if isinstance(value, str)]

    async def file(self, name: str) -> tuple[bytes, str]:
        """A file that was sent, with its name. Raises ``Refused`` if there is none."""
        value = self._data.get(name)
        if not isinstance(value, UploadFile) or not value.filename:
            raise Refused(422, "page_no_file")
        return await value.read(), value.filename


class Pages:
    """The templates, with what every page needs."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._templates = Environment(
            loader=PackageLoader("companion.web"), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self._templates.globals |= {"version": version()}
        self._templates.filters["isolate"] = isolated

    def page(self, request: Request, page: str, /, status: int = 200, **facts: Any) -> Response:
        """Make a page for a visitor, and see to it that they have their cookie."""
        visitor = self._desk.visitor(request)
        response = HTMLResponse(self.text(page, visitor, request.url.path, **facts), status)
        self._desk.keep_cookie(response, visitor.visit)
        return response

    def text(self, page: str, visitor: Visitor, path: str, /, **facts: Any) -> str:
        """Put a template into words."""
        now, words = self._desk.now, self._desk.words
        common = {"t": words, "house": now.house, "visitor": visitor, "here": path, "run": self._desk.run}
        return self._templates.get_template(f"{page}.html").render(common | facts)

    def live(self, shown: Shown, visitor: Visitor) -> str:
        """The part of the live page that changes."""
        return self.text("now", visitor, "/", shown=shown)

    def answered(self, request: Request, answer: Answer, then: str) -> Response:
        """Tell what became of a request: on the page that asked, or by sending it on.

        The live page shows by itself what has changed; any other is to be loaded anew.
        """
        words = self._desk.words
        if not answer.accepted and PART not in request.headers:
            return self.page(request, "refused", 409, sentence=words.answer(answer), then=then)
        from_live = _path(request.headers.get("HX-Current-URL", "")) == then == "/"
        if answer.accepted and not from_live:
            return self.sent_on(request, then)
        return self.page(request, "answer", answer=answer, sentence=words.answer(answer))

    @staticmethod
    def sent_on(request: Request, then: str) -> Response:
        """Send a visitor to another page, in the way their browser asked."""
        if PART in request.headers:
            return Response(headers={"HX-Redirect": then})
        return RedirectResponse(then, 303)

    @staticmethod
    async def form(request: Request) -> Form:
        """Read what a form sent. Raises ``Refused`` if it is none."""
        try:
            return Form(await request.form(max_files=1, max_fields=40))
        except HTTPException as error:
            raise Refused(400, "page_bad_form") from error

    def refused(self, request: Request, words: Words, refused: Refused, facts: Mapping[str, Any]) -> Response:
        """Tell somebody that something was not done, and where to go."""
        sentence = words(refused.key, **facts)
        if PART in request.headers:
            response = self.page(request, "answer", answer=Answer(False), sentence=sentence)
            response.headers.update(_AS_ANSWER)
            return response
        if refused.key == "page_locked":
            return RedirectResponse("/unlock", 303)
        return self.page(request, "refused", refused.status, sentence=sentence, then=_came_from(request))


def _came_from(request: Request) -> str:
    """The page with the form or link that led here; where it is not told, or is this one, the table."""
    path = local(_path(request.headers.get("referer", "")))
    return "/" if request.method in SAFE and path == request.url.path else path


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def local(path: str) -> str:
    """Keep a place to go to on this server."""
    fine = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable() and len(path) < 200
    return path if fine and path.isascii() else "/"


def version() -> str:
    """Name what the files in ``static`` hold, so that a browser may keep them for ever."""
    seen = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        if path.is_file():
            seen.update(path.name.encode() + path.read_bytes())
    return seen.hexdigest()[:12]
