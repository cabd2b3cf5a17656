"""The options in a display's name: ``kms?turn=90&display=1``."""

from __future__ import annotations

from typing import TypeVar

from hardware.display.base import DisplayError

T = TypeVar("T")


class Options:
    """Takes options one by one; ``head`` is what stands before them. Raises ``DisplayError``."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.head, _, rest = name.partition("?")
        pairs = [part.partition("=") for part in rest.split("&") if part]
        self._said = {key: value for key, _, value in pairs}
        self._known: list[str] = []

    def text(self, key: str) -> str:
        """Take an option as it is; empty if it is not there."""
        return self._take(key) or ""

    def one_of(self, key: str, values: dict[str, T], usual: T) -> T:
        """Take an option that has few values."""
        said = self._take(key)
        if said is None:
            return usual
        if said not in values:
            raise self._wrong(key, said, f"one of {', '.join(values)}")
        return values[said]

    def number(self, key: str, usual: T, most: int) -> int | T:
        """Take a number from 0 on, decimal or like 0x3c."""
        said = self._take(key)
        if said is None:
            return usual
        try:
            number = int(said, 0)
        except ValueError:
            raise self._wrong(key, said, "a number") from None
        if not 0 <= number <= most:
            raise self._wrong(key, said, f"a number from 0 to {most}")
        return number

    def pin(self, key: str, usual: int | None) -> int | None:
        """Take a BCM number, or ``none`` for what is not connected."""
        if self._said.get(key) == "none":
            self._take(key)
            return None
        return self.number(key, usual, 27)

    def end(self) -> None:
        """Refuse what nobody has taken."""
        for key in self._said:
            raise DisplayError(
                f"{self._name!r}: there is no option {key!r}; there are {', '.join(self._known)}."
            )

    def _take(self, key: str) -> str | None:
        self._known.append(key)
        return self._said.pop(key, None)

    def _wrong(self, key: str, said: str, wanted: str) -> DisplayError:
        return DisplayError(f"{self._name!r}: {key} is {said!r}, but should be {wanted}.")
