# SPDX-License-Identifier: Apache-2.0
"""Vector instructions: integers as they are, and of data a number that depends on them."""

import re

import numpy as np

from .integers import VECTOR
from .lanes import MASK, NUMBER, U32, across, across_rows, mix
from .operands import VCC
from .refusal import Refused
from .sdwa import sources, writes_result
from .vector_special import special_vector


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


def exact_insn(name, ops, text):
    """What computes a number as the machine does; None: it is data."""
    whole = name.removesuffix("_sdwa")
    if whole in VECTOR and whole != name:
        fields, write = sources(ops, text), writes_result(ops[0].at, text)
        if not any(op.altered for op in fields):
            return lambda w: write(w, VECTOR[whole](*(op.lanes(w) for op in fields[1:])))
    if run := special_vector(name, ops, text):
        return run
    compute = some_floats(name, ops) or (None if any(op.altered for op in ops) else VECTOR.get(name))
    return compute and (lambda w: w.write(ops[0].at, compute(*(op.lanes(w) for op in ops[1:]))))


def data_insn(name, ops, text):
    """What gives a number that depends on its operands."""
    if name in ("v_pk_fma_f32", "v_pk_mul_f32", "v_pk_add_f32"):
        return packed(ops, text)
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
    elif DATA.match(name) and ops[0].kind == "v":
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


def vector_insn(name, ops, text):
    """What it does to a wave, and whether its result is a number that only stands for data."""
    run = exact_insn(name, ops, text)
    return (run, False) if run else (data_insn(name, ops, text), True)
