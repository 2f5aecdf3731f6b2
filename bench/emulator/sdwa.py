# SPDX-License-Identifier: Apache-2.0
"""SDWA: bytes and halves of registers as sources and as the result."""

import re

import numpy as np

from .lanes import MASK, U32
from .refusal import Refused

FIELDS = {"DWORD": (0, 32), "WORD_0": (0, 16), "WORD_1": (16, 16),
          **{f"BYTE_{i}": (8 * i, 8) for i in range(4)}}


def field_named(text, key):
    """Its first bit, and how many it has."""
    found = re.search(rf"\b{key}:(\w+)", text)
    return FIELDS[found[1]] if found else (0, 32)


def widened(value, width, is_signed):
    """Bits from `width` on as zeros, or as the sign."""
    low = value & U32((1 << width) - 1)
    return np.where(low >> U32(width - 1) & U32(1), low | U32(MASK ^ ((1 << width) - 1)), low) if is_signed else low


class Selected:
    """An operand of which a field is read."""

    def __init__(self, operand, field):
        self.operand, self.field = operand, field
        self.is_signed = operand.text.startswith("sext(")
        self.altered = operand.altered and not self.is_signed

    def lanes(self, wave):
        first, width = self.field
        return widened(self.operand.lanes(wave) >> U32(first), width, self.is_signed)


def sources(ops, text):
    """The result, and operands that read their fields."""
    return [ops[0], *(Selected(op, field_named(text, f"src{i}_sel")) for i, op in enumerate(ops[1:]))]


def writes_result(to, text):
    """How a result goes into its register."""
    first, width = field_named(text, "dst_sel")
    rest = re.search(r"dst_unused:UNUSED_(\w+)", text)
    if rest is None and width < 32:
        raise Refused(text)

    def write(wave, value):
        low, kept = widened(value, width, False) << U32(first), U32(MASK ^ (((1 << width) - 1) << first))
        if width < 32 and rest[1] == "PRESERVE":
            low = wave.v[to] & kept | low
        elif width < 32 and rest[1] == "SEXT":
            low = widened(low, first + width, True)
        wave.write(to, low)
    return write
