"""lgpio as gpiozero sees it: lines that can be busy or forbidden, and its own error with its own words."""

from __future__ import annotations

from collections.abc import Collection
from types import ModuleType, SimpleNamespace
from typing import Any


class error(Exception):  # noqa: N801  (its name there; it writes itself with quotation marks)
    def __init__(self, value: str) -> None:
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


class Lines(ModuleType):
    """The module: ``busy`` and ``forbidden`` lines, and what opening the chip raises, if it does.

    The words are lgpio 0.2.2's, of GPIO_BUSY, NOT_PERMITTED and CANNOT_OPEN_CHIP.
    """

    error = error
    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    SET_BIAS_DISABLE, SET_BIAS_PULL_UP, SET_BIAS_PULL_DOWN = 128, 32, 64

    def __init__(
        self, busy: Collection[int] = (), forbidden: Collection[int] = (), chip: str | None = None
    ) -> None:
        super().__init__("lgpio")
        self.busy, self.forbidden, self.chip = busy, forbidden, chip
        self.open: dict[int, int] = {}  # what each claimed line is: 2 is lgpio's bit for an output
        self.chips = 0

    def gpiochip_open(self, number: int) -> int:
        if self.chip:
            raise error(self.chip)
        self.chips += 1
        return 0

    def gpiochip_close(self, handle: int) -> None:
        self.chips -= 1

    def _claim(self, line: int, mode: int = 0) -> None:
        if line in self.busy:
            raise error("GPIO busy")
        if line in self.forbidden:
            raise error("GPIO operation not permitted")
        self.open[line] = mode

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> None:
        self._claim(line)

    def gpio_claim_output(self, handle: int, line: int, level: int = 0, flags: int = 0) -> None:
        self._claim(line, 2)

    def gpio_claim_alert(self, handle: int, line: int, edges: int, flags: int = 0) -> None:
        self._claim(line)

    def gpio_free(self, handle: int, line: int) -> None:
        self.open.pop(line)

    def gpio_get_mode(self, handle: int, line: int) -> int:
        return self.open[line]

    def gpio_set_debounce_micros(self, handle: int, line: int, micros: int) -> None:
        """Nothing bounces."""

    def gpio_read(self, handle: int, line: int) -> int:
        return 1

    def gpio_write(self, handle: int, line: int, level: int) -> None:
        """No lamp is there."""

    def callback(self, handle: int, line: int, edges: int, call: Any) -> Any:
        return SimpleNamespace(cancel=lambda: None)
