"""What a family sets once: language, colours, edition, house rules. A value; kept in the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """Of everything people read or hear."""

    EN = "en"
    DE = "de"


class Edition(StrEnum):
    """Whose words for the rules: AMIGO's, or those of the edition sold in the US."""

    AMIGO = "amigo"
    US = "us"


class Theme(StrEnum):
    """Light figures on dark, or dark on light."""

    DARK = "dark"
    LIGHT = "light"


class Cocked(StrEnum):
    """What is thrown again when a die leans: all three dice, or that die alone."""

    ALL = "all"
    ONE = "one"


class Deal(StrEnum):
    """Where the cards come from: the box, typed in row by row, or the companion shuffles and deals."""

    BOX = "box"
    SHUFFLE = "shuffle"


@dataclass(frozen=True, slots=True)
class House:
    """How this table likes it."""

    language: Language = Language.EN
    edition: Edition = Edition.AMIGO
    theme: Theme = Theme.DARK
    cocked: Cocked = Cocked.ALL
    odds: bool = False
    voice: bool = False
    deal: Deal = Deal.BOX

    @property
    def words(self) -> str:
        """Name the catalogue of this language and edition: ``en``, or ``en-us``."""
        return str(self.language) + ("" if self.edition is Edition.AMIGO else f"-{self.edition}")


#: How a table is before anybody has said otherwise.
HOUSE = House()
