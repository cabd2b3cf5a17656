"""Voices that are really spoken: the real programs, into a sound card that writes down what it is given.

espeak-ng and aplay are Debian packages (``espeak-ng``, ``alsa-utils``), piper is ``pip install
piper-tts``; its voices are large, so one is made here with ``onnx`` that hums.
"""

from __future__ import annotations

import json
import shutil
import time
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_speaker import until

from hardware.speaker import open_speaker, piper

ALSA = Path("/usr/share/alsa/alsa.conf")
RATE, HUM_HZ, SAMPLES_A_SOUND = 16000, 440.0, 800
ESPEAK_RATE = 22050
needs_card = pytest.mark.skipif(
    not ALSA.exists() or not shutil.which("aplay"), reason="alsa-utils is not installed"
)
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
needs_piper = pytest.mark.skipif(
    shutil.which("piper") is None, reason="piper is not installed (pip install piper-tts)"
)


@pytest.fixture
def attach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Attach a sound card of ALSA's words, as the only one."""

    def attached(words: str) -> None:
        config = tmp_path / "asound.conf"
        config.write_text(f"<{ALSA}>\npcm.!default {{ {words} }}\n")
        monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))
        monkeypatch.setenv("PULSE_SERVER", "unix:/nowhere")

    return attached


@pytest.fixture
def troubles() -> list[str]:
    return []


def spoken(name: str, troubles: list[str], heard: Callable[[], object]) -> None:
    """Have a sentence spoken, and wait until it has been heard."""
    with open_speaker(name, troubles.append) as speaker:
        speaker.say("Rosa: eins, drei, Lama.", "de")
        assert until(lambda: troubles or heard(), 60), "nothing was heard"


@needs_card
@needs_espeak
def test_espeak_speaks_through_a_sound_card(
    tmp_path: Path, attach: Callable[[str], None], troubles: list[str]
) -> None:
    heard = tmp_path / "heard"  # behind a pipe: espeak-ng opens its card a second time, to flush it
    attach(f'type file slave.pcm null file "| cat >> {heard}" format raw')
    spoken("espeak-ng", troubles, lambda: heard.exists() and heard.stat().st_size > 2 * ESPEAK_RATE)
    assert troubles == []
    samples = np.fromfile(heard, np.int16)
    assert np.abs(samples).max() > 2000 and len(np.unique(samples)) > 500


@pytest.fixture
def humming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A voice for piper: as many samples of a hum as there are sounds in the text."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    folder = tmp_path / "voices"
    folder.mkdir()
    path = folder / "de_DE-hum-low.onnx"
    onnx.save(_hum(onnx), path)
    symbols = {
        symbol: [number] for number, symbol in enumerate("_^$ abcdefghijklmnopqrstuvwxyzˈˌːɑɔəɛɪʊʃŋɜçʁɾ.,:")
    }
    told = {
        "audio": {"sample_rate": RATE}, "espeak": {"voice": "de"}, "num_symbols": len(symbols),
        "num_speakers": 1, "phoneme_id_map": symbols,
    }  # fmt: skip
    path.with_suffix(".onnx.json").write_text(json.dumps(told))
    monkeypatch.setattr(piper, "__defaults__", ((folder,),))
    return folder


def _hum(onnx: Any) -> Any:
    """Build the network: inputs and output as piper's own voices have them."""
    make, kinds = onnx.helper, onnx.TensorProto
    whole = {"second": 1, "none": 0, "one": 1, "a_sound": SAMPLES_A_SOUND, "shape": [1, 1, 1, -1]}
    constants = {name: np.array(value, np.int64) for name, value in whole.items()}
    constants |= {"step": np.array(2 * np.pi * HUM_HZ / RATE, np.float32)}
    tensors = [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()]
    nodes = [
        make.make_node("Shape", ["input"], ["size"]),
        make.make_node("Gather", ["size", "second"], ["sounds"]),
        make.make_node("Mul", ["sounds", "a_sound"], ["length"]),
        make.make_node("Range", ["none", "length", "one"], ["ticks"]),
        make.make_node("Cast", ["ticks"], ["times"], to=kinds.FLOAT),
        make.make_node("Mul", ["times", "step"], ["angles"]),
        make.make_node("Sin", ["angles"], ["wave"]),
        make.make_node("Reshape", ["wave", "shape"], ["output"]),
    ]
    inputs = [
        make.make_tensor_value_info("input", kinds.INT64, [1, "sounds"]),
        make.make_tensor_value_info("input_lengths", kinds.INT64, [1]),
        make.make_tensor_value_info("scales", kinds.FLOAT, [3]),
    ]
    output = make.make_tensor_value_info("output", kinds.FLOAT, [1, 1, 1, "samples"])
    graph = make.make_graph(nodes, "hum", inputs, [output], tensors)
    return make.make_model(graph, opset_imports=[make.make_opsetid("", 13)], ir_version=8)


def length(wav: Path) -> int:
    """How many samples a file has; its head tells once the card is closed."""
    if not wav.exists() or wav.stat().st_size < 100:
        return 0
    with wave.open(str(wav)) as file:
        return file.getnframes()


@needs_card
@needs_piper
def test_piper_speaks_through_a_sound_card(
    tmp_path: Path, attach: Callable[[str], None], troubles: list[str], humming: Path
) -> None:
    heard = tmp_path / "heard.wav"
    attach(f'type file slave.pcm null file "{heard}" format wav')
    spoken("piper", troubles, lambda: length(heard))
    assert troubles == []
    with wave.open(str(heard)) as file:
        assert file.getframerate() == RATE
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16)[:: file.getnchannels()]
    samples = np.trim_zeros(samples, "b")  # a card is filled up to its next period
    assert len(samples) > 10 * SAMPLES_A_SOUND and np.abs(samples).max() > 20_000
    crossings = np.count_nonzero(np.diff(np.signbit(samples)))
    assert crossings / 2 / (len(samples) / RATE) == pytest.approx(HUM_HZ, rel=0.02)


@needs_card
@needs_piper
def test_a_voice_that_piper_cannot_load_is_told_once(
    attach: Callable[[str], None], troubles: list[str], humming: Path
) -> None:
    attach("type null")
    next(humming.glob("*.onnx")).write_bytes(b"half a download")
    with open_speaker("piper", troubles.append) as speaker:
        for _ in range(3):
            speaker.say("Hallo", "de")
        assert until(lambda: troubles, 60)
        time.sleep(0.3)
    assert len(troubles) == 1 and "piper says" in troubles[0]


@needs_card
@needs_espeak
def test_without_a_sound_card_it_is_told_once(attach: Callable[[str], None], troubles: list[str]) -> None:
    attach("type hw card 77")
    with open_speaker("espeak-ng", troubles.append) as speaker:
        for words in ("Hallo", "Drei Lamas!"):
            speaker.say(words, "de")
        assert until(lambda: troubles, 60)
        time.sleep(0.3)
    assert len(troubles) == 1 and "loudspeaker" in troubles[0]


@needs_card
@needs_piper
def test_piper_without_a_sound_card_blames_the_card(
    attach: Callable[[str], None], troubles: list[str], humming: Path
) -> None:
    attach("type hw card 77")
    with open_speaker("piper", troubles.append) as speaker:
        speaker.say("Hallo", "de")
        assert until(lambda: troubles, 60)
    assert "aplay says" in troubles[0] and "loudspeaker" in troubles[0]
