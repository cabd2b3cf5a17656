"""The pages for people, by their forms alone: no scripts."""

from __future__ import annotations

import html
import re
import socket
import time
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from markupsafe import escape
from tables import CODE, DEAL, Phone, TableWithPage, served

from companion.house import Cocked, Deal, House, Language, Theme
from companion.rules.notation import Record
from companion.screen.invite import grouped
from companion.signals import Aimed, Press
from companion.update import Scene, SetupStep
from companion.web.server import PageServer
from companion.web.site import LATEST

PAGES = ("/", "/record", "/games", "/rules", "/house", "/camera", "/unlock", "/dice", "/names/2")
NASTY = {
    "markup": "<script>alert(1)</script>"[:24],
    "entity": "&lt;b&gt; \"'><img src=x>",
    "rtl": "\u202eאבג\u202e evil",
    "emoji": "🦙👩‍👩‍👧‍👦❤️",
    "template": "{{ 1234*10 }}{% x %}",
}


def words_on(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


def known(page: str) -> str:
    found = re.search(r'name="known" value="([^"]*)"', page)
    assert found
    return found[1]


# -- reading is open, changing is not ---------------------------------------------------------------


def test_everybody_may_read(table: TableWithPage, phone: Phone) -> None:
    table.ask("begin 1")
    table.ask(DEAL)
    page = words_on(phone.page())
    assert "Rosa's turn" in page.replace("\u2068", "").replace("\u2069", "") and "Maximiliane" in page
    assert "Unlock to change things" in page and "I roll" not in page


def test_a_phone_in_use_keeps_its_cookie(unlocked: Phone) -> None:
    visit = unlocked.http.cookies["visit"]
    again = unlocked.http.get("/").headers["set-cookie"]
    assert again.startswith(f"visit={visit};") and "Max-Age=86400" in again


@pytest.mark.parametrize("path", ["/ask", "/set", "/name", "/games", "/lock"])
def test_a_locked_phone_changes_nothing(table: TableWithPage, phone: Phone, path: str) -> None:
    before = table.update
    fields = {"line": "begin 1", "key": "language", "value": "de", "button": "1", "name": "X"}
    assert phone.send(path, **fields).headers["location"] == "/unlock"
    assert table.update is before


def test_a_form_without_its_token_is_refused(table: TableWithPage, unlocked: Phone) -> None:
    before = table.update
    assert unlocked.http.post("/ask", data={"line": "begin 1"}).status_code == 403
    assert unlocked.http.post("/ask", data={"line": "begin 1", "token": "0" * 64}).status_code == 403
    assert table.update is before


def test_another_phone_s_token_is_refused(place: tuple[TableWithPage, PageServer], unlocked: Phone) -> None:
    token = Phone(place[1]).token()
    assert unlocked.http.post("/ask", data={"line": "begin 1", "token": token}).status_code == 403


def test_the_cookie_is_kept_from_scripts_and_other_sites(phone: Phone) -> None:
    cookie = phone.http.get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie


def test_unlocking_changes_the_cookie(phone: Phone) -> None:
    phone.page()
    before = phone.http.cookies["visit"]
    answer = phone.unlock()
    assert answer.status_code == 303 and phone.http.cookies["visit"] != before


def test_a_wrong_code_is_told_and_slows_down(phone: Phone) -> None:
    for _ in range(5):
        assert phone.unlock("000000").status_code == 403
    answer = phone.unlock(CODE)
    assert answer.status_code == 429 and int(answer.headers["retry-after"]) >= 1


def test_a_phone_can_be_locked_again(table: TableWithPage, unlocked: Phone) -> None:
    assert unlocked.send("/lock").status_code == 303
    assert unlocked.ask("begin 1").headers["location"] == "/unlock"


def test_nobody_is_sent_to_another_server(phone: Phone) -> None:
    for then in ("//evil.example", "https://evil.example", "/\\evil.example", "", "/\r\nSet-Cookie: x=1"):
        answer = phone.send("/unlock", code=CODE, then=then)
        assert answer.headers["location"] == "/"


def test_the_code_is_on_no_page(table: TableWithPage, unlocked: Phone) -> None:
    table.session.page = None
    for path in (*PAGES, "/api/state", "/openapi.json", "/qr.svg", "/api/session"):
        assert CODE not in unlocked.http.get(path).text, path


# -- playing from a phone ---------------------------------------------------------------------------


def test_a_whole_round_from_a_phone(table: TableWithPage, unlocked: Phone) -> None:
    unlocked.ask("begin 1", then="/")
    for key in ("1", "L", "5", "3", "3", "L"):
        unlocked.ask(f"type {key}")
    assert 'value="type enter"' in unlocked.page()
    unlocked.ask("type enter")
    unlocked.ask("type 2")
    assert table.update.entry and str(table.update.entry.typed[0]) == "2"
    unlocked.ask(DEAL)
    for line in ("press 1", "fell 13L", "1 discard 3L", "hold 2", "hold 3", "hold 1"):
        assert unlocked.ask(line).status_code == 303, line
    assert table.update.scene is Scene.ROUND_END
    assert "Round 1 is over" in words_on(unlocked.page())
    unlocked.ask("go-on")
    assert table.update.scene is Scene.DEAL


def test_every_item_of_the_menu_can_be_tapped(table: TableWithPage, phone: Phone) -> None:
    table.ask("menu")
    menu = table.update.menu
    assert menu and "set odds on" in menu.asks
    assert 'value="set odds on"' not in phone.page()
    phone.unlock()
    assert all(f'value="{line}"' in phone.page() for line in menu.asks)
    phone.ask("set odds on")
    assert table.update.house.odds and table.update.scene is Scene.MENU
    phone.ask("close")
    assert table.update.scene is Scene.LOBBY


def test_dice_can_be_tapped(table: TableWithPage, unlocked: Phone) -> None:
    for line in ("begin 1", DEAL, "1 roll"):
        table.ask(line)
    answer = unlocked.send("/ask", die1="L", die2="1", die3="3", known=known(unlocked.page("/dice")))
    assert answer.status_code == 303
    assert table.update.scene is Scene.CHOICE
    assert unlocked.page().count('value="1 discard') == 7


def test_impossible_dice_are_refused_with_a_sentence(table: TableWithPage, unlocked: Phone) -> None:
    for line in ("begin 1", DEAL, "1 roll"):
        table.ask(line)
    answer = unlocked.send("/ask", die1="1", die2="1", die3="6")
    assert answer.status_code == 409 and "The dice cannot show 1, 1, 6." in words_on(answer.text)
    assert unlocked.send("/ask", die1="1").status_code == 409
    assert table.update.scene is Scene.FALL


def test_only_cards_that_can_be_there_are_enabled(table: TableWithPage, unlocked: Phone) -> None:
    table.ask("begin 1")
    for key in "11111":
        unlocked.ask(f"type {key}")
    page = unlocked.page()
    assert re.search(r'value="type 1" disabled', page) and not re.search(r'value="type 2" disabled', page)
    assert re.search(r'value="type enter" disabled', page)
    unlocked.ask("type L")
    page = unlocked.page()
    assert re.search(r'value="type 2" disabled', page) and not re.search(r'value="type enter" disabled', page)


def test_seats_are_joined_left_and_named(table: TableWithPage, unlocked: Phone) -> None:
    unlocked.ask("leave 2")
    unlocked.ask("join 5")
    unlocked.send("/name", button="5", name="  Oma   Erna ")
    assert table.update.buttons == (1, 3, 5) and table.update.names[2] == "Oma Erna"
    assert "Oma Erna" in unlocked.page("/names/5")
    assert unlocked.page("/names/7", 404)


def test_the_code_opens_as_the_screen_writes_it(phone: Phone) -> None:
    assert phone.unlock(grouped(CODE)).status_code == 303


@pytest.mark.parametrize(
    ("path", "form", "back"),
    [("/ask", "/record", "/record"), ("/set", "/house", "/house"), ("/name", "/names/2", "/names/2"),
     ("/games", "/games", "/games"), ("/ask", None, "/"), ("/ask", "http://[", "/")],
)  # fmt: skip
def test_who_was_refused_goes_back_to_the_form(phone: Phone, path: str, form: str | None, back: str) -> None:
    here = {"Referer": f"{phone.http.base_url}".rstrip("/") + form} if form else {}
    answer = phone.http.post(path, data={"token": "of another start"}, headers=here)
    assert answer.status_code == 403 and _goes_back(answer.text) == back
    assert phone.http.get(back).status_code == 200


def test_from_a_line_that_is_gone_one_goes_back_to_the_others(phone: Phone) -> None:
    for here, back in (("/record", "/record"), ("/record/9", "/"), (None, "/")):
        headers = {"Referer": f"http://127.0.0.1{here}"} if here else {}
        answer = phone.http.get("/record/9", headers=headers)
        assert answer.status_code == 404 and _goes_back(answer.text) == back


def _goes_back(page: str) -> str:
    return re.findall(r'<a class="button press" href="([^"]*)"', page)[0]


@pytest.mark.parametrize("then", ["/\u20ac", "/a b\n", "//evil.example"])
def test_who_is_sent_on_to_an_odd_place_comes_to_the_table(phone: Phone, then: str) -> None:
    fields = {"token": phone.token(), "code": CODE, "then": then}
    answer = phone.http.post("/unlock", data=fields, headers={"HX-Request": "true"})
    assert answer.status_code == 200 and answer.headers["HX-Redirect"] == "/"


def test_an_address_that_is_none_keeps_no_answer_back(table: TableWithPage, unlocked: Phone) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://["}
    fields = {"token": unlocked.token(), "line": "leave 2", "then": "/"}
    assert unlocked.http.post("/ask", data=fields, headers=headers).status_code == 200
    assert table.update.names == ("Rosa", "Maximiliane")


# -- names of all sorts -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NASTY.values(), ids=NASTY)
def test_names_are_only_letters_everywhere(tmp_path: Path, name: str) -> None:
    with served(tmp_path, deal=False) as (table, server):
        phone = Phone(server)
        phone.unlock()
        assert phone.send("/name", button="1", name=name).status_code == 303
        for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L", "2 quit", "3 quit", "1 quit"):
            assert table.ask(line).accepted, line
        stem = next(tmp_path.glob("*.lama")).stem
        for path in (*PAGES, "/record/7", "/record/9", "/record/9?to=1+discard+3", f"/games/{stem}"):
            page = phone.page(path)
            assert (
                "<script>alert" not in page and "<img src=x" not in page and "12340" not in words_on(page)
            ), path
        kept = table.update.names[0]
        assert kept not in ("Rosa", "") and kept[-1] in name
        assert str(escape(kept)) in phone.page("/record")
        assert phone.http.get("/api/state").json()["names"][0] == kept


def test_a_name_of_two_hundred_letters_becomes_one_that_fits(table: TableWithPage, unlocked: Phone) -> None:
    unlocked.send("/name", button="1", name="N" * 200)
    assert set(table.update.names[0]) == {"N"} and len(table.update.names[0]) <= 24
    assert 'maxlength="24"' in unlocked.page("/names/1")


# -- corrections ------------------------------------------------------------------------------------


def played(table: TableWithPage) -> None:
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L", "2 quit", "3 quit", "1 quit"):
        assert table.ask(line).accepted, line


def test_a_correction_shows_first_what_it_changes(table: TableWithPage, unlocked: Phone) -> None:
    played(table)
    before = [seat.tokens.points for seat in table.update.table.seats]  # type: ignore[union-attr]
    page = words_on(unlocked.page("/record/9?to=1+discard+1"))
    assert "Rosa 19 18 (-1)" in page
    assert [seat.tokens.points for seat in table.update.table.seats] == before  # type: ignore[union-attr]
    form = unlocked.page("/record/9?to=1+discard+1")
    lines = re.findall(r'type="hidden" name="line" value="([^"]*)"', form)
    assert lines == ["amend 9 1 discard 1"]
    assert unlocked.ask(lines[0], known(form), then="/record").headers["location"] == "/record"
    after = [seat.tokens.points for seat in table.update.table.seats]  # type: ignore[union-attr]
    told = re.findall(r"<td>(\d+)</td><td>(\d+)", form)
    assert [(str(a), str(b)) for a, b in zip(before, after, strict=True)] == told[:3] and before != after


def test_a_correction_that_later_lines_stand_against_is_offered_without_them(
    table: TableWithPage, unlocked: Phone
) -> None:
    played(table)
    page = unlocked.page("/record/8?die1=2&die2=2&die3=L")
    assert "line 9" in words_on(page)
    lines = re.findall(r'type="hidden" name="line" value="([^"]*)"', page)
    assert lines == ["rewind 9", "amend 8 fell 22L"]
    answer = unlocked.send("/ask", line=lines, known=known(page), then="/record")
    assert answer.status_code == 303
    assert str(table.update.table.roll) and table.update.scene is Scene.TURN  # type: ignore[union-attr]


def test_two_phones_at_once_one_wins_and_the_other_is_told(
    place: tuple[TableWithPage, PageServer], unlocked: Phone
) -> None:
    table, server = place
    played(table)
    other = Phone(server)
    other.unlock()
    one, two = unlocked.page("/record/9?to=1+discard+L"), other.page("/record/9?to=1+discard+3")
    assert unlocked.ask("amend 9 1 discard L", known(one)).status_code == 303
    lines = table.update.lines
    answer = other.ask("amend 9 1 discard 3", known(two))
    assert answer.status_code == 409 and "meanwhile" in words_on(answer.text)
    assert table.update.lines == lines


def test_undo_goes_back_over_what_the_companion_dealt(tmp_path: Path) -> None:
    with served(tmp_path, deal=True) as (table, server):
        phone = Phone(server)
        phone.unlock()
        for line in ("begin 1", "1 quit", "2 quit", "3 quit"):
            assert table.ask(line).accepted, line
        table.inbox.put(Press(1, False, time.monotonic()))
        assert table.update.actors and table.update.table.round == 2  # type: ignore[union-attr]
        page = phone.page("/record")
        assert phone.ask("undo", known(page), then="/record").status_code == 303
        assert table.update.table.round == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("dice", [0, 2])
def test_two_phones_that_answer_at_once_answer_one_question(
    place: tuple[TableWithPage, PageServer], unlocked: Phone, dice: int
) -> None:
    """The second is not about the next die, nor about the turn beneath, where a hold would quit."""
    table, server = place
    other = Phone(server)
    other.unlock()
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L", "2 quit", "3 quit", "dispute"):
        assert table.ask(line).accepted, line
    for _ in range(dice):
        assert table.ask("hold 1").accepted
    one, two, lines = unlocked.page(), other.page(), table.update.lines
    assert 'name="line" value="hold 1"' in one and known(one) == known(two)
    assert unlocked.ask("hold 1", known(one)).status_code == 303
    answer = other.ask("hold 1", known(two))
    assert answer.status_code == 409 and "meanwhile" in words_on(answer.text)
    assert table.update.lines == lines
    assert table.update.scene is (Scene.TURN if dice else Scene.DISPUTE)


def test_of_a_form_that_breaks_off_nothing_is_done(
    place: tuple[TableWithPage, PageServer], unlocked: Phone
) -> None:
    """The second line of a correction is lost with the connection: the first alone is another one."""
    table, server = place
    played(table)
    lines = table.update.lines
    form = urlencode({"token": unlocked.token(), "line": ["rewind 9", "amend 8 fell 22L"]}, doseq=True)
    cookie = unlocked.http.cookies["visit"]
    head = (
        "POST /ask HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Cookie: visit={cookie}",
        "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}", "", "",
    )  # fmt: skip
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as phone:
        phone.sendall("\r\n".join(head).encode() + form[: form.index("&line=amend")].encode())
    time.sleep(0.5)
    assert table.update.lines == lines


def test_what_happens_while_a_page_is_made_is_not_promised_by_it(
    place: tuple[TableWithPage, PageServer], unlocked: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another phone goes on once the record was read: what was shown is old, and may not be undone."""
    table, server = place
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L"):
        assert table.ask(line).accepted, line
    assert server._desk
    read, more = server._desk.records.read, iter(("2 quit", "3 quit"))

    def read_and_go_on(path: Path) -> Record:
        record = read(path)
        assert table.ask(next(more)).accepted
        return record

    monkeypatch.setattr(server._desk.records, "read", read_and_go_on)
    for path, line in (("/record", "undo"), ("/record/9", "rewind 9")):
        page, lines = unlocked.page(path), table.update.lines
        assert unlocked.ask(line, known(page)).status_code == 409
        assert table.update.lines == lines


def test_undo_shows_first_what_it_changes(table: TableWithPage, unlocked: Phone) -> None:
    played(table)
    page = unlocked.page("/record")
    assert "These points change" in words_on(page)
    assert unlocked.ask("undo", known(page), then="/record").status_code == 303
    assert table.update.scene is Scene.TURN


def test_the_undo_of_a_correction_shows_first_what_it_changes(table: TableWithPage, unlocked: Phone) -> None:
    played(table)
    assert table.ask("amend 8 fell 23L").accepted
    page = unlocked.page("/record")
    assert "Correct to: roll 1, 3, llama" in words_on(page)
    assert unlocked.ask("undo", known(page), then="/record").status_code == 303
    assert table.update.scene is not Scene.TURN


def test_no_undo_is_offered_that_the_table_would_refuse(tmp_path: Path) -> None:
    """What the companion has dealt is nobody's to take back."""
    with served(tmp_path, deal=True) as (table, server):
        phone = Phone(server)
        phone.unlock()
        assert table.ask("begin 1").accepted
        assert phone.ask("undo").status_code == 409
        assert "Undo" not in words_on(phone.page("/record")) and "deal" in words_on(phone.page("/record"))
        assert table.ask("1 quit").accepted
        assert "Undo" in words_on(phone.page("/record"))


def test_where_the_companion_shuffles_the_deal_is_not_undone(table: TableWithPage, unlocked: Phone) -> None:
    for line in ("set deal shuffle", "begin 1"):
        assert table.ask(line).accepted
    assert unlocked.ask("undo").status_code == 409
    assert "Undo" not in words_on(unlocked.page("/record"))


def test_undo_is_offered_as_the_table_would_do_it_while_a_setup_asks_for_the_cards(
    table: TableWithPage, unlocked: Phone
) -> None:
    """The other way of dealing is only shown then."""
    for line in ("begin 1", DEAL, "setup", "hold 1", "press 1"):
        assert table.ask(line).accepted, line
    assert table.update.house.deal is Deal.SHUFFLE and table.update.setup
    assert 'value="undo"' in unlocked.page("/record")
    assert table.ask("undo").accepted


def test_lines_that_do_not_count_have_no_page(table: TableWithPage, phone: Phone) -> None:
    assert phone.page("/record/3", 404)
    played(table)
    for line in ("1", "999999", "0", "-1", "x"):
        assert phone.http.get(f"/record/{line}").status_code in (404, 422)


@pytest.mark.parametrize(
    "query", ["to=", "to=%3Cscript%3E", "die1=9&die2=1&die3=1", "to=rewind+3", "to=1+quit"]
)
def test_odd_corrections_are_only_shown(table: TableWithPage, phone: Phone, query: str) -> None:
    played(table)
    for line in (6, 8, 9):
        assert "<script>" not in phone.page(f"/record/{line}?{query}")


def test_a_deal_is_corrected_row_by_row_however_it_is_typed(table: TableWithPage, unlocked: Phone) -> None:
    played(table)
    page = unlocked.page("/record/6")
    for name, row in (("Rosa", "1335LL"), ("Jörg", "224456"), ("Maximiliane", "11346L")):
        assert re.search(rf'<bdi>{name}</bdi></span><input name="row\d" value="{row}"', page)
    page = unlocked.page("/record/6?row1=l+5+3+31l&row2=4,5,6,2,2,4&row3=L6431-2")
    assert 'value="amend 6 deal 1335LL 224456 12346L"' in page
    assert 'value="l 5 3 31l"' in page, "what somebody typed stays as it is"


@pytest.mark.parametrize("row", ["77", "1335Lx", "<b>"])
def test_cards_that_are_none_are_told(table: TableWithPage, phone: Phone, row: str) -> None:
    played(table)
    page = phone.page(f"/record/6?row1={row}&row2=224456&row3=11346L")
    assert "digits 1 to 6" in page and "amend 6" not in page and "<b>" not in page.partition("offers")[2]


def test_a_row_too_short_is_refused_before_anything_is_asked(table: TableWithPage, phone: Phone) -> None:
    played(table)
    page = phone.page("/record/6?row1=1335L&row2=224456&row3=11346L")
    assert 'class="notice alarm"' in page and "amend 6" not in page


# -- looking back, rules, house ---------------------------------------------------------------------


def test_a_game_goes_out_and_comes_in_elsewhere(tmp_path: Path) -> None:
    with served(tmp_path / "here", deal=False) as (table, server):
        played(table)
        phone, stem = Phone(server), next((tmp_path / "here").glob("*.lama")).stem
        data = phone.http.get(f"/api/games/{stem}/record").content
    with served(tmp_path / "there", deal=False) as (_, server):
        phone = Phone(server)
        phone.unlock()
        files = {"game": ("../../Our game.lama", data, "text/plain")}
        answer = phone.http.post("/games", data={"token": phone.token()}, files=files)
        assert answer.headers["location"] == "/games/Our-game"
        assert "Rosa" in phone.page("/games/Our-game") and "Rosa" in phone.page("/games")
    assert (tmp_path / "there" / "Our-game.lama").read_bytes() == data


def test_what_is_no_game_is_not_taken_in(tmp_path: Path, unlocked: Phone) -> None:
    for data in (b"", b"\xff\xfe", b"game lama-dice/9\n", b"seat <script>\n"):
        files = {"game": ("x.lama", data, "text/plain")}
        answer = unlocked.http.post("/games", data={"token": unlocked.token()}, files=files)
        assert answer.status_code == 422 and "<script>" not in answer.text
    assert unlocked.send("/games").status_code == 422
    assert not list(tmp_path.glob("*.lama"))


def test_a_damaged_game_is_listed_with_what_is_wrong(tmp_path: Path, phone: Phone) -> None:
    (tmp_path / "old.lama").write_text("game lama-dice/1\nseat A\nseat B\nstarts 1\n1 dance\n")
    assert "damaged" in phone.page("/games")
    assert "line 5" in words_on(phone.page("/games/old"))


def test_what_is_wrong_with_a_file_is_told_in_the_house_s_language(
    tmp_path: Path, table: TableWithPage, phone: Phone
) -> None:
    (tmp_path / "old.lama").write_text("game lama-dice/1\nseat A\nseat B\nstarts 1\n1 dance\n")
    table.ask("set language de")
    said = words_on(phone.page("/games/old"))
    assert "in Zeile 5" in said and not re.search(r"\b(is|not|command|awaited)\b", said)


def test_a_setup_begun_at_the_table_can_be_ended_on_a_phone(table: TableWithPage, unlocked: Phone) -> None:
    assert table.ask("setup dice").accepted
    assert table.update.scene is Scene.SETUP
    page = unlocked.page()
    assert "Stop setting up" in page and 'class="seats' not in page
    assert unlocked.ask("close", known(page)).status_code == 303
    assert table.update.scene is Scene.LOBBY


def test_aiming_ended_on_a_phone_goes_on_to_what_is_asked_next(table: TableWithPage, unlocked: Phone) -> None:
    old = known(unlocked.page("/camera"))
    assert 'value="setup camera"' in unlocked.page("/camera")
    table.ask("setup")
    table.ask("hold 1")
    table.ask("hold 1")
    assert "To the questions" in unlocked.page("/camera")
    table.inbox.put(Aimed(0.0, np.zeros((60, 80, 3), np.uint8)))
    assert table.update.setup  # the picture has been taken in
    page = unlocked.page("/camera")
    assert "Done aiming" in page
    assert unlocked.ask("hold 1", known(page)).status_code == 303
    assert table.update.setup and table.update.setup.step is SetupStep.DICE
    page = unlocked.page("/camera")
    assert "Done aiming" not in page and "To the questions" in page
    assert "changed meanwhile" in unlocked.ask("setup camera", old).text
    assert table.update.setup and table.update.setup.step is SetupStep.DICE


def test_many_new_games_are_looked_through_bit_by_bit(tmp_path: Path) -> None:
    ticks = count()
    with served(tmp_path, clock=lambda: next(ticks) * 0.3) as (_, server):
        for number in range(7):
            (tmp_path / f"{number}.lama").write_text(f"game lama-dice/1\nseat A\nseat B{number}\nstarts 1\n")
        phone, read = Phone(server), []
        while far := _far(page := phone.page("/games")):
            read.append(far)
            again = phone.http.get("/games", headers={"HX-Request": "true"})
            read += [far] if (far := _far(again.text)) else []
        assert len(read) > 2 and read == sorted(read) and read[-1] < 7
        assert all(f"B{number}" in page for number in range(7))
        done = phone.http.get("/games", headers={"HX-Request": "true"})
        assert done.headers["HX-Redirect"] == "/games" and done.text == ""


def _far(page: str) -> int:
    """How many games have been looked through, on a page that tells it."""
    found = re.search(r'<progress[^>]* value="(\d+)"', page)
    return int(found[1]) if found else 0


def test_of_many_games_the_latest_stand_in_the_open(tmp_path: Path, phone: Phone) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.lama").write_text(
            f"game lama-dice/1 ; 2026-01-{number + 1:02}T20:00:00+00:00\n"
            f"seat A\nseat B{number:02}\nstarts 1\n"
        )
    _, _, page = phone.page("/games").partition("<ol")
    opened, _, behind = page.partition("<details")
    assert opened.count("<time") == LATEST and "B19" in opened and "B01" not in opened
    assert "All 20 games" in words_on(behind) and behind.count("<time") == 20


def test_the_rules_explain_the_case_at_hand(table: TableWithPage, phone: Phone) -> None:
    for line in ("begin 1", DEAL, "1 roll", "fell 13L"):
        table.ask(line)
    page = words_on(phone.page("/rules")).replace("\u2068", "").replace("\u2069", "")
    assert "Rosa rolled 1, 3, llama" in page


def test_the_rules_come_to_a_script_as_to_everybody(table: TableWithPage, phone: Phone) -> None:
    table.ask("begin 1")
    answer = phone.http.get("/rules", headers={"HX-Request": "true"})
    assert "HX-Redirect" not in answer.headers and "llama" in answer.text


def test_the_house_is_set_from_a_phone(table: TableWithPage, unlocked: Phone) -> None:
    for key, value in (
        ("language", "de"),
        ("theme", "light"),
        ("cocked", "one"),
        ("deal", "shuffle"),
        ("odds", "on"),
    ):
        assert unlocked.send("/set", key=key, value=value).status_code == 303
    assert table.update.house == House(
        Language.DE, theme=Theme.LIGHT, cocked=Cocked.ONE, odds=True, deal=Deal.SHUFFLE
    )
    page = unlocked.page("/house")
    assert 'value="shuffle" aria-pressed="true">Vom Bildschirm ausgeteilt' in page
    assert 'lang="de" data-theme="light"' in page and "Wenn ein Würfel kippelt" in page
    assert unlocked.send("/set", key="language", value="xx").status_code == 409


def test_what_a_menu_s_item_cannot_do_is_told_to_the_phone_that_took_it(tmp_path: Path) -> None:
    with served(tmp_path, deal=True) as (table, server):
        phone = Phone(server)
        phone.unlock()
        assert table.ask("menu").accepted
        while not (menu := table.update.menu) or menu.asks[menu.chosen] != "set deal shuffle":
            assert table.ask("press 1").accepted
        answer = phone.ask("hold 1")
        assert answer.status_code == 409 and "told at the start" in words_on(answer.text)
        assert table.ask("press 1").accepted and table.update.scene is Scene.MENU
        while (menu := table.update.menu) and menu.asks[menu.chosen] != "close":
            assert table.ask("press 1").accepted
        assert phone.ask("hold 1").status_code == 303 and table.update.scene is Scene.LOBBY


def test_the_die_that_buttons_turn_is_marked_and_read_out(table: TableWithPage, unlocked: Phone) -> None:
    for line in ("begin 1", DEAL, "1 roll", "fell 135", "dispute"):
        assert table.ask(line).accepted
    dice = re.findall(r'<b class="die ([^"]*)"', unlocked.page())
    assert dice == ["d1 asked", "d3", "d5"] and "1, 3, 5. Which face is die 1?" in unlocked.page()
    table.ask("hold 1")
    assert re.findall(r'<b class="die ([^"]*)"', unlocked.page()) == ["d1", "d3 asked", "d5"]


def test_an_older_roll_shown_again_does_not_pass_for_the_last(table: TableWithPage, phone: Phone) -> None:
    for line in ("begin 1", DEAL, "1 roll", "fell 135", "1 discard 135", "2 roll", "fell 2LL", "dispute"):
        assert table.ask(line).accepted, line
    assert "<h1>The last roll, once more" in phone.page()
    assert table.ask("dispute 8").accepted
    assert "<h1>Roll 1 of 2" in phone.page()


def test_a_roll_no_camera_sees_is_told_on_a_phone_as_with_buttons(
    table: TableWithPage, unlocked: Phone
) -> None:
    for line in ("begin 1", DEAL, "1 roll", "press 1"):
        assert table.ask(line).accepted
    page = unlocked.page()
    assert re.findall(r'<b class="die ([^"]*)"', page) == ["d1 asked", "dnone", "dnone"]
    assert "/record/" not in page and "Another face" in page and "<h1>What do the dice show?" in page


def test_what_is_stopped_at_the_door_is_told_in_the_house_s_language(
    table: TableWithPage, phone: Phone
) -> None:
    table.ask("set language de")
    assert table.update.house.language is Language.DE
    answer = phone.http.get("/", headers={"Host": "lama.example"})
    assert answer.status_code == 421 and answer.text.startswith("Unter diesem Namen")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("edition", ["amigo", "us"])
def test_every_page_speaks_every_language(
    table: TableWithPage, unlocked: Phone, language: str, edition: str
) -> None:
    table.ask(f"set language {language}")
    table.ask(f"set edition {edition}")
    for path in PAGES:
        unlocked.page(path)
    played(table)
    for path in (*PAGES, *(f"/record/{line}" for line in range(6, 13))):
        page = unlocked.page(path)
        assert f'<html lang="{language}"' in page and "page_" not in words_on(page), path


def test_pages_load_nothing_from_elsewhere_and_nothing_inline(table: TableWithPage, unlocked: Phone) -> None:
    played(table)
    for path in (*PAGES, "/record/9"):
        page = unlocked.page(path)
        addresses = re.findall(r'(?:src|href|action|hx-\w+)="([^"]+)"', page)
        foreign = [address for address in addresses if re.match(r"https?:|//", address)]
        assert [address for address in foreign if "127.0.0.1" not in address] == [], path
        assert not re.search(r"<style|<script(?! src)| style=| on\w+=", page), path


def test_files_that_never_change_are_kept_and_the_rest_is_not(phone: Phone) -> None:
    css = re.search(r'href="(/static/[^"]+css)"', phone.page())
    assert css
    assert "immutable" in phone.http.get(css[1]).headers["cache-control"]
    assert phone.http.get("/").headers["cache-control"] == "no-store"
    assert phone.http.get("/static/x/../../server.py").status_code == 404
    assert phone.http.get("/static/x/%2e%2e/server.py").status_code == 404
