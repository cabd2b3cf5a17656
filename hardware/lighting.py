"""A camera's exposure, gains and lens: found once, locked, and seen in the frames to be locked.

Nothing here opens a device: metadata of frames comes in, controls to set come out, both by
libcamera's names. Light is measured while the tray is empty, so what changes in the pictures
afterwards are the dice, not the camera.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from hardware.camera import Remark

#: Frames a second that a lamp's flicker and the longest exposure are worked out for.
FPS: Final = 30
#: How long a lamp on the mains of so many hertz takes from bright to bright, in microseconds.
FLICKER_US: Final = {50: 10_000, 60: 8_333}
#: Frames that must agree before the light counts as settled, or changed; frames that controls take to
#: show at all; how many may pass until it settles, lens included, and until a lock shows.
AGREE: Final = 6
DELAY: Final = 12
SETTLE: Final = 120
LOCK: Final = 45
#: Two frames with the same light differ by no more than this share, and their exposure by one line of
#: a slow sensor (µs); a lens position by this many dioptres.
_ALIKE: Final = 0.05
_LINE_US: Final = 50.0
_DIOPTRES: Final = 0.1
#: libcamera's numbers: what its automatics say of themselves, and how the lens is driven.
_CONVERGED: Final = 2
_SCANNING: Final = 1
_FAILED: Final = 3
_LENS_BY_HAND: Final = 0
_LENS_ONCE: Final = 1
_LENS_ALWAYS: Final = 2
_START: Final = 0
#: The greatest gain of a sensor that does not tell; the least is 1 then.
_MOST_GAIN: Final = 8.0

Controls = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Light:
    """How a picture was taken: exposure in microseconds, gain, red and blue gains, lens in dioptres."""

    exposure_us: int
    gain: float
    colours: tuple[float, float]
    focus: float | None = None

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> Light | None:
        """Read it from a frame's metadata; nothing from a camera that does not tell."""
        if "ExposureTime" not in metadata or "AnalogueGain" not in metadata:
            return None
        red, blue = metadata.get("ColourGains", (1.0, 1.0))  # a sensor without colours has none
        exposure, gain = int(metadata["ExposureTime"]), float(metadata["AnalogueGain"])
        return cls(exposure, gain, (float(red), float(blue)), metadata.get("LensPosition"))

    def unlike(self, other: Light) -> tuple[str, ...]:
        """Tell what differs in how two frames were taken, in English words."""
        exposure = abs(self.exposure_us - other.exposure_us)
        lens = (self.focus is None) != (other.focus is None)
        if self.focus is not None and other.focus is not None:
            lens = abs(self.focus - other.focus) > _DIOPTRES
        differs = {
            "exposure": exposure > _LINE_US and not _alike(self.exposure_us, other.exposure_us),
            "gain": not _alike(self.gain, other.gain),
            "colours": not all(map(_alike, self.colours, other.colours)),
            "lens": lens,
        }
        return tuple(name for name, holds in differs.items() if holds)

    def share(self, part: float, least_gain: float) -> Light:
        """Let in only a part of the light: by less gain as far as there is any, then by shorter exposure."""
        gain = max(least_gain, self.gain * part)
        return replace(self, exposure_us=round(self.exposure_us * self.gain * part / gain), gain=gain)

    def steady(self, mains_hz: int, least_gain: float, most_gain: float) -> Light:
        """Make the exposure last a whole number of flickers, as bright as before.

        Nothing is changed in daylight, where one flicker is too long even without gain, nor in the dark,
        where the gain does not reach.
        """
        flicker, bright = FLICKER_US[mains_hz], self.exposure_us * self.gain
        most = max(1, int(1e6 / FPS) // flicker)
        for number in range(max(1, min(most, round(self.exposure_us / flicker))), 0, -1):
            gain = bright / (number * flicker)
            if least_gain <= gain <= most_gain:
                return replace(self, exposure_us=number * flicker, gain=gain)
        return self

    def __str__(self) -> str:
        lens = "" if self.focus is None else f", lens at {self.focus:.1f}"
        return f"{self.exposure_us} µs at gain {self.gain:.1f}{lens}"


class Stage(StrEnum):
    """Where the light stands. ``FREE``: the camera is to adjust itself.

    ``LOOSE``: the light was to be locked, and the frames show that it is not.
    """

    FREE = "free"
    SEEKING = "seeking"
    LOCKING = "locking"
    LOCKED = "locked"
    LOOSE = "loose"


class Lighting:
    """Says what a camera is to be told, from the metadata of its frames, fed one by one.

    ``advertised`` are the controls the camera has, each with its least, greatest and usual value. A
    camera that has no exposure to set is ``LOOSE`` from the start.
    """

    def __init__(self, advertised: Mapping[str, Any], mains_hz: int = 50) -> None:
        self._advertised, self._mains_hz = dict(advertised), mains_hz
        self._count = self._agreed = 0
        self._first: Light | None = None
        self._focusing = self._scanned = self._tried = False
        self._sharp: float | None = None
        self._found: Light | None = None
        self._part = 1.0
        self.stage = Stage.LOOSE
        self._why: Remark | None = None
        self._news: tuple[Remark, str] | None = None
        self.light: Light | None = None  #: the light that is, or is to be, locked

    def seek(self, lens: bool = True) -> Controls:
        """Begin anew: return what makes the camera find its light by itself, and where its lens belongs.

        Without ``lens`` that stays where it is: the light alone has changed, and news says when it is found.
        """
        if self._can_lock:
            self._why = None if lens else Remark.RELIT
            self._first, self._focusing = None, lens and "AfMode" in self._advertised
            self._scanned = self._tried = False
            self._enter(Stage.SEEKING)
        return self._adjusting({"AfMode": _LENS_ONCE, "AfTrigger": _START} if lens else {}, 1.0)

    def free(self) -> Controls:
        """Return what makes the camera adjust itself from now on, lens included: for a view that changes."""
        if self._can_lock:
            self._enter(Stage.FREE)
        return self._adjusting({"AfMode": _LENS_ALWAYS}, self._part)

    @property
    def _can_lock(self) -> bool:
        return {"ExposureTime", "AnalogueGain"} <= self._advertised.keys()

    def _adjusting(self, lens: Controls, part: float) -> Controls:
        """Return what leaves a camera to its automatics, at a part of the light."""
        flicker = {"AeFlickerMode": 1, "AeFlickerPeriod": FLICKER_US[self._mains_hz]}
        light = {"AeEnable": True, "AwbEnable": True, "ExposureValue": math.log2(part)}
        return self._had({**light, **flicker, **lens})

    def feed(self, metadata: Mapping[str, Any]) -> Controls | None:
        """Take the metadata of the next frame; return what to tell the camera, if anything."""
        now = Light.of(metadata)
        if now is None or self.stage in (Stage.LOOSE, Stage.FREE):
            return None
        self._count += 1
        if self.stage is Stage.SEEKING:
            return self._seeking(now, metadata)
        return self._holding(now)

    def _seeking(self, now: Light, metadata: Mapping[str, Any]) -> Controls | None:
        if self._first is None or now.unlike(self._first):  # with the one before would not show a slow climb
            self._agreed, self._first = 0, now
        else:
            self._agreed += 1
        content, state = self._content(metadata), metadata.get("AfState")
        if self._scanned and state == _FAILED and not self._tried:
            self._scanned, self._tried = False, True
            return self._had({"AfTrigger": _START})
        settled = content and self._agreed >= AGREE and self._count > DELAY
        if not settled and self._count < SETTLE:
            return None
        self._found = self._focused(now, state)
        return self._lock(self._wanted(self._found))

    def _focused(self, now: Light, state: int | None) -> Light:
        """Note where the lens was found to belong; where that failed it goes back to where it was last."""
        if not self._focusing or now.focus is None:
            return now
        if state != _CONVERGED:
            return now if self._sharp is None else replace(now, focus=self._sharp)
        self._sharp = now.focus
        return now

    def expose(self, part: float) -> Controls | None:
        """Take pictures from now on with so much of the light that is found by itself; 1 is all of it.

        Dice are brighter than a dark cloth, which is all that a camera sees of an empty tray. Returns what to
        tell the camera, if there is anything to tell yet.
        """
        if part == self._part:
            return None
        self._part = part
        if self._found is None or self.stage not in (Stage.LOCKING, Stage.LOCKED):
            return None
        return self._lock(self._wanted(self._found))

    def _wanted(self, found: Light) -> Light:
        """Take a part of the light that was found; not less than of one flicker: bands would never rest."""
        least, most = self._gains
        wanted, flicker = found.share(self._part, least), FLICKER_US[self._mains_hz]
        if wanted.exposure_us < flicker and flicker * least <= found.exposure_us * found.gain:
            wanted = replace(found, exposure_us=flicker, gain=least)
        return wanted.steady(self._mains_hz, least, most)

    @property
    def _gains(self) -> tuple[float, float]:
        """The least and greatest gain; that of Camera Module 3 is never below 1.12."""
        least, most, *_ = self._advertised["AnalogueGain"]
        return float(least or 1.0), float(most or _MOST_GAIN)

    def _content(self, metadata: Mapping[str, Any]) -> bool:
        """Tell whether the camera's automatics say of themselves that they are done, lens included."""
        exposed = metadata.get("AeState", _CONVERGED) == _CONVERGED and metadata.get("AeLocked", True)
        state = metadata.get("AfState")
        self._scanned = self._focusing and (self._scanned or state == _SCANNING)
        focused = not self._focusing or (self._scanned and state != _SCANNING)
        return bool(exposed and focused)

    def _lock(self, light: Light) -> Controls:
        """Return what holds a light."""
        self._enter(Stage.LOCKING)
        self.light = light
        exposure = {"AeEnable": False, "ExposureTime": light.exposure_us, "AnalogueGain": light.gain}
        colours = {"AwbEnable": False, "ColourGains": light.colours}
        lens = {} if light.focus is None else {"AfMode": _LENS_BY_HAND, "LensPosition": light.focus}
        return self._had({**exposure, **colours, **lens})

    def _holding(self, now: Light) -> Controls | None:
        """See whether frames show the light that was set; set it again where they stop to."""
        assert self.light is not None
        stray = now.unlike(self.light)
        self._agreed = self._agreed + 1 if bool(stray) == (self.stage is Stage.LOCKED) else 0
        if self.stage is Stage.LOCKED:
            if self._agreed < AGREE:
                return None
            self._why = Remark.RELOCKED
            return self._lock(self.light)
        if self._agreed >= AGREE:
            self._locked(now)
        elif self._count >= LOCK:
            what = " and ".join(stray) or "light"
            self._news = Remark.UNLOCKED, f"does not keep its {what} ({now} instead of {self.light})"
            self._enter(Stage.LOOSE)
        return None

    def _locked(self, now: Light) -> None:
        """Note what a sensor made of the numbers it was given: that is what it has to go on showing."""
        words = {
            Remark.RELOCKED: f"changed its light by itself; it is locked again ({now})",
            Remark.RELIT: f"has measured the light anew ({now})",
        }
        self._news = None if self._why is None else (self._why, words[self._why])
        self.light, self._why = now, None
        self._enter(Stage.LOCKED)

    def news(self) -> tuple[Remark, str] | None:
        """Take what is to be told, once: a remark, and words that follow on the camera's name."""
        news, self._news = self._news, None
        return news

    def _enter(self, stage: Stage) -> None:
        self.stage, self._count, self._agreed = stage, 0, 0

    def _had(self, controls: Controls) -> Controls:
        """Keep the controls that this camera has."""
        return {name: value for name, value in controls.items() if name in self._advertised}


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= _ALIKE * max(abs(one), abs(other))
