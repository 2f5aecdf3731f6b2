# SPDX-License-Identifier: Apache-2.0
"""LDS and global memory of a work group."""

import numpy as np

from .lanes import LANES, U32, U64, mix

ARGUMENTS, LDS_BYTES = 1 << 28, 160 << 10
SMALL = 255  # sizes, offsets and lengths in memory are up to that, or loops would not end


class Lds:
    def __init__(self, seed):
        self.bytes = np.random.default_rng(seed).integers(0, 256, LDS_BYTES, dtype=np.uint8)

    def read(self, spots, size):
        at = np.where(spots + size <= LDS_BYTES, spots, 0)
        raw = self.bytes[at[:, None] + np.arange(size)].astype(U32)
        return [sum((raw[:, 4 * i + k] << U32(8 * k) for k in range(min(4, size - 4 * i))), np.zeros(LANES, dtype=U32))
                for i in range((size + 3) // 4)]

    def write(self, spots, size, parts, on):
        on = on & (spots + size <= LDS_BYTES)
        for k in range(size):
            self.bytes[spots[on] + k] = ((parts[k // 4] >> U32(8 * (k % 4))) & U32(255))[on]


class Memory:
    """Global memory: what was there is a number that its address gives."""

    def __init__(self, arguments):
        self.arguments, self.stored, self.polls = arguments, {}, {}

    def scalar(self, address):
        inside = address - ARGUMENTS
        if 0 <= inside <= len(self.arguments) - 4:
            return int.from_bytes(self.arguments[inside:inside + 4], "little")
        return hash((address, 7)) & SMALL

    def word(self, address):
        """What an atomic finds: what is stored there, or the small number at which counters of work begin."""
        return self.stored.get(address, int(mix(np.full(LANES, address >> 2, dtype=U64))[0]) & SMALL)

    def load(self, at, size, words, known):
        found = []
        for i in range(words):
            spots = at + 4 * i
            value = mix((spots >> 2).astype(U64)) >> (U32(8) * (spots & 3).astype(U32))
            for lane in np.nonzero(known)[0] if self.stored else ():
                value[lane] = self.stored.get(int(spots[lane]), value[lane])
            found.append(np.where(known, value & U32((1 << 8 * size) - 1), U32(0)))
        return found

    def store(self, at, size, parts, known):
        for lane in np.nonzero(known)[0]:
            for i, part in enumerate(parts):
                self.stored[int(at[lane]) + 4 * i] = int(part[lane]) & ((1 << 8 * size) - 1)
