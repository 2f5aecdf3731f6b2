# SPDX-License-Identifier: Apache-2.0
"""The state of a wave: registers, what is in flight, and where it stands."""

import collections

import numpy as np

from .lanes import ALL, LANES, MASK, NUMBER, U32, U64
from .memory import ARGUMENTS
from .operands import EXEC


class Wave:
    def __init__(self, program, number, memory, lds, seed):
        rng = np.random.default_rng((seed, number))
        self.s = [int(x) for x in rng.integers(0, 1 << 32, 128)]
        self.v = rng.integers(0, 1 << 32, (512, LANES), dtype=U32)
        self.v[0] = NUMBER + U32(LANES * number)
        self.memory, self.lds, self.number = memory, lds, number
        self.scc, self.pc, self.scratch = 0, 0, {}
        self.queues = {"vm": collections.deque(), "ds": collections.deque(), "sm": collections.deque()}
        self.data = set()  # registers whose numbers stand for data
        self.ended = self.meets = False
        self.known = (None, None)
        for at, what in enumerate(program.user):
            self.s[at] = 0
            if what == "kernarg_segment_ptr" and what not in program.user[:at]:
                self.s[at] = ARGUMENTS
        words = [at for at, what in enumerate(program.user) if what == "preload"]
        for i, at in enumerate(words):
            self.s[at] = memory.scalar(ARGUMENTS + 4 * i)
        for i, _ in enumerate(program.ids):
            self.s[len(program.user) + i] = 0
        self.put(EXEC, ALL, True)

    def put(self, at, value, wide):
        self.s[at] = value & MASK
        if wide:
            self.s[at + 1] = value >> 32 & MASK

    def mask(self, at):
        return self.s[at] | self.s[at + 1] << 32

    @staticmethod
    def bits(mask):
        return (U64(mask) >> np.arange(LANES, dtype=U64) & U64(1)).astype(bool)

    @staticmethod
    def mask_of(on):
        return int(np.packbits(on, bitorder="little").view("<u8")[0])

    def active(self):
        mask = self.mask(EXEC)
        if self.known[0] != mask:
            self.known = (mask, self.bits(mask))
        return self.known[1]

    def first(self):
        mask = self.mask(EXEC)
        return (mask & -mask).bit_length() - 1 if mask else 0

    def write(self, at, values, on=None, all_lanes=False):
        if all_lanes:
            self.v[at] = values
        else:
            np.copyto(self.v[at], values, where=self.active() if on is None else on)

    def write_wide(self, at, values):
        low, top = values.astype(U32), (values >> U64(32)).astype(U32)
        self.write(at, low)
        self.write(at + 1, top)
