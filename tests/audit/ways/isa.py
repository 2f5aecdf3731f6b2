# SPDX-License-Identifier: Apache-2.0
"""The instructions, as the manuals of CDNA3 and CDNA4 describe them: what each reads, writes and does.

A wave is followed in four of its 64 lanes. Programs may compare the number of a lane with what lies between two of
these, and then any lane and all lanes are any and all of the four.
"""

import operator
import re
from dataclasses import dataclass, field
from typing import Callable, Optional

LANES = (0, 1, 32, 63)
SAMPLE = sum(1 << lane for lane in LANES)
ALL = (1 << 64) - 1
MASK = (1 << 32) - 1
SCALAR = {"vcc_lo": 106, "vcc_hi": 107, "m0": 124, "exec_lo": 126, "exec_hi": 127}
PAIR = {"vcc": 106, "exec": 126}
VCC, M0, EXEC, V = 106, 124, 126, 256  # V + n is the vector register n


@dataclass
class Insn:
    text: str
    line: int
    name: str
    reads: list = field(default_factory=list)
    writes: list = field(default_factory=list)
    run: Optional[Callable] = None  # of the wave; what is no access ends here
    queue: str = ""  # vm, ds or sm: the access that `run` returns takes effect later
    target: str = ""  # of a branch
    wait: tuple = ()


def signed(value):
    return value - (1 << 32) if value & 0x80000000 else value


class Operand:
    """A register, a row of registers, or a number."""

    def __init__(self, text):
        self.kind, self.at, self.count, self.value = "number", 0, 0, 0
        if row := re.fullmatch(r"([sv])(?:(\d+)|\[(\d+):(\d+)\])", text):
            first = int(row[2] or row[3])
            self.kind, self.count = row[1], 1 if row[2] else int(row[4]) - first + 1
            self.at = first + (V if row[1] == "v" else 0)
        elif text in SCALAR:
            self.kind, self.at, self.count = "s", SCALAR[text], 1
        elif text in PAIR:
            self.kind, self.at, self.count = "s", PAIR[text], 2
        elif text != "off":
            self.value = int(text, 0)

    def registers(self):
        return list(range(self.at, self.at + self.count))

    def scalar(self, wave, bits=32):
        if self.kind == "number":
            return self.value & ((1 << bits) - 1)
        low = wave.scalars[self.at]
        return low if bits == 32 else low | wave.scalars[self.at + 1] << 32

    def lanes(self, wave, part=0):
        if self.kind == "v":
            return wave.vectors[self.at - V + part]
        return [self.scalar(wave)] * len(LANES)


COMPARE = {"eq": operator.eq, "lg": operator.ne, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
           "gt": operator.gt, "ge": operator.ge}


def carry(value):
    return value & MASK, value >> 32 & 1


def logic(value):
    return value, int(value != 0)


def overflow(value):
    return value & MASK, int(not -(1 << 31) <= value < 1 << 31)


SCALAR_TWO = {
    "s_add_u32": lambda a, b: carry(a + b),
    "s_sub_u32": lambda a, b: carry(a - b),
    "s_add_i32": lambda a, b: overflow(signed(a) + signed(b)),
    "s_sub_i32": lambda a, b: overflow(signed(a) - signed(b)),
    "s_and_b32": lambda a, b: logic(a & b),
    "s_or_b32": lambda a, b: logic(a | b),
    "s_xor_b32": lambda a, b: logic(a ^ b),
    "s_lshl_b32": lambda a, b: logic(a << (b & 31) & MASK),
    "s_lshr_b32": lambda a, b: logic(a >> (b & 31)),
    "s_min_u32": lambda a, b: (min(a, b), int(a < b)),
    "s_max_u32": lambda a, b: (max(a, b), int(a > b)),
    "s_mul_i32": lambda a, b: (a * b & MASK, None),
}
MASK_TWO = {
    "s_and": lambda a, b: a & b,
    "s_or": lambda a, b: a | b,
    "s_xor": lambda a, b: a ^ b,
    "s_andn2": lambda a, b: a & ~b & ALL,
}
VECTOR_TWO = {
    "v_add_u32": lambda a, b: a + b & MASK,
    "v_sub_u32": lambda a, b: a - b & MASK,
    "v_and_b32": operator.and_,
    "v_or_b32": operator.or_,
    "v_xor_b32": operator.xor,
    "v_lshlrev_b32": lambda a, b: b << (a & 31) & MASK,
    "v_lshrrev_b32": lambda a, b: b >> (a & 31),
    "v_max_u32": max,
    "v_min_u32": min,
}


def put_scalar(wave, at, value, count=1):
    for part in range(count):
        wave.scalars[at + part] = value >> 32 * part & MASK


def put_vector(wave, register, values, active=None):
    held = wave.vectors[register - V]
    wave.vectors[register - V] = [
        new if on else old for new, old, on in zip(values, held, active or wave.active())]


def scalar_insn(insn, name, ops):
    """Moves, arithmetic and comparisons of scalar registers."""
    bits = 64 if name.endswith(("_b64", "_u64")) else 32
    compared = re.fullmatch(r"s_cmp_(\w\w)_([iu])(?:32|64)", name)

    def run(wave):
        values = [op.scalar(wave, bits) for op in ops]
        if compared:
            values = [signed(v) for v in values] if compared[2] == "i" else values
            wave.scc = int(COMPARE[compared[1]](*[v & SAMPLE if bits == 64 else v for v in values]))
        elif name.startswith("s_bitcmp"):
            wave.scc = int((values[0] >> (values[1] & 31) & 1) == int(name[8]))
        elif name.startswith("s_mov"):
            put_scalar(wave, ops[0].at, values[1], bits // 32)
        elif name.startswith("s_cselect"):
            put_scalar(wave, ops[0].at, values[1] if wave.scc else values[2], bits // 32)
        elif "saveexec" in name:
            held = wave.mask(EXEC)
            put_scalar(wave, ops[0].at, held, 2)
            put_scalar(wave, EXEC, MASK_TWO[name.split("_saveexec")[0]](values[1], held), 2)
            wave.scc = int(wave.mask(EXEC) & SAMPLE != 0)
        elif bits == 64:
            result = MASK_TWO[name[:-4]](values[1], values[2])
            put_scalar(wave, ops[0].at, result, 2)
            wave.scc = int(result & SAMPLE != 0)
        else:
            result, scc = SCALAR_TWO[name](values[1], values[2])
            put_scalar(wave, ops[0].at, result)
            wave.scc = wave.scc if scc is None else scc

    known = compared or name in SCALAR_TWO or re.fullmatch(
        r"s_bitcmp[01]_b32|s_mov_b(32|64)|s_movk_i32|s_cselect_b(32|64)|s_(and|or|xor|andn2)(_saveexec)?_b64", name)
    if not known:
        raise ValueError(insn.text)
    no_result = compared or name.startswith("s_bitcmp")
    insn.run = run
    insn.writes = [] if no_result else ops[0].registers()
    insn.reads = sum((op.registers() for op in ops[0 if no_result else 1:]), [])
    if "saveexec" in name:
        insn.reads, insn.writes = insn.reads + [EXEC], insn.writes + [EXEC, EXEC + 1]


def vector_insn(insn, name, ops):
    """Moves, arithmetic and comparisons of vector registers, in the lanes that are on."""
    base = re.sub(r"_e(32|64)$", "", name)
    insn.reads = sum((op.registers() for op in ops[1:]), [])
    insn.writes = ops[0].registers()
    if base == "v_readfirstlane_b32":
        def run(wave):
            put_scalar(wave, ops[0].at, ops[1].lanes(wave)[wave.first()])
    elif base == "v_mov_b32":
        def run(wave):
            put_vector(wave, ops[0].at, ops[1].lanes(wave))
    elif base == "v_cndmask_b32":
        def run(wave):
            mask = ops[3].scalar(wave, 64)
            put_vector(wave, ops[0].at, [b if mask >> lane & 1 else a for lane, a, b in zip(
                LANES, ops[1].lanes(wave), ops[2].lanes(wave))])
    elif compared := re.fullmatch(r"v_cmp(x?)_(\w\w)_u32", base):
        def run(wave):
            results = map(COMPARE[compared[2]], ops[1].lanes(wave), ops[2].lanes(wave))
            mask = sum(1 << lane for lane, on, yes in zip(LANES, wave.active(), results) if on and yes)
            put_scalar(wave, ops[0].at, mask, 2)
            if compared[1]:
                put_scalar(wave, EXEC, mask, 2)
        insn.writes += [EXEC, EXEC + 1] if compared[1] else []
    else:
        compute = VECTOR_TWO[base]

        def run(wave):
            put_vector(wave, ops[0].at, list(map(compute, ops[1].lanes(wave), ops[2].lanes(wave))))
    insn.run = run
