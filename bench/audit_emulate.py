# SPDX-License-Identifier: Apache-2.0
"""Runs a work group of an AMD kernel with many of the timings that the machine allows, to see whether they matter.

What addresses and branches are made of is computed as the manuals of CDNA3 and CDNA4 say. Of arithmetic on data only
that is kept which matters here: its result is a number that depends on all bits that it depends on, and on nothing
else, so that a value which comes too early, or from elsewhere, shows in what is stored. An access takes effect at any
moment between its issue and the wait that retires it: vector memory and LDS in order, scalar loads in any.
"""

import collections
import random
import re

import numpy as np

LANES = 64
MASK, ALL = (1 << 32) - 1, (1 << 64) - 1
SCALAR = {"vcc_lo": 106, "vcc_hi": 107, "m0": 124, "exec_lo": 126, "exec_hi": 127}
PAIR = {"vcc": 106, "exec": 126, "flat_scratch": 102}
VCC, M0, EXEC, A, V = 106, 124, 126, 256, 256
ARGUMENTS, STEPS, LDS_BYTES = 1 << 28, 400000, 160 << 10
COUNTS = {"vm": ("vmcnt", 63), "lgkm": ("lgkmcnt", 15)}
NUMBER = np.arange(LANES, dtype=np.uint32)
U32, U64 = np.uint32, np.uint64

Result = collections.namedtuple("Result", "wrong stored")
Insn = collections.namedtuple("Insn", "text line name run queue registers own target wait")


class Refused(Exception):
    """What this program does not know."""


class Wrong(Exception):
    """A register that is used while its load is in flight."""


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


class Operand:
    def __init__(self, text):
        self.kind, self.at, self.count, self.text = "number", 0, 0, text
        bare = re.sub(r"^(-|neg\(|sext\(|\||abs\()+|[|)]+$", "", text)
        self.altered = bare != text and not re.fullmatch(r"-[\d.]\S*", text)
        if row := re.fullmatch(r"([asv])(?:(\d+)|\[(\d+):(\d+)\])", bare):
            first = int(row[2] or row[3])
            self.count = 1 if row[2] else int(row[4]) - first + 1
            self.kind = "s" if row[1] == "s" else "v"
            self.at = first + (A if row[1] == "a" else 0)
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


# --- integers ----------------------------------------------------------------------------------------

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
COMPARE = {"eq": np.equal, "lg": np.not_equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
           "gt": np.greater, "ge": np.greater_equal}
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
    "s_add_i32": lambda a, b: overflow(signed(a) + signed(b)), "s_sub_i32": lambda a, b: overflow(signed(a) - signed(b)),
    "s_and_b32": lambda a, b: logic(a & b), "s_or_b32": lambda a, b: logic(a | b), "s_xor_b32": lambda a, b: logic(a ^ b),
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
    "s_mov_b32": lambda a: (a, None), "s_bitset1_b32": None, "s_bitset0_b32": None,
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


# --- vectors ------------------------------------------------------------------------------------------

def real(values):
    return values.view(np.float32)


def some_floats(name, ops):
    """Those of floats that the division of integers is made of; None: they are data."""
    if name == "v_cvt_f32_u32":
        return lambda a: a.astype(np.float32).view(U32)
    if name == "v_cvt_u32_f32":
        return lambda a: np.clip(np.nan_to_num(real(a)), 0, 4294967040.0).astype(U32)
    if name in ("v_rcp_f32", "v_rcp_iflag_f32"):
        def reciprocal(a):
            with np.errstate(all="ignore"):
                out = (np.float32(1) / real(a)).astype(np.float32)
            return np.where(np.isfinite(out), out.view(U32), mix(a))
        return reciprocal
    if name == "v_mul_f32" and ops[1].text in ("0x4f7ffffe", "0x4f800000"):
        return lambda a, b: (real(np.ascontiguousarray(a)) * real(b)).astype(np.float32).view(U32)
    return None


DATA = re.compile(r"v_\w*(f16|f32|f64|fp8|bf8|bf16|b16|perm_b32|pack|alignbit|alignbyte|_sdwa|_dpp|pk_)")
IN_ROWS = re.compile(r" (row_sh[lr]|row_ror|quad_perm|row_mirror|row_half_mirror)\b")
ALL_WRITTEN = re.compile(r"_dpp .* row_mask:0xf bank_mask:0xf bound_ctrl:")  # lanes without a source get 0
KEEPS = re.compile(r"fmac|_mac_|_sdwa|_dpp|cvt_pk_fp8|cvt_pk_bf8|cvt_sr|d16")


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


def packed(ops, text):
    """Each half takes one word of each pair, as op_sel and op_sel_hi say."""
    chosen = [[0] * 3, [1] * 3]
    for half, key in enumerate(("op_sel", "op_sel_hi")):
        if row := re.search(rf"{key}:\[([01,]+)\]", text):
            chosen[half][:row[1].count(",") + 1] = map(int, row[1].split(","))
    kind = sum(map(ord, text.split()[0]))

    def run(w):
        halves = [mix(*(op.lanes(w, chosen[half][i]) for i, op in enumerate(ops[1:])), kind) for half in (0, 1)]
        for half in (0, 1):
            w.write(ops[0].at + half, halves[half])
    return run


def vector_insn(name, ops, text):
    if run := special_vector(name, ops, text):
        return run
    if name in ("v_pk_fma_f32", "v_pk_mul_f32", "v_pk_add_f32"):
        return packed(ops, text)
    compute = some_floats(name, ops) or (None if any(op.altered for op in ops) else VECTOR.get(name))
    if compute:
        return lambda w: w.write(ops[0].at, compute(*(op.lanes(w) for op in ops[1:])))
    mask_result = len(ops) > 1 and name.startswith("v_div_scale")
    first = 2 if mask_result else 1
    kind = sum(map(ord, re.sub(r"\b[asv](\d+|\[\d+:\d+\])", "", text)))
    if name.startswith(("v_mfma", "v_smfmac")):
        def run(w):
            product = 0
            for op in ops[1:3]:
                for part in op.parts(w):
                    product = product * 31 + across(part) & MASK
            sums = ops[3].parts(w)
            for i in range(ops[0].count):
                w.write(ops[0].at + i, mix(sums[i % len(sums)], product, i, NUMBER, kind), all_lanes=True)
    elif DATA.match(name):
        mixed = across_rows if IN_ROWS.search(text) else across
        whole = bool(ALL_WRITTEN.search(text)) and "mac" not in name

        def run(w):
            values = [part for op in ops[first:] for part in op.parts(w)]
            values += [w.mask(VCC)] if "fmas" in name else []
            if "_dpp" in name:
                values = [mixed(value) for value in values] + [NUMBER & U32(15) if mixed is across_rows else NUMBER]
            for i in range(ops[0].count):
                held = [w.v[ops[0].at + i]] if KEEPS.search(name) and not whole else []
                w.write(ops[0].at + i, mix(*values, *held, kind, i))
            if mask_result:
                w.put(ops[1].at, w.mask_of(((mix(*values) & U32(8)) != 0) & w.active()), True)
    else:
        raise Refused(name)
    return run


# --- memory -------------------------------------------------------------------------------------------

WORDS = {"dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4}
BITS = {"u8": 8, "u16": 16, "b8": 8, "b16": 16, "b32": 32, "b64": 64, "b96": 96, "b128": 128}


def offset_of(text, name="offset"):
    found = re.search(rf"\b{name}:(\w+)", text)
    return int(found[1], 0) if found else 0


def parse_ds(name, ops, text):
    """An LDS access: when it is issued it takes its operands, and gives what it does when it is done."""
    row = re.fullmatch(r"ds_(read|write)(2st64|2)?_(b64_tr_b\d+|[bui]\d+)(_d16)?(_hi)?", name)
    if name == "ds_bpermute_b32":
        def run(w):
            lanes = (ops[1].lanes(w) >> U32(2)) & U32(63)
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
        return address.lanes(w).astype(np.int64) + offset

    def read(w):
        spots, on = [places(w, ops[1], offset) for offset in offsets], w.active().copy()

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
        spots, on = [places(w, ops[0], offset) for offset in offsets], w.active().copy()
        held = [[part.copy() for part in op.parts(w)] for op in ops[1:1 + len(offsets)]]
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
        spots, on = place.lanes(w).astype(np.int64) + offset_of(text), w.active().copy()
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


POLLS = 3  # a wave that asks so often for what never comes: then another work group has written it


def parse_vm_atomic(name, ops, text):
    """An atomic on global memory, lane by lane. A comparison that fails again and again is met by another work group."""
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
        held, on = [part.copy() for part in data.parts(w)], w.active().copy()

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
        inside = (place[0].lanes(w).astype(np.int64) if "offen" in text else np.zeros(LANES, np.int64)) + offset
        base = w.s[place[1].at] | (w.s[place[1].at + 1] & 0xffff) << 32
        known = inside + 4 * (words - 1) + size <= w.s[place[1].at + 2]
        return inside + base + (place[2].word(w) if place[2].kind != "name" else 0), known & w.active()
    own = place[0].lanes_wide(w) if place[0].count == 2 else place[0].lanes(w).astype(U64)
    base = place[1].wide(w) if len(place) > 1 and place[1].kind == "s" else 0
    return (own + U64(base)).astype(np.int64) + offset, w.active().copy()


def parse_scratch(name, ops, text):
    words = WORDS[name.rsplit("_", 1)[1]]
    at = offset_of(text)
    if any(op.kind != "name" for op in (ops[0], ops[2]) if "store" in name) or (
            "load" in name and any(op.kind != "name" for op in ops[1:3])):
        raise Refused(text)

    def store(w):
        held, on = [part.copy() for part in ops[1].parts(w)], w.active().copy()

        def land():
            for i in range(words):
                old = w.scratch.get(at + 4 * i, np.zeros(LANES, dtype=U32))
                w.scratch[at + 4 * i] = np.where(on, held[i], old)
        return land

    def load(w):
        on = w.active().copy()

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
    if buffered and not to_lds or not buffered and stores:
        data, place = (ops[0], ops[1:]) if buffered else (ops[1], [ops[0], *ops[2:]])
    elif to_lds:
        data, place = None, ops
    else:
        data, place = ops[0], ops[1:]

    def run(w):
        at, known = vm_addresses(w, place, buffered, text, words, size)
        on = w.active().copy()
        if stores:
            held = [part.copy() for part in data.parts(w)]
            return lambda: w.memory.store(at, size, held, known)
        if to_lds:
            spot = (w.s[M0] + offset + 4 * words * NUMBER).astype(np.int64)
            return lambda: w.lds.write(spot, 4 * words, w.memory.load(at, 4, words, known), on)

        def land():
            for i, value in enumerate(w.memory.load(at, size, words, known)):
                w.write(data.at + i, value, on)
        return land
    return run


def parse_scalar_load(name, ops):
    words = {"s_load_dword": 1}.get(name) or int(name.removeprefix("s_load_dwordx"))

    def run(w):
        base = ops[1].wide(w) + signed(ops[2].word(w))
        return lambda: [w.s.__setitem__(ops[0].at + i, w.memory.scalar(base + 4 * i)) for i in range(words)]
    return run


class Lds:
    def __init__(self, seed):
        self.bytes = np.random.default_rng(seed).integers(0, 256, LDS_BYTES, dtype=np.uint8)

    def read(self, spots, size):
        at = np.where(spots + size <= LDS_BYTES, spots, 0)
        raw = self.bytes[at[:, None] + np.arange(size)].astype(U32)
        return [sum((raw[:, 4 * i + k] << U32(8 * k) for k in range(min(4, size - 4 * i))), np.zeros(LANES, dtype=U32))
                for i in range((size + 3) // 4)]

    def write(self, spots, size, parts, on):
        on = on & (spots + size <= LDS_BYTES)
        for k in range(size):
            self.bytes[spots[on] + k] = ((parts[k // 4] >> U32(8 * (k % 4))) & U32(255))[on]


class Memory:
    """Global memory: what was there is a number that its address gives."""

    def __init__(self, arguments):
        self.arguments, self.stored, self.polls = arguments, {}, {}

    def scalar(self, address):
        inside = address - ARGUMENTS
        if 0 <= inside <= len(self.arguments) - 4:
            return int.from_bytes(self.arguments[inside:inside + 4], "little")
        return hash((address, 7)) & MASK

    def word(self, address):
        """Of one lane: what is stored there, or what was before."""
        return self.stored.get(address, int(mix(np.full(LANES, address >> 2, dtype=U64))[0]))

    def load(self, at, size, words, known):
        found = []
        for i in range(words):
            spots = at + 4 * i
            value = mix((spots >> 2).astype(U64)) >> (U32(8) * (spots & 3).astype(U32))
            for lane in np.nonzero(known)[0] if self.stored else ():
                value[lane] = self.stored.get(int(spots[lane]), value[lane])
            found.append(np.where(known, value & U32((1 << 8 * size) - 1), U32(0)))
        return found

    def store(self, at, size, parts, known):
        for lane in np.nonzero(known)[0]:
            for i, part in enumerate(parts):
                self.stored[int(at[lane]) + 4 * i] = int(part[lane]) & ((1 << 8 * size) - 1)


# --- programs -----------------------------------------------------------------------------------------

Program = collections.namedtuple("Program", "insns labels waves user arguments ids")

QUIET = re.compile(r"s_nop|s_setprio|s_sleep|s_sched\w*|s_setreg\w*|s_icache\w*|buffer_wbl2|buffer_inv")


def decode(line, text):
    name, _, rest = text.partition(" ")
    name, rest = re.sub(r"_e(32|64)$", "", name), rest.strip()
    wait, target, queue, run, own = None, None, None, None, set()
    if name == "s_waitcnt":
        wait = {counter: int(count) for counter, count in re.findall(r"(\w+)\((\d+)\)", rest)}
        if not wait:
            raise Refused(text)
        return Insn(text, line, name, None, None, set(), own, None, wait)
    if name.startswith(("s_cbranch", "s_branch")):
        return Insn(text, line, name, None, None, set(), own, rest, None)
    if QUIET.fullmatch(name) or name in ("s_barrier", "s_endpgm"):
        return Insn(text, line, name, None, None, set(), own, None, None)
    words = [word.strip() for word in re.split(r",(?![^\[]*\])", rest)]
    ops = [Operand(word.split()[0]) for word in words if word and not re.match(r"\w+:", word)]
    if name.startswith("ds_"):
        queue, run = "ds", parse_ds(name, ops, text)
    elif name.startswith("scratch_"):
        queue, run = "vm", parse_scratch(name, ops, text)
    elif name.startswith(("global_", "buffer_")):
        queue, run = "vm", parse_vm(name, ops, text)
    elif name.startswith("s_load"):
        queue, run = "sm", parse_scalar_load(name, ops)
    else:
        run = scalar_insn(name, ops) if name.startswith("s_") else vector_insn(name, ops, text)
    used = set().union(*(op.registers() for op in ops))
    loads = "load" in name or "read" in name or "permute" in name or "_rtn_" in name
    if queue and (loads or ("atomic" in name and re.search(r"\bsc0\b", text))) and not re.search(r"\blds\b|_lds_", text):
        own = ops[0].registers()
    return Insn(text, line, name, run, queue, used, own, target, wait)


def number_in(text, key, otherwise=0):
    found = re.search(rf"\.{key}:? +(\d+)", text)
    return int(found[1]) if found else otherwise


USER = (("dispatch_ptr", 2), ("queue_ptr", 2), ("kernarg_segment_ptr", 2), ("dispatch_id", 2), ("flat_scratch_init", 2),
        ("private_segment_size", 1))


def read_arguments(text):
    """(offset, bytes, kind) of each of the kernel's own."""
    rows, offset, size = [], 0, 0
    for line in text.splitlines():
        word = line.replace("- ", "  ").strip()
        if word.startswith(".offset:"):
            offset = int(word.split()[1])
        elif word.startswith(".size:"):
            size = int(word.split()[1])
        elif word.startswith(".value_kind:"):
            rows.append((offset, size, word.split()[1]))
    return rows


def program_of(text):
    insns, labels = [], {}
    body = text[text.index("@function"):]
    first = text[:text.index("@function")].count("\n")
    for number, line in enumerate(body.splitlines(), first + 1):
        code = line.split(";")[0].strip()
        if code.startswith(".section") or code.startswith(".Lfunc_end"):
            break
        if code.endswith(":"):
            labels[code[:-1]] = len(insns)
        elif code and not code.startswith(".") and number > first + 1:
            insns.append(decode(number, code))
    user = [name for name, count in USER if number_in(text, f"amdhsa_user_sgpr_{name}") for _ in range(count)]
    user += ["preload"] * number_in(text, "amdhsa_user_sgpr_kernarg_preload_length")
    return Program(insns, labels, number_in(text, "max_flat_workgroup_size", 256) // LANES, user, read_arguments(text),
                   [axis for axis in "xyz" if number_in(text, f"amdhsa_system_sgpr_workgroup_id_{axis}")])


def arguments_of(program, size):
    out = bytearray(512)
    for index, (offset, length, kind) in enumerate(program.arguments):
        value = {"global_buffer": (index + 1) << 36, "by_value": size, "hidden_group_size_x": program.waves * LANES}.get(
            kind, int(kind.startswith(("hidden_block_count", "hidden_group_size"))))
        out[offset:offset + length] = value.to_bytes(length, "little")
    return bytes(out)


# --- a run ----------------------------------------------------------------------------------------------

class Wave:
    def __init__(self, program, number, memory, lds, seed):
        rng = np.random.default_rng((seed, number))
        self.s = [int(x) for x in rng.integers(0, 1 << 32, 128)]
        self.v = rng.integers(0, 1 << 32, (512, LANES), dtype=U32)
        self.v[0] = NUMBER + U32(LANES * number)
        self.memory, self.lds, self.number = memory, lds, number
        self.scc, self.pc, self.scratch = 0, 0, {}
        self.queues = {"vm": collections.deque(), "ds": collections.deque(), "sm": collections.deque()}
        self.ended = self.meets = False
        self.known = (None, None)
        for at, what in enumerate(program.user):
            self.s[at] = 0
            if what == "kernarg_segment_ptr" and program.user[at - 1] != what:
                self.s[at] = ARGUMENTS
        words = [at for at, what in enumerate(program.user) if what == "preload"]
        for i, at in enumerate(words):
            self.s[at] = memory.scalar(ARGUMENTS + 4 * i)
        for i, _ in enumerate(program.ids):
            self.s[len(program.user) + i] = 0
        self.put(EXEC, ALL, True)

    def put(self, at, value, wide):
        self.s[at] = value & MASK
        if wide:
            self.s[at + 1] = value >> 32 & MASK

    def mask(self, at):
        return self.s[at] | self.s[at + 1] << 32

    @staticmethod
    def bits(mask):
        return (U64(mask) >> np.arange(LANES, dtype=U64) & U64(1)).astype(bool)

    @staticmethod
    def mask_of(on):
        return int(np.packbits(on, bitorder="little").view("<u8")[0])

    def active(self):
        mask = self.mask(EXEC)
        if self.known[0] != mask:
            self.known = (mask, self.bits(mask))
        return self.known[1]

    def first(self):
        mask = self.mask(EXEC)
        return (mask & -mask).bit_length() - 1 if mask else 0

    def write(self, at, values, on=None, all_lanes=False):
        if all_lanes:
            self.v[at] = values
        else:
            np.copyto(self.v[at], values, where=self.active() if on is None else on)

    def write_wide(self, at, values):
        low, top = values.astype(U32), (values >> U64(32)).astype(U32)
        self.write(at, low)
        self.write(at + 1, top)


Timing = collections.namedtuple("Timing", "order soon seed")


class Group:
    def __init__(self, program, timing, size, seed):
        self.program, self.timing = program, timing
        self.memory, lds = Memory(arguments_of(program, size)), Lds(seed)
        self.waves = [Wave(program, n, self.memory, lds, seed) for n in range(program.waves)]
        self.rng = random.Random(timing.seed)

    @staticmethod
    def land(wave, name, at=0):
        flight = wave.queues[name][at]
        del wave.queues[name][at]
        flight[1]()

    def retire(self, wave, vm, lgkm):
        queues = wave.queues
        while len(queues["vm"]) > vm:
            self.land(wave, "vm")
        while len(queues["ds"]) + len(queues["sm"]) > lgkm:
            scalar = queues["sm"] and (not queues["ds"] or self.rng.random() < 0.5)
            self.land(wave, "sm" if scalar else "ds", self.rng.randrange(len(queues["sm"])) if scalar else 0)

    @staticmethod
    def check(wave, insn):
        for name, queue in wave.queues.items():
            for flight in queue:
                used = insn.registers - insn.own if name == insn.queue and name != "sm" else insn.registers
                if used & flight[0].own:
                    raise Wrong(f"wave {wave.number}: line {insn.line}, {insn.text}: {sorted(used & flight[0].own)[0]} "
                                f"may be in flight from line {flight[0].line}")

    @staticmethod
    def taken(wave, name):
        condition = name.removeprefix("s_cbranch_")
        if name == "s_branch":
            return True
        if condition.startswith("scc"):
            return wave.scc == int(condition[3])
        mask = wave.mask(VCC if condition.startswith("vcc") else EXEC)
        return mask != 0 if condition.endswith("nz") else mask == 0

    def step(self, wave):
        insn = self.program.insns[wave.pc]
        wave.pc += 1
        if insn.registers:
            self.check(wave, insn)
        if insn.queue:
            self.retire(wave, *((62, 15) if insn.queue == "vm" else (63, 14)))
            wave.queues[insn.queue].append((insn, insn.run(wave)))
        elif insn.run:
            insn.run(wave)
        elif insn.wait is not None:
            self.retire(wave, insn.wait.get("vmcnt", 63), insn.wait.get("lgkmcnt", 15))
        elif insn.target:
            wave.pc = self.program.labels[insn.target] if self.taken(wave, insn.name) else wave.pc
        elif insn.name in ("s_barrier", "s_endpgm"):
            wave.meets, wave.ended = insn.name == "s_barrier", insn.name == "s_endpgm"
            if wave.ended:
                self.retire(wave, 0, 0)
            left = [w for w in self.waves if not w.ended]
            if all(w.meets for w in left):
                for w in left:
                    w.meets = False
            return True
        soon = self.timing.soon[wave.number]
        for name, queue in wave.queues.items():
            while queue and soon and self.rng.random() < soon:
                self.land(wave, name)
        return False

    def run(self):
        steps, left, wave = 0, 0, None
        while steps < STEPS:
            able = [w for w in self.waves if not w.ended and not w.meets]
            if not able:
                return self.memory.stored
            if self.timing.order:
                wave, left = min(able, key=lambda w: self.timing.order.index(w.number)), STEPS
            else:
                wave, left = self.rng.choice(able), self.rng.choice((1, 5, 30, 200))
            while left > 0 and steps < STEPS:
                steps, left = steps + 1, left - 1
                if self.step(wave):
                    break
        raise Refused(f"more than {STEPS} instructions")


def timings(program, seed, effort):
    """First those in which all waves, or half of them, are as quick or as slow as can be."""
    up = tuple(range(program.waves))
    quick, slow, half = (1,) * program.waves, (0,) * program.waves, program.waves // 2
    corners = [(up, quick), (up[::-1], slow), (up, quick[:half] + slow[half:]), (up[::-1], slow[:half] + quick[half:]),
               (up, slow), (up[::-1], quick)]
    for order, soon in corners[:effort]:
        yield Timing(order, soon, 0)
    rng = random.Random(seed)
    for i in range(effort - len(corners)):
        order, together = tuple(rng.sample(up, len(up))) if i % 2 else (), rng.random() < 0.5
        soon = rng.choice((0, 0.02, 0.2))
        yield Timing(order, tuple(soon if together else rng.choice((0, 0.02, 0.2, 1)) for _ in up), rng.random())


def explore(program, seed, effort, sizes=(256, 144)):
    """Whether a timing matters, and what is stored if none does: with all whole numbers among the arguments so large."""
    found = []
    for size in sizes:
        stored = None
        for timing in timings(program, seed, effort):
            try:
                now = Group(program, timing, size, seed).run()
            except Wrong as wrong:
                return Result(str(wrong), None)
            if stored is not None and now != stored:
                return Result(f"with {timing} it stores other values", None)
            stored = now
        found.append(stored)
    return Result("", found)
