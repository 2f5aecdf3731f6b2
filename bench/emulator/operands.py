# SPDX-License-Identifier: Apache-2.0
"""The operands of an instruction, by the text that an assembler reads."""

import re

import numpy as np

from .lanes import LANES, MASK, U32, U64
from .refusal import Refused

# Registers by number: scalar ones as their encoding has it, accumulators behind the other vector registers.
SCALAR = {"vcc_lo": 106, "vcc_hi": 107, "m0": 124, "exec_lo": 126, "exec_hi": 127}
PAIR = {"vcc": 106, "exec": 126, "flat_scratch": 102}
VCC, M0, EXEC, ACCUMULATORS = 106, 124, 126, 256


class Operand:
    def __init__(self, text):
        self.kind, self.at, self.count, self.text = "number", 0, 0, text
        bare = re.sub(r"^(-|neg\(|sext\(|\||abs\()+|[|)]+$", "", text)
        self.altered = bare != text and not re.fullmatch(r"-[\d.]\S*", text)
        if row := re.fullmatch(r"([asv])(?:(\d+)|\[(\d+):(\d+)\])", bare):
            first = int(row[2] or row[3])
            self.count = 1 if row[2] else int(row[4]) - first + 1
            self.kind = "s" if row[1] == "s" else "v"
            self.at = first + (ACCUMULATORS if row[1] == "a" else 0)
        elif bare in SCALAR or bare in PAIR:
            self.kind, self.at, self.count = "s", {**SCALAR, **PAIR}[bare], 1 if bare in SCALAR else 2
        elif text == "off" or re.fullmatch(r"[a-z_.L][\w.]*", text):
            self.kind = "name"
        elif re.fullmatch(r"-?\d+\.\d+(e\S+)?", text):
            self.value = int(np.float32(float(text)).view(U32))
        else:
            try:
                self.value = int(bare if text.startswith("neg(") else text, 0)
            except ValueError as error:
                raise Refused(f"operand {text}") from error

    def registers(self):
        return {(self.kind, self.at + i) for i in range(self.count)}

    def word(self, wave, part=0):
        if self.kind == "number":
            return (self.value >> 32 * part) & MASK if self.value >= 0 or part == 0 else MASK
        if self.kind != "s":
            raise Refused(f"{self.text} as a scalar")
        return wave.s[self.at + (part if part < self.count else 0)]

    def wide(self, wave):
        return self.word(wave) | self.word(wave, 1) << 32

    def lanes(self, wave, part=0):
        if self.kind == "v":
            return wave.v[self.at + part]
        return np.full(LANES, self.word(wave, part), dtype=U32)

    def lanes_wide(self, wave):
        return self.lanes(wave).astype(U64) | self.lanes(wave, 1).astype(U64) << U64(32)

    def parts(self, wave):
        """All words, for what takes data as it is."""
        if self.kind == "name":
            return []
        return [self.lanes(wave, i) for i in range(max(1, self.count))]

    def address(self, wave):
        """What lanes access; no number that only stands for data may be among it."""
        if self.registers() & wave.data:
            raise Refused(f"{self.text} is an address, and made of what is not computed")
        return self.lanes_wide(wave) if self.count == 2 else self.lanes(wave).astype(U64)

    def copied(self, wave):
        """All words as they are now, for what uses them later."""
        return [part.copy() for part in self.parts(wave)]


def offset_of(text, name="offset"):
    found = re.search(rf"\b{name}:(\w+)", text)
    return int(found[1], 0) if found else 0
