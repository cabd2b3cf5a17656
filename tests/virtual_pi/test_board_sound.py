"""The voice, through ALSA and a sound card whose loudspeaker is a file on the host."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from image import missing
from machine import Machine, eventually
from table import Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]


def loudest(sound: Path) -> int:
    """Return the largest sample of what has been played so far."""
    data = sound.read_bytes()[44:]
    samples = np.frombuffer(data[: len(data) // 2 * 2], np.int16)
    return int(np.abs(samples.astype(int)).max(initial=0))


def test_the_voice_is_heard(pi: Machine) -> None:
    table = Table(pi)
    sound = pi.folder / "sound.wav"
    table.configure(
        house='deal = "shuffle"\nvoice = true', screen='kind = "none"', speaker='kind = "espeak-ng"'
    )
    table.reaches("lobby")
    assert loudest(sound) < 100
    table.lobby()
    eventually(lambda: loudest(sound) > 2000, "nothing is heard")
    assert not table.state()["notice"]
