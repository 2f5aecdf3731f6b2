# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic of vector instructions, for all lanes at once."""

import numpy as np

from .lanes import LANES, U32, U64


def shifted(a, by, right=False, sign=False):
    by = by & U32(31)
    return (a.view(np.int32) >> by.astype(np.int32)).view(U32) if sign else a >> by if right else a << by


def field(a, first, width, sign=False):
    first, width = first & U32(31), width & U32(31)
    out = (a >> first) & ((U32(1) << width) - U32(1))
    if sign:
        top = U32(1) << (np.maximum(width, U32(1)) - U32(1))
        out = np.where(width == 0, U32(0), (out ^ top) - top)
    return out.astype(U32)


def high(a, b):
    return ((a.astype(U64) * b.astype(U64)) >> U64(32)).astype(U32)


def reversed_bits(a):
    out = np.zeros(LANES, dtype=U32)
    for i in range(32):
        out |= ((a >> U32(i)) & U32(1)) << U32(31 - i)
    return out


def bits_of(a):
    return sum(((a >> U32(i)) & U32(1) for i in range(32)), np.zeros(LANES, dtype=U32))


def narrow(a):
    """Its 24 lowest bits, with their sign."""
    return field(a, U32(0), U32(24), True)


def extreme(take, sign):
    return lambda a, b: take(a.view(np.int32), b.view(np.int32)).view(U32) if sign else take(a, b)


VECTOR = {
    "v_mov_b32": lambda a: a, "v_accvgpr_read_b32": lambda a: a, "v_accvgpr_write_b32": lambda a: a,
    "v_accvgpr_mov_b32": lambda a: a, "v_not_b32": lambda a: ~a, "v_bfrev_b32": reversed_bits,
    "v_add_u32": lambda a, b: a + b, "v_sub_u32": lambda a, b: a - b, "v_subrev_u32": lambda a, b: b - a,
    "v_add3_u32": lambda a, b, c: a + b + c, "v_and_b32": lambda a, b: a & b, "v_or_b32": lambda a, b: a | b,
    "v_xor_b32": lambda a, b: a ^ b, "v_xad_u32": lambda a, b, c: (a ^ b) + c, "v_or3_b32": lambda a, b, c: a | b | c,
    "v_and_or_b32": lambda a, b, c: a & b | c, "v_lshlrev_b32": lambda a, b: shifted(b, a),
    "v_lshrrev_b32": lambda a, b: shifted(b, a, True), "v_ashrrev_i32": lambda a, b: shifted(b, a, sign=True),
    "v_lshl_add_u32": lambda a, b, c: shifted(a, b) + c, "v_add_lshl_u32": lambda a, b, c: shifted(a + b, c),
    "v_lshl_or_b32": lambda a, b, c: shifted(a, b) | c, "v_bfe_u32": field,
    "v_bfe_i32": lambda a, b, c: field(a, b, c, True), "v_bfi_b32": lambda a, b, c: a & b | ~a & c,
    "v_mul_lo_u32": lambda a, b: a * b, "v_mul_hi_u32": high,
    "v_mul_u32_u24": lambda a, b: (a & U32(0xffffff)) * (b & U32(0xffffff)),
    "v_mad_u32_u24": lambda a, b, c: (a & U32(0xffffff)) * (b & U32(0xffffff)) + c,
    "v_mul_i32_i24": lambda a, b: narrow(a) * narrow(b), "v_mad_i32_i24": lambda a, b, c: narrow(a) * narrow(b) + c,
    "v_add_u16": lambda a, b: (a + b) & U32(0xffff), "v_sub_u16": lambda a, b: (a - b) & U32(0xffff),
    "v_ashrrev_i16": lambda a, b: shifted(shifted(b, U32(16)), (a & U32(15)) + U32(16), sign=True) & U32(0xffff),
    "v_bcnt_u32_b32": lambda a, b: bits_of(a) + b,
    "v_min3_i32": lambda a, b, c: VECTOR["v_min_i32"](VECTOR["v_min_i32"](a, b), c),
    "v_max3_i32": lambda a, b, c: VECTOR["v_max_i32"](VECTOR["v_max_i32"](a, b), c),
    "v_min3_u32": lambda a, b, c: np.minimum(np.minimum(a, b), c),
    "v_max3_u32": lambda a, b, c: np.maximum(np.maximum(a, b), c),
    "v_min_u32": extreme(np.minimum, False), "v_max_u32": extreme(np.maximum, False),
    "v_min_i32": extreme(np.minimum, True), "v_max_i32": extreme(np.maximum, True),
}
