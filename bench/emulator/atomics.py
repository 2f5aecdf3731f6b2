# SPDX-License-Identifier: Apache-2.0
"""What atomics make of what was there and their operand."""

import re

import numpy as np

from .lanes import LANES, MASK, mix


def some_sum(old, new, size):
    """Of floats: what it is depends on all that was added, and not on the order, as nothing orders work groups."""
    return (old + int(mix(np.full(LANES, new & MASK), new >> 32)[0])) & ((1 << size) - 1)


def signed_extreme(take):
    return lambda old, new, size: take(old, new, key=lambda x: (x ^ 1 << (size - 1)))


CHANGES = {
    "swap": lambda old, new, size: new, "add": lambda old, new, size: (old + new) & ((1 << size) - 1),
    "sub": lambda old, new, size: (old - new) & ((1 << size) - 1), "and": lambda old, new, size: old & new,
    "or": lambda old, new, size: old | new, "xor": lambda old, new, size: old ^ new,
    "umin": lambda old, new, size: min(old, new), "umax": lambda old, new, size: max(old, new),
    "smin": signed_extreme(min), "smax": signed_extreme(max),
}


def change_of(name):
    """What an atomic makes of what was there and its operand; None: it is not known."""
    return some_sum if re.fullmatch(r"(pk_)?add_(f16|bf16|f32|f64)", name) else CHANGES.get(name)
