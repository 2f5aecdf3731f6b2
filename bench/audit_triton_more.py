#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""More kernels in Triton, of other kinds and shapes than those of audit_triton.py, which the audit was made to decide: the
question is what it makes of code that it was not made for.

    audit_triton_more.py FOLDER [ARCH...]    writes FOLDER/NAME.s or .ptx for every kernel; gfx942 and gfx950, or sm_80, sm_90
"""

import sys
import warnings

from audit_triton import (
    attention_case,
    case,
    gemm_case,
    layer_norm,
    row_case,
    row_scan,
    softmax,
    tl,
    transpose_case,
    write_cases,
    triton,
)


@triton.jit
def split_k(a, b, c, m, n, k, a_m, b_k, c_m, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    pid = tl.program_id(0)
    pz = tl.program_id(1)
    tn = tl.cdiv(n, BN)
    rm = pid // tn * BM + tl.arange(0, BM)
    rn = pid % tn * BN + tl.arange(0, BN)
    rk = pz * BK + tl.arange(0, BK)
    A = a + rm[:, None] * a_m + rk[None, :]
    B = b + rk[:, None] * b_k + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, tl.cdiv(k, BK * SPLIT)):
        acc = tl.dot(tl.load(A), tl.load(B), acc)
        A += BK * SPLIT
        B += BK * SPLIT * b_k
    tl.atomic_add(c + rm[:, None] * c_m + rn[None, :], acc)


@triton.jit
def int8_gemm(a, b, c, s, m, n, k, a_m, b_n, c_m, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    tn = tl.cdiv(n, BN)
    rm = pid // tn * BM + tl.arange(0, BM)
    rn = pid % tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    A = a + rm[:, None] * a_m + rk[None, :]
    B = b + rk[:, None] + rn[None, :] * b_n
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for i in range(0, tl.cdiv(k, BK)):
        acc = tl.dot(tl.load(A), tl.load(B), acc)
        A += BK
        B += BK
    scale = tl.load(s + rn)
    tl.store(
        c + rm[:, None] * c_m + rn[None, :],
        (acc.to(tl.float32) * scale[None, :]).to(tl.bfloat16),
        mask=(rm[:, None] < m) & (rn[None, :] < n),
    )


@triton.jit
def dequant_gemm(a, b, c, s, m, n, k, a_m, b_n, c_m, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    tn = tl.cdiv(n, BN)
    rm = pid // tn * BM + tl.arange(0, BM)
    rn = pid % tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    A = a + rm[:, None] * a_m + rk[None, :]
    B = b + rk[:, None] + rn[None, :] * b_n
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        x = tl.load(A)
        y = tl.load(B).to(tl.bfloat16)
        f = tl.load(s + i * n + rn)
        acc += tl.dot(x, y) * f[None, :]
        A += BK
        B += BK
    tl.store(c + rm[:, None] * c_m + rn[None, :], acc.to(tl.bfloat16))


@triton.jit
def mlp(x, w1, w2, y, m, n, k, x_m, w_k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """silu(x w1) * (x w2)"""
    pid = tl.program_id(0)
    tn = tl.cdiv(n, BN)
    rm = pid // tn * BM + tl.arange(0, BM)
    rn = pid % tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    X = x + rm[:, None] * x_m + rk[None, :]
    A = w1 + rk[:, None] * w_k + rn[None, :]
    B = w2 + rk[:, None] * w_k + rn[None, :]
    p = tl.zeros((BM, BN), dtype=tl.float32)
    q = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        v = tl.load(X, mask=rk[None, :] < k - i * BK, other=0.0)
        p = tl.dot(v, tl.load(A), p)
        q = tl.dot(v, tl.load(B), q)
        X += BK
        A += BK * w_k
        B += BK * w_k
    tl.store(
        y + rm[:, None] * n + rn[None, :],
        (p * tl.sigmoid(p) * q).to(tl.bfloat16),
        mask=(rm[:, None] < m) & (rn[None, :] < n),
    )


@triton.jit
def attn_bwd_dkdv(
    q, k, v, do, dk, dv, lse, delta, scale, length, row, BM: tl.constexpr, BN: tl.constexpr, HEAD: tl.constexpr
):
    n0 = tl.program_id(0) * BN
    rn = n0 + tl.arange(0, BN)
    dims = tl.arange(0, HEAD)
    kk = tl.load(k + rn[:, None] * row + dims[None, :])
    vv = tl.load(v + rn[:, None] * row + dims[None, :])
    gk = tl.zeros((BN, HEAD), tl.float32)
    gv = tl.zeros((BN, HEAD), tl.float32)
    for s in range(0, length, BM):
        rm = s + tl.arange(0, BM)
        qq = tl.load(q + rm[:, None] * row + dims[None, :])
        dd = tl.load(do + rm[:, None] * row + dims[None, :])
        l = tl.load(lse + rm)
        d = tl.load(delta + rm)
        p = tl.exp2(tl.dot(kk, tl.trans(qq)) * scale - l[None, :])
        gv = tl.dot(p.to(dd.dtype), dd, gv)
        ds = p * (tl.dot(vv, tl.trans(dd)) - d[None, :])
        gk = tl.dot(ds.to(qq.dtype), qq, gk)
    tl.store(dk + rn[:, None] * row + dims[None, :], gk.to(tl.bfloat16))
    tl.store(dv + rn[:, None] * row + dims[None, :], gv.to(tl.bfloat16))


@triton.jit
def decode_attn(q, k, v, out, lens, scale, row, BN: tl.constexpr, H: tl.constexpr, HEAD: tl.constexpr):
    b = tl.program_id(0)
    L = tl.load(lens + b)
    rh = tl.arange(0, H)
    dims = tl.arange(0, HEAD)
    rn = tl.arange(0, BN)
    x = tl.load(q + b * H * HEAD + rh[:, None] * HEAD + dims[None, :])
    best = tl.full((H,), float("-inf"), tl.float32)
    tot = tl.zeros((H,), tl.float32)
    acc = tl.zeros((H, HEAD), tl.float32)
    for s in range(0, L, BN):
        at_ = (s + rn[:, None]) * row + dims[None, :]
        m = (s + rn) < L
        y = tl.load(k + at_, mask=m[:, None], other=0.0)
        sc = tl.where(m[None, :], tl.dot(x, tl.trans(y)) * scale, float("-inf"))
        new = tl.maximum(best, tl.max(sc, 1))
        p = tl.exp2(sc - new[:, None])
        f = tl.exp2(best - new)
        tot = tot * f + tl.sum(p, 1)
        z = tl.load(v + at_, mask=m[:, None], other=0.0)
        acc = tl.dot(p.to(z.dtype), z, acc * f[:, None])
        best = new
    tl.store(out + b * H * HEAD + rh[:, None] * HEAD + dims[None, :], (acc / tot[:, None]).to(tl.bfloat16))


@triton.jit
def paged(q, k, v, out, table, scale, length, BN: tl.constexpr, H: tl.constexpr, HEAD: tl.constexpr):
    b = tl.program_id(0)
    rh = tl.arange(0, H)
    dims = tl.arange(0, HEAD)
    rn = tl.arange(0, BN)
    x = tl.load(q + b * H * HEAD + rh[:, None] * HEAD + dims[None, :])
    best = tl.full((H,), float("-inf"), tl.float32)
    tot = tl.zeros((H,), tl.float32)
    acc = tl.zeros((H, HEAD), tl.float32)
    for s in range(0, length):
        page = tl.load(table + b * 128 + s)
        at_ = (page * BN + rn[:, None]) * HEAD + dims[None, :]
        sc = tl.dot(x, tl.trans(tl.load(k + at_))) * scale
        new = tl.maximum(best, tl.max(sc, 1))
        p = tl.exp2(sc - new[:, None])
        f = tl.exp2(best - new)
        tot = tot * f + tl.sum(p, 1)
        z = tl.load(v + at_)
        acc = tl.dot(p.to(z.dtype), z, acc * f[:, None])
        best = new
    tl.store(out + b * H * HEAD + rh[:, None] * HEAD + dims[None, :], (acc / tot[:, None]).to(tl.bfloat16))


@triton.jit
def grouped(a, b, c, offs, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    e = tl.program_id(1)
    lo = tl.load(offs + e)
    hi = tl.load(offs + e + 1)
    rn = tl.program_id(0) * BN + tl.arange(0, BN)
    for t in range(lo, hi, BM):
        rm = t + tl.arange(0, BM)
        rk = tl.arange(0, BK)
        acc = tl.zeros((BM, BN), tl.float32)
        A = a + rm[:, None] * k + rk[None, :]
        B = b + e * n * k + rk[:, None] * n + rn[None, :]
        for i in range(0, tl.cdiv(k, BK)):
            acc = tl.dot(tl.load(A, mask=rm[:, None] < hi, other=0.0), tl.load(B), acc)
            A += BK
            B += BK * n
        tl.store(c + rm[:, None] * n + rn[None, :], acc.to(tl.bfloat16), mask=rm[:, None] < hi)


@triton.jit
def gather_gemm(a, idx, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.load(idx + tl.program_id(0) * BM + tl.arange(0, BM))
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    A = a + rm[:, None] * k + rk[None, :]
    B = b + rk[:, None] * n + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        acc = tl.dot(tl.load(A), tl.load(B), acc)
        A += BK
        B += BK * n
    tl.store(c + rm[:, None] * n + rn[None, :], acc.to(tl.bfloat16))


@triton.jit
def argmax_row(x, y, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at_ = tl.arange(0, BLOCK)
    tl.store(
        y + row, tl.argmax(tl.load(x + row * stride + at_, mask=at_ < columns, other=float("-inf")), 0).to(tl.float32)
    )


@triton.jit
def sort_row(x, y, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at_ = tl.arange(0, BLOCK)
    tl.store(y + row * stride + at_, tl.sort(tl.load(x + row * stride + at_)))


@triton.jit
def hist_row(x, y, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at_ = tl.arange(0, BLOCK)
    h = tl.histogram(tl.load(x + row * stride + at_).to(tl.int32), 256)
    tl.store(y + row * 256 + tl.arange(0, 256), h.to(tl.float32))


@triton.jit
def online_softmax(x, y, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = float("-inf")
    s = 0.0
    for st in range(0, columns, BLOCK):
        at_ = st + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + at_, mask=at_ < columns, other=float("-inf"))
        new = tl.maximum(m, tl.max(v, 0))
        s = s * tl.exp(m - new) + tl.sum(tl.exp(v - new), 0)
        m = new
    for st in range(0, columns, BLOCK):
        at_ = st + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + at_, mask=at_ < columns, other=float("-inf"))
        tl.store(y + row * stride + at_, tl.exp(v - m) / s, mask=at_ < columns)


@triton.jit
def col_sum(x, y, columns, stride, BLOCK: tl.constexpr):
    rows = tl.arange(0, 64)
    at_ = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((64, BLOCK), tl.float32)
    for r in range(0, columns, 64):
        acc += tl.load(x + (r + rows[:, None]) * stride + at_[None, :])
    tl.store(y + at_, tl.sum(acc, 0))


@triton.jit
def scan2d(x, y, columns, stride, BLOCK: tl.constexpr):
    rows = tl.arange(0, 16)
    at_ = tl.arange(0, BLOCK)
    v = tl.load(x + rows[:, None] * stride + at_[None, :])
    tl.store(y + rows[:, None] * stride + at_[None, :], tl.cumsum(v, 0) + tl.cumsum(v, 1))


@triton.jit
def rope(x, y, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at_ = tl.arange(0, BLOCK)
    a = tl.load(x + row * stride + at_)
    b = tl.load(x + row * stride + BLOCK + at_)
    o = tl.interleave(a, b)
    tl.store(y + row * stride + tl.arange(0, 2 * BLOCK), o)


@triton.jit
def conv(x, w, y, h, wd, cin, cout, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for r in range(3):
        for s in range(3):
            px = rm % wd + s - 1
            py = rm // wd + r - 1
            ok = (px >= 0) & (px < wd) & (py >= 0) & (py < h)
            for c in range(0, cin, BK):
                a = tl.load(x + (py * wd + px)[:, None] * cin + c + rk[None, :], mask=ok[:, None], other=0.0)
                b = tl.load(w + ((r * 3 + s) * cin + c + rk[:, None]) * cout + rn[None, :])
                acc = tl.dot(a, b, acc)
    tl.store(y + rm[:, None] * cout + rn[None, :], acc.to(tl.bfloat16))


@triton.jit
def batched(a, b, c, m, n, k, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    z = tl.program_id(2).to(tl.int64)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    A = a + z * sa + rm[:, None] * k + rk[None, :]
    B = b + z * sb + rk[:, None] * n + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        acc = tl.dot(tl.load(A), tl.load(B), acc)
        A += BK
        B += BK * n
    acc = tl.maximum(acc, 0.0)
    s = tl.sum(acc, 1)
    tl.store(
        c + z * sc + rm[:, None] * n + rn[None, :],
        (acc / s[:, None]).to(tl.bfloat16),
        mask=(rm[:, None] < m) & (rn[None, :] < n),
    )


def ptr(names, t):
    return dict.fromkeys(names.split(), "*" + t)


def ints(names):
    return dict.fromkeys(names.split(), "i32")


def blk(b):
    return dict(zip(("BM", "BN", "BK"), b))


def sh(b):
    return "x".join(map(str, b))


def cases(arch):
    for dt in ("fp16", "fp32"):
        for st in (2, 3):
            yield gemm_case(arch, dt, "n", (64, 128, 32), 4, st)
            yield gemm_case(arch, dt, "t", (128, 64, 32), 8, st)
    for b, w, st in (
        ((32, 64, 128), 2, 2),
        ((64, 256, 32), 4, 2),
        ((16, 128, 128), 4, 3),
        ((256, 64, 64), 8, 3),
        ((128, 256, 64), 8, 2),
        ((128, 256, 32), 4, 2),
        ((256, 256, 32), 8, 3),
    ):
        yield gemm_case(arch, "bf16", "t", b, w, st)
        yield gemm_case(arch, "bf16", "x", b, w, st, masked=True)
    yield gemm_case(arch, "fp8", "n", (128, 128, 128), 4, 2)
    yield gemm_case(arch, "fp8", "x", (256, 128, 128), 8, 2)
    yield gemm_case(arch, "fp8", "t", (256, 256, 128), 8, 2)
    for st in (1, 2, 3):
        yield case(
            f"split_k_s{st}",
            split_k,
            ptr("a b", "bf16") | ptr("c", "fp32") | ints("m n k a_m b_k c_m"),
            blk((64, 64, 64)) | {"SPLIT": 4},
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"int8_s{st}",
            int8_gemm,
            ptr("a b", "i8") | ptr("c", "bf16") | ptr("s", "fp32") | ints("m n k a_m b_n c_m"),
            blk((128, 64, 64)),
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"dequant_s{st}",
            dequant_gemm,
            ptr("a", "bf16") | ptr("b", "i8") | ptr("c", "bf16") | ptr("s", "fp32") | ints("m n k a_m b_n c_m"),
            blk((64, 128, 64)),
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"mlp_s{st}",
            mlp,
            ptr("x w1 w2 y", "bf16") | ints("m n k x_m w_k"),
            blk((64, 64, 32)),
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"attn_bwd_s{st}",
            attn_bwd_dkdv,
            ptr("q k v do dk dv", "bf16") | ptr("lse delta", "fp32") | {"scale": "fp32"} | ints("length row"),
            {"BM": 32, "BN": 64, "HEAD": 64},
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"decode_s{st}",
            decode_attn,
            ptr("q k v out", "bf16") | ptr("lens", "i32") | {"scale": "fp32"} | ints("row"),
            {"BN": 64, "H": 16, "HEAD": 128},
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"paged_s{st}",
            paged,
            ptr("q k v out", "bf16") | ptr("table", "i32") | {"scale": "fp32"} | ints("length"),
            {"BN": 32, "H": 16, "HEAD": 64},
            num_warps=2,
            num_stages=st,
        )
        yield case(
            f"grouped_s{st}",
            grouped,
            ptr("a b c", "bf16") | ptr("offs", "i32") | ints("n k"),
            blk((64, 64, 32)),
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"gather_s{st}",
            gather_gemm,
            ptr("a", "bf16") | ptr("idx", "i32") | ptr("b c", "bf16") | ints("n k"),
            blk((64, 64, 64)),
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"conv_s{st}",
            conv,
            ptr("x w y", "bf16") | ints("h wd cin cout"),
            blk((64, 64, 32)),
            num_warps=4,
            num_stages=st,
        )
        yield case(
            f"batched_s{st}",
            batched,
            ptr("a b c", "bf16") | ints("m n k sa sb sc"),
            blk((64, 128, 32)),
            num_warps=8,
            num_stages=st,
        )
    for dims, warps, st in (
        ((128, 128, 128), 8, 2),
        ((128, 64, 64), 4, 2),
        ((256, 64, 128), 8, 2),
        ((64, 128, 32), 4, 2),
        ((128, 64, 128), 4, 1),
        ((16, 64, 128), 1, 2),
    ):
        for causal in (False, True):
            yield attention_case(dims[:2], dims[2], causal, False, warps, st)
        yield attention_case(dims[:2], dims[2], True, True, warps, st)
    for f in (argmax_row, sort_row, hist_row, online_softmax, col_sum, scan2d, rope, softmax, layer_norm, row_scan):
        for b, w in ((256, 2), (512, 8), (128, 4)):
            yield row_case(f, b, w)
    yield transpose_case((32, 128), 8)
    yield transpose_case((128, 128), 4)


def main(folder, *archs):
    write_cases(folder, ((arch, one) for arch in archs or ("gfx942", "gfx950") for one in cases(arch)))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
