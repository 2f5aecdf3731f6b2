# SPDX-License-Identifier: Apache-2.0
"""Numbers of 32 bits in each lane of a wave; those that stand for data depend on all that these are made of."""

import numpy as np

LANES = 64
MASK, ALL = (1 << 32) - 1, (1 << 64) - 1
U32, U64 = np.uint32, np.uint64
NUMBER = np.arange(LANES, dtype=U32)


def mix(*values):
    """A number for each lane that depends on all bits of all values."""
    out = np.full(LANES, 0x9e3779b9, dtype=U64)
    for value in values:
        out = (out ^ np.asarray(value).astype(U64)) * U64(0xbf58476d1ce4e5b9)
        out ^= out >> U64(29)
    return (out ^ (out >> U64(32))).astype(U32)


def across(value):
    """The same for all lanes together."""
    return int((mix(value, NUMBER).astype(U64) * (NUMBER.astype(U64) * U64(2) + U64(1))).sum() & U64(MASK))


def across_rows(value):
    """The same for the lanes of each row of 16, in which most of DPP stays."""
    mixed = mix(value, NUMBER & U32(15)).astype(U64) * (NUMBER.astype(U64) % U64(16) * U64(2) + U64(1))
    return np.repeat(mixed.reshape(-1, 16).sum(1) & U64(MASK), 16).astype(U32)


def signed(value):
    return value - (1 << 32) if value & 0x80000000 else value
