"""Lets the real picamera2 work on libcamera's virtual camera, which has less than a Pi's.

It has no raw stream and gives nothing but NV12, in two planes. It knows no exposure, gain and colour
gains: frames tell those that were asked for. It is as quick as it can: with ``/run/virtual-pi/fps`` it is
slowed down to so many pictures a second, one after the other. While there is ``/run/virtual-pi/gone`` it
is unplugged.
"""

import mmap
import time
from pathlib import Path
from types import SimpleNamespace

import cv2
import libcamera
import picamera2
from picamera2 import CompletedRequest, Picamera2
from picamera2.allocators import DmaAllocator

CONVERSIONS = {"RGB888": cv2.COLOR_YUV2BGR_NV12, "BGR888": cv2.COLOR_YUV2RGB_NV12}
FPS, GONE = Path("/run/virtual-pi/fps"), Path("/run/virtual-pi/gone")
#: What is told of a picture until something is asked for, and what may be: least, most, usual.
LIGHT = {"ExposureTime": 8000, "AnalogueGain": 1.0, "ColourGains": (1.5, 1.5)}
LIMITS = {
    "AeEnable": (False, True, True),
    "AwbEnable": (False, True, True),
    "ExposureTime": (20, 100_000, 8000),
    "AnalogueGain": (1.0, 8.0, 1.0),
    "ColourGains": (0.0, 32.0, 1.5),
}

_make_array, _get_metadata = CompletedRequest.make_array, CompletedRequest.get_metadata


def make_array(self, name):
    picture, wanted = _make_array(self, name), self.picam2.wanted.get(name)
    return cv2.cvtColor(picture, CONVERSIONS[wanted]) if wanted in CONVERSIONS else picture


def get_metadata(self):
    return {**_get_metadata(self), **self.picam2.light}


CompletedRequest.make_array, CompletedRequest.get_metadata = make_array, get_metadata


class TwoPlanes(DmaAllocator):
    """Allocates pictures whose luma and colours are planes of one buffer."""

    def allocate(self, libcamera_config, _):
        self.libcamera_fds = []
        self.cleanup()
        self.frame_buffers = {}
        for stream in libcamera_config:
            self.frame_buffers[stream.stream] = [self._buffer(stream) for _ in range(stream.buffer_count)]

    def _buffer(self, stream):
        descriptor, luma = (
            self.dmaHeap.alloc("virtual", stream.frame_size).get(),
            stream.stride * stream.size.height,
        )
        self.open_fds.append(descriptor)
        planes = [libcamera.FrameBuffer.Plane(), libcamera.FrameBuffer.Plane()]
        for plane, start, end in ((planes[0], 0, luma), (planes[1], luma, stream.frame_size)):
            plane.fd, plane.offset, plane.length = descriptor, start, end - start
        self.libcamera_fds.append(planes[0].fd)
        self.mapped_buffers_used[planes[0].fd] = False
        buffer = libcamera.FrameBuffer(planes)
        self.mapped_buffers[buffer] = mmap.mmap(descriptor, stream.frame_size)
        return buffer


class VirtualPicamera2(Picamera2):
    """A camera module that is not there."""

    def __init__(self, *numbers, **named):
        self.wanted, self.light, self.lost = {}, dict(LIGHT), []
        super().__init__(*numbers, allocator=TwoPlanes(), **named)

    def _initialize_camera(self):
        super()._initialize_camera()
        self._advertise()

    def _get_raw_modes(self):
        viewfinder = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
        return [
            {"format": str(kind), "size": (size.width, size.height)}
            for kind in viewfinder.pixel_formats
            for size in viewfinder.sizes(kind)
        ]

    def configure_(self, camera_config):
        wanted = dict(camera_config)
        if FPS.exists():
            wanted["buffer_count"] = 1
        for name in ("main", "lores"):
            if wanted.get(name):
                self.wanted[name] = wanted[name]["format"]
                wanted[name] = {**wanted[name], "format": "NV12"}
        super().configure_(wanted)
        self._advertise()

    @staticmethod
    def global_camera_info():
        return [] if GONE.exists() else Picamera2.global_camera_info()

    def process_requests(self, display):
        if FPS.exists():
            time.sleep(1 / float(FPS.read_text()))
        if GONE.exists():
            with self._requestslock:
                self.lost += self._requests
                self._requests = []
        super().process_requests(display)

    def set_controls(self, controls):
        self.light.update({name: controls[name] for name in LIGHT if name in controls})
        super().set_controls({name: value for name, value in controls.items() if name not in LIMITS})

    def _advertise(self):
        for name, (least, most, usual) in LIMITS.items():
            limits = SimpleNamespace(min=least, max=most, default=usual)
            self.camera_ctrl_info[name] = (getattr(libcamera.controls, name), limits)


picamera2.Picamera2 = VirtualPicamera2
