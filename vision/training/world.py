"""A small world of meshes, lamps and a camera, drawn by MuJoCo's rasteriser; millimetres, z up."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.training.scene_meshes import Mesh, Points, unit

Picture = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.int16]

LAMPS = 4
FAR_MM = 4000.0
TABLE_MM = 1200.0
#: Groups of geoms that MuJoCo draws, and does not draw, unless told otherwise.
SEEN, UNSEEN = 0, 5


@cache
def mujoco() -> Any:
    """Return the module ``mujoco``, drawing without a screen; ``ImportError`` where it is missing."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    return importlib.import_module("mujoco")


@dataclass(frozen=True)
class Item:
    """A thing that may be put into the world: its mesh and the size (h, w) of its texture in px."""

    name: str
    mesh: Mesh | None
    texture: tuple[int, int] = (64, 64)


@dataclass(frozen=True)
class Finish:
    """How a surface takes light: tint (r, g, b) 0..1, shine 0..1, its narrowness 0..1, mirroring 0..1."""

    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    specular: float = 0.1
    shininess: float = 0.3
    reflectance: float = 0.0


@dataclass(frozen=True)
class Pose:
    """A rotation (3, 3) and a place (3,) in mm."""

    rotation: Points
    place: Points

    def apply(self, points: Points) -> Points:
        """Carry points (..., 3) from the thing's own frame into the world."""
        return np.asarray(points @ self.rotation.T + self.place)


@dataclass(frozen=True)
class Lamp:
    """A lamp at a place (mm) that looks at an aim; colours are (r, g, b), ``far`` means parallel light."""

    place: Points
    aim: Points
    diffuse: tuple[float, float, float]
    specular: tuple[float, float, float]
    shadow: bool = False
    far: bool = True


@dataclass(frozen=True)
class View:
    """A pinhole camera: pose (x right, y up, z towards the viewer), focal length and size in px.

    ``aside`` is how far right and down, in px, the picture's middle lies of where the camera's axis
    meets it: a part of a larger picture need not be its middle.
    """

    pose: Pose
    focal: float
    width: int
    height: int
    aside: tuple[float, float] = (0.0, 0.0)

    def project(self, points: Points) -> Points:
        """Return where points (..., 3) fall in the picture, (..., 2) px; pixel centres are whole numbers."""
        local = (points - self.pose.place) @ self.pose.rotation
        flat = local[..., :2] / -local[..., 2:] * self.focal * (1, -1)
        return np.asarray(flat + np.array([self.width - 1, self.height - 1]) / 2 - self.aside)


def _quat(rotation: Points) -> Points:
    out = np.zeros(4)
    mujoco().mju_mat2Quat(out, np.ascontiguousarray(rotation, float).ravel())
    return out


@dataclass
class World:
    """The drawn world. Things start hidden; ``close`` frees the drawing context, so does ``with``.

    The item without a mesh is the table, a large plane.
    """

    items: Sequence[Item]
    width: int
    height: int
    shadow_px: int = 768
    _ids: dict[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        lib = mujoco()
        self._model = self._spec().compile()
        self._data = lib.MjData(self._model)
        self._ids = {item.name: index for index, item in enumerate(self.items)}
        self._renderer = lib.Renderer(
            self._model, self.height, self.width, font_scale=lib.mjtFontScale.mjFONTSCALE_50
        )
        bodies = [self._model.body(item.name).id for item in self.items]
        self._geoms = self._model.body_geomadr[bodies]
        self._item_of_geom = np.full(self._model.ngeom + 1, -1, np.int16)
        self._item_of_geom[self._geoms] = np.arange(len(self.items))
        self.hide()

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the drawing context."""
        self._renderer.close()

    def _spec(self) -> Any:
        lib = mujoco()
        spec = lib.MjSpec()
        visual, spec.compiler.balanceinertia = spec.visual, True
        visual.global_.offwidth, visual.global_.offheight = self.width, self.height
        visual.quality.shadowsize, visual.quality.offsamples = self.shadow_px, 0
        visual.quality.numslices, visual.quality.numquads = 24, 24
        spec.stat.extent, spec.stat.center = 400.0, [0, 0, 0]
        visual.map.znear, visual.map.zfar, visual.map.shadowclip = 0.1, FAR_MM / 400.0, 0.5
        visual.map.shadowscale = 0.35
        spec.worldbody.add_camera(name="eye")
        for index in range(LAMPS):
            spec.worldbody.add_light(name=f"lamp{index}")
        for item in self.items:
            _add(spec, item)
        return spec

    def paint(self, name: str, picture: Picture) -> None:
        """Give a thing its texture, BGR of the size it was announced with."""
        model, index = self._model, self._ids[name]
        height, width = self.items[index].texture
        if picture.shape != (height, width, 3):
            raise ValueError(f"{name} takes a texture of {(height, width, 3)}, not {picture.shape}")
        start = model.tex_adr[index]
        model.tex_data[start : start + height * width * 3] = picture[:, :, ::-1].ravel()
        lib = mujoco()
        self._renderer._gl_context.make_current()
        lib.mjr_uploadTexture(model, self._renderer._mjr_context, index)

    def finish(self, name: str, finish: Finish, repeat: float = 1.0) -> None:
        """Set how a thing takes light; ``repeat`` counts its texture along the table."""
        model, index = self._model, self._ids[name]
        model.mat_rgba[index] = (*finish.tint, 1.0)
        model.mat_specular[index], model.mat_shininess[index] = finish.specular, finish.shininess
        model.mat_reflectance[index] = finish.reflectance
        model.mat_texrepeat[index] = repeat

    def put(self, name: str, pose: Pose) -> None:
        """Put a thing into the world."""
        self._data.mocap_pos[self._ids[name]] = pose.place
        self._data.mocap_quat[self._ids[name]] = _quat(pose.rotation)
        self._model.geom_group[self._geoms[self._ids[name]]] = SEEN

    def hide(self) -> None:
        """Take everything out of sight."""
        self._model.geom_group[:] = UNSEEN

    def light(self, lamps: Sequence[Lamp], ambient: tuple[float, float, float], eye: float = 0.0) -> None:
        """Light the world with up to four lamps, ambient light, and a little from the camera."""
        model, lib = self._model, mujoco()
        model.light_active[:] = [index < len(lamps) for index in range(LAMPS)]
        for index, lamp in enumerate(lamps):
            kind = lib.mjtLightType.mjLIGHT_DIRECTIONAL if lamp.far else lib.mjtLightType.mjLIGHT_SPOT
            model.light_type[index], model.light_castshadow[index] = kind, lamp.shadow
            model.light_pos[index], model.light_dir[index] = lamp.place, unit(lamp.aim - lamp.place)
            model.light_diffuse[index], model.light_specular[index] = lamp.diffuse, lamp.specular
            model.light_ambient[index], model.light_cutoff[index], model.light_exponent[index] = 0, 65, 1
        model.vis.headlight.ambient, model.vis.headlight.diffuse = ambient, [eye] * 3
        model.vis.headlight.specular = [0.0] * 3

    def look(self, view: View) -> None:
        """Place the camera; the view must have the world's size."""
        self._model.cam_pos[0], self._model.cam_quat[0] = view.pose.place, _quat(view.pose.rotation)
        self._model.cam_sensorsize[0] = view.width, view.height
        self._model.cam_intrinsic[0] = view.focal, view.focal, *view.aside

    def _drawn(self) -> Any:
        lib = mujoco()
        lib.mj_kinematics(self._model, self._data)
        lib.mj_camlight(self._model, self._data)
        self._renderer.update_scene(self._data, camera=0)
        return self._renderer.render()

    def picture(self) -> Picture:
        """Draw the world, BGR (height, width, 3)."""
        return np.ascontiguousarray(self._drawn()[:, :, ::-1])

    def labels(self) -> Labels:
        """Say per pixel which item is seen, by its index; -1 beyond the table."""
        self._renderer.enable_segmentation_rendering()
        geoms = self._drawn()[:, :, 0]
        self._renderer.disable_segmentation_rendering()
        return np.asarray(self._item_of_geom[geoms])


def _add(spec: Any, item: Item) -> None:
    lib = mujoco()
    height, width = item.texture
    spec.add_texture(
        name=item.name, type=lib.mjtTexture.mjTEXTURE_2D, builtin=lib.mjtBuiltin.mjBUILTIN_FLAT,
        width=width, height=height, nchannel=3, rgb1=[1, 1, 1], rgb2=[1, 1, 1],
    )  # fmt: skip
    textures = [""] * int(lib.mjtTextureRole.mjNTEXROLE)
    textures[int(lib.mjtTextureRole.mjTEXROLE_RGB)] = item.name
    spec.add_material(name=item.name, textures=textures)
    body = spec.worldbody.add_body(name=item.name, mocap=True)
    if item.mesh is None:
        body.add_geom(
            type=lib.mjtGeom.mjGEOM_PLANE, size=[TABLE_MM / 2, TABLE_MM / 2, 25], material=item.name
        )
        return
    _add_mesh(spec, item.name, item.mesh)
    body.add_geom(
        type=lib.mjtGeom.mjGEOM_MESH, meshname=item.name, material=item.name, contype=0, conaffinity=0
    )


def _add_mesh(spec: Any, name: str, mesh: Mesh) -> None:
    triangles = mesh.triangles.ravel().tolist()
    spec.add_mesh(
        name=name, inertia=mujoco().mjtMeshInertia.mjMESH_INERTIA_SHELL, userface=triangles,
        uservert=mesh.vertices.ravel().tolist(), usernormal=mesh.normals.ravel().tolist(),
        usertexcoord=mesh.uv.ravel().tolist(), userfacenormal=triangles, userfacetexcoord=triangles,
    )  # fmt: skip
