"""A dice tray filmed by a camera, both made up: for the demo, for tests, for aiming a camera.

Everything is drawn here, from a seed: the same seed and the same calls give the same frames.
"""

from vision.synthetic.artwork import DESIGNS
from vision.synthetic.light import LIGHTS
from vision.synthetic.table import SyntheticTable, Thrown
from vision.synthetic.tray import SURFACES

__all__ = ["DESIGNS", "LIGHTS", "SURFACES", "SyntheticTable", "Thrown"]
