# SPDX-License-Identifier: Apache-2.0
"""Accesses of vector memory: global memory, copies from there to LDS, and private memory."""

import re

import numpy as np

from .atomics import change_of
from .lanes import LANES, MASK, NUMBER, U32, U64
from .operands import M0, offset_of
from .refusal import Refused

WORDS = {"dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4}


POLLS = 3  # a wave that asks so often for what never comes: then another work group has written it


def parse_vm_atomic(name, ops, text):
    """An atomic on global memory, lane by lane. Another work group meets a comparison that fails again and again."""
    row = re.fullmatch(r"(global|buffer)_atomic_(\w+?)(_x2)?", name)
    compares = bool(row) and row[2] == "cmpswap"
    change = change_of(row[2]) if row else None
    if not row or not (change or compares):
        raise Refused(name)
    size = 64 if row[3] or row[2].endswith("f64") else 32
    buffered, returns = row[1] == "buffer", bool(re.search(r"\bsc0\b", text))
    data = ops[0] if buffered else ops[1 + returns]
    place = ops[1:] if buffered else [ops[returns], *ops[2 + returns:]]
    to = ops[0] if returns else None
    words = size // 32

    def operand(parts, lane, first):
        return sum(int(parts[first * words + i][lane]) << 32 * i for i in range(words))

    def run(w):
        at, known = vm_addresses(w, place, buffered, text, words, 4)
        held, on = data.copied(w), w.active()

        def land():
            before = [np.zeros(LANES, dtype=U32) for _ in range(words)]
            for lane in np.nonzero(known)[0]:
                spot = int(at[lane])
                old = w.memory.word(spot) | (w.memory.word(spot + 4) << 32 if words > 1 else 0)
                new = operand(held, lane, 0)
                if compares:
                    wanted, key = operand(held, lane, 1), (w.number, spot, lane)
                    w.memory.polls[key] = w.memory.polls.get(key, 0) + 1 if old != wanted else 0
                    old = wanted if w.memory.polls[key] > POLLS else old
                    new = new if old == wanted else old
                else:
                    new = change(old, new, size)
                for i in range(words):
                    w.memory.stored[spot + 4 * i] = new >> 32 * i & MASK
                    before[i][lane] = old >> 32 * i & MASK
            for i in range(words if to else 0):
                w.write(to.at + i, before[i], on)
        return land
    return run


def vm_addresses(w, place, buffered, text, words, size):
    """Of each lane, and which lanes access memory there."""
    offset = offset_of(text)
    if buffered:
        inside = (place[0].address(w).astype(np.int64) if "offen" in text else np.zeros(LANES, np.int64)) + offset
        base = w.s[place[1].at] | (w.s[place[1].at + 1] & 0xffff) << 32
        known = inside + 4 * (words - 1) + size <= w.s[place[1].at + 2]
        return inside + base + (place[2].word(w) if place[2].kind != "name" else 0), known & w.active()
    own = place[0].address(w)
    base = place[1].wide(w) if len(place) > 1 and place[1].kind == "s" else 0
    return (own + U64(base)).astype(np.int64) + offset, w.active()


def parse_scratch(name, ops, text):
    words = WORDS[name.rsplit("_", 1)[1]]
    at = offset_of(text)
    if any(op.kind != "name" for op in (ops[0], ops[2]) if "store" in name) or (
            "load" in name and any(op.kind != "name" for op in ops[1:3])):
        raise Refused(text)

    def store(w):
        held, on = ops[1].copied(w), w.active()

        def land():
            for i in range(words):
                old = w.scratch.get(at + 4 * i, np.zeros(LANES, dtype=U32))
                w.scratch[at + 4 * i] = np.where(on, held[i], old)
        return land

    def load(w):
        on = w.active()

        def land():
            for i in range(words):
                w.write(ops[0].at + i, w.scratch.get(at + 4 * i, np.zeros(LANES, dtype=U32)), on)
        return land
    return store if "store" in name else load


def parse_vm(name, ops, text):
    """A vector access to global memory, by a buffer or an address."""
    row = re.fullmatch(r"(global|buffer)_(load|store)_(lds_)?(dword(?:x[234])?|ubyte|ushort|byte|short)", name)
    if not row:
        return parse_vm_atomic(name, ops, text)
    words, size = WORDS.get(row[4], 1), {"ubyte": 1, "byte": 1, "ushort": 2, "short": 2}.get(row[4], 4)
    to_lds = bool(row[3]) or bool(re.search(r"\blds\b", text))
    buffered, stores, offset = row[1] == "buffer", row[2] == "store", offset_of(text)
    if to_lds:
        data, place = None, ops
    elif stores and not buffered:
        data, place = ops[1], [ops[0], *ops[2:]]
    else:
        data, place = ops[0], ops[1:]

    def run(w):
        at, known = vm_addresses(w, place, buffered, text, words, size)
        on = w.active()
        if stores:
            held = data.copied(w)
            return lambda: w.memory.store(at, size, held, known)
        if to_lds:
            spot = (w.s[M0] + offset + 4 * words * NUMBER).astype(np.int64)
            return lambda: w.lds.write(spot, 4 * words, w.memory.load(at, 4, words, known), on)

        def land():
            for i, value in enumerate(w.memory.load(at, size, words, known)):
                w.write(data.at + i, value, on)
        return land
    return run
