"""Small screens as their data sheets describe them: bytes come in, pixels are seen.

A bus for luma's devices that keeps no more than what a controller's memory would hold, so a
picture is only seen if luma, and what this project sends by itself, said the right bytes.
"""

from __future__ import annotations

import numpy as np
from PIL import Image


class Bus:
    """Counts what is sent, and can be unplugged: then it answers as the kernel does."""

    def __init__(self) -> None:
        self.sent = 0
        self.unplugged = False
        self.closed = 0
        self.commands: list[int] = []

    def cleanup(self) -> None:
        """Close the bus."""
        self.closed += 1

    def count(self, number: int) -> None:
        """Take bytes in, if anything is there to take them."""
        if self.unplugged:
            raise OSError(121, "Remote I/O error")
        self.sent += number


class ColourGlass(Bus):
    """An ILI9341 or ST7789: a window is set, then pixels of three or two bytes fill it row by row."""

    def __init__(self, wide: int, high: int) -> None:
        super().__init__()
        self.pixels = np.zeros((high, wide, 3), np.uint8)
        self._command = 0
        self._arguments: list[int] = []
        self._window = {0x2A: (0, wide), 0x2B: (0, high)}
        self._next = 0
        self._two_bytes = False

    def command(self, *command: int) -> None:
        """Take one command byte; its arguments come as data."""
        self.count(len(command))
        self._command, self._arguments, self._next = command[0], [], 0
        self.commands.append(command[0])

    def data(self, data: bytes | list[int]) -> None:
        """Take arguments, or pixels after a memory write."""
        self.count(len(data))
        if self._command == 0x2C:
            self._write(self._pixels(bytes(data)))
        elif self._command == 0x3A:
            self._two_bytes = data[0] == 0x55
        elif self._command in self._window:
            self._arguments += list(data)
            first, last = self._arguments[0:2], self._arguments[2:4]
            if len(last) == 2:
                start, end = (high << 8 | low for high, low in (first, last))
                self._window[self._command] = (start, end + 1)

    def _pixels(self, data: bytes) -> np.ndarray:
        """Each pixel's red, green and blue, one after another."""
        if not self._two_bytes:
            return np.frombuffer(data, np.uint8)
        words = np.frombuffer(data, ">u2")
        colours = (words >> 8 & 0xF8, words >> 3 & 0xFC, words << 3 & 0xF8)
        return np.stack(colours, axis=1).astype(np.uint8).reshape(-1)

    def _write(self, data: np.ndarray) -> None:
        (left, right), (top, bottom) = self._window[0x2A], self._window[0x2B]
        part = self.pixels[top:bottom, left:right].reshape(-1).copy()
        part[self._next : self._next + len(data)] = data
        self._next += len(data)
        self.pixels[top:bottom, left:right] = part.reshape(bottom - top, right - left, 3)

    def seen(self) -> Image.Image:
        """What can be seen."""
        return Image.fromarray(self.pixels)


class OneBitGlass(Bus):
    """An SSD1306 or SH1106: pages of eight rows, a byte a column, the lowest bit on top."""

    def __init__(self, wide: int, high: int, hidden: int) -> None:
        super().__init__()
        self._hidden, self._wide = hidden, wide
        self.memory = np.zeros((high // 8, wide + 2 * hidden), np.uint8)
        self._columns = (0, self.memory.shape[1])
        self._pages = (0, self.memory.shape[0])
        self._at = (0, 0)

    def command(self, *command: int) -> None:
        """Take commands; only those that say where the next byte goes matter here."""
        self.count(len(command))
        self.commands += command
        match command:
            case (0x21, left, right, 0x22, top, bottom):
                self._columns, self._pages = (left, right + 1), (top, bottom + 1)
                self._at = (top, left)
            case (page, low, high) if page & 0xF0 == 0xB0 and high & 0xF0 == 0x10:
                self._pages, self._columns = (page & 0x0F, (page & 0x0F) + 1), (0, self.memory.shape[1])
                self._at = (page & 0x0F, (high & 0x0F) << 4 | low)

    def data(self, data: list[int]) -> None:
        """Fill columns, then the next page."""
        self.count(len(data))
        for byte in data:
            page, column = self._at
            self.memory[page, column] = byte
            column += 1
            if column == self._columns[1]:
                page, column = page + 1, self._columns[0]
            self._at = (page if page < self._pages[1] else self._pages[0], column)

    def seen(self) -> Image.Image:
        """What can be seen."""
        shown = self.memory[:, self._hidden : self._hidden + self._wide]
        bits = np.stack([(shown >> bit) & 1 for bit in range(8)], axis=1).reshape(-1, self._wide)
        return Image.fromarray((bits * 255).astype(np.uint8)).convert("1")
