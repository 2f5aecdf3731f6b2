# SPDX-License-Identifier: Apache-2.0
"""Scalar instructions."""

import re

from .lanes import ALL, MASK, signed
from .operands import EXEC
from .refusal import Refused

SCALAR_COMPARE = {"eq": int.__eq__, "lg": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__,
                  "ge": int.__ge__}


def logic(value):
    return value, int(value != 0)


def overflow(value):
    return value & MASK, int(not -(1 << 31) <= value < 1 << 31)


def scalar_field(a, b, sign):
    first, width = b & 31, b >> 16 & 127
    out = a >> first & ((1 << width) - 1)
    return logic((out - (1 << width) if sign and width and out >> (width - 1) & 1 else out) & MASK)


def scalar_add_shifted(by):
    return lambda a, b: (((a << by) + b) & MASK, ((a << by) + b) >> 32 & 1)


SCALAR_OPS = {
    "s_add_u32": lambda a, b: ((a + b) & MASK, a + b >> 32), "s_sub_u32": lambda a, b: ((a - b) & MASK, int(a < b)),
    "s_add_i32": lambda a, b: overflow(signed(a) + signed(b)),
    "s_sub_i32": lambda a, b: overflow(signed(a) - signed(b)),
    "s_and_b32": lambda a, b: logic(a & b), "s_or_b32": lambda a, b: logic(a | b),
    "s_xor_b32": lambda a, b: logic(a ^ b),
    "s_andn2_b32": lambda a, b: logic(a & ~b & MASK), "s_not_b32": lambda a: logic(~a & MASK),
    "s_lshl_b32": lambda a, b: logic(a << (b & 31) & MASK), "s_lshr_b32": lambda a, b: logic(a >> (b & 31)),
    "s_ashr_i32": lambda a, b: logic(signed(a) >> (b & 31) & MASK), "s_abs_i32": lambda a: logic(abs(signed(a)) & MASK),
    "s_min_u32": lambda a, b: (min(a, b), int(a < b)), "s_max_u32": lambda a, b: (max(a, b), int(a > b)),
    "s_min_i32": lambda a, b: (min(a, b, key=signed), int(signed(a) < signed(b))),
    "s_max_i32": lambda a, b: (max(a, b, key=signed), int(signed(a) > signed(b))),
    "s_bfe_u32": lambda a, b: scalar_field(a, b, False), "s_bfe_i32": lambda a, b: scalar_field(a, b, True),
    "s_mul_i32": lambda a, b: (a * b & MASK, None), "s_mul_hi_u32": lambda a, b: (a * b >> 32, None),
    "s_brev_b32": lambda a: (int(f"{a:032b}"[::-1], 2), None), "s_bcnt1_i32_b32": lambda a: logic(bin(a).count("1")),
    "s_ff1_i32_b32": lambda a: ((a & -a).bit_length() - 1 if a else MASK, None),
    "s_mov_b32": lambda a: (a, None),
    **{f"s_lshl{n}_add_u32": scalar_add_shifted(n) for n in (1, 2, 3, 4)},
}
WIDE_OPS = {"s_and": lambda a, b: a & b, "s_or": lambda a, b: a | b, "s_xor": lambda a, b: a ^ b,
            "s_andn2": lambda a, b: a & ~b & ALL, "s_lshl": lambda a, b: a << (b & 63) & ALL,
            "s_lshr": lambda a, b: a >> (b & 63)}


def scalar_insn(name, ops):
    """What a scalar instruction does to a wave."""
    wide = name.endswith(("_b64", "_u64"))
    if compared := re.fullmatch(r"s_cmpk?_(\w\w)_([iu])(32|64)", name):
        def run(w):
            a, b = (op.wide(w) if wide else op.word(w) for op in ops)
            if compared[2] == "i":
                a, b = signed(a), signed(b)
            w.scc = int(SCALAR_COMPARE[compared[1]](a, b))
    elif bit := re.fullmatch(r"s_bitcmp([01])_b32", name):
        def run(w):
            w.scc = int((ops[0].word(w) >> (ops[1].word(w) & 31) & 1) == int(bit[1]))
    elif bit := re.fullmatch(r"s_bitset([01])_b32", name):
        def run(w):
            one = 1 << (ops[1].word(w) & 31)
            w.s[ops[0].at] = w.s[ops[0].at] | one if bit[1] == "1" else w.s[ops[0].at] & ~one
    elif name in ("s_movk_i32", "s_addk_i32", "s_mulk_i32"):
        def run(w):
            short = ((ops[1].word(w) & 0xffff) ^ 0x8000) - 0x8000
            if name == "s_addk_i32":
                w.s[ops[0].at], w.scc = overflow(signed(w.s[ops[0].at]) + short)
            else:
                w.s[ops[0].at] = (short if name == "s_movk_i32" else w.s[ops[0].at] * short) & MASK
    elif name in ("s_cselect_b32", "s_cselect_b64"):
        def run(w):
            chosen = ops[1] if w.scc else ops[2]
            w.put(ops[0].at, chosen.wide(w) if wide else chosen.word(w), wide)
    elif name == "s_addc_u32":
        def run(w):
            total = ops[1].word(w) + ops[2].word(w) + w.scc
            w.s[ops[0].at], w.scc = total & MASK, total >> 32
    elif name == "s_ff1_i32_b64":
        def run(w):
            mask = ops[1].wide(w)
            w.s[ops[0].at] = (mask & -mask).bit_length() - 1 if mask else MASK
    elif name == "s_bcnt1_i32_b64":
        def run(w):
            w.s[ops[0].at], w.scc = logic(bin(ops[1].wide(w)).count("1"))
    elif name == "s_mov_b64":
        def run(w):
            w.put(ops[0].at, ops[1].wide(w), True)
    elif name == "s_not_b64":
        def run(w):
            w.put(ops[0].at, ~ops[1].wide(w) & ALL, True)
            w.scc = int(ops[1].wide(w) != ALL)
    elif saved := re.fullmatch(r"(s_and|s_or|s_xor|s_andn2)_saveexec_b64", name):
        def run(w):
            held = w.mask(EXEC)
            result = WIDE_OPS[saved[1]](ops[1].wide(w), held)
            w.put(ops[0].at, held, True)
            w.put(EXEC, result, True)
            w.scc = int(result != 0)
    elif wide and name[:-4] in WIDE_OPS:
        def run(w):
            by = ops[2].word(w) if "sh" in name else ops[2].wide(w)
            result = WIDE_OPS[name[:-4]](ops[1].wide(w), by)
            w.put(ops[0].at, result, True)
            w.scc = int(result != 0)
    elif SCALAR_OPS.get(name):
        def run(w):
            result, scc = SCALAR_OPS[name](*(op.word(w) for op in ops[1:]))
            w.s[ops[0].at] = result
            w.scc = w.scc if scc is None else scc
    else:
        raise Refused(name)
    return run
