"""The page in a real Chromium: what changes by itself, by thumb, by keyboard, and with the table gone."""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import product
from pathlib import Path
from threading import Event

import pytest
from tables import CODE, DEAL, TableWithPage, served

from companion.signals import Answer, Signal
from companion.update import Scene, Update
from companion.web.desk import Desk
from companion.web.server import PageServer

api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this computer")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL_PHONE = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}
SIDEWAYS = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
PAGES = ("/", "/record", "/games", "/rules", "/house", "/camera", "/unlock", "/dice", "/names/2")
CONTRAST = Path(__file__).with_name("contrast.js")
#: What sticks out of the page, at the side.
TOO_WIDE = """() => [...document.querySelectorAll('body *')].filter(e => !e.closest('.unseen, .skip, .scroll')
  && e.getBoundingClientRect().right > screen.width + 1).map(e => e.outerHTML.slice(0, 90))"""
#: What has no name that can be read out.
NAMELESS = """() => [...document.querySelectorAll('a, button, input:not([type=hidden]), img, svg[role=img]')]
  .filter(e => !(e.ariaLabel || e.alt || e.labels?.length || e.textContent)).map(e => e.outerHTML)"""
#: What is not called by the words that are on it, so that a voice cannot press it.
MISCALLED = """() => [...document.querySelectorAll('a[aria-label], button[aria-label]')].filter(e => {
    const seen = e.cloneNode(true); seen.querySelectorAll('[aria-hidden]').forEach(each => each.remove());
    return !e.ariaLabel.includes(seen.textContent.trim()) }).map(e => e.outerHTML)"""
#: What is too small for a thumb.
SMALL = """() => [...document.querySelectorAll('main button, main a.button, nav a, .lines a, .faces label')]
  .filter(e => { const r = e.getBoundingClientRect(); return r.height && (r.height < 40 || r.width < 36) })
  .map(e => e.outerHTML)"""
LONG = "Wolfeschlegelsteinhausen"

Place = tuple[TableWithPage, PageServer]


@pytest.fixture(scope="module")
def browser() -> Iterator[api.Browser]:
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def open_page(browser: api.Browser, place: Place, complaints: list[str]) -> Iterator[object]:
    contexts = []

    def opened(kind: dict[str, object] = PHONE, scripts: bool = True) -> api.Page:
        context = browser.new_context(base_url=place[1].url, java_script_enabled=scripts, **kind)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.set_default_timeout(10_000)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def phone(open_page: object) -> api.Page:
    page = open_page()  # type: ignore[operator]
    page.goto("/")
    return page


def unlock(page: api.Page, then: str = "/") -> api.Page:
    page.goto(f"/unlock?then={then}")
    page.get_by_label("Code").fill(CODE)
    page.locator("main button").click()
    page.wait_for_url(re.compile(rf":\d+{then}$"))
    return page


def expect(locator: api.Locator) -> api.LocatorAssertions:
    """Look until it is so: a computer that does much else needs its time."""
    api.expect.set_options(timeout=15_000)
    return api.expect(locator)


# -- what changes by itself -------------------------------------------------------------------------


def test_the_table_changes_on_the_page_by_itself(table: TableWithPage, phone: api.Page) -> None:
    expect(phone.locator("h1")).to_have_text("Who's playing?")
    table.ask("begin 1")
    expect(phone.locator("h1")).to_contain_text("cards, please")
    expect(phone.locator("#said")).to_contain_text("cards, please")


def test_no_page_complains_or_is_wider_than_the_phone(
    table: TableWithPage, open_page: object, complaints: list[str]
) -> None:
    for button, name in ((1, LONG), (2, "🦙" * 12), (3, "\u202eאבג")):
        table.ask(f"name {button} {name}")
    table.ask("set language de")
    table.ask("set odds on")
    pages = [unlock(open_page(kind)) for kind in (SMALL_PHONE, SIDEWAYS, DESK)]  # type: ignore[operator]
    for page, path in product(pages, PAGES):
        page.goto(path)
        assert page.evaluate(TOO_WIDE) == [], path
    for line in ("begin 1", DEAL, "1 roll", "fell 13L"):
        table.ask(line)
    for page, path in product(pages, ("/", "/record", "/record/8?die1=1&die2=2&die3=L")):
        page.goto(path)
        assert page.evaluate(TOO_WIDE) == [], path
    assert complaints == []


def test_everything_works_offline_from_one_server(place: Place, open_page: object) -> None:
    asked: list[str] = []
    page = open_page()  # type: ignore[operator]
    page.on("request", lambda request: asked.append(request.url))
    for path in PAGES:
        page.goto(path)
    assert asked and all(url.startswith(place[1].url) for url in asked)


def test_what_can_be_done_is_in_sight_on_a_phone_on_its_side(table: TableWithPage, open_page: object) -> None:
    page = unlock(open_page(SIDEWAYS))  # type: ignore[operator]
    for line in ("begin 1", DEAL):
        table.ask(line)
    for button in ("#press", "#hold"):
        expect(page.locator(button)).to_be_in_viewport(ratio=1)
    seat, press = page.locator("#seat-2").bounding_box(), page.locator("#press").bounding_box()
    assert seat and press and seat["x"] + seat["width"] <= press["x"]


# -- by thumb and by keyboard -----------------------------------------------------------------------


def test_a_round_is_played_by_thumb(table: TableWithPage, phone: api.Page, complaints: list[str]) -> None:
    unlock(phone)
    phone.get_by_role("button", name="Rosa", exact=True).tap()
    expect(phone.locator("h1")).to_contain_text("cards, please")
    for seat in range(3):
        for card in ("1", "2", "3", "4", "5", "6"):
            phone.get_by_role("button", name=re.compile(rf"^Add {card},")).tap()
            expect(phone.locator(".keypad .typed .card:not(.slot)")).to_have_count(int(card))
        phone.get_by_role("button", name="That's right").tap()
        expect(phone.locator(".seat .slot")).to_have_count(6 * (2 - seat))
    phone.get_by_role("button", name="I roll").tap()
    phone.get_by_role("link", name="Type in the dice").tap()
    for number, face in ((1, "1"), (2, "3"), (3, "llama")):
        phone.get_by_role("group", name=f"Die {number}").get_by_role("radio", name=face, exact=True).check()
    phone.get_by_role("button", name="That's what they show").tap()
    expect(phone.locator("h1")).to_contain_text("discards")
    phone.get_by_role("button", name="discard 1, 3").tap()
    expect(phone.locator("h1")).to_contain_text("Jörg")
    assert table.update.scene is Scene.TURN
    assert complaints == []


@pytest.mark.parametrize("between_s", [0.0, 0.15, 0.3])
def test_a_double_tap_quits_for_nobody_else(table: TableWithPage, phone: api.Page, between_s: float) -> None:
    """After the first tap the button is the next player's, at the same place."""
    for line in ("begin 1", DEAL):
        table.ask(line)
    unlock(phone)
    box = phone.locator("#hold").bounding_box()
    assert box
    for _ in range(2):
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        time.sleep(between_s)
    expect(phone.locator("h1")).to_contain_text("Jörg")
    time.sleep(0.5)
    assert table.session.record and [str(step.command) for step in table.session.record.steps[1:]] == [
        "1 quit"
    ]


def test_an_impatient_tap_is_for_what_it_was_meant_for(
    place: Place, phone: api.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table and network take their time: what is tapped meanwhile is not kept for the next player."""
    table, desk = place[0], place[1]._desk
    for line in ("begin 1", DEAL):
        table.ask(line)
    unlock(phone)
    assert desk
    handle, ask, tapped_again = table.evening.handle, desk.ask, Event()

    def slowly(signal: Signal) -> Update:
        tapped_again.wait(15)
        return handle(signal)

    async def late(line: str, known: str | None) -> Answer:
        answer = await ask(line, known)
        await asyncio.sleep(0.3)
        return answer

    monkeypatch.setattr(table.evening, "handle", slowly)
    monkeypatch.setattr(desk, "ask", late)
    phone.locator("#hold").tap()
    time.sleep(0.6)
    phone.locator("#hold").tap()
    time.sleep(0.6)
    tapped_again.set()
    expect(phone.locator("h1")).to_contain_text("Jörg")
    time.sleep(1.5)
    assert table.session.record and [str(step.command) for step in table.session.record.steps[1:]] == [
        "1 quit"
    ]


def test_the_same_card_is_typed_twice_as_fast_as_fingers_go(table: TableWithPage, phone: api.Page) -> None:
    table.ask("begin 1")
    unlock(phone)
    for count in (1, 2, 3):
        phone.locator("#key-1").tap()
        expect(phone.locator(".keypad .typed .card:not(.slot)")).to_have_count(count)


def test_every_tap_that_is_meant_is_done_however_slow_the_network(
    place: Place, phone: api.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fingers are faster than a network that sleeps between two packets."""
    table, desk = place[0], place[1]._desk
    unlock(phone)
    assert desk
    monkeypatch.setattr(desk, "ask", _late(desk, 0.4))
    for button in (4, 5, 6):
        phone.locator(f"#join-{button}").tap(no_wait_after=True)
        time.sleep(0.1)
    expect(phone.locator(".lobby .active")).to_have_count(6)
    table.ask("begin 1")
    expect(phone.locator("#key-1")).to_be_enabled()
    for card in "112L":
        phone.locator(f"#key-{card}").tap(no_wait_after=True)
        time.sleep(0.1)
    expect(phone.locator(".keypad .typed .card:not(.slot)")).to_have_count(4)
    entry = table.update.entry
    assert entry and "".join(map(str, entry.typed)) == "112L"


def test_a_tap_that_waits_for_an_answer_presses_nothing_else(
    place: Place, phone: api.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the roll was shown once more there is the button to roll when the second tap's time comes."""
    table, desk = place[0], place[1]._desk
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L", "dispute"):
        table.ask(line)
    unlock(phone)
    assert desk
    monkeypatch.setattr(desk, "ask", _late(desk, 0.4))
    phone.locator("#press").tap()
    phone.locator("#press").tap(no_wait_after=True)
    table.ask("close")
    expect(phone.locator("h1")).to_contain_text("Jörg")
    time.sleep(1.2)
    assert table.update.scene is Scene.TURN


def _late(desk: Desk, late_s: float) -> Callable[[str, str | None], Awaitable[Answer]]:
    """Let what is asked come late."""
    ask = desk.ask

    async def late(line: str, known: str | None) -> Answer:
        await asyncio.sleep(late_s)
        return await ask(line, known)

    return late


def test_the_keyboard_presses_other_buttons_as_fast_as_it_likes(
    table: TableWithPage, open_page: object
) -> None:
    """Keys have no place on the screen; one that is kept down, or hit twice, still presses once."""
    for button in (1, 2, 3):
        table.ask(f"leave {button}")
    page = unlock(open_page(DESK))  # type: ignore[operator]
    for button in (1, 2, 3):
        page.locator(f"#join-{button}").focus()
        page.keyboard.press("Enter")
    expect(page.locator(".lobby .active")).to_have_count(3)
    for line in ("begin 1", DEAL):
        table.ask(line)
    page.locator("#hold").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Jörg")
    page.keyboard.press("Enter")
    time.sleep(0.5)
    assert table.session.record and str(table.session.record.steps[-1].command) == "1 quit"


def test_an_answer_is_shown_and_read_out(table: TableWithPage, phone: api.Page) -> None:
    for line in ("begin 1", DEAL):
        table.ask(line)
    unlock(phone)
    table.publish = lambda _: None  # this phone's page stays as it is
    table.ask("1 roll")
    phone.get_by_role("button", name="I roll").tap()
    answer = phone.locator("#answer")
    expect(answer).to_contain_text("meanwhile")
    assert answer.get_attribute("aria-live") == "polite"


def test_the_keyboard_reaches_everything_in_order(table: TableWithPage, open_page: object) -> None:
    for line in ("begin 1", DEAL):
        table.ask(line)
    page = unlock(open_page(DESK))  # type: ignore[operator]
    names = []
    for _ in range(9):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.innerText || document.activeElement.id"))
    assert names[:6] == ["To the content", "Table", "Correct", "Games", "Rules", "House"]
    assert any("I roll" in name for name in names) and any("I quit" in name for name in names)


def test_the_focus_stays_while_the_table_changes(table: TableWithPage, open_page: object) -> None:
    for line in ("begin 1", DEAL):
        table.ask(line)
    page = unlock(open_page(DESK))  # type: ignore[operator]
    page.locator("#press").focus()
    table.ask("set odds on")
    expect(page.locator(".odds")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "press"


def test_every_page_can_be_read_out(table: TableWithPage, open_page: object) -> None:
    page = unlock(open_page())  # type: ignore[operator]
    for line in ("begin 1", DEAL, "1 roll", "fell 13L"):
        table.ask(line)
    for path in (*PAGES, "/record/8"):
        page.goto(path)
        assert page.locator("h1").count() == 1, path
        assert page.get_by_role("main").count() == page.get_by_role("navigation").count() == 1
        assert page.evaluate(NAMELESS) == [], path
        doubled = page.evaluate(
            "() => { const i = [...document.querySelectorAll('[id]')].map(e => e.id);"
            " return i.length - new Set(i).size }"
        )
        assert doubled == 0, path


def test_every_button_is_called_by_the_words_on_it(table: TableWithPage, open_page: object) -> None:
    page = unlock(open_page())  # type: ignore[operator]
    assert page.locator("button[aria-label]").count() and page.evaluate(MISCALLED) == []
    table.ask("begin 1")
    page.goto("/")
    assert page.locator("button[aria-label]").count() and page.evaluate(MISCALLED) == []


def test_fingers_find_every_button(table: TableWithPage, open_page: object) -> None:
    for line in ("begin 1", DEAL):
        table.ask(line)
    page = unlock(open_page(SMALL_PHONE))  # type: ignore[operator]
    for path in ("/", "/house", "/dice", "/record"):
        page.goto(path)
        assert page.evaluate(SMALL) == [], path


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_words_stand_out_from_their_ground(table: TableWithPage, open_page: object, theme: str) -> None:
    table.ask(f"set theme {theme}")
    page = unlock(open_page())  # type: ignore[operator]
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L", "2 quit"):
        table.ask(line)
    for path in ("/", "/record", "/house", "/rules"):
        page.goto(path)
        faint = page.evaluate(CONTRAST.read_text())
        assert faint == [], (path, faint)


# -- corrections, files -----------------------------------------------------------------------------


def test_a_correction_is_previewed_as_soon_as_it_is_picked(table: TableWithPage, phone: api.Page) -> None:
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L", "2 quit", "3 quit", "1 quit"):
        table.ask(line)
    unlock(phone, "/record")
    phone.get_by_role("link", name="discard 3, llama").tap()
    phone.get_by_label("discard 1", exact=True).check()
    expect(phone.locator("#offers")).to_contain_text("18 (-1)")
    phone.get_by_role("button", name="Correct it").tap()
    phone.wait_for_url("**/record")
    _until(lambda: table.update.table and table.update.table.seats[0].tokens.points == 18)


def test_a_line_that_somebody_took_back_meanwhile_says_so(table: TableWithPage, phone: api.Page) -> None:
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L"):
        table.ask(line)
    phone.goto("/record/9")
    table.ask("undo")
    assert table.update.lines == 10
    phone.get_by_label("discard 1", exact=True).check()
    expect(phone.locator("#answer")).to_have_text("There is nothing here.")
    expect(phone.locator("#offers")).to_have_count(1)


def test_a_line_of_the_last_game_corrects_none_of_the_next(table: TableWithPage, phone: api.Page) -> None:
    game = ("begin 1", DEAL, "1 roll", "fell 13L")
    for line in (*game, "1 discard 3L"):
        table.ask(line)
    phone.goto("/record/9")
    for line in ("lobby", "new", *game, "1 discard L"):
        assert table.ask(line).accepted, line
    assert table.update.lines == 9
    phone.get_by_label("discard 1", exact=True).click()  # not check(): it is gone with its page at once
    phone.wait_for_url("**/record")
    expect(phone.locator("main")).to_contain_text("discard llama")


def test_a_game_is_taken_home_and_brought_in(tmp_path: Path, table: TableWithPage, open_page: object) -> None:
    for line in ("begin 1", DEAL, "1 quit", "2 quit", "3 quit"):
        table.ask(line)
    page = unlock(open_page(), "/games")  # type: ignore[operator]
    page.locator(".games a").first.tap()
    with page.expect_download() as coming:
        page.get_by_role("link", name=".lama").tap()
    home = tmp_path / "elsewhere.txt"
    coming.value.save_as(home)
    text = home.read_text(encoding="utf-8")
    assert text.startswith("game lama-dice/1")
    home.write_text(_BROUGHT, encoding="utf-8")
    page.goto("/games")
    page.get_by_text("Bring a game from elsewhere").tap()
    page.get_by_label("File").set_input_files(home)
    page.get_by_role("button", name="Bring it in").tap()
    expect(page.locator("main")).to_contain_text("Anna")
    expect(page.get_by_role("img", name=re.compile("Points after each round"))).to_be_visible()


_BROUGHT = "game lama-dice/1\nseat Anna\nseat B\nstarts 1\ndeal 111112 222233\n1 quit\n2 quit\n"


# -- with the table gone ----------------------------------------------------------------------------


def test_a_page_left_open_says_so_and_comes_back_by_itself(
    tmp_path: Path, browser: api.Browser, complaints: list[str]
) -> None:
    with served(tmp_path / "one") as (_, server):
        port = server.port
        context = browser.new_context(**PHONE)
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator("#stale")).to_be_hidden()
    expect(page.locator("#stale")).to_be_visible(timeout=15_000)
    assert re.search(r"\d\d:\d\d", page.locator("#stale time").inner_text())
    with served(tmp_path / "two", port=port) as (table, _):
        expect(page.locator("#stale")).to_be_hidden(timeout=15_000)
        table.ask("begin 1")
        expect(page.locator("h1")).to_contain_text("turn", timeout=15_000)
    context.close()


def test_a_page_that_nobody_looks_at_watches_nothing(place: Place, open_page: object) -> None:
    table, server = place
    page = open_page()  # type: ignore[operator]
    page.goto("/")
    desk = server._desk
    assert desk
    _until(lambda: desk.live._watching.total() == 1)
    _look(page, away=True)
    _until(lambda: desk.live._watching.total() == 0)
    table.ask("begin 1")
    _look(page, away=False)
    expect(page.locator("h1")).to_contain_text("cards, please")


def _look(page: api.Page, away: bool) -> None:
    """Turn away from a page, or look at it again, as far as its scripts can tell."""
    page.evaluate(
        "away => { Object.defineProperty(document, 'hidden', { value: away, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')) }",
        away,
    )


def _until(holds: object) -> None:
    for _ in range(300):
        if holds():  # type: ignore[operator]
            return
        time.sleep(0.05)
    raise AssertionError("it never came to pass")


def test_without_scripts_the_page_still_works(table: TableWithPage, open_page: object) -> None:
    page = unlock(open_page(DESK, scripts=False))  # type: ignore[operator]
    page.get_by_role("button", name="Rosa", exact=True).click()
    expect(page.locator("h1")).to_contain_text("cards, please")
    for count, card in enumerate(("1", "L"), 1):
        page.locator(f"#key-{card}").click()
        expect(page.locator(".keypad .typed .card:not(.slot)")).to_have_count(count)
