"""The table companion for L.A.M.A. Dice: what the people at the table see."""

import os
from typing import Final

#: Pixels of a picture, at most. OpenCV asks once, when it is loaded, and decodes no larger one: a small
#: file of many pixels would take all of a small machine's memory before it could be refused.
_MOST_PIXELS: Final = 50_000_000

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(_MOST_PIXELS))
