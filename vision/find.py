"""Finding dice: where they are, and what lies there and is none.

The finder network proposes places, or the known tray does; the stance network measures them, and
what is there is looked at closely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple, TypeVar

import numpy as np

from companion.rules.pieces import Face
from vision.alone import alone
from vision.cards import cards
from vision.colours import lone
from vision.faceless import DICE_THROWN, likeliest
from vision.faces import Faces
from vision.frames import Bytes, cut_out
from vision.lens import Lens
from vision.look import Look, in_one_plane, looks, with_feet
from vision.lying import Island, Lying
from vision.nets import LIKELY, Spot, Stance, overview, seek, stances
from vision.outlines import Kind, Laid, outlined
from vision.rectangles import Corners, boxed
from vision.repeats import repeats
from vision.rim import THINGS, Rim, closed_rim, encloses
from vision.sight import Sight, sight
from vision.solid import SURELY_A_PRINT, body, standing
from vision.things import ASKED_AGAIN, LIKELY_FOREIGN, Strange, foreign, strangest
from vision.tints import as_one_of
from vision.tray import Foreground

__all__ = ["Finder", "Found", "Look"]

_Place = TypeVar("_Place", Look, Stance)

#: Chance of being a die from which a place is looked at, and from which it is one whatever it shows.
_PERHAPS: Final = 0.1
_CERTAINLY: Final = 0.5
#: Fit by tone from which a place is a die, however unlikely it looked.
_FACE: Final = 0.85
#: How little it has to look like a die where fewer than three are known: for the finder, dice in shadows do.
_HARDLY: Final = 0.05
#: How many of these, those that likeliest stand there, are looked at.
_MOST_HARDLY: Final = 16
#: The least chance of a die there, and how well both readers have to know its face.
_A_LITTLE: Final = 0.1
_FITS_WELL: Final = 0.93
_VERY_NEAR: Final = 0.85
#: Side of what is seen of a place where another may touch a die, in pixels; how far the logarithms of colours
#: there may be from those of the dice, and the part of it that has their colour.
_TOP: Final = 25
_ABOUT_THEIRS: Final = 0.35
_GOOD_PART: Final = 0.3
#: Directions around a die in which another may touch it, and how far away, in edges.
_WAYS: Final = 12
_TOUCHING: Final = 1.1
#: Distance (in edges) from a die that is known within which no other was overlooked.
_ITS_OWN: Final = 0.8
#: Fit by tone of a die that is known.
_KNOWN: Final = 0.9
#: Places beyond which a table is full of prints, so that each is asked for its body before it is looked at;
#: and how many are looked at.
_MANY: Final = 8
_MOST: Final = 16
#: How near the network places a die that is known, and by how much (as a logarithm) its edge may differ.
_NEAR: Final = 0.65
_SAME_SIZE: Final = 0.14
#: Chance that something stands there, below which what shows no face of the dice is taken for a print; the
#: same for what shows one, but fits worse, by tone, than three dice: a cloth may bear the very numerals, or a
#: llama; and the same for one of three dice, so that a fourth is sought. And distance (in edges) from a die
#: beyond which it is neither that die's side nor its shadow.
_STANDS: Final = 0.3
_HARDLY_STANDS: Final = 0.15
_FLAT: Final = 0.5
_WORSE: Final = 0.03
_APART: Final = 1.4
#: How well a face fits by tone on a body in the colour of the dice, how near the network places it, and the
#: greatest chance that it is no face, for the network untaught: hardly a print on a table has all that. The
#: same where another face fits better, and by how much it has to be nearer than any other then.
_IN_THEIR_COLOUR: Final = (0.6, 0.3, 0.5)
_THE_NEAREST: Final = (0.6, 0.4, 0.1)
_NEARER: Final = 0.3
#: By how much an outline is more than sure, as a logarithm of odds, so that it is no print though it repeats.
_NO_PRINT: Final = 8.0
#: What outlines give away, and what lies alone on plain ground.
_OUTLINES: Final[dict[Kind | None, str]] = {
    Kind.CARD: "a card",
    Kind.SMALL: "a token or one more die",
    Kind.ROUND: "a coin or a counter",
}
SOMETHING: Final = "something that is no die"
#: What is smaller than a die by this part, and nearer than this (in its edges), is a side of it.
_SMALLER: Final = 0.8
_ITS_SIDE: Final = 0.85


@dataclass(frozen=True, eq=False)
class Found:
    """What lies in a picture: dice, likeliest first, and what is none.

    ``strange`` is the area, in faces of a die, of the largest thing that lies on the known tray
    and is no die; 0 if there is none, or the tray is not known. ``odd`` is the chance that something foreign
    lies beside three dice, as networks see it. ``thing`` are the corners, in pixels, of the largest thing on
    the known tray, or of what its outline or plain ground around it gives away: then ``name`` says what.
    Else, where no tray is known, they are those of the place that networks find oddest, be it odd or not.
    ``shaded`` tells that no die leans and one may throw a hard shadow, which networks are to look at.
    ``outside`` is how many of the dice lie beside the tray.
    """

    looks: tuple[Look, ...]
    strange: float
    odd: float = 0.0
    thing: Corners | None = None
    name: str = ""
    shaded: bool = False
    outside: int = 0


class Places(NamedTuple):
    """Dice, whatever was seen that might be one, with the chance of that, and how many were surely prints."""

    dice: list[Look]
    seen: list[tuple[float, Look]]
    prints: int


class Finder:
    """Finds the dice of one set in single pictures and looks at them."""

    def __init__(self, faces: Faces, lens: Lens) -> None:
        self.faces = faces
        self._lens = lens

    def find(self, picture: Bytes, edge: float, lying: Foreground | None = None) -> Found:
        """Find dice whose edge is about so many pixels, within a fifth, and things that are none.

        ``lying`` tells, from a smaller picture of the same view, what is not tray, if the tray is known:
        whatever is no die there is foreign. Networks are asked about that where the tray is not known, the
        dice hardly stand out from it, or something dark at one may be its shadow.
        """
        if lying is None:
            return self._on_a_table(picture, edge)
        there = Lying(lying, picture.shape[1], edge)
        if (dice := self._on_islands(picture, edge, there.islands())) and there.shows(dice):
            found = _on_tray(self._standing(picture, dice), there)
            if not found.shaded:
                return found
        inside = there.alone(picture)
        small = overview(inside, edge)
        places = self._everywhere(inside, edge, small)
        places = places._replace(dice=_no_prints(places.dice, there))
        if parted := self._parted(picture, edge, places.dice, there):
            return parted
        three = len(places.dice) == DICE_THROWN  # another number is told anyway
        if not three or there.shows(places.dice):
            found = _on_tray(self._standing(inside, places.dice), there)
            if not (three and found.shaded):
                return found
        return self._searched(inside, edge, small, places, there, None)

    def sees(self, picture: Bytes, edge: float, lying: Foreground) -> Found:
        """Find what is seen to lie on the known tray by any light: all but what only differs from it."""
        there = Lying(lying, picture.shape[1], edge)
        inside = there.alone(picture)
        small = overview(inside, edge)
        places = self._everywhere(inside, edge, small)
        places = places._replace(dice=_no_prints(places.dice, there))
        if parted := self._parted(picture, edge, places.dice, there):
            return parted
        return replace(self._searched(inside, edge, small, places, there, None), strange=0.0)

    def _parted(self, picture: Bytes, edge: float, dice: Sequence[Look], there: Lying) -> Found | None:
        """Find the others where one or two lie on the tray; where none does it is empty, they are put by."""
        if not (0 < len(dice) < DICE_THROWN and there.around):
            return None
        if not (beside := self._beside(picture, edge, there)):
            return None
        return Found(self._standing(picture, [*dice, *beside]), 0.0, outside=len(beside))

    def _on_a_table(self, picture: Bytes, edge: float) -> Found:
        """Find dice and other things on a table, or in a tray, that is not known."""
        small = overview(picture, edge)
        places, rim = self._everywhere(picture, edge, small), None
        if len(places.dice) >= DICE_THROWN and (seen := closed_rim(picture)):
            places, rim = _within(seen, places, picture)
        if len(places.dice) != DICE_THROWN:  # that is told anyway
            return Found(self._standing(picture, places.dice), 0.0)
        return self._searched(picture, edge, small, places, None, rim)

    def _searched(
        self,
        picture: Bytes,
        edge: float,
        small: Bytes,
        places: Places,
        there: Lying | None,
        rim: Rim | None,
    ) -> Found:
        """Ask networks, outlines and plain ground what lies beside three dice.

        What was there when the tray was empty is part of it; so is what repeats, where that is not known.
        What lies beside the ``rim`` of a tray, if that is seen, does not count.
        """
        dice, seen, prints = places
        at = [(die.x, die.y) for die in dice]
        usual = float(np.median([die.edge for die in dice] or [edge]))
        view = sight(picture, usual, at)
        within = partial(_in_tray, rim, picture.shape, edge)
        new = there.new if there else partial(_new, view, within)
        surely = math.inf if there else _NO_PRINT
        odd = strangest(picture, edge, at, small, rim)
        # what networks mark is not asked whether it repeats: a hand is as plain as a table
        if there and not there.new(_around(odd, edge)):
            odd = replace(odd, chance=0.0)
        elif odd.chance >= ASKED_AGAIN:
            odd = odd.standing(body(picture, odd.x, odd.y, edge))
        others = [one for one in _apart(seen, dice, edge) if new(_around(one[1], one[1].edge))]
        stand = standing(picture, [look.stance for _, look in others])
        either = foreign(odd.chance, list(zip((chance for chance, _ in others), stand, strict=True)), prints)
        card, tiles = cards(view.smaller)
        laid = (
            Laid(Kind.CARD, card, tiles)
            if card and new(card)
            else outlined(view, [look.stance for _, look in seen], new, odd.odds_at, surely, within)
        )
        name, thing = _OUTLINES.get(laid.kind, ""), laid.corners
        if not name:
            perhaps = _apart([(0.0, one) for one in laid.perhaps if _as_large(one, usual)], dice, edge)
            squares = [(chance, one) for chance, one in perhaps if new(_around(one, one.edge))]
            as_large = [one for one in others if _as_large(one[1], usual)]
            as_large += self._seen(picture, edge, squares)
            if like := _like_these(dice, [look for _, look in as_large]):
                name, thing = _OUTLINES[Kind.SMALL], _around(like, like.edge)
        for seen_alone in (alone, lone):
            if not name and (blot := seen_alone(view.smaller)) and new(blot):
                name, thing = SOMETHING, blot
        named = bool(name) or odd.chance >= LIKELY_FOREIGN
        beside = () if named else tuple(map(max, odd.beside, tiles, laid.beside))
        looks = self._standing(picture, dice, beside)
        found = _on_tray(looks, there) if there else Found(looks, 0.0)
        marked = None if there else _marked(odd, others, stand, edge)
        return replace(found, odd=either, thing=thing or found.thing or marked, name=name)

    def _on_islands(self, picture: Bytes, edge: float, islands: Sequence[Island]) -> list[Look]:
        """Look at what lies on the tray; return no dice where that may not be three that are known."""
        if len(islands) < DICE_THROWN or not all(island.single for island in islands):
            return []
        spots = [island.spot for island in islands]
        dice = _dice(picture, self._seen(picture, edge, likeliest(picture, spots, _PERHAPS)))
        return dice if len(dice) >= DICE_THROWN and all(die.best.tone >= _KNOWN for die in dice) else []

    def _everywhere(self, picture: Bytes, edge: float, small: Bytes) -> Places:
        """Look at what may be a die and, where fewer than three are known, at what hardly looks like one."""
        spots = seek(picture, edge, small, _HARDLY)
        places = likeliest(picture, [spot for spot in spots if spot.score >= LIKELY], _PERHAPS)
        upright = _upright(picture, places)
        seen = more = self._seen(picture, edge, upright)
        known = _known([look for _, look in seen], edge)
        while more and len(known) < DICE_THROWN:
            missing = DICE_THROWN - len(known)
            more = self._overlooked(picture, edge, [*spots, *_next_to(known)], known, missing)
            found = [look for _, look in more]
            seen, known = [*(one for one in seen if _off(one[1], found)), *more], [*known, *found]
        dice = _dice(picture, seen)
        if len(dice) == DICE_THROWN:
            apart = [spot for spot in spots if _off(spot, dice)]
            others = apart if apart and _one_is_flat(picture, dice) else []
            others += _coloured(picture, [spot for spot in _next_to(dice) if _off(spot, dice)], dice)
            dice += [look for _, look in self._overlooked(picture, edge, others, dice, 1)]
        return Places(dice, seen, len(places) - len(upright))

    def _beside(self, picture: Bytes, edge: float, there: Lying) -> list[Look]:
        """Find dice that lie beside the tray."""
        dice = self._everywhere(picture, edge, overview(picture, edge)).dice
        return _known([die for die in dice if there.outside(die)], edge)

    def _overlooked(
        self, picture: Bytes, edge: float, spots: Sequence[Spot], known: Sequence[Look], most: int
    ) -> list[tuple[float, Look]]:
        """Look at what hardly looks like a die, apart from those that are known; return what surely is one.

        It has to look a little like one and to stand there, and both readers have to know its face well; at
        ``most`` so many, the best known, are returned.
        """
        apart = [spot for spot in spots if _off(spot, known)]
        places = [one for one in likeliest(picture, apart, 0.0) if one[1].die >= _A_LITTLE]
        again = stances(picture, [Spot(one.x, one.y, one.edge, chance) for chance, one in places])
        places = [
            (chance, max(one, other, key=lambda stance: stance.die))
            for (chance, one), other in zip(places, again, strict=True)
        ]
        chances = standing(picture, [stance for _, stance in places])
        order = [n for n in np.argsort(chances)[::-1][:_MOST_HARDLY] if chances[n] >= SURELY_A_PRINT]
        looked = self._seen(picture, edge, [places[n] for n in order])
        usual = float(np.median([die.edge for die in known] or [edge]))
        found: list[tuple[float, Look]] = []
        for chance, look in sorted(looked, key=lambda one: -one[1].best.tone):
            others = [*known, *(one for _, one in found)]
            if _surely_known(look, usual) and _well_known(look) and _off(look, others):
                found.append((chance, look))
        return found[:most]

    def _standing(
        self, picture: Bytes, dice: Sequence[Look], beside: Sequence[float] = ()
    ) -> tuple[Look, ...]:
        """Look at how dice stand; ``beside`` are chances that each may lean on a thing not named itself."""
        dice = in_one_plane(dice, self.faces, picture.shape, self._lens)
        if len(dice) != DICE_THROWN:
            return tuple(dice)
        return tuple(with_feet(picture, dice, beside or (0.0,) * DICE_THROWN, self._lens))

    def _seen(
        self, picture: Bytes, edge: float, places: Sequence[tuple[float, Stance]]
    ) -> list[tuple[float, Look]]:
        """Look at the places that may be dice; return the chance of each, and what is seen there."""
        seen = looks(picture, self.faces, [stance for _, stance in places], edge)
        return [(chance, look) for (chance, _), look in zip(places, seen, strict=True)]


def _on_tray(looks: tuple[Look, ...], there: Lying) -> Found:
    """Add to dice what lies beside them on the tray."""
    area, thing, shaded = there.beside(looks)
    shaded = shaded and all(look.leaning <= 0 for look in looks)
    return Found(looks, area, thing=thing, shaded=shaded)


def _within(rim: Rim, places: Places, picture: Bytes) -> tuple[Places, Rim | None]:
    """Leave out dice beside a rim that three lie within; where no three do, it is none."""
    size = picture.shape[1], picture.shape[0]
    dice = [die for die in places.dice if encloses(rim, [(die.x, die.y, die.edge)], size)]
    return (places._replace(dice=dice), rim) if len(dice) == DICE_THROWN else (places, None)


def _in_tray(rim: Rim | None, shape: tuple[int, ...], edge: float, corners: Corners) -> bool:
    """Tell whether what corners enclose lies in the tray, if the rim of one is seen."""
    x, y = np.mean(corners, 0).tolist()
    return rim is None or rim.beyond(x, y, (shape[1], shape[0])) <= THINGS * edge


def _new(view: Sight, within: Callable[[Corners], bool], corners: Corners) -> bool:
    """Tell whether what corners enclose is no part of a table that is not known: it has no like elsewhere."""
    return within(corners) and not repeats(view.smaller, corners)


def _no_prints(dice: Sequence[Look], there: Lying) -> list[Look]:
    """Leave out what was there when the tray was empty, whatever it shows."""
    return [die for die in dice if there.new(_around(die, die.edge))]


def _upright(picture: Bytes, places: list[tuple[float, Stance]]) -> list[tuple[float, Stance]]:
    """Leave out what surely is a print, where a table is full of them: more than can be looked at."""
    if len(places) <= _MANY:
        return places
    chances = standing(picture, [stance for _, stance in places])
    return [one for one, chance in zip(places, chances, strict=True) if chance >= SURELY_A_PRINT][:_MOST]


def _dice(picture: Bytes, seen: Sequence[tuple[float, Look]]) -> list[Look]:
    """Keep what networks or templates take for a die, and what is no side and no print."""
    dice = [look for chance, look in seen if chance >= _CERTAINLY or look.best.tone >= _FACE]
    dice = [look for look in dice if not any(is_side(look, die) for die in dice)]
    return bodies(picture, dice)


def _one_is_flat(picture: Bytes, dice: Sequence[Look]) -> bool:
    """Tell whether one of the dice may be flat and only bear a face: then a die may have been overlooked."""
    return min(standing(picture, [look.stance for look in dice])) < _FLAT


def bodies(picture: Bytes, dice: Sequence[Look]) -> list[Look]:
    """Leave out what is only printed on the table, beside three dice that are known by their faces."""
    if len(dice) <= DICE_THROWN:
        return list(dice)
    best = sorted(dice, key=lambda look: -look.best.tone)[:DICE_THROWN]
    usual = float(np.median([look.edge for look in best]))
    known = [look for look in dice if _surely_known(look, usual)]
    if len(known) < DICE_THROWN:
        return list(dice)
    asked = [look for look in dice if look not in known or look.best.tone < best[-1].best.tone - _WORSE]
    chances = standing(picture, [look.stance for look in asked])
    view = sight(picture, usual, [(look.x, look.y) for look in best]).smaller
    prints = [
        look
        for look, chance in zip(asked, chances, strict=True)
        if chance < (_HARDLY_STANDS if look in known else _STANDS)
        or (look not in best and repeats(view, _around(look, look.edge)))
    ]
    return [look for look in dice if look not in prints]


def _like_these(dice: Sequence[Look], others: Sequence[Look]) -> Look | None:
    """Return what shows a face of the dice and has their colour, if any of what is as large as they are does.

    It may be as flat as a print: tokens bear the faces of dice. On a print the body is that of a cloth.
    """
    colours = [np.array(die.printed.body) for die in dice]
    like = [
        look
        for look in others
        if _shows(look, look.best.face, _IN_THEIR_COLOUR)
        or (_shows(look, look.nearest, _THE_NEAREST) and look.ahead >= _NEARER)
    ]
    like = [look for look in like if as_one_of(np.array(look.printed.body), colours)]
    return max(like, key=lambda look: look.near[look.nearest], default=None)


def _shows(look: Look, face: Face, limits: tuple[float, float, float]) -> bool:
    """Tell whether a face is shown: how well any fits, how near that is, and how unlikely none."""
    fits, near, none = limits
    return look.best.tone >= fits and look.near[face] >= near and look.untaught[-1] < none


def _known(looks: Sequence[Look], edge: float) -> list[Look]:
    """Return the looks, about of one size, whose face both readers know."""
    usual = float(np.median([look.edge for look in looks if look.best.tone >= _KNOWN] or [edge]))
    return [look for look in looks if _surely_known(look, usual)]


def _around(place: Strange | Look | Stance, edge: float) -> Corners:
    """Return the corners of a square about a place."""
    x, y, half = place.x, place.y, edge / 2
    return boxed(x - half, y - half, x + half, y + half, 1.0)


def _marked(
    odd: Strange, others: Sequence[tuple[float, Look]], stand: Sequence[float], edge: float
) -> Corners:
    """Return the corners of where networks see something foreign likeliest.

    That is what looks like half a die and stands there, unless something is marked.
    """
    if odd.chance >= ASKED_AGAIN or not others:
        return _around(odd, edge)
    chances = [body * die for body, (die, _) in zip(stand, others, strict=True)]
    _, look = others[int(np.argmax(chances))]
    return _around(look, look.edge)


def _off(place: Spot | Look, others: Sequence[Look]) -> bool:
    """Tell whether a place is none of those of others."""
    return all(math.hypot(place.x - one.x, place.y - one.y) >= _ITS_OWN * one.edge for one in others)


def _next_to(dice: Sequence[Look]) -> list[Spot]:
    """Return where others would lie that touch dice: the finder may take two for one."""
    ways = np.arange(_WAYS) * 2 * np.pi / _WAYS
    around = np.stack([np.cos(ways), np.sin(ways)], 1) * _TOUCHING
    return [
        Spot(die.x + right * die.edge, die.y + down * die.edge, die.edge, _HARDLY)
        for die in dice
        for right, down in around.tolist()
    ]


def _coloured(picture: Bytes, spots: Sequence[Spot], dice: Sequence[Look]) -> list[Spot]:
    """Return the places of which a good part has the colour of the dice, in about their light."""
    if not spots:
        return []
    bodies = np.log(np.array([die.printed.body for die in dice]) + 1.0)
    seen = np.stack([cut_out(picture, spot.x, spot.y, spot.edge, _TOP) for spot in spots])
    apart = np.log(seen.reshape(len(spots), -1, 1, 3) + 1.0) - bodies
    alike = (np.abs(apart).max(-1) < _ABOUT_THEIRS).any(-1)
    return [spot for spot, part in zip(spots, alike.mean(1), strict=True) if part >= _GOOD_PART]


def _well_known(look: Look) -> bool:
    """Tell whether a face fits so well that what shows it is a die, though it hardly looks like one."""
    return (
        look.best.tone >= _FITS_WELL
        and look.nearest is look.best.face
        and look.near[look.nearest] >= _VERY_NEAR
    )


def _surely_known(look: Look, usual: float) -> bool:
    """Tell whether both readers know the face, and its edge is about the usual one of the dice."""
    near = look.near[look.best.face] >= _NEAR
    return look.best.tone >= _KNOWN and near and _as_large(look, usual)


def _as_large(one: Look | Stance, usual: float) -> bool:
    return abs(math.log(one.edge / usual)) < _SAME_SIZE


def _apart(
    seen: Sequence[tuple[float, _Place]], dice: Sequence[Look], edge: float
) -> list[tuple[float, _Place]]:
    """Return what looked like a die, and is apart from the dice."""
    return [
        (chance, look)
        for chance, look in seen
        if all(math.hypot(look.x - die.x, look.y - die.y) > _APART * edge for die in dice)
    ]


def is_side(look: Look, die: Look) -> bool:
    """Tell whether something is a side of a die, seen beside its top."""
    if look.best.tone >= die.best.tone or look.edge >= _SMALLER * die.edge:
        return False
    return math.hypot(look.x - die.x, look.y - die.y) < _ITS_SIDE * die.edge
