"""Meshes of dice, discs, cards, trays and limbs with texture coordinates, all in millimetres, z up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Triangles = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Mesh:
    """Triangles with a normal and a texture coordinate (0..1, origin top left) per vertex."""

    vertices: Points
    normals: Points
    uv: Points
    triangles: Triangles

    def moved(self, rotation: Points, place: Sequence[float] | Points) -> Mesh:
        """Return the mesh turned by a (3, 3) rotation, then shifted."""
        vertices = self.vertices @ rotation.T + np.asarray(place, float)
        return Mesh(vertices, self.normals @ rotation.T, self.uv, self.triangles)

    def stretched(self, factors: Sequence[float] | Points) -> Mesh:
        """Return the mesh stretched along x, y and z."""
        factor = np.asarray(factors, float)
        return Mesh(self.vertices * factor, unit(self.normals / factor), self.uv, self.triangles)


def unit(vectors: npt.ArrayLike) -> Points:
    """Scale vectors along the last axis to length one."""
    array = np.asarray(vectors, float)
    return np.asarray(array / np.maximum(np.linalg.norm(array, axis=-1, keepdims=True), 1e-12))


def merged(meshes: Sequence[Mesh]) -> Mesh:
    """Put several meshes into one."""
    starts = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    triangles = np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, starts, strict=True)])
    vertices, normals, uv = (
        np.concatenate([getattr(mesh, name) for mesh in meshes]) for name in ("vertices", "normals", "uv")
    )
    return Mesh(vertices, normals, uv, triangles.astype(np.int32))


def turn(axis: Sequence[float], degrees: float) -> Points:
    """Return the rotation (3, 3) about an axis, right-handed."""
    x, y, z = unit(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _cube_turns() -> Points:
    found = []
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        matrix = np.zeros((3, 3))
        matrix[range(3), order] = signs
        if np.linalg.det(matrix) > 0:
            found.append(matrix)
    return np.array(found)


#: The 24 rotations of a cube.
CUBE_TURNS = _cube_turns()


def _frames() -> Points:
    normals = [sign * np.eye(3)[axis] for axis in range(3) for sign in (1, -1)]
    rights = [np.eye(3)[(axis + 1) % 3] for axis in range(3) for _ in range(2)]
    return np.array(
        [[right, np.cross(normal, right), normal] for normal, right in zip(normals, rights, strict=True)]
    )


#: For each side of a cube: right, up and outward direction as its drawing is seen from outside.
SIDES = _frames()

#: Where the sides lie in the texture of a die: 3 columns, 2 rows.
ATLAS = (3, 2)


def side_corners(side: int) -> Points:
    """Return the corners (4, 3) of a side of the cube of edge one: top left of its drawing, clockwise."""
    right, up, out = SIDES[side]
    return np.array([out + h * right + v * up for h, v in ((-1, 1), (1, 1), (1, -1), (-1, -1))]) / 2


def _steps(radius: float, cells: int) -> Points:
    bevel = np.linspace(0, 1, 4)[:-1] * radius
    inner = np.linspace(radius, 1 - radius, cells + 1)
    return np.concatenate([bevel, inner, 1 - bevel[::-1]])


def _grid(rows: int, columns: int) -> Triangles:
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    pairs = [np.stack([a, d, c], -1), np.stack([a, c, b], -1)]
    return np.concatenate([pair.reshape(-1, 3) for pair in pairs]).astype(np.int32)


def _side(side: int, radius: float, ball: float, cells: int) -> Mesh:
    right, up, out = SIDES[side]
    steps = _steps(radius, cells)
    across, down = (part.ravel() for part in np.meshgrid(steps, steps))
    points = out / 2 + np.outer(across - 0.5, right) + np.outer(0.5 - down, up)
    core = np.clip(points, radius - 0.5, 0.5 - radius)
    normals = unit(points - core)
    points = core + radius * normals
    length = np.linalg.norm(points, axis=1, keepdims=True)
    cut = length > ball
    points, normals = np.where(cut, points / length * ball, points), np.where(cut, points / length, normals)
    column, row = side % ATLAS[0], side // ATLAS[0]
    uv = np.stack([(column + across) / ATLAS[0], (row + down) / ATLAS[1]], 1)
    return Mesh(points, normals, uv, _grid(len(steps), len(steps)))


def die_mesh(edge: float, radius: float, ball: float = 2.0, cells: int = 6) -> Mesh:
    """Return a rounded cube about the origin.

    ``radius`` is that of the bevels, ``ball`` that of a sphere that cuts off the corners; shares of the edge.
    """
    return merged([_side(side, radius, ball, cells) for side in range(6)]).stretched((edge, edge, edge))


def lathe(profile: Sequence[tuple[float, float]], around: int = 20, smooth: bool = False) -> Mesh:
    """Turn a profile of (radius, z), from bottom to top, about the z axis.

    The texture lies on it as seen from above, or is wrapped around it if ``smooth``.
    """
    pieces = [list(profile)] if smooth else [list(pair) for pair in pairwise(profile)]
    return merged([_turned(np.array(piece, float), around, smooth) for piece in pieces])


def _turned(profile: Points, around: int, wrap: bool) -> Mesh:
    angle = np.linspace(0, 2 * np.pi, around + 1)
    along = np.gradient(profile, axis=0)
    slope = unit(np.stack([along[:, 1], -along[:, 0]], 1))
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    vertices, normals = (_spun(part, ring) for part in (profile, slope))
    uv = vertices[:, :2] / (2 * max(profile[:, 0].max(), 1e-6)) * (1, -1) + 0.5
    if wrap:
        share = np.linspace(1, 0, len(profile))
        uv = np.stack([np.tile(angle / (2 * np.pi), len(profile)), np.repeat(share, around + 1)], 1)
    triangles = _grid(len(profile), around + 1)[:, ::-1]
    return Mesh(vertices, normals, uv, np.ascontiguousarray(triangles))


def _spun(profile: Points, ring: Points) -> Points:
    flat = profile[:, None, :1] * ring[None]
    height = np.broadcast_to(profile[:, None, 1:], (len(profile), len(ring), 1))
    return np.concatenate([flat, height], 2).reshape(-1, 3)


def disc(radius: float, height: float, bevel: float = 0.3) -> Mesh:
    """Return a coin, chip or token standing on z = 0."""
    inner = radius - bevel
    return lathe([(inner, 0), (radius, bevel), (radius, height - bevel), (inner, height), (0, height)], 28)


def capsule(first: float, last: float, length: float) -> Mesh:
    """Return a limb along x from the origin, ``first`` to ``last`` thick (radii), with round ends."""
    bow = np.linspace(-np.pi / 2, 0, 5)
    bottom = [(first * np.cos(a), first * np.sin(a)) for a in bow]
    top = [(last * np.cos(a), length - last * np.sin(a)) for a in bow[::-1]]
    return lathe(bottom + top, 14, smooth=True).moved(turn((0, 1, 0), 90), (0, 0, 0))


def lump(rng: np.random.Generator, size: float) -> Mesh:
    """Return a crumb about the origin."""
    ball = capsule(0.5, 0.5, 0.001)
    wobble = 1 + 0.25 * np.sin(ball.vertices @ rng.uniform(-9, 9, (3, 1)) + rng.uniform(0, 6))
    return Mesh(ball.vertices * wobble, ball.normals, ball.uv, ball.triangles).stretched(
        size * rng.uniform(0.5, 1, 3)
    )


def sheet(width: float, height: float, thick: float, bend: float = 0.0) -> Mesh:
    """Return a card lying on z = 0, its texture on top; ``bend`` is how far its ends stand up."""
    x, y = (part.ravel() for part in np.meshgrid(np.linspace(-0.5, 0.5, 13), np.linspace(0.5, -0.5, 5)))
    top = np.stack([x * width, y * height, thick + 4 * bend * x * x], 1)
    normals = unit(np.stack([-8 * bend * x / width, 0 * x, 1 + 0 * x], 1))
    upper = Mesh(top, normals, np.stack([x + 0.5, 0.5 - y], 1), _grid(5, 13))
    return merged([upper, *_rims(upper, thick)])


def _rims(upper: Mesh, thick: float) -> list[Mesh]:
    index = np.arange(65).reshape(5, 13)
    sides = (
        (index[0, ::-1], (0, 1)),
        (index[-1], (0, -1)),
        (index[:, 0], (-1, 0)),
        (index[::-1, -1], (1, 0)),
    )
    rims = []
    for border, (h, v) in sides:
        above = upper.vertices[border]
        both = np.concatenate([above, above - (0, 0, thick)])
        normals = np.tile([float(h), float(v), 0.0], (len(both), 1))
        rims.append(Mesh(both, normals, np.tile(upper.uv[border], (2, 1)), _grid(2, len(border))))
    return rims


def polygon(inner: float, sides: int) -> Points:
    """Return the corners (sides, 2) of a regular polygon by its inner radius; one side's middle is at +x."""
    angle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    return np.stack([np.cos(angle), np.sin(angle)], 1) * inner / np.cos(np.pi / sides)


def floor(inner: float, sides: int, aspect: float) -> Mesh:
    """Return the floor of a tray at z = 0, a polygon stretched along x by ``aspect``."""
    corners = polygon(inner, sides) * (aspect, 1)
    border = np.concatenate(
        [_between(*ends) for ends in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    )
    # many rings, since light is worked out at the vertices only
    points = np.concatenate([border * share for share in np.linspace(1, 0, 12)])
    vertices = np.column_stack([points, np.zeros(len(points))])
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    return Mesh(vertices, normals, points * (1, -1) / 240.0 + 0.5, _grid(12, len(border))[:, ::-1].copy())


def walls(inner: float, sides: int, aspect: float, profile: Sequence[tuple[float, float]]) -> Mesh:
    """Return the walls of a tray; ``profile`` of (outward, z) goes from the floor over the rim."""
    pieces = []
    corners = polygon(inner, sides) * (aspect, 1)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for low, high in pairwise(profile):
            rows = [
                np.column_stack([_between(start, end) * (1 + out / inner), np.full(9, z)])
                for out, z in (low, high)
            ]
            pieces.append(_plank(*rows))
    return merged(pieces)


def _between(start: Points, end: Points) -> Points:
    return np.asarray(start + np.linspace(0, 1, 9)[:, None] * (end - start))


def _plank(lower: Points, upper: Points) -> Mesh:
    normal = unit(np.cross(upper[0] - lower[0], lower[-1] - lower[0]))
    uv = np.column_stack([np.tile(np.linspace(0, 1, 9), 2), np.repeat([1.0, 0.0], 9)])
    return Mesh(np.concatenate([lower, upper]), np.tile(normal, (18, 1)), uv, _grid(2, 9))
