"""Everything that shows or says what the table is at: screens, the page for phones, the voice."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpiozero.pins import Factory

from companion import config
from companion.eyes import Inbox
from companion.screen import draw
from companion.session import Session
from companion.signals import Device, Tick, Trouble
from companion.tools.together import SIZE, display
from companion.update import Page, Update
from companion.voice import spoken
from hardware.display import Display, Screens, StandIn
from hardware.errors import RigError
from hardware.speaker import Speaker, open_speaker

if TYPE_CHECKING:
    from companion.web.server import PageServer

Output = Callable[[Update], None]
TITLE = "L.A.M.A. Dice"
#: Seconds between two looks at the page's address: a network may come, or change, after the start.
ADDRESS_S = 5.0


def screens(screen: config.Screen, factory: Factory) -> Screens:
    """Open every screen that is configured. Raises ``DisplayError``."""
    names = (screen.kind, *screen.also)
    size = screen.size or SIZE
    return Screens.open([_opener(name, size, factory) for name in names])


def _opener(name: str, size: tuple[int, int], factory: Factory) -> Callable[[], Display]:
    """Return what opens a screen: a file stands in for one that never was there, and for no other."""
    last: Display | None = None

    def opened() -> Display:
        nonlocal last
        failed = isinstance(last, StandIn) and last.closed
        last = display(name, size, TITLE, factory, or_file=last is None or failed)
        return last

    return opened


def open_page(
    page: config.Page, inbox: Inbox, folder: Path, frame: Callable[[], Any], parts: ExitStack
) -> PageServer:
    """Serve the page for as long as the parts are open. Raises ``RigError`` if it cannot be served."""
    from companion.web.parts import Parts  # noqa: PLC0415 - without a page none of this is loaded
    from companion.web.server import PageError, PageServer  # noqa: PLC0415

    told = Parts(inbox.put, folder, time.monotonic, frame, portrait)
    try:
        return parts.enter_context(PageServer(told, page.port, hosts=page.hosts))
    except PageError as error:
        raise RigError(str(error)) from error


def address_watch(
    session: Session, page: Callable[[], Page], inbox: Inbox, clock: Callable[[], float] = time.monotonic
) -> Callable[[], None]:
    """Have the screen show where the page is now: call it often, it looks now and then."""
    due = [clock()]

    def look() -> None:
        if clock() < due[0]:
            return
        due[0] = clock() + ADDRESS_S
        now = page()
        if now != session.page:
            session.page = now
            inbox.put(Tick(clock()))

    return look


def portrait(update: Update) -> bytes:
    """Draw an update as the screen would, as a PNG."""
    file = io.BytesIO()
    draw(update, SIZE).save(file, "PNG")
    return file.getvalue()


def voice(kind: str, inbox: Inbox) -> Speaker:
    """Open the voice; what is wrong with it becomes a notice when it first has something to say."""
    return open_speaker(kind, lambda words: inbox.put(Trouble(Device.VOICE, words, time.monotonic())))


def announcer(speaker: Speaker) -> Output:
    """Have what is new in each update spoken, if the house wants it."""
    before: list[Update | None] = [None]

    def announce(update: Update) -> None:
        words = spoken(update, before[0])
        before[0] = update
        if words:
            speaker.say(words, str(update.house.language))

    return announce
