"""What does not belong on the table: coin, chip, token, card, other dice, a hand, a pencil, a key, a cord."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

import mitsuba as mi
import numpy as np
from designs import BLACK, SIDE, WHITE, Colour, Design, Picture, atlas, numeral
from layout import Random, Spot
from lights import Parts
from llamas import llama
from PIL import Image, ImageDraw
from solids import Array, about_z

#: Radius in centimetres that each thing needs on the table.
ROOM: Final = {
    "coin": 1.2,
    "chip": 1.7,
    "token": 1.3,
    "card": 4.3,
    "pip-die": 1.2,
    "llama-die": 1.2,
    "hand": 0.0,
    "cap": 1.4,
    "pencil": 4.0,
    "nuts": 1.2,
    "figure": 1.0,
    "note": 4.0,
    "button": 1.2,
    "key": 2.8,
    "marbles": 1.4,
    "rubber": 1.9,
    "brick": 1.8,
    "sweet": 2.2,
    "match": 2.6,
    "straw": 4.3,
    "cord": 3.6,
    "spoon": 4.2,
    "scissors": 4.0,
    "brush": 4.4,
    "clip": 1.8,
}
SKINS: Final[tuple[Colour, ...]] = ((224, 172, 140), (150, 98, 66), (92, 58, 42), (240, 196, 170))

PIP_DIE: Final = Design("pip", (170, 24, 30), {"all": WHITE}, "", "", bevel=0.24, ball=1.5)


def bitmap(picture: Picture, repeat_x: float = 1, repeat_y: float = 1, wrap: str = "repeat") -> Parts:
    """Return a texture of a picture; ``wrap`` may be ``mirror`` to hide the seams of its repeats."""
    scale = mi.ScalarTransform3f().scale([repeat_x, repeat_y])
    return {"type": "bitmap", "bitmap": mi.Bitmap(picture), "wrap_mode": wrap, "to_uv": scale}


def metallic(picture: Picture, roughness: float) -> Parts:
    """Return a metal surface with a picture as its colour."""
    return {
        "type": "roughconductor",
        "material": "none",
        "alpha": roughness,
        "specular_reflectance": bitmap(picture),
    }


def matt(colour: Colour) -> Parts:
    """Return a matt surface of an sRGB colour."""
    linear = [float((part / 255) ** 2.2) for part in colour]
    return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": {"type": "rgb", "value": linear}}}


def glossy(picture: Picture, roughness: float) -> Parts:
    """Return a plastic surface with a picture on it."""
    return {
        "type": "roughplastic",
        "distribution": "ggx",
        "alpha": roughness,
        "diffuse_reflectance": bitmap(picture),
    }


def placed(matrix: Array) -> mi.ScalarTransform4f:
    """Return a transform of a 4 by 4 matrix."""
    return mi.ScalarTransform4f(matrix.tolist())


def moved(
    x: float, y: float, z: float, yaw: float, scale: tuple[float, float, float]
) -> mi.ScalarTransform4f:
    """Return a transform that scales, turns about the vertical and moves."""
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = about_z(yaw) * np.array(scale), (x, y, z)
    return placed(whole)


def box(centre: Array, half: tuple[float, float, float], yaw: float, surface: Parts) -> Parts:
    """Return a box."""
    return {"type": "cube", "to_world": moved(*centre, yaw, half), "bsdf": surface}


def printed(base: Colour, ink: Colour, mask: Image.Image) -> Picture:
    """Return a square of one colour with a mask printed on it."""
    cover = np.asarray(mask, np.float32)[..., None] / 255
    return np.asarray(np.array(base) * (1 - cover) + np.array(ink) * cover, np.uint8)


def _round(spot: Spot, radius: float, high: float, top: Picture, rim: Colour, roughness: float) -> Parts:
    side = {"type": "cylinder", "p0": [spot.x, spot.y, 0.0], "p1": [spot.x, spot.y, high], "radius": radius}
    lid = {"type": "disk", "to_world": moved(spot.x, spot.y, high, spot.yaw, (radius, radius, 1))}
    return {"thing_side": side | {"bsdf": matt(rim)}, "thing_top": lid | {"bsdf": glossy(top, roughness)}}


def _polar(picture: Picture) -> Picture:
    """Return a picture as a disk wants it: u is the radius, v the angle."""
    radius, angle = np.meshgrid(np.linspace(0, 1, SIDE), np.linspace(0, 2 * np.pi, 4 * SIDE))
    half = SIDE / 2 - 1
    x, y = half + half * radius * np.cos(angle), half - half * radius * np.sin(angle)
    return np.ascontiguousarray(picture[y.astype(int), x.astype(int)])


def coin(rng: Random, spot: Spot) -> Parts:
    """Return a coin with its value on it."""
    metal: Colour = (186, 150, 84) if rng.random() < 0.5 else (170, 170, 172)
    dark: Colour = (metal[0] // 2, metal[1] // 2, metal[2] // 2)
    value = numeral(str(rng.choice(["1", "2", "5", "10"])), "DejaVuSans-Bold.ttf", 0.5)
    return _round(spot, float(rng.uniform(0.9, 1.2)), 0.2, _polar(printed(metal, dark, value)), metal, 0.15)


def chip(rng: Random, spot: Spot) -> Parts:
    """Return a counter of one or ten points."""
    ten = rng.random() < 0.5
    base, ink = (BLACK, WHITE) if ten else (WHITE, BLACK)
    top = printed(base, ink, numeral("10" if ten else "1", "DejaVuSerif-Bold.ttf", 0.5))
    return _round(spot, 1.6, 0.3, _polar(top), base, 0.2)


def token(rng: Random, spot: Spot, design: Design) -> Parts:
    """Return a flat square of the dice's colour and size with a llama on it."""
    top = printed(design.body, design.ink("L"), llama(design.llama or "folded"))
    half = design.edge / 2
    lid = {"type": "rectangle", "to_world": moved(spot.x, spot.y, 0.31, spot.yaw, (half, half, 1))}
    block = box(np.array([spot.x, spot.y, 0.15]), (half, half, 0.15), spot.yaw, matt(design.body))
    return {"thing_block": block, "thing_top": lid | {"bsdf": glossy(top, 0.3)}}


def card(rng: Random, spot: Spot, design: Design) -> Parts:
    """Return a small card with a large digit or llama."""
    mask = (
        llama(design.llama or "bust")
        if rng.random() < 0.4
        else numeral(str(rng.integers(1, 7)), "Vollkorn-Black.ttf", 0.5)
    )
    tall = Image.new("L", (SIDE, round(SIDE * 1.5)), 0)
    tall.paste(mask, (0, SIDE // 4))
    tall.paste(mask.resize((48, 48)), (8, 8))
    ink: Colour = (int(rng.integers(20, 200)), int(rng.integers(20, 120)), int(rng.integers(20, 160)))
    lid = {"type": "rectangle", "to_world": moved(spot.x, spot.y, 0.04, spot.yaw, (2.2, 3.3, 1))}
    return {"thing_top": lid | {"bsdf": glossy(printed(WHITE, ink, tall), 0.3)}}


def _gaudy(rng: Random) -> Colour:
    red, green, blue = (int(part) for part in rng.integers(20, 236, 3))
    return red, green, blue


def cap(rng: Random, spot: Spot) -> Parts:
    """Return a bottle's cap with a star on it."""
    star = Image.new("L", (SIDE, SIDE), 0)
    points = [
        (SIDE / 2 + reach * np.sin(n * np.pi / 5), SIDE / 2 - reach * np.cos(n * np.pi / 5))
        for n, reach in enumerate([95, 40] * 5)
    ]
    ImageDraw.Draw(star).polygon(points, fill=255)
    colour = _gaudy(rng)
    return _round(spot, 1.35, 0.6, _polar(printed(colour, WHITE, star)), colour, 0.15)


def _rod(ends: Array, radius: float, surface: Parts) -> Parts:
    return {
        "type": "cylinder",
        "p0": ends[0].tolist(),
        "p1": ends[1].tolist(),
        "radius": radius,
        "bsdf": surface,
    }


def _steps(spot: Spot, high: float) -> tuple[Array, Array, Array]:
    """Return the middle of a spot at a height, and unit steps along and across its direction."""
    along = np.array([np.cos(spot.yaw), np.sin(spot.yaw), 0.0])
    return np.array([spot.x, spot.y, high]), along, np.array([-along[1], along[0], 0.0])


def pencil(rng: Random, spot: Spot) -> Parts:
    """Return a pencil: a thin rod with a bare tip."""
    middle, along, _ = _steps(spot, 0.36)
    ends, paint = np.array([middle + along * at for at in (-3.8, 3.0, 3.7)]), matt(_gaudy(rng))
    return {
        "thing_rod": _rod(ends[:2], 0.36, paint),
        "thing_end": {"type": "sphere", "center": ends[0].tolist(), "radius": 0.36, "bsdf": paint},
        "thing_tip": _rod(ends[1:], 0.2, matt((214, 176, 128))),
    }


def nuts(rng: Random, spot: Spot) -> Parts:
    """Return one to three nuts close together."""
    shell = matt((int(rng.integers(120, 190)), int(rng.integers(80, 130)), int(rng.integers(40, 80))))
    parts: Parts = {}
    for number in range(int(rng.integers(1, 4))):
        x, y = np.array([spot.x, spot.y]) + rng.normal(0, 0.45, 2)
        size = float(rng.uniform(0.35, 0.6))
        egg = moved(float(x), float(y), 0.9 * size, float(rng.uniform(0, 6)), (1.35 * size, size, 0.9 * size))
        parts[f"thing_nut_{number}"] = {"type": "sphere", "to_world": egg, "bsdf": shell}
    return parts


def figure(rng: Random, spot: Spot) -> Parts:
    """Return a playing figure: a body with a head."""
    paint, (foot, neck, chin) = matt(_gaudy(rng)), ([spot.x, spot.y, high] for high in (0.0, 1.5, 2.0))
    body = {"type": "cylinder", "p0": foot, "p1": neck, "radius": 0.65, "bsdf": paint}
    lid = {"type": "disk", "to_world": moved(spot.x, spot.y, 1.5, 0.0, (0.65, 0.65, 1)), "bsdf": paint}
    head = {"type": "sphere", "center": chin, "radius": 0.6, "bsdf": paint}
    return {"thing_body": body, "thing_lid": lid, "thing_head": head}


def note(rng: Random, spot: Spot) -> Parts:
    """Return a slip of paper with lines of writing."""
    mask = Image.new("L", (SIDE, SIDE), 0)
    for y in range(30, SIDE - 20, 34):
        ImageDraw.Draw(mask).line(
            (20, y, int(rng.integers(90, SIDE - 20)), y + int(rng.integers(-4, 5))), 255, 5
        )
    paper: Colour = (250, 240, 150) if rng.random() < 0.5 else (238, 236, 230)
    sheet = {"type": "rectangle", "to_world": moved(spot.x, spot.y, 0.02, spot.yaw, (2.6, 2.6, 1))}
    return {"thing_top": sheet | {"bsdf": glossy(printed(paper, (40, 50, 110), mask), 0.5)}}


def button(rng: Random, spot: Spot) -> Parts:
    """Return a button with four holes."""
    holes, colour = Image.new("L", (SIDE, SIDE), 0), _gaudy(rng)
    for x in (-26, 26):
        for y in (-26, 26):
            at = (SIDE / 2 + x - 15, SIDE / 2 + y - 15, SIDE / 2 + x + 15, SIDE / 2 + y + 15)
            ImageDraw.Draw(holes).ellipse(at, fill=255)
    return _round(
        spot, float(rng.uniform(0.7, 1.1)), 0.25, _polar(printed(colour, BLACK, holes)), colour, 0.2
    )


def key(rng: Random, spot: Spot) -> Parts:
    """Return a door key: a round bow, a shaft, and two teeth."""
    tone: Colour = (178, 176, 170) if rng.random() < 0.6 else (184, 150, 80)
    metal, (middle, along, across) = matt(tone), _steps(spot, 0.2)
    bow = _round(
        Spot(*(middle - 1.6 * along)[:2].tolist(), spot.yaw),
        1.0,
        0.3,
        _polar(printed(tone, BLACK, _spot_of(50))),
        tone,
        0.15,
    )
    shaft = _rod(np.array([middle - 0.7 * along, middle + 2.6 * along]), 0.2, metal)
    teeth = {
        f"thing_tooth_{number}": box(
            middle + at * along + 0.35 * across, (0.14, float(rng.uniform(0.25, 0.45)), 0.12), spot.yaw, metal
        )
        for number, at in enumerate((1.7, 2.3))
    }
    return bow | {"thing_shaft": shaft} | teeth


def _spot_of(radius: int) -> Image.Image:
    mask = Image.new("L", (SIDE, SIDE), 0)
    middle = SIDE / 2
    ImageDraw.Draw(mask).ellipse(
        (middle - radius, middle - radius, middle + radius, middle + radius), fill=255
    )
    return mask


def marbles(rng: Random, spot: Spot) -> Parts:
    """Return two or three glossy balls close together."""
    parts: Parts = {}
    for number in range(int(rng.integers(2, 4))):
        turn, radius = 2.1 * number + spot.yaw, float(rng.uniform(0.5, 0.7))
        x, y = spot.x + 0.75 * np.cos(turn), spot.y + 0.75 * np.sin(turn)
        colour = np.tile(np.array(_gaudy(rng), np.uint8), (SIDE, SIDE, 1))
        colour[:, SIDE // 3 : SIDE // 2] = _gaudy(rng)
        ball = {"type": "sphere", "center": [float(x), float(y), radius], "radius": radius}
        parts[f"thing_ball_{number}"] = ball | {"bsdf": glossy(colour, 0.05)}
    return parts


def rubber(rng: Random, spot: Spot) -> Parts:
    """Return a rubber half in its sleeve."""
    middle, along, _ = _steps(spot, 0.45)
    bare = box(middle + 0.9 * along, (0.7, 0.75, 0.44), spot.yaw, matt((236, 230, 224)))
    return {
        "thing_bare": bare,
        "thing_sleeve": box(middle - 0.6 * along, (0.95, 0.8, 0.45), spot.yaw, matt(_gaudy(rng))),
    }


def brick(rng: Random, spot: Spot) -> Parts:
    """Return a toy brick with two by three studs."""
    colour = _gaudy(rng)
    middle, along, across = _steps(spot, 0.48)
    parts: Parts = {"thing_brick": box(middle, (1.2, 0.8, 0.48), spot.yaw, matt(colour))}
    for number in range(6):
        at = middle + 0.8 * (number % 3 - 1) * along + 0.8 * (number // 3 - 0.5) * across
        foot, lid = (at + np.array([0, 0, high]) for high in (0.4, 0.66))
        parts[f"thing_stud_{number}"] = _rod(np.array([foot, lid]), 0.25, matt(colour))
        top = {"type": "disk", "to_world": moved(*lid.tolist(), 0.0, (0.25, 0.25, 1)), "bsdf": matt(colour)}
        parts[f"thing_stud_top_{number}"] = top
    return parts


def sweet(rng: Random, spot: Spot) -> Parts:
    """Return a sweet in twisted paper."""
    stripes = np.tile(np.array(_gaudy(rng), np.uint8), (SIDE, SIDE, 1))
    stripes[:, ::16] = stripes[:, 1::16] = stripes[:, 2::16] = (244, 240, 236)
    paper, (middle, along, _) = glossy(stripes, 0.2), _steps(spot, 0.55)
    parts: Parts = {"thing_sweet": _rod(np.array([middle - 0.5 * along, middle + 0.5 * along]), 0.55, paper)}
    for side in (-1, 1):
        end = (middle + side * 0.5 * along).tolist()
        parts[f"thing_end_{side + 1}"] = {"type": "sphere", "center": end, "radius": 0.55, "bsdf": paper}
        fan = middle + side * 1.4 * along
        parts[f"thing_fan_{side + 1}"] = box(fan, (0.4, 0.5, 0.05), spot.yaw, paper)
    return parts


def match(rng: Random, spot: Spot) -> Parts:
    """Return a match: a thin square stick with a head."""
    middle, along, _ = _steps(spot, 0.12)
    head = (middle + 2.2 * along).tolist()
    red = matt((150, 30, 30) if rng.random() < 0.5 else (40, 40, 46))
    return {
        "thing_stick": box(middle, (2.2, 0.12, 0.12), spot.yaw, matt((226, 196, 150))),
        "thing_head": {"type": "sphere", "center": head, "radius": 0.2, "bsdf": red},
    }


def _tube(points: Array, radius: float, surface: Parts, name: str) -> Parts:
    """Return a round rod along points (n, 3), its bends filled."""
    parts: Parts = {}
    for number, (one, other) in enumerate(pairwise(points)):
        parts[f"thing_{name}_{number}"] = _rod(np.array([one, other]), radius, surface)
    for number, point in enumerate(points):
        ball = {"type": "sphere", "center": point.tolist(), "radius": radius, "bsdf": surface}
        parts[f"thing_{name}_bend_{number}"] = ball
    return parts


def straw(rng: Random, spot: Spot) -> Parts:
    """Return a drinking straw with stripes across."""
    radius = float(rng.uniform(0.25, 0.4))
    stripes = np.tile(np.array((244, 240, 236), np.uint8), (SIDE, SIDE, 1))
    stripes[np.arange(SIDE) // 8 % 2 == 0] = _gaudy(rng)
    paper = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": bitmap(stripes)}}
    middle, along, _ = _steps(spot, radius)
    ends = np.array([middle + at * along for at in (-4.2, 4.2)])
    return {"thing_straw": _rod(ends, radius, paper if rng.random() < 0.5 else matt(_gaudy(rng)))}


def cord(rng: Random, spot: Spot) -> Parts:
    """Return a winding cord."""
    radius, (middle, along, across) = float(rng.uniform(0.12, 0.25)), _steps(spot, 0.0)
    at, turn, wide = np.linspace(-1, 1, 28), float(rng.uniform(2, 6)), float(rng.uniform(0.3, 1.6))
    path = middle + 3.2 * at[:, None] * along + wide * np.sin(turn * at + spot.x)[:, None] * across
    path[:, 2] = radius
    return _tube(path, radius, matt(_gaudy(rng)), "cord")


def spoon(rng: Random, spot: Spot, mesh: Path) -> Parts:
    """Return a small spoon."""
    metal = metallic(np.tile(np.array((196, 196, 200), np.uint8), (8, 8, 1)), 0.2)
    middle, along, _ = _steps(spot, 0.2)
    bowl = moved(*(middle - 3.0 * along).tolist(), spot.yaw, (1.2, 0.85, 0.2))
    return {
        "thing_bowl": {"type": "obj", "filename": str(mesh), "to_world": bowl, "bsdf": metal},
        "thing_stem": box(middle + 0.9 * along, (3.0, 0.2, 0.08), spot.yaw, metal),
        "thing_end": box(middle + 3.4 * along, (0.7, 0.36, 0.07), spot.yaw, metal),
    }


def scissors(rng: Random, spot: Spot) -> Parts:
    """Return a pair of scissors, a little open."""
    steel, grip = matt((170, 172, 176)), matt(_gaudy(rng))
    middle, _, _ = _steps(spot, 0.12)
    apart = float(rng.uniform(0.06, 0.3))
    parts: Parts = {}
    for number, side in enumerate((-1, 1)):
        yaw = spot.yaw + side * apart
        way = np.array([np.cos(yaw), np.sin(yaw), 0.0])
        aside = side * np.array([-way[1], way[0], 0.0])
        parts[f"thing_blade_{number}"] = box(middle + 1.6 * way, (2.2, 0.3, 0.08), yaw, steel)
        turns = np.linspace(0, 2 * np.pi, 17)[:, None]
        eye = middle - 2.0 * way - 0.55 * aside
        ring = eye + 1.0 * np.cos(turns) * way + 0.6 * np.sin(turns) * aside
        parts |= _tube(ring, 0.2, grip, f"eye_{number}")
    return parts


def brush(rng: Random, spot: Spot) -> Parts:
    """Return a toothbrush."""
    middle, along, _ = _steps(spot, 0.3)
    plastic, hair = matt(_gaudy(rng)), matt((240, 238, 232))
    return {
        "thing_stem": box(middle, (4.2, float(rng.uniform(0.25, 0.5)), 0.25), spot.yaw, plastic),
        "thing_hair": box(middle + 3.4 * along + np.array([0, 0, 0.5]), (0.9, 0.4, 0.5), spot.yaw, hair),
    }


def clip(rng: Random, spot: Spot) -> Parts:
    """Return a paper clip of thin wire."""
    middle, along, across = _steps(spot, 0.06)
    wire = matt((176, 178, 182)) if rng.random() < 0.5 else matt(_gaudy(rng))
    ends = (
        (-1.2, 0.3),
        (1.1, 0.3),
        (1.4, 0.0),
        (1.1, -0.4),
        (-1.1, -0.4),
        (-1.6, 0.0),
        (-1.3, 0.5),
        (0.7, 0.5),
    )
    path = np.array([middle + a * along + b * across for a, b in ends])
    return _tube(path, 0.07, wire, "wire")


def die(design: Design, mesh: Path, faces: list[str], matrix: Array, seed: int) -> Parts:
    """Return a die."""
    skin = (metallic if design.metal else glossy)(atlas(design, faces, seed), design.roughness)
    return {"type": "obj", "filename": str(mesh), "to_world": placed(matrix), "bsdf": skin}


def hand(rng: Random, tip: Array, toward: float, mesh: Path) -> Parts:
    """Return four fingers, a palm and a sleeve that come in from the side ``toward`` points to."""
    skin = matt(SKINS[int(rng.integers(len(SKINS)))])
    sleeve = matt((int(rng.integers(20, 220)), int(rng.integers(20, 220)), int(rng.integers(20, 220))))
    out = np.array([np.cos(toward), np.sin(toward), 0.0])
    aside = np.array([-out[1], out[0], 0.0])
    parts: Parts = {}
    for number, (shift, short) in enumerate(((-2.4, 1.4), (-0.8, 0.2), (0.8, 0.0), (2.4, 0.9))):
        front = tip + out * short + aside * shift * 0.8 + np.array([0, 0, 0.9])
        knuckle = tip + out * 6.5 + aside * shift + np.array([0, 0, 3.0])
        parts[f"finger_{number}"] = {
            "type": "cylinder",
            "p0": front.tolist(),
            "p1": knuckle.tolist(),
            "radius": 0.8,
        }
        parts[f"finger_tip_{number}"] = {"type": "sphere", "center": front.tolist(), "radius": 0.8}
        parts[f"knuckle_{number}"] = {"type": "sphere", "center": knuckle.tolist(), "radius": 0.85}
    palm = tip + out * 10 + np.array([0, 0, 3.2])
    parts["palm"] = {"type": "obj", "filename": str(mesh), "to_world": moved(*palm, toward, (4.6, 3.6, 1.5))}
    parts = {name: part | {"bsdf": skin} for name, part in parts.items()}
    wrist, elbow = palm + out * 3, palm + out * 45 + np.array([0, 0, 6.0])
    arm = {"type": "cylinder", "p0": wrist.tolist(), "p1": elbow.tolist(), "radius": 3.4, "bsdf": sleeve}
    return parts | {"sleeve": arm}
