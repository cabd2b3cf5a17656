"""The loudspeaker: speaks short sentences through espeak-ng, or piper where it is installed.

A thread of its own runs the programs, so that nobody waits for a voice: the newest sentences are
spoken, what is too old by its turn is dropped. What is wrong with the voice is told once, and the
game goes on without it. Text reaches the programs on their standard input, never as an argument.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

from hardware.errors import RigError

#: Longer texts are cut, older ones dropped, and programs that take longer ended.
LONGEST = 300
STALE_S = 8.0
PATIENCE_S = 30.0
#: Sentences that wait; a new one pushes out the oldest.
_WAITING = 3
#: Where piper's voices (``de_DE-….onnx`` with its ``.onnx.json``) are looked for.
VOICES = (Path("~/.local/share/piper"), Path("/usr/local/share/piper"), Path("/usr/share/piper-voices"))

#: Programs with their arguments, each reading what the one before writes; the first reads the text.
Pipeline = tuple[tuple[str, ...], ...]
#: Finds the programs for a language, or raises ``SpeakerError``.
Finder = Callable[[str], Pipeline]


class SpeakerError(RigError):
    """There is no voice, or it cannot be heard; the sentence says what to do."""


class Speaker(Protocol):
    """Something that speaks, or does as if."""

    def say(self, text: str, language: str) -> None:
        """Speak a text, soon, in a language (``en``, ``de``); return at once."""

    def close(self) -> None:
        """Fall silent at once; closing twice does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _Closing:
    """Lets a speaker be used in a ``with`` statement."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Have nothing to silence."""


class Memory(_Closing):
    """Keeps the last sentences with their languages in ``said``, and is silent."""

    def __init__(self) -> None:
        self.said: deque[tuple[str, str]] = deque(maxlen=100)

    def say(self, text: str, language: str) -> None:
        """Keep the text."""
        self.said.append((text, language))


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    language: str
    at: float


class Voice(_Closing):
    """Speaks through programs. ``trouble`` is told, once and from another thread, what is wrong."""

    def __init__(
        self, find: Finder, trouble: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._find = find
        self._trouble: Callable[[str], None] | None = trouble
        self._clock = clock
        self._waiting: deque[_Sentence] = deque(maxlen=_WAITING)
        self._changed = threading.Condition()
        self._running: list[subprocess.Popen[bytes]] = []
        self._thread: threading.Thread | None = None
        self._closed = False

    def say(self, text: str, language: str) -> None:
        """Speak a text after those that wait; of many the newest are kept."""
        if not (spoken := speakable(text)):
            return
        with self._changed:
            if self._closed:
                return
            self._waiting.append(_Sentence(spoken, language, self._clock()))
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._speak_all, name="speaker", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Fall silent at once and end the programs."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify()
            _end(self._running)
        if self._thread is not None:
            self._thread.join(timeout=2)

    def _speak_all(self) -> None:
        while sentence := self._next():
            try:
                self._speak(sentence)
            except (SpeakerError, OSError) as error:  # no room for what a program says, say
                self._complain(str(error))

    def _next(self) -> _Sentence | None:
        """Wait for the next sentence that is still worth saying; none when closed."""
        with self._changed:
            while not self._closed:
                if not self._waiting:
                    self._changed.wait()
                elif self._clock() - (sentence := self._waiting.popleft()).at <= STALE_S:
                    return sentence
        return None

    def _speak(self, sentence: _Sentence) -> None:
        pipeline = self._find(sentence.language)
        with ExitStack() as files:
            errors = [files.enter_context(tempfile.TemporaryFile()) for _ in pipeline]
            running = _start(pipeline, errors)
            try:
                if not self._holds(running):
                    return
                _feed(running[0], sentence.text)
                statuses = _finish(running, pipeline)
            finally:
                _end(running)
            why = "" if self._closed else _failure(pipeline, statuses, errors)
        if why:
            raise SpeakerError(f"The voice cannot be heard: {why} The game goes on without it.")

    def _holds(self, running: list[subprocess.Popen[bytes]]) -> bool:
        """Hand the programs to ``close``; false if it has been called already."""
        with self._changed:
            self._running = running
            return not self._closed

    def _complain(self, sentence: str) -> None:
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            trouble(sentence)


def speakable(text: str) -> str:
    """Keep what can be spoken: one line, not too long, without what espeak-ng takes for phonemes."""
    letters = (letter if letter.isprintable() and letter not in "[]" else " " for letter in text)
    return " ".join("".join(letters).split())[:LONGEST]


def _start(pipeline: Pipeline, errors: Sequence[IO[bytes]]) -> list[subprocess.Popen[bytes]]:
    """Start the programs of a pipeline, each in a group of its own, so that it ends as a whole."""
    running: list[subprocess.Popen[bytes]] = []
    for words, complaints in zip(pipeline, errors, strict=True):
        source = running[-1].stdout if running else subprocess.PIPE
        sink = subprocess.PIPE if words is not pipeline[-1] else subprocess.DEVNULL
        try:
            running.append(
                subprocess.Popen(words, stdin=source, stdout=sink, stderr=complaints, start_new_session=True)
            )
        except OSError as error:
            _end(running)
            raise SpeakerError(f"{words[0]} cannot be started: {error.strerror or error}.") from error
        if len(running) > 1 and (passed := running[-2].stdout):
            passed.close()
    return running


def _feed(first: subprocess.Popen[bytes], text: str) -> None:
    """Hand over the text; it is short enough to fit into the pipe, so nothing waits here."""
    assert first.stdin is not None
    with suppress(BrokenPipeError):
        first.stdin.write(text.encode() + b"\n")
        first.stdin.flush()
    with suppress(BrokenPipeError):
        first.stdin.close()


def _finish(running: list[subprocess.Popen[bytes]], pipeline: Pipeline) -> list[int]:
    """Wait for all programs, the last one first, which ends when it has said everything."""
    try:
        return [program.wait(PATIENCE_S) for program in reversed(running)][::-1]
    except subprocess.TimeoutExpired as error:
        raise SpeakerError(f"{pipeline[-1][0]} does not finish speaking; it was ended.") from error


def _end(running: list[subprocess.Popen[bytes]]) -> None:
    for program in running:
        if program.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
            program.wait()


def _failure(pipeline: Pipeline, statuses: Sequence[int], errors: Sequence[IO[bytes]]) -> str:
    """Say which program failed, what it says of it and what to do; the one behind stops those before it.

    espeak-ng without a sound card ends well and says ``error``.
    """
    told = [_lines(each) for each in errors]
    for words, status, lines in reversed(list(zip(pipeline, statuses, told, strict=True))):
        complaint = next((line for line in reversed(lines) if line.lower().startswith("error")), "")
        if status or complaint:
            said = complaint or (lines[-1] if lines else f"exit status {status}")
            return f"{words[0]} says {said!r}. {_remedy(words is pipeline[-1])}"
    return ""


def _remedy(plays: bool) -> str:
    return "Is a loudspeaker attached and chosen?" if plays else "Is its voice whole? Download it again."


def _lines(errors: IO[bytes]) -> list[str]:
    errors.seek(0)
    return [line.strip() for line in errors.read(4096).decode(errors="replace").splitlines() if line.strip()]


# -- which programs ----------------------------------------------------------------------------


def espeak(language: str) -> Pipeline:
    """Find espeak-ng, which speaks every language by itself."""
    program = shutil.which("espeak-ng")
    if program is None:
        raise SpeakerError(
            "There is no voice: espeak-ng is not installed. Install it (sudo apt install espeak-ng), or "
            "turn the voice off."
        )
    return ((program, "-v", language, "-s", "160", "--stdin"),)


def piper(language: str, folders: tuple[Path, ...] = VOICES) -> Pipeline:
    """Find piper, a voice of the language, and what plays it."""
    program, player, voice = shutil.which("piper"), shutil.which("aplay"), _voice(language, folders)
    if program is None or player is None or voice is None:
        missing = "piper" if program is None else "aplay" if player is None else f"a voice for {language}"
        where = " or ".join(map(str, folders))
        raise SpeakerError(
            f"There is no voice: {missing} is missing. piper's voices are looked for in {where}."
        )
    rate = str(_rate(voice))
    play = (player, "-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", rate, "-")
    return ((program, "--model", str(voice), "--output-raw"), play)


def _voice(language: str, folders: tuple[Path, ...]) -> Path | None:
    found = (path for folder in folders for path in sorted(folder.expanduser().glob(f"{language}_*.onnx")))
    return next((path for path in found if path.with_suffix(".onnx.json").is_file()), None)


def _rate(voice: Path) -> int:
    """Read how many samples a second a voice makes."""
    settings = voice.with_suffix(".onnx.json")
    try:
        return int(json.loads(settings.read_text(encoding="utf-8"))["audio"]["sample_rate"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SpeakerError(
            f"The voice {settings} does not tell its sample rate: download it again."
        ) from error


def _best(language: str) -> Pipeline:
    """Prefer piper, which sounds better, where all of it is there."""
    with suppress(SpeakerError):
        return piper(language)
    return espeak(language)


_FINDERS: dict[str, Finder] = {"auto": _best, "espeak-ng": espeak, "piper": piper}


def open_speaker(
    name: str, trouble: Callable[[str], None], clock: Callable[[], float] = time.monotonic
) -> Speaker:
    """Open a speaker by name: ``auto``, ``espeak-ng``, ``piper``, ``memory`` or ``none``.

    Programs are looked for when there is something to say; ``trouble`` is told, once and from another
    thread, if there is no voice. Raises ``SpeakerError`` for an unknown name.
    """
    if name in ("memory", "none"):
        return Memory()
    if name not in _FINDERS:
        raise SpeakerError(f"There is no speaker {name!r}. Choose {', '.join(_FINDERS)}, memory or none.")
    return Voice(_FINDERS[name], trouble, clock)
