#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels in Triton whose kinds, element types, layouts, shapes and stages are drawn at random, from a seed: other kinds than
those of audit_triton.py and audit_triton_more.py.

    audit_triton_random.py FOLDER [--seed S] [--count N] [--arch ARCH...]    writes FOLDER/ARCH_INDEX_KIND_….s or .ptx

ARCH: gfx942 and gfx950, or sm_80 and sm_90.
"""

import argparse
import random
import warnings

from audit_triton import FP8, TARGETS, case, tl, triton, write_cases


# --- multiplications --------------------------------------------------------------------------------


@triton.jit
def tile(a, b, bias, c, m, n, k, a_m, a_k, b_k, b_n, c_m, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
         SPLIT: tl.constexpr, MASKED: tl.constexpr, END: tl.constexpr, SUM: tl.constexpr):
    tiles_n = tl.cdiv(n, BN)
    rows = tl.program_id(0) // tiles_n * BM + tl.arange(0, BM)
    columns = tl.program_id(0) % tiles_n * BN + tl.arange(0, BN)
    depth = tl.program_id(1) * BK + tl.arange(0, BK)
    a_at = a + rows[:, None] * a_m + depth[None, :] * a_k
    b_at = b + depth[:, None] * b_k + columns[None, :] * b_n
    sums = tl.zeros((BM, BN), dtype=SUM)
    for i in range(0, tl.cdiv(k, BK * SPLIT)):
        if MASKED:
            left = k - i * BK * SPLIT
            x = tl.load(a_at, mask=(rows[:, None] < m) & (depth[None, :] < left), other=0.0)
            y = tl.load(b_at, mask=(depth[:, None] < left) & (columns[None, :] < n), other=0.0)
        else:
            x = tl.load(a_at)
            y = tl.load(b_at)
        sums = tl.dot(x, y, sums, out_dtype=SUM)
        a_at += BK * SPLIT * a_k
        b_at += BK * SPLIT * b_k
    c_at = c + rows[:, None] * c_m + columns[None, :]
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    if END == "bias":
        sums = tl.maximum(sums + tl.load(bias + columns)[None, :], 0)
    if END == "softmax":
        sums = tl.exp(sums - tl.max(sums, 1)[:, None])
        sums = sums / tl.sum(sums, 1)[:, None]
    if SPLIT > 1:
        tl.atomic_add(c_at, sums.to(c.dtype.element_ty), mask=inside, sem="relaxed")
    else:
        tl.store(c_at, sums.to(c.dtype.element_ty), mask=inside)


@triton.jit
def persistent(a, b, c, m, n, k, a_m, b_k, c_m, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
               MASKED: tl.constexpr):
    tiles_n = tl.cdiv(n, BN)
    for at in range(tl.program_id(0), tl.cdiv(m, BM) * tiles_n, tl.num_programs(0)):
        rows = at // tiles_n * BM + tl.arange(0, BM)
        columns = at % tiles_n * BN + tl.arange(0, BN)
        depth = tl.arange(0, BK)
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for i in range(0, k, BK):
            if MASKED:
                x = tl.load(a + rows[:, None] * a_m + i + depth[None, :], mask=i + depth[None, :] < k, other=0.0)
                y = tl.load(b + (i + depth[:, None]) * b_k + columns[None, :], mask=i + depth[:, None] < k, other=0.0)
            else:
                x = tl.load(a + rows[:, None] * a_m + i + depth[None, :])
                y = tl.load(b + (i + depth[:, None]) * b_k + columns[None, :])
            sums = tl.dot(x, y, sums)
        best = tl.max(tl.abs(sums), 1)
        tl.store(c + rows[:, None] * c_m + columns[None, :], (sums / best[:, None]).to(c.dtype.element_ty),
                 mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def problems(a, b, c, sizes, offsets, count, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Multiplications of many sizes, whose tiles the work groups share."""
    at = tl.program_id(0)
    before = 0
    for g in range(count):
        m = tl.load(sizes + g * 3)
        n = tl.load(sizes + g * 3 + 1)
        k = tl.load(sizes + g * 3 + 2)
        tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)
        while at >= before and at < before + tiles:
            rows = (at - before) // tl.cdiv(n, BN) * BM + tl.arange(0, BM)
            columns = (at - before) % tl.cdiv(n, BN) * BN + tl.arange(0, BN)
            depth = tl.arange(0, BK)
            start = tl.load(offsets + g)
            sums = tl.zeros((BM, BN), dtype=tl.float32)
            for i in range(0, tl.cdiv(k, BK)):
                x = tl.load(a + start + rows[:, None] * k + i * BK + depth[None, :])
                y = tl.load(b + start + (i * BK + depth[:, None]) * n + columns[None, :])
                sums = tl.dot(x, y, sums)
            tl.store(c + start + rows[:, None] * n + columns[None, :], sums.to(c.dtype.element_ty))
            at += tl.num_programs(0)
        before += tiles


@triton.jit
def gathered(a, index, b, c, weight, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TOP: tl.constexpr,
             SCATTER: tl.constexpr):
    """Rows of experts: those that an index names, and back."""
    at = tl.program_id(0) * BM + tl.arange(0, BM)
    row = tl.load(index + at, mask=at < m, other=0.0)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        x = tl.load(a + (row // TOP)[:, None] * k + i * BK + depth[None, :], mask=at[:, None] < m, other=0.0)
        y = tl.load(b + (i * BK + depth[:, None]) * n + columns[None, :])
        sums = tl.dot(x, y, sums)
    sums = sums * tl.load(weight + row)[:, None]
    if SCATTER:
        tl.atomic_add(c + (row // TOP)[:, None] * n + columns[None, :], sums.to(c.dtype.element_ty), mask=at[:, None] < m)
    else:
        tl.store(c + row[:, None] * n + columns[None, :], sums.to(c.dtype.element_ty), mask=at[:, None] < m)


@triton.jit
def nibbles(a, b, s, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    """Weights of four bits, two in a byte, with a scale a group."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        at = i * BK + depth
        x = tl.load(a + rows[:, None] * k + at[None, :])
        w = tl.load(b + (at // 2)[:, None] * n + columns[None, :])
        w = (w >> ((at % 2) * 4)[:, None]) & 15
        f = tl.load(s + (at // GROUP)[:, None] * n + columns[None, :])
        sums = tl.dot(x, ((w - 8).to(tl.float32) * f).to(x.dtype), sums)
    tl.store(c + rows[:, None] * n + columns[None, :], sums.to(c.dtype.element_ty))


@triton.jit
def microscaled(a, sa, b, sb, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FORM: tl.constexpr,
                PACK: tl.constexpr):
    """Blocks of 32 elements with one scale."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK // PACK)
    blocks = tl.arange(0, BK // 32)
    sums = tl.zeros((BM, BN), tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        x = tl.load(a + rows[:, None] * (k // PACK) + i * (BK // PACK) + depth[None, :])
        y = tl.load(b + (i * (BK // PACK) + depth[:, None]) * n + columns[None, :])
        fx = tl.load(sa + rows[:, None] * (k // 32) + i * (BK // 32) + blocks[None, :])
        fy = tl.load(sb + columns[:, None] * (k // 32) + i * (BK // 32) + blocks[None, :])
        sums = tl.dot_scaled(x, fx, FORM, y, fy, FORM, sums)
    tl.store(c + rows[:, None] * n + columns[None, :], sums.to(c.dtype.element_ty))


@triton.jit
def stream_k(a, b, c, part, locks, n, k, per, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A share of the passes of all tiles; who ends a tile waits for those who began it."""
    at = tl.program_id(0) * per
    end = at + per
    passes = tl.cdiv(k, BK)
    while at < end:
        tiles_n = tl.cdiv(n, BN)
        t = at // passes
        first = at % passes
        last = tl.minimum(passes, first + end - at)
        rows = t // tiles_n * BM + tl.arange(0, BM)
        columns = t % tiles_n * BN + tl.arange(0, BN)
        depth = tl.arange(0, BK)
        sums = tl.zeros((BM, BN), tl.float32)
        for i in range(first, last):
            x = tl.load(a + rows[:, None] * k + i * BK + depth[None, :])
            y = tl.load(b + (i * BK + depth[:, None]) * n + columns[None, :])
            sums = tl.dot(x, y, sums)
        own = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
        if last < passes:
            tl.store(part + tl.program_id(0) * BM * BN + own, sums)
            tl.atomic_xchg(locks + t, 1, sem="release")
        else:
            if first > 0:
                while tl.atomic_cas(locks + t, 1, 1, sem="acquire") != 1:
                    pass
                sums += tl.load(part + (tl.program_id(0) - 1) * BM * BN + own)
            tl.store(c + rows[:, None] * n + columns[None, :], sums.to(c.dtype.element_ty))
        at += last - first


# --- attention --------------------------------------------------------------------------------------


@triton.jit
def attend(q, k, v, bias, out, lengths, scale, slope, seed, length, row, BM: tl.constexpr, BN: tl.constexpr,
           HEAD: tl.constexpr, CAUSAL: tl.constexpr, BIAS: tl.constexpr, DROP: tl.constexpr, WINDOW: tl.constexpr,
           RAGGED: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    keys = tl.arange(0, BN)
    dims = tl.arange(0, HEAD)
    base = tl.program_id(1) * length * row
    last = length
    if RAGGED:
        base = tl.load(lengths + tl.program_id(1)) * row
        last = tl.load(lengths + tl.program_id(1) + 1) - tl.load(lengths + tl.program_id(1))
        if tl.program_id(0) * BM >= last:
            return
    x = tl.load(q + base + rows[:, None] * row + dims[None, :], mask=rows[:, None] < last, other=0.0)
    best = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, HEAD), tl.float32)
    begin = 0
    end = last
    if CAUSAL:
        end = tl.minimum(last, (tl.program_id(0) + 1) * BM)
    if WINDOW > 0:
        begin = tl.maximum(0, tl.program_id(0) * BM - WINDOW) // BN * BN
    for start in range(begin, end, BN):
        at = start + keys
        y = tl.load(k + base + at[:, None] * row + dims[None, :], mask=at[:, None] < last, other=0.0)
        scores = tl.dot(x, tl.trans(y)) * scale
        if BIAS:
            scores += tl.load(bias + rows[:, None] * length + at[None, :], mask=at[None, :] < last, other=0.0)
        else:
            scores -= slope * tl.abs(rows[:, None] - at[None, :])
        ok = at[None, :] < last
        if CAUSAL:
            ok = ok & (rows[:, None] >= at[None, :])
        if WINDOW > 0:
            ok = ok & (rows[:, None] - at[None, :] <= WINDOW)
        scores = tl.where(ok, scores, -1.0e6)
        new = tl.maximum(best, tl.max(scores, 1))
        p = tl.exp2(scores - new[:, None])
        factor = tl.exp2(best - new)
        total = total * factor + tl.sum(p, 1)
        if DROP:
            p = tl.where(tl.rand(seed, rows[:, None] * length + at[None, :]) > 0.1, p, 0.0)
        z = tl.load(v + base + at[:, None] * row + dims[None, :], mask=at[:, None] < last, other=0.0)
        sums = tl.dot(p.to(z.dtype), z, sums * factor[:, None])
        best = new
    tl.store(out + base + rows[:, None] * row + dims[None, :], (sums / total[:, None]).to(out.dtype.element_ty),
             mask=rows[:, None] < last)


@triton.jit
def linear(q, k, v, out, length, row, BM: tl.constexpr, HEAD: tl.constexpr, DECAY: tl.constexpr):
    """Linear attention: a state goes from chunk to chunk."""
    rows = tl.arange(0, BM)
    dims = tl.arange(0, HEAD)
    state = tl.zeros((HEAD, HEAD), tl.float32)
    base = tl.program_id(0) * length * row
    for start in range(0, length, BM):
        at = base + (start + rows)[:, None] * row + dims[None, :]
        x = tl.load(q + at)
        y = tl.load(k + at)
        z = tl.load(v + at)
        scores = tl.where(rows[:, None] >= rows[None, :], tl.dot(x, tl.trans(y)), 0.0)
        o = tl.dot(scores.to(z.dtype), z) + tl.dot(x, state.to(x.dtype))
        state = state * DECAY + tl.dot(tl.trans(y), z)
        tl.store(out + at, o.to(out.dtype.element_ty))


# --- rows -------------------------------------------------------------------------------------------


@triton.jit
def norm(x, r, w, b, y, columns, stride, BM: tl.constexpr, BN: tl.constexpr, KIND: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    sums = tl.zeros((BM, BN), tl.float32)
    squares = tl.zeros((BM, BN), tl.float32)
    for start in range(0, columns, BN):
        at = start + tl.arange(0, BN)
        values = tl.load(x + rows[:, None] * stride + at[None, :], mask=at[None, :] < columns, other=0.0).to(tl.float32)
        if KIND == "residual":
            values += tl.load(r + rows[:, None] * stride + at[None, :], mask=at[None, :] < columns, other=0.0)
        sums += values
        squares += values * values
    mean = tl.sum(sums, 1) / columns
    scale = tl.rsqrt(tl.sum(squares, 1) / columns - mean * mean)
    for start in range(0, columns, BN):
        at = start + tl.arange(0, BN)
        values = tl.load(x + rows[:, None] * stride + at[None, :], mask=at[None, :] < columns, other=0.0).to(tl.float32)
        factor = tl.load(w + at, mask=at < columns, other=0.0)
        values = (values - mean[:, None]) * scale[:, None] * factor[None, :] + tl.load(b + at, mask=at < columns)[None, :]
        if KIND == "quantized":
            most = tl.max(tl.abs(values), 1)
            values = values / most[:, None] * 127
        tl.store(y + rows[:, None] * stride + at[None, :], values.to(y.dtype.element_ty), mask=at[None, :] < columns)


@triton.jit
def norm_backward(x, g, w, dx, dw, lock, columns, stride, BN: tl.constexpr, GROUP: tl.constexpr):
    """Sums of many work groups under a lock."""
    row = tl.program_id(0)
    at = tl.arange(0, BN)
    inside = at < columns
    values = tl.load(x + row * stride + at, mask=inside, other=0.0)
    grads = tl.load(g + row * stride + at, mask=inside, other=0.0)
    product = grads * tl.load(w + at, mask=inside, other=0.0)
    c1 = tl.sum(values * product, 0) / columns
    c2 = tl.sum(product, 0) / columns
    tl.store(dx + row * stride + at, product - values * c1 - c2, mask=inside)
    slot = row % GROUP
    while tl.atomic_cas(lock + slot, 0, 1) == 1:
        pass
    place = dw + slot * columns + at
    count = tl.load(lock + GROUP + slot)
    part = grads * values
    if count == 0:
        tl.atomic_xchg(lock + GROUP + slot, 1)
    else:
        part += tl.load(place, mask=inside)
    tl.store(place, part, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock + slot, 0)


@triton.jit
def entropy(x, label, loss, columns, stride, BN: tl.constexpr):
    row = tl.program_id(0)
    want = tl.load(label + row)
    best = float("-inf")
    total = 0.0
    for start in range(0, columns, BN):
        at = start + tl.arange(0, BN)
        values = tl.load(x + row * stride + at, mask=at < columns, other=float("-inf")).to(tl.float32)
        new = tl.maximum(best, tl.max(values, 0))
        total = total * tl.exp(best - new) + tl.sum(tl.exp(values - new), 0)
        best = new
    if want >= 0:
        tl.store(loss + row, best + tl.log(total) - tl.load(x + row * stride + want).to(tl.float32))
    else:
        tl.store(loss + row, 0.0)


@triton.jit
def combine(a, x, b, y):
    return a * b, x * b + y


@triton.jit
def recurrence(a, x, y, length, stride, BM: tl.constexpr, BN: tl.constexpr, AXIS: tl.constexpr, BACK: tl.constexpr):
    rows = tl.arange(0, BM)
    for start in range(0, length, BN):
        at = rows[:, None] * stride + start + tl.arange(0, BN)[None, :]
        _, h = tl.associative_scan((tl.load(a + at), tl.load(x + at)), AXIS, combine, reverse=BACK)
        tl.store(y + at, h)


@triton.jit
def bins(x, y, z, count, BN: tl.constexpr, BINS: tl.constexpr, KIND: tl.constexpr):
    at = tl.program_id(0) * BN + tl.arange(0, BN)
    values = tl.load(x + at, mask=at < count, other=0.0)
    if KIND == "histogram":
        tl.atomic_add(y + tl.arange(0, BINS), tl.histogram(values & (BINS - 1), BINS))
    if KIND == "extremes":
        tl.atomic_max(y, tl.max(values, 0))
        tl.atomic_min(z, tl.min(values, 0))
    if KIND == "floats":
        tl.atomic_max(z, tl.max(values.to(tl.float32), 0))
        tl.atomic_add(z + 1 + (values & (BINS - 1)), values.to(tl.float32), mask=at < count)
    if KIND == "sorted":
        tl.store(y + at, tl.flip(tl.sort(values), 0))
    if KIND == "taken":
        tl.store(y + at, tl.gather(values, (values & (BN - 1)), 0))


# --- tensor copies, on NVIDIA -----------------------------------------------------------------------


@triton.jit
def copied(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPECIALIZED: tl.constexpr,
           BACK: tl.constexpr):
    """Copied tiles, and stored ones where BACK says so; with warps that only copy where it is specialised."""
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    b_tiles = tl.make_tensor_descriptor(b, [k, n], [n, 1], [BK, BN])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for i in tl.range(0, tl.cdiv(k, BK), warp_specialize=SPECIALIZED):
        sums = tl.dot(a_tiles.load([row, i * BK]), b_tiles.load([i * BK, column]), sums)
    if BACK:
        c_tiles.store([row, column], sums.to(c.dtype.element_ty))
    else:
        at = (row + tl.arange(0, BM))[:, None] * n + column + tl.arange(0, BN)[None, :]
        tl.store(c + at, sums.to(c.dtype.element_ty))


@triton.jit
def copied_attention(q, k, v, out, scale, length, BM: tl.constexpr, BN: tl.constexpr, HEAD: tl.constexpr,
                     CAUSAL: tl.constexpr, SPECIALIZED: tl.constexpr):
    q_tiles = tl.make_tensor_descriptor(q, [length, HEAD], [HEAD, 1], [BM, HEAD])
    k_tiles = tl.make_tensor_descriptor(k, [length, HEAD], [HEAD, 1], [BN, HEAD])
    v_tiles = tl.make_tensor_descriptor(v, [length, HEAD], [HEAD, 1], [BN, HEAD])
    first = tl.program_id(0) * BM
    rows = first + tl.arange(0, BM)
    x = q_tiles.load([first, 0])
    best = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, HEAD), tl.float32)
    last = first + BM if CAUSAL else length
    for start in tl.range(0, last, BN, warp_specialize=SPECIALIZED):
        scores = tl.dot(x, k_tiles.load([start, 0]).T) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= start + tl.arange(0, BN)[None, :], scores, float("-inf"))
        new = tl.maximum(best, tl.max(scores, 1))
        p = tl.exp2(scores - new[:, None])
        factor = tl.exp2(best - new)
        total = total * factor + tl.sum(p, 1)
        y = v_tiles.load([start, 0])
        sums = tl.dot(p.to(y.dtype), y, sums * factor[:, None])
        best = new
    tl.store(out + rows[:, None] * HEAD + tl.arange(0, HEAD)[None, :], (sums / total[:, None]).to(out.dtype.element_ty))


def pointers(names, element):
    return dict.fromkeys(names.split(), "*" + element)


def words(names):
    return dict.fromkeys(names.split(), "i32")


def draw_shape(rng, most):
    """A tile and warps for it: the more elements the more warps."""
    while True:
        shape = {"BM": rng.choice((16, 32, 64, 128, 256)), "BN": rng.choice((16, 32, 64, 128, 256)),
                 "BK": rng.choice((32, 64, 128))}
        area = shape["BM"] * shape["BN"]
        if area <= most and shape["BK"] * (shape["BM"] + shape["BN"]) <= 24576:
            return shape, rng.choice([w for w in (1, 2, 4, 8) if 256 <= area // w <= 8192] or [8])


def draw_tile(rng, arch):
    element = rng.choice(("bf16", "fp16", "fp32", "i8", FP8.get(arch, "fp8e4nv")))
    shape, warps = draw_shape(rng, 256 * 128)
    split = rng.choice((1, 1, 4))
    kind = rng.choice(("plain", "bias", "softmax")) if element != "i8" and split == 1 else "plain"
    out = rng.choice(("fp32", "fp16", "bf16")) if split > 1 else "bf16"
    unit = rng.choice((("a_k", "b_n"), ("a_k", "b_k"), ("a_m", "b_n"), ("a_m", "b_k")))
    constants = shape | {"SPLIT": split, "MASKED": rng.random() < 0.5, "END": kind,
                         "SUM": tl.int32 if element == "i8" else tl.float32} | dict.fromkeys(unit, 1)
    options = {"matrix_instr_nonkdim": 32} if rng.random() < 0.3 and min(shape["BM"], shape["BN"]) >= 32 else {}
    return (f"{element}_{kind}_k{split}", tile, pointers("a b", element) | pointers("bias", "fp32") | pointers("c", out)
            | words("m n k a_m a_k b_k b_n c_m"), constants, warps, options)


def draw_multiplication(function, names, numbers, more, element=None):
    def draw(rng, arch):
        shape, warps = draw_shape(rng, 128 * 128)
        kind = element or rng.choice(("bf16", "fp16"))
        constants = shape | {key: rng.choice(values) for key, values in more.items()}
        signature = {name: form.format(kind) for name, form in names.items()} | words(numbers)
        return function.__name__, function, signature, constants, warps, {}
    return draw


def draw_scaled(rng, arch):
    form = rng.choice(("e2m1", "e4m3", "e5m2"))
    shape = {"BM": rng.choice((32, 64, 128)), "BN": rng.choice((32, 64, 128)), "BK": rng.choice((128, 256))}
    signature = pointers("a b", "u8" if form == "e2m1" else {"e4m3": "fp8e4nv", "e5m2": "fp8e5"}[form])
    signature |= pointers("sa sb", "u8") | {"c": "*bf16"} | words("n k")
    return f"microscaled_{form}", microscaled, signature, shape | {"FORM": form, "PACK": 1 + (form == "e2m1")}, 4, {}


def draw_attention(rng, arch):
    constants = {"BM": rng.choice((32, 64, 128)), "BN": rng.choice((32, 64)), "HEAD": rng.choice((32, 64, 128)),
                 "WINDOW": rng.choice((0, 0, 256))}
    constants |= {key: rng.random() < 0.5 for key in ("CAUSAL", "BIAS", "DROP", "RAGGED")}
    kinds = "".join(key[0] for key in ("CAUSAL", "BIAS", "DROP", "RAGGED") if constants[key])
    signature = pointers("q k v out", rng.choice(("bf16", "fp16"))) | pointers("bias", "fp32") | pointers("lengths", "i32")
    return (f"attend_{kinds}{constants['WINDOW']}", attend, signature | {"scale": "fp32", "slope": "fp32"} |
            words("seed length row"), constants, 4 if constants["BM"] < 128 else rng.choice((4, 8)), {})


def draw_linear(rng, arch):
    constants = {"BM": rng.choice((32, 64)), "HEAD": rng.choice((32, 64)), "DECAY": 0.5}
    return "linear", linear, pointers("q k v out", "bf16") | words("length row"), constants, rng.choice((2, 4)), {}


def draw_norm(rng, arch):
    kind = rng.choice(("plain", "residual", "quantized"))
    constants = {"BM": rng.choice((1, 2, 8)), "BN": rng.choice((128, 512, 1024)), "KIND": kind}
    signature = pointers("x r", rng.choice(("fp32", "bf16"))) | pointers("w b", "fp32")
    signature |= pointers("y", "i8" if kind == "quantized" else "bf16") | words("columns stride")
    return f"norm_{kind}", norm, signature, constants, rng.choice((1, 4, 8)), {}


def draw_backward(rng, arch):
    signature = pointers("x g w dx dw", "fp32") | pointers("lock", "i32") | words("columns stride")
    return "norm_backward", norm_backward, signature, {"BN": rng.choice((256, 1024)), "GROUP": 16}, rng.choice((2, 4, 8)), {}


def draw_entropy(rng, arch):
    signature = pointers("x", rng.choice(("fp32", "bf16"))) | pointers("label", "i32") | pointers("loss", "fp32")
    return ("entropy", entropy, signature | words("columns stride"), {"BN": rng.choice((256, 1024, 4096))},
            rng.choice((2, 4, 8)), {})


def draw_recurrence(rng, arch):
    constants = {"BM": rng.choice((4, 16)), "BN": rng.choice((64, 256)), "AXIS": rng.choice((0, 1)), "BACK": rng.random() < 0.5}
    return "recurrence", recurrence, pointers("a x y", "fp32") | words("length stride"), constants, rng.choice((2, 4, 8)), {}


def draw_bins(rng, arch):
    kind = rng.choice(("histogram", "extremes", "floats", "sorted", "taken"))
    constants = {"BN": rng.choice((256, 1024)), "BINS": rng.choice((64, 256)), "KIND": kind}
    return f"bins_{kind}", bins, pointers("x y", "i32") | {"z": "*fp32"} | words("count"), constants, rng.choice((2, 4, 8)), {}


def draw_copied(rng, arch):
    shape, warps = draw_shape(rng, 128 * 256)
    shape = {key: max(size, 64) for key, size in shape.items()}
    constants = shape | {"SPECIALIZED": rng.random() < 0.5, "BACK": rng.random() < 0.5}
    kind = "copied" + "_specialized" * constants["SPECIALIZED"]
    return kind, copied, pointers("a b c", rng.choice(("bf16", "fp16"))) | words("m n k"), constants, max(warps, 4), {}


def draw_copied_attention(rng, arch):
    constants = {"BM": rng.choice((64, 128)), "BN": rng.choice((32, 64, 128)), "HEAD": rng.choice((64, 128)),
                 "CAUSAL": rng.random() < 0.5, "SPECIALIZED": rng.random() < 0.5}
    kind = "copied_attention" + "_causal" * constants["CAUSAL"] + "_specialized" * constants["SPECIALIZED"]
    signature = pointers("q k v out", rng.choice(("bf16", "fp16"))) | {"scale": "fp32"} | words("length")
    return kind, copied_attention, signature, constants, rng.choice((4, 8)), {}


TENSOR_COPIES = (draw_copied, draw_copied, draw_copied, draw_copied_attention, draw_copied_attention)

KINDS = (
    draw_tile, draw_tile, draw_tile, draw_tile, draw_attention, draw_attention, draw_attention, draw_linear, draw_scaled,
    draw_norm, draw_norm, draw_backward, draw_entropy, draw_recurrence, draw_bins, draw_bins,
    draw_multiplication(persistent, dict.fromkeys("abc", "*{}"), "m n k a_m b_k c_m", {"MASKED": (False, True)}),
    draw_multiplication(problems, dict.fromkeys("abc", "*{}") | {"sizes": "*i32", "offsets": "*i32"}, "count", {}),
    draw_multiplication(gathered, {"a": "*{}", "index": "*i32", "b": "*{}", "c": "*{}", "weight": "*fp32"}, "m n k",
                        {"TOP": (1, 2), "SCATTER": (False, True)}),
    draw_multiplication(nibbles, {"a": "*{}", "b": "*i8", "s": "*fp32", "c": "*{}"}, "n k", {"GROUP": (32, 128)}),
    draw_multiplication(stream_k, dict.fromkeys("abc", "*{}") | {"part": "*fp32", "locks": "*i32"}, "n k per", {}),
)


def cases(seed, count, archs):
    """(arch, case) of each: the same for the same seed."""
    for i in range(count):
        rng = random.Random(f"{seed} {i}")
        arch = rng.choice(archs)
        kinds = KINDS + TENSOR_COPIES if arch == "sm_90" else KINDS
        kind, function, signature, constants, warps, more = rng.choice(kinds)(rng, arch)
        shape = "x".join(str(constants[key]) for key in ("BM", "BN", "BK", "HEAD") if key in constants)
        stages = rng.choice((1, 2, 2, 3, 4) if arch.startswith("gfx") else (1, 2, 3, 4, 5))
        yield arch, case(f"{i:03}_{kind}_{shape}_w{warps}_s{stages}", function, signature, constants, num_warps=warps,
                         num_stages=stages, **more)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--arch", nargs="+", choices=sorted(TARGETS), default=("gfx942", "gfx950"))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    write_cases(options.folder, cases(options.seed, options.count, options.arch))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
