"""Lets picamera2 keep its pictures in plain memory, where the kernel lends none to devices."""

from __future__ import annotations

import os
from typing import Any

import picamera2.allocators.dmaallocator as module
from picamera2.allocators.allocator import Sync


class Descriptor:
    """Stands for picamera2's own: a file's number, given out once."""

    def __init__(self, number: int) -> None:
        self.number = number

    def get(self) -> int:
        return self.number


class MemoryHeap:
    """Lends files that lie in memory."""

    def alloc(self, name: str, size: int) -> Descriptor:
        number = os.memfd_create(name)
        os.truncate(number, size)
        return Descriptor(number)

    def close(self) -> None:
        """Keep nothing."""


class NoSync(Sync):  # type: ignore[misc]
    """Memory that no device writes to needs no telling."""

    def __init__(self, allocator: Any, buffer: Any, write: bool) -> None:
        self.mapped = allocator.mapped_buffers.get(buffer)

    def __enter__(self) -> Any:
        return self.mapped

    def __exit__(self, *_: object) -> None:
        """Nothing was begun."""


module.DmaHeap = MemoryHeap
module.DmaAllocator.DmaSync = NoSync
