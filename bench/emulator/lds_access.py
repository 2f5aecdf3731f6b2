# SPDX-License-Identifier: Apache-2.0
"""Accesses to LDS: an instruction takes its operands at its issue, and gives what is to happen when it is done."""

import re

import numpy as np

from .atomics import change_of
from .lanes import LANES, NUMBER, U32, U64, across, mix
from .operands import offset_of
from .refusal import Refused

BITS = {"u8": 8, "u16": 16, "b8": 8, "b16": 16, "b32": 32, "b64": 64, "b96": 96, "b128": 128}


def parse_ds(name, ops, text):
    """An LDS access: when it is issued it takes its operands, and gives what it does when it is done."""
    row = re.fullmatch(r"ds_(read|write)(2st64|2)?_(b64_tr_b\d+|[bui]\d+)(_d16)?(_hi)?", name)
    if name == "ds_bpermute_b32":
        def run(w):
            lanes = (ops[1].address(w) >> U64(2)) & U64(63)
            value, on = ops[2].lanes(w).copy(), w.active()
            taken = np.where(on[lanes], value[lanes], U32(0))
            return lambda: w.write(ops[0].at, taken, on)
        return run
    if not row:
        return parse_lds_atomic(name, ops, text)
    transposed = "_tr_" in name
    size = 8 if transposed else BITS[row[3]] // 8
    unit = {None: 0, "2": size, "2st64": 64 * size}[row[2]]
    offsets = [offset_of(text, "offset0") * unit, offset_of(text, "offset1") * unit] if unit else [offset_of(text)]

    def places(w, address, offset):
        return address.address(w).astype(np.int64) + offset

    def read(w):
        spots, on = [places(w, ops[1], offset) for offset in offsets], w.active()

        def land():
            at = ops[0].at
            for spot in spots:
                found = w.lds.read(spot, size)
                for value in found:
                    if transposed:
                        value = mix(*(across(part) for part in found), NUMBER, value)
                    w.write(at, value, on)
                    at += 1
        return land

    def write(w):
        spots, on = [places(w, ops[0], offset) for offset in offsets], w.active()
        held = [op.copied(w) for op in ops[1:1 + len(offsets)]]
        if row[5]:
            held = [[part >> U32(16) for part in parts] for parts in held]

        def land():
            for spot, parts in zip(spots, held):
                w.lds.write(spot, size, parts, on)
        return land
    return read if row[1] == "read" else write


def parse_lds_atomic(name, ops, text):
    row = re.fullmatch(r"ds_(\w+?)(_rtn)?_(u32|i32|b32|f32)", name)
    change = change_of({"min_i32": "smin", "max_i32": "smax", "min_u32": "umin", "max_u32": "umax"}.get(
        f"{row[1]}_{row[3]}", row[1] + "_f32" * (row[3] == "f32"))) if row else None
    if not change:
        raise Refused(name)
    place, data = (ops[1], ops[2]) if row[2] else (ops[0], ops[1])

    def run(w):
        spots, on = place.address(w).astype(np.int64) + offset_of(text), w.active()
        held = data.lanes(w).copy()

        def land():
            before = np.zeros(LANES, dtype=U32)
            for lane in np.nonzero(on)[0]:
                one = np.arange(LANES) == lane
                before[lane] = w.lds.read(spots, 4)[0][lane]
                w.lds.write(spots, 4, [np.full(LANES, change(int(before[lane]), int(held[lane]), 32), dtype=U32)], one)
            if row[2]:
                w.write(ops[0].at, before, on)
        return land
    return run
