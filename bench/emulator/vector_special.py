# SPDX-License-Identifier: Apache-2.0
"""Vector instructions that work on masks, pairs of registers or other lanes."""

import re

import numpy as np

from .lanes import LANES, U32, U64, mix
from .operands import EXEC, VCC
from .refusal import Refused

COMPARE = {"eq": np.equal, "lg": np.not_equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
           "gt": np.greater, "ge": np.greater_equal}


def truth_table(table):
    def run(a, b, c):
        out = np.zeros(LANES, dtype=U32)
        for i in range(8):
            if table >> i & 1:
                out |= (a if i & 4 else ~a) & (b if i & 2 else ~b) & (c if i & 1 else ~c)
        return out
    return run


def special_vector(name, ops, text):
    """Those that work on masks, pairs of registers and other lanes; None: none of them."""
    to = ops[0].at
    if name in ("v_readfirstlane_b32", "v_readlane_b32"):
        def run(w):
            lane = w.first() if len(ops) == 2 else ops[2].word(w) & 63
            w.s[to] = int(ops[1].lanes(w)[lane])
    elif name == "v_writelane_b32":
        def run(w):
            w.v[to][ops[2].word(w) & 63] = ops[1].word(w)
    elif name == "v_cndmask_b32":
        def run(w):
            mask = w.bits(ops[3].wide(w) if len(ops) > 3 else w.mask(VCC))
            w.write(to, np.where(mask, ops[2].lanes(w), ops[1].lanes(w)))
    elif compared := re.fullmatch(r"v_cmp(x?)_(\w+)_([a-z]+)(\d+)", name):
        def run(w):
            a, b = (op.lanes(w) for op in ops[1:3])
            if compared[3] in "iu" and compared[4] == "32":
                a, b = (x.view(np.int32) if compared[3] == "i" else x for x in (a, b))
                found = COMPARE[compared[2]](a, b)
            elif compared[3] == "f":
                found = (mix(a, b, len(text)) & U32(64)) != 0
            else:
                raise Refused(name)
            w.put(to, w.mask_of(found & w.active()), True)
            if compared[1]:
                w.put(EXEC, w.mask(to), True)
    elif name == "v_mad_u64_u32":
        def run(w):
            value = ops[2].lanes(w).astype(U64) * ops[3].lanes(w).astype(U64) + ops[4].lanes_wide(w)
            w.write_wide(to, value)
    elif name in ("v_lshrrev_b64", "v_lshlrev_b64"):
        def run(w):
            by, value = ops[1].lanes(w).astype(U64) & U64(63), ops[2].lanes_wide(w)
            w.write_wide(to, value >> by if "shr" in name else value << by)
    elif name == "v_lshl_add_u64":
        def run(w):
            w.write_wide(to, (ops[1].lanes_wide(w) << (ops[2].lanes(w).astype(U64) & U64(7))) + ops[3].lanes_wide(w))
    elif name == "v_mov_b64":
        def run(w):
            w.write_wide(to, ops[1].lanes_wide(w))
    elif name == "v_pk_mov_b32":
        chosen = re.search(r"op_sel:\[([01]),([01])\]", text)
        parts = (int(chosen[1]), int(chosen[2])) if chosen else (0, 1)

        def run(w):
            low, top = ops[1].lanes(w, parts[0]).copy(), ops[2].lanes(w, parts[1]).copy()
            w.write(to, low)
            w.write(to + 1, top)
    elif name == "v_permlane32_swap_b32":
        def run(w):
            a, b = w.v[to].copy(), w.v[ops[1].at].copy()
            w.v[to][32:], w.v[ops[1].at][:32] = b[:32], a[32:]
    elif name == "v_permlane16_swap_b32":
        def run(w):
            a, b = w.v[to].copy(), w.v[ops[1].at].copy()
            for row in (0, 32):
                w.v[to][row + 16:row + 32], w.v[ops[1].at][row:row + 16] = b[row:row + 16], a[row + 16:row + 32]
    elif table := re.search(r"bitop3:(\w+)", text) if name == "v_bitop3_b32" else None:
        compute = truth_table(int(table[1], 0))

        def run(w):
            w.write(to, compute(*(op.lanes(w) for op in ops[1:])))
    elif name in ("v_mbcnt_lo_u32_b32", "v_mbcnt_hi_u32_b32"):
        def run(w):
            mask = ops[1].word(w) << (32 if "hi" in name else 0)
            below = np.array([bin(mask & ((1 << lane) - 1)).count("1") for lane in range(LANES)], dtype=U32)
            w.write(to, below + ops[2].lanes(w))
    else:
        return None
    return run
