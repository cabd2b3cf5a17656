"""The menu: a list of things to set, the chosen one in the sun, beside each what holds now.

Below it stands how a phone comes in: during a game it is nowhere else.
"""

from __future__ import annotations

from companion.screen import lettering
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.invite import address, grouped
from companion.screen.palette import INK
from companion.update import Menu, Message, Page, Update

_LOWEST = 27  # pixels of a line that can still be read from two metres


def draw_menu(canvas: Canvas, box: Box, update: Update) -> None:
    """Draw as many items as fit around the chosen one; a bar at the side tells where it stands."""
    menu = update.menu
    if menu is None or not menu.items:
        return
    gap = max(2, canvas.px(7))
    if update.page:
        line, box = box.foot(max(_LOWEST * 2 // 3, canvas.px(34)), gap)
        _draw_way_in(canvas, line, update.page)
    room = max(1, (box.h + gap) // (max(_LOWEST, canvas.px(44)) + gap))
    first, shown = window(menu, room)
    if len(shown) < len(menu.items):
        bar, box = box.right_part(max(4, canvas.px(10)), gap)
        _draw_bar(canvas, bar, first, len(shown), len(menu.items))
    high = min(canvas.px(76), (box.h + gap) // len(shown) - gap)
    for number, item in enumerate(shown):
        spot = Box(box.x, box.y + number * (high + gap), box.w, high)
        told = canvas.say(item), _now(canvas, menu, first + number)
        canvas.part(_draw_item, spot, *told, first + number == menu.chosen, margin=gap // 2)


def _draw_way_in(canvas: Canvas, box: Box, page: Page) -> None:
    """The page's address at the left, the code to change things at the right."""
    size = round(box.h * 0.7)
    code = canvas.tell("page_code", code=grouped(page.code))
    right, left = box.right_part(min(box.w // 2, lettering.width(code, size)), canvas.px(12))
    canvas.write(right, code, canvas.palette.ink, size, "right")
    canvas.write(left, address(page), canvas.palette.soft, size)


def window(menu: Menu, room: int) -> tuple[int, tuple[Message, ...]]:
    """Choose the items to show, ``room`` at most, the chosen one among them; answer the first's index."""
    first = max(0, min(menu.chosen - room // 2, len(menu.items) - room))
    return first, menu.items[first : first + room]


def _now(canvas: Canvas, menu: Menu, number: int) -> str:
    now = menu.now[number] if number < len(menu.now) else None
    return canvas.say(now) if now else ""


def _draw_item(canvas: Canvas, box: Box, words: str, now: str, chosen: bool) -> None:
    palette, radius = canvas.palette, box.h // 3
    canvas.panel(box, palette.sun if chosen else palette.panel, radius)
    if chosen:
        canvas.outline(box, palette.rim, radius, max(2, box.h // 16))
    inner = box.inset(max(6, box.h // 3), 1)
    if now:
        size = round(box.h * 0.5)
        room = min(inner.w // 2, lettering.width(lettering.clean(now), size))
        value, inner = inner.right_part(room, max(4, box.h // 4))
        canvas.write(value, now, INK if chosen else palette.soft, size, "right")
    canvas.write(inner, words, INK if chosen else palette.ink, round(box.h * 0.54))


def _draw_bar(canvas: Canvas, box: Box, first: int, shown: int, count: int) -> None:
    canvas.fill(box, canvas.palette.dim, box.w // 2)
    thumb = Box(box.x, box.y + box.h * first // count, box.w, max(box.w, box.h * shown // count))
    canvas.fill(thumb, canvas.palette.slot, box.w // 2)
