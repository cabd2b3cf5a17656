"""Stands in for Raspberry Pi's own pykms: picamera2 imports it for a preview that nobody opens."""


class PixelFormat:
    """Names formats by themselves."""

    BGR888 = RGB888 = ABGR8888 = XBGR8888 = ARGB8888 = XRGB8888 = None
    YUV420 = YVU420 = NV12 = NV21 = YUYV = YVYU = UYVY = VYUY = MJPEG = None
