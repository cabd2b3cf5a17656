"""A laptop's keyboard as buttons and card entry: keys in, signals out.

The digits are buttons, and cards in a deal; F1 to F6 are always buttons.
"""

from __future__ import annotations

from companion.signals import Asked, Edge, Signal, Stop, Typed
from companion.update import Scene, Update

_FACES = frozenset("123456l")
_BUTTONS = {f"f{number}": number for number in range(1, 7)}
_EDITING = {"return": "enter", "enter": "enter", "backspace": "back"}


class Keyboard:
    """Turns keys (SDL's names) into signals, by what the screen shows.

    ``own`` are the buttons that people press here; without it, all of them.
    """

    def __init__(self, own: frozenset[int] | None = None) -> None:
        self._own = own
        self._down: dict[str, int] = {}
        self._fall: str | None = None

    def key(self, name: str, down: bool, at: float, update: Update) -> list[Signal]:
        """Take a key going down or up; answer with what it says."""
        if not down:
            button = self._down.pop(name, None)
            return [] if button is None else [Edge(button, False, at)]
        if name in ("quit", "q"):
            return [Stop("ended by the keyboard")]
        if update.scene is Scene.SETUP:  # what is undone or corrected in the game is not seen there
            self._fall = None
            return self._press(name, at, update)
        if self._fall is not None:
            return self._correct(name, at, update)
        return self._command(name, at, update) or self._press(name, at, update)

    def _command(self, name: str, at: float, update: Update) -> list[Signal]:
        if name == "u":
            return [Asked("undo", at)]
        if name == "c":
            self._fall = ""
            return [Asked("was", at)]
        if update.scene is not Scene.DEAL:
            return []
        if name in _FACES:
            return [Typed(name.upper(), at)]
        return [Typed(_EDITING[name], at)] if name in _EDITING else []

    def _correct(self, name: str, at: float, update: Update) -> list[Signal]:
        """Collect three faces after ``c``: the roll awaited, else the last one. Anything else leaves it."""
        if name not in _FACES:
            self._fall = None
            return []
        self._fall = "".join(sorted((self._fall or "") + name.upper()))
        if len(self._fall) < 3:
            return []
        faces, self._fall = self._fall, None
        return [Asked(f"{'fell' if update.scene is Scene.FALL else 'was'} {faces}", at)]

    def _press(self, name: str, at: float, update: Update) -> list[Signal]:
        button = int(name) if name in "123456" and len(name) == 1 else _BUTTONS.get(name, 0)
        if name == "space":
            seat = update.actors[0] if update.actors else 1
            button = update.buttons[seat - 1] if update.buttons else 1
        if not button or (self._own is not None and button not in self._own):
            return []
        self._down[name] = button
        return [Edge(button, True, at)]
