"""Voices: a fake program that writes down what it is given, and the real one where it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.speaker import (
    LONGEST,
    STALE_S,
    Memory,
    SpeakerError,
    Voice,
    espeak,
    open_speaker,
    piper,
    speakable,
)

#: A trouble that nobody expects fails the test, though it is told in another thread.
pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
HEARD = 'printf "%s|" "$@" >> "$0.heard"; cat >> "$0.heard"\n'


def program(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}")
    path.chmod(0o755)
    return path


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is looked into before all others for programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def until(true: Callable[[], object], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(true())


def heard(folder: Path, name: str = "espeak-ng") -> str:
    path = folder / f"{name}.heard"
    return path.read_text() if path.exists() else ""


def test_a_text_reaches_the_program_on_its_input_in_its_language(installed: Path) -> None:
    program(installed, "espeak-ng", HEARD)
    troubles: list[str] = []
    with open_speaker("espeak-ng", troubles.append) as speaker:
        speaker.say("Rosa: eins, drei, Lama.", "de")
        assert until(lambda: heard(installed).endswith("\n"))
    assert heard(installed) == "-v|de|-s|160|--stdin|Rosa: eins, drei, Lama.\n"
    assert troubles == []


@pytest.mark.parametrize("name", ["-w/tmp/x", "--help", "$(touch x)", "a\nb\r\x1b[2J", "'; ls", "[[h@'loU]]"])
def test_no_name_becomes_an_option_a_command_or_phonemes(installed: Path, name: str) -> None:
    program(installed, "espeak-ng", HEARD)
    with open_speaker("auto", pytest.fail) as speaker:
        speaker.say(f"{name} is on", "en")
        assert until(lambda: heard(installed).endswith("\n"))
    arguments, _, text = heard(installed).rpartition("|")
    assert arguments == "-v|en|-s|160|--stdin"
    assert text == speakable(f"{name} is on") + "\n"
    assert text.count("\n") == 1


@given(st.text())
def test_what_is_spoken_is_one_short_printable_line(text: str) -> None:
    spoken = speakable(text)
    assert len(spoken) <= LONGEST
    assert spoken == spoken.strip()
    assert all(letter.isprintable() and letter not in "[]" for letter in spoken)
    assert len(spoken.encode()) < 4096  # fits into a pipe: handing it over never waits


def test_words_stay_as_they_are() -> None:
    assert speakable("Jürgen: drei,\tLama! 🦙") == "Jürgen: drei, Lama! 🦙"
    assert speakable("\x00\x07 \n") == ""


def test_of_many_sentences_the_newest_are_spoken_and_saying_never_waits(installed: Path) -> None:
    go_on = installed / "go-on"
    program(installed, "espeak-ng", f'while [ ! -e "{go_on}" ]; do sleep 0.02; done\n{HEARD}')
    with open_speaker("espeak-ng", pytest.fail) as speaker:
        speaker.say("first", "en")
        assert until(lambda: isinstance(speaker, Voice) and speaker._running)
        for number in range(100):
            speaker.say(f"sentence {number}", "en")
        go_on.touch()  # until now the program did not end: nobody has waited for it
        assert until(lambda: heard(installed).count("\n") == 4)
    said = [line.rpartition("|")[2] for line in heard(installed).splitlines()]
    assert said == ["first", "sentence 97", "sentence 98", "sentence 99"]


def test_what_is_stale_by_its_turn_is_dropped(installed: Path) -> None:
    now, go_on = [0.0], installed / "go-on"
    program(installed, "espeak-ng", f'while [ ! -e "{go_on}" ]; do sleep 0.02; done\n{HEARD}')
    with Voice(espeak, pytest.fail, clock=lambda: now[0]) as voice:
        voice.say("first", "en")
        assert until(lambda: voice._running)
        voice.say("stale", "en")
        now[0] = STALE_S + 1
        voice.say("fresh", "en")
        go_on.touch()
        assert until(lambda: "fresh" in heard(installed))
    assert "stale" not in heard(installed)


def test_closing_ends_the_program_and_all_it_started(installed: Path) -> None:
    program(installed, "espeak-ng", f'sleep 60 &\necho $! > "{installed}/child"\nwait\n')
    speaker = open_speaker("espeak-ng", pytest.fail)
    speaker.say("hello", "en")
    child = installed / "child"
    assert until(lambda: child.exists() and child.read_text().strip())
    speaker.close()
    speaker.close()
    speaker.say("too late", "en")
    assert until(lambda: _gone(int(child.read_text())))
    assert not any(thread.name == "speaker" for thread in threading.enumerate())


def _gone(process: int) -> bool:
    """Tell whether a process has ended, be it that nobody has asked for its status."""
    status = Path(f"/proc/{process}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_nothing_runs_until_something_is_said() -> None:
    with open_speaker("auto", pytest.fail) as speaker:
        speaker.say(" \n", "en")
        assert not any(thread.name == "speaker" for thread in threading.enumerate())


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'ALSA lib: whatever' >&2; echo 'error: No such device' >&2\n", "error: No such device"),
        ("echo 'no voice' >&2; exit 3\n", "no voice"),
        ("exit 4\n", "exit status 4"),
    ],
)
def test_a_voice_that_cannot_be_heard_is_told_once(installed: Path, script: str, why: str) -> None:
    program(installed, "espeak-ng", f'echo run >> "$0.heard"; {script}')
    troubles: list[str] = []
    with open_speaker("espeak-ng", troubles.append) as speaker:
        for _ in range(3):
            count = heard(installed).count("run")
            speaker.say("hello", "en")
            assert until(lambda count=count: heard(installed).count("run") > count)  # type: ignore[misc]
        assert until(lambda: troubles)
    assert len(troubles) == 1
    assert why in troubles[0]
    assert "loudspeaker" in troubles[0]


def test_a_voice_speaks_on_after_there_was_no_room_for_its_files(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(installed, "espeak-ng", HEARD)
    troubles: list[str] = []
    with open_speaker("espeak-ng", troubles.append) as speaker:
        monkeypatch.setattr("tempfile.tempdir", str(installed / "nowhere"))
        speaker.say("hello", "en")
        assert until(lambda: troubles)
        monkeypatch.setattr("tempfile.tempdir", None)
        speaker.say("again", "en")
        assert until(lambda: "again" in heard(installed))


def test_harmless_chatter_of_the_sound_library_is_no_trouble(installed: Path) -> None:
    program(installed, "espeak-ng", f"echo 'ALSA lib conf.c: cannot find card 0' >&2\n{HEARD}")
    with open_speaker("espeak-ng", pytest.fail) as speaker:
        speaker.say("hello", "en")
        assert until(lambda: heard(installed))


def test_a_missing_program_is_told_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    troubles: list[str] = []
    with open_speaker("auto", troubles.append) as speaker:
        speaker.say("hello", "en")
        speaker.say("hello again", "en")
        assert until(lambda: troubles)
    assert len(troubles) == 1
    assert "apt install espeak-ng" in troubles[0]


def test_a_program_that_cannot_start_is_told(installed: Path) -> None:
    (installed / "espeak-ng").write_bytes(b"\x7fELF no program at all")
    (installed / "espeak-ng").chmod(0o755)
    troubles: list[str] = []
    with open_speaker("espeak-ng", troubles.append) as speaker:
        speaker.say("hello", "en")
        assert until(lambda: troubles)
    assert "cannot be started" in troubles[0]


def a_voice(folder: Path, name: str = "de_DE-somebody-medium", settings: object = None) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.onnx").write_bytes(b"weights")
    told = {"audio": {"sample_rate": 16000}} if settings is None else settings
    (folder / f"{name}.onnx.json").write_text(json.dumps(told))
    return folder / f"{name}.onnx"


def test_piper_speaks_into_aplay_at_the_voice_s_rate(installed: Path, tmp_path: Path) -> None:
    program(installed, "piper", "cat\n")
    program(installed, "aplay", HEARD)
    voices = tmp_path / "voices"
    voice = a_voice(voices)
    first, last = piper("de", (voices,))
    assert first == (str(installed / "piper"), "--model", str(voice), "--output-raw")
    assert last[last.index("-r") + 1] == "16000"
    with Voice(lambda language: piper(language, (voices,)), pytest.fail) as speaker:
        speaker.say("Hallo", "de")
        assert until(lambda: heard(installed, "aplay").endswith("\n"))
    assert heard(installed, "aplay").endswith("|-|Hallo\n")


def test_what_piper_lacks_is_named(installed: Path, tmp_path: Path) -> None:
    program(installed, "piper", "cat\n")
    program(installed, "aplay", "cat\n")
    a_voice(tmp_path / "voices", "en_US-lessac")
    with pytest.raises(SpeakerError, match="a voice for de is missing"):
        piper("de", (tmp_path / "voices",))
    for settings in ({}, [], {"audio": {"sample_rate": "fast"}}):
        a_voice(tmp_path / "voices", settings=settings)
        with pytest.raises(SpeakerError, match="does not tell its sample rate"):
            piper("de", (tmp_path / "voices",))


def test_without_piper_s_voice_the_best_is_espeak(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(installed))
    program(installed, "piper", "exit 1\n")
    program(installed, "espeak-ng", HEARD)
    with open_speaker("auto", pytest.fail) as speaker:
        speaker.say("hello", "en")
        assert until(lambda: heard(installed))


def test_the_best_is_piper_where_all_of_it_is_there(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(installed))
    a_voice(_made(installed / ".local" / "share" / "piper"), "en_US-lessac")
    program(installed, "piper", "cat\n")
    program(installed, "aplay", HEARD)
    with open_speaker("auto", pytest.fail) as speaker:
        speaker.say("hello", "en")
        assert until(lambda: heard(installed, "aplay").endswith("hello\n"))


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def test_the_memory_keeps_what_was_said_and_unknown_names_are_refused() -> None:
    for name in ("memory", "none"):
        with open_speaker(name, pytest.fail) as speaker:
            assert isinstance(speaker, Memory)
            speaker.say("hello", "en")
            assert list(speaker.said) == [("hello", "en")]
    with pytest.raises(
        SpeakerError, match=r"no speaker 'trumpet'\. Choose auto, espeak-ng, piper, memory or none"
    ):
        open_speaker("trumpet", pytest.fail)


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize(("language", "text"), [("en", "Rosa: one, three, llama."), ("de", "Drei Lamas!")])
def test_the_real_voice_speaks_both_languages(tmp_path: Path, language: str, text: str) -> None:
    (words,) = espeak(language)
    out = tmp_path / "said.wav"
    subprocess.run([*words, "-w", str(out)], input=text.encode(), check=True)
    with wave.open(str(out)) as said:
        loud = said.readframes(said.getnframes())
        assert said.getnframes() > said.getframerate() / 2
    assert len(set(loud)) > 50


@pytest.mark.parametrize(
    ("speaks", "plays", "blamed", "remedy"),
    [
        ("echo no voice >&2; exit 3\n", "cat >/dev/null\n", "piper says 'no voice'", "Download it again"),
        ("cat\n", "echo no card >&2; exit 1\n", "aplay says 'no card'", "loudspeaker"),
        ("cat; exit 1\n", "cat >/dev/null; exit 4\n", "aplay says 'exit status 4'", "loudspeaker"),
    ],
)
def test_the_program_that_failed_is_blamed(
    installed: Path, tmp_path: Path, speaks: str, plays: str, blamed: str, remedy: str
) -> None:
    program(installed, "piper", speaks)
    program(installed, "aplay", plays)
    a_voice(tmp_path / "voices")
    troubles: list[str] = []
    with Voice(lambda language: piper(language, (tmp_path / "voices",)), troubles.append) as speaker:
        speaker.say("Hallo", "de")
        assert until(lambda: troubles)
    assert blamed in troubles[0] and remedy in troubles[0]
