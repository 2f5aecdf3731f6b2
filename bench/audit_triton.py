# SPDX-License-Identifier: Apache-2.0
"""Kernels in Triton, compiled to assembly for gfx942 and gfx950 and to PTX for sm_80 and sm_90 without a GPU: code
that nobody wrote with the audit in mind.

    audit_triton.py FOLDER [SUBSTRING]    writes FOLDER/NAME.s or .ptx for every kernel whose name has SUBSTRING
"""

import itertools
import os
import sys
import warnings

try:
    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
except ImportError:
    print("no Triton here: nothing is compiled (pip install triton)")
    sys.exit(0)


@triton.jit
def gemm(a, b, c, m, n, k, a_m, a_k, b_k, b_n, c_m, BM: tl.constexpr, BN: tl.constexpr,
         BK: tl.constexpr, GROUP: tl.constexpr, MASKED: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(m, BM)
    tiles_n = tl.cdiv(n, BN)
    first = pid // (GROUP * tiles_n) * GROUP
    size = min(tiles_m - first, GROUP)
    pid_m = first + (pid % (GROUP * tiles_n)) % size
    pid_n = (pid % (GROUP * tiles_n)) // size
    rows = (pid_m * BM + tl.arange(0, BM)) % m
    columns = (pid_n * BN + tl.arange(0, BN)) % n
    depth = tl.arange(0, BK)
    a_at = a + rows[:, None] * a_m + depth[None, :] * a_k
    b_at = b + depth[:, None] * b_k + columns[None, :] * b_n
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        if MASKED:
            x = tl.load(a_at, mask=depth[None, :] < k - i * BK, other=0.0)
            y = tl.load(b_at, mask=depth[:, None] < k - i * BK, other=0.0)
        else:
            x = tl.load(a_at)
            y = tl.load(b_at)
        sums = tl.dot(x, y, sums)
        a_at += BK * a_k
        b_at += BK * b_k
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * c_m + columns[None, :], sums.to(c.dtype.element_ty), mask=inside)


@triton.jit
def persistent_gemm(a, b, c, m, n, k, a_m, b_k, c_m, BM: tl.constexpr, BN: tl.constexpr,
                    BK: tl.constexpr):
    tiles_n = tl.cdiv(n, BN)
    for tile in range(tl.program_id(0), tl.cdiv(m, BM) * tiles_n, tl.num_programs(0)):
        rows = tile // tiles_n * BM + tl.arange(0, BM)
        columns = tile % tiles_n * BN + tl.arange(0, BN)
        depth = tl.arange(0, BK)
        a_at = a + rows[:, None] * a_m + depth[None, :]
        b_at = b + depth[:, None] * b_k + columns[None, :]
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for _ in range(0, tl.cdiv(k, BK)):
            sums = tl.dot(tl.load(a_at), tl.load(b_at), sums)
            a_at += BK
            b_at += BK * b_k
        inside = (rows[:, None] < m) & (columns[None, :] < n)
        tl.store(c + rows[:, None] * c_m + columns[None, :], sums.to(c.dtype.element_ty),
                 mask=inside)


@triton.jit
def attention(q, k, v, out, scale, length, head_stride, row_stride, BM: tl.constexpr,
              BN: tl.constexpr, HEAD: tl.constexpr, CAUSAL: tl.constexpr, MASKED: tl.constexpr):
    block = tl.program_id(0)
    base = tl.program_id(1) * head_stride
    rows = block * BM + tl.arange(0, BM)
    keys = tl.arange(0, BN)
    dims = tl.arange(0, HEAD)
    x = tl.load(q + base + rows[:, None] * row_stride + dims[None, :])
    best = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, HEAD), tl.float32)
    last = (block + 1) * BM if CAUSAL else length
    for start in range(0, last, BN):
        at = base + (start + keys[:, None]) * row_stride + dims[None, :]
        if MASKED:
            y = tl.load(k + at, mask=start + keys[:, None] < length, other=0.0)
        else:
            y = tl.load(k + at)
        scores = tl.dot(x, tl.trans(y)) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= start + keys[None, :], scores, float("-inf"))
        if MASKED:
            scores = tl.where(start + keys[None, :] < length, scores, float("-inf"))
        new = tl.maximum(best, tl.max(scores, 1))
        p = tl.exp2(scores - new[:, None])
        factor = tl.exp2(best - new)
        total = total * factor + tl.sum(p, 1)
        if MASKED:
            z = tl.load(v + at, mask=start + keys[:, None] < length, other=0.0)
        else:
            z = tl.load(v + at)
        sums = tl.dot(p.to(z.dtype), z, sums * factor[:, None])
        best = new
    tl.store(out + base + rows[:, None] * row_stride + dims[None, :],
             (sums / total[:, None]).to(out.dtype.element_ty))


@triton.jit
def softmax(x, y, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=float("-inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * stride + at, powers / tl.sum(powers, 0), mask=at < columns)


@triton.jit
def layer_norm(x, y, w, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * stride + at, mask=at < columns, other=0.0)
        sums += values
        squares += values * values
    mean = tl.sum(sums, 0) / columns
    scale = tl.rsqrt(tl.sum(squares, 0) / columns - mean * mean)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * stride + at, mask=at < columns, other=0.0)
        factor = tl.load(w + at, mask=at < columns, other=0.0)
        tl.store(y + row * stride + at, (values - mean) * scale * factor, mask=at < columns)


@triton.jit
def row_scan(x, y, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=0.0)
    tl.store(y + row * stride + at, tl.cumsum(values, 0), mask=at < columns)


@triton.jit
def transpose(x, y, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    values = tl.load(x + rows[:, None] * n + columns[None, :], mask=inside)
    tl.store(y + columns[None, :] * m + rows[:, None], values, mask=inside)


@triton.jit
def copied_gemm(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPECIALIZED: tl.constexpr):
    """By tensor copies, and with warps that only copy."""
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for i in tl.range(0, tl.cdiv(k, BK), warp_specialize=SPECIALIZED):
        sums = tl.dot(a_tiles.load([row, i * BK]), b_tiles.load([column, i * BK]).T, sums)
    c_tiles.store([row, column], sums.to(c.dtype.element_ty))


FP8 = {"gfx942": "fp8e4b8"}
TARGETS = {"gfx942": (GPUTarget("hip", "gfx942", 64), "amdgcn", ".s"), "gfx950": (GPUTarget("hip", "gfx950", 64), "amdgcn", ".s"),
           "sm_80": (GPUTarget("cuda", 80, 32), "ptx", ".ptx"), "sm_90": (GPUTarget("cuda", 90, 32), "ptx", ".ptx")}


def case(name, function, signature, constants, **options):
    """Pointers and strides are multiples of 16, as they are in most launches."""
    return name, function, signature, constants, options


def gemm_case(arch, dtype, layout, blocks, warps, stages, masked=False, **options):
    element = FP8.get(arch, "fp8e4nv") if dtype == "fp8" else dtype
    signature = dict.fromkeys(("a", "b", "c"), "*" + element) | {"c": "*bf16"}
    signature |= dict.fromkeys(("m", "n", "k", "a_m", "a_k", "b_k", "b_n", "c_m"), "i32")
    unit = {"n": ("a_k", "b_n"), "t": ("a_k", "b_k"), "x": ("a_m", "b_n")}[layout]
    constants = dict(zip(("BM", "BN", "BK"), blocks)) | {"GROUP": 4, "MASKED": masked}
    constants |= dict.fromkeys(unit, 1)
    name = f"gemm_{dtype}_{layout}_{'x'.join(map(str, blocks))}_w{warps}_s{stages}"
    name += "_masked" * masked + "".join(f"_{k[:5]}{v}" for k, v in options.items())
    return case(name, gemm, signature, constants, num_warps=warps, num_stages=stages, **options)


def copied_case(blocks, warps, stages, specialized):
    signature = dict.fromkeys(("a", "b", "c"), "*bf16") | dict.fromkeys(("m", "n", "k"), "i32")
    name = f"copied_{'specialized_' * specialized}{'x'.join(map(str, blocks))}_w{warps}_s{stages}"
    return case(name, copied_gemm, signature, dict(zip(("BM", "BN", "BK"), blocks)) | {"SPECIALIZED": specialized},
                num_warps=warps, num_stages=stages)


def persistent_case(blocks, warps, stages):
    signature = dict.fromkeys(("a", "b", "c"), "*bf16")
    signature |= dict.fromkeys(("m", "n", "k", "a_m", "b_k", "c_m"), "i32")
    return case(f"persistent_{'x'.join(map(str, blocks))}_w{warps}_s{stages}", persistent_gemm, signature,
                dict(zip(("BM", "BN", "BK"), blocks)), num_warps=warps, num_stages=stages)


def attention_case(blocks, head, causal, masked, warps, stages):
    signature = dict.fromkeys(("q", "k", "v", "out"), "*bf16") | {"scale": "fp32"}
    signature |= dict.fromkeys(("length", "head_stride", "row_stride"), "i32")
    kind = "causal_" * causal + "masked_" * masked
    return case(f"attention_{kind}{blocks[0]}x{blocks[1]}x{head}_w{warps}_s{stages}", attention, signature,
                {"BM": blocks[0], "BN": blocks[1], "HEAD": head, "CAUSAL": causal, "MASKED": masked},
                num_warps=warps, num_stages=stages)


def row_case(function, block, warps, stages=2):
    signature = {"x": "*fp32", "y": "*fp32", "columns": "i32", "stride": "i32"}
    if function is layer_norm:
        signature["w"] = "*fp32"
    return case(f"{function.__name__}_{block}_w{warps}_s{stages}", function, signature, {"BLOCK": block},
                num_warps=warps, num_stages=stages)


def transpose_case(blocks, warps):
    return case(f"transpose_{blocks[0]}x{blocks[1]}_w{warps}", transpose,
                {"x": "*bf16", "y": "*bf16", "m": "i32", "n": "i32"},
                {"BM": blocks[0], "BN": blocks[1]}, num_warps=warps, num_stages=2)


def cases(arch):
    for dtype, stages in itertools.product(("bf16", "fp8") if arch != "sm_80" else ("bf16",), (1, 2, 3, 4)):
        for layout in "nt":
            yield gemm_case(arch, dtype, layout, (64, 64, 64), 4, stages)
        yield gemm_case(arch, dtype, "t", (128, 128, 64), 4, stages)
    for stages in (2, 3):
        yield gemm_case(arch, "bf16", "n", (256, 128, 32), 8, stages)
        yield gemm_case(arch, "bf16", "x", (128, 64, 32), 4, stages)
        yield gemm_case(arch, "bf16", "n", (64, 64, 32), 4, stages, masked=True)
        if arch != "sm_80":
            yield gemm_case(arch, "fp8", "t", (128, 64, 128), 8, stages, masked=True)
        if arch.startswith("gfx"):
            yield gemm_case(arch, "bf16", "t", (128, 128, 32), 4, stages, matrix_instr_nonkdim=32)
        yield gemm_case(arch, "bf16", "t", (32, 32, 64), 1, stages)
        yield persistent_case((64, 64, 64), 4, stages)
    yield gemm_case(arch, "bf16", "t", (256, 256, 64), 8, 2)
    for stages, causal in itertools.product((1, 2, 3, 4), (False, True)):
        yield attention_case((64, 64), 64, causal, False, 4, stages)
    yield attention_case((128, 64), 128, True, False, 4, 2)
    yield attention_case((128, 32), 128, False, False, 8, 3)
    for stages in (1, 2, 3):
        yield attention_case((64, 32), 64, False, True, 4, stages)
    for warps in (4, 8):
        yield row_case(softmax, 1024, warps)
        yield row_case(layer_norm, 1024, warps)
        yield row_case(row_scan, 2048, warps)
    yield row_case(layer_norm, 512, 4, 3)
    yield transpose_case((64, 64), 4)
    if arch == "sm_90":
        for blocks, stages in itertools.product(((128, 128, 64), (64, 64, 64)), (2, 3, 4)):
            for specialized in (False, True):
                yield copied_case(blocks, 4, stages, specialized)
        yield copied_case((128, 256, 64), 8, 3, False)


def compile_case(arch, name, function, signature, constants, options):
    signature = signature | dict.fromkeys(constants, "constexpr")
    order = list(function.arg_names)
    attributes = {}
    for name_of, kind in signature.items():
        if kind.startswith("*"):
            attributes[(order.index(name_of),)] = [["tt.divisibility", 16], ["tt.pointer_range", 32]]
        elif kind == "i32":
            attributes[(order.index(name_of),)] = [["tt.divisibility", 16]]
    source = ASTSource(function, {key: signature[key] for key in order}, constants, attributes)
    target, form, _ = TARGETS[arch]
    return triton.compile(source, target=target, options=options).asm[form]


def write_cases(folder, pairs, part=""):
    """FOLDER/ARCH_NAME.s or .ptx of each (arch, case) that is not there yet and whose path has `part` in it."""
    os.makedirs(folder, exist_ok=True)
    for arch, one in pairs:
        path = os.path.join(folder, arch + "_" + one[0] + TARGETS[arch][2])
        if part not in path or os.path.exists(path):
            continue
        try:
            text = compile_case(arch, *one)
        except Exception as error:  # pylint: disable=broad-except
            print(f"{path}: not compiled: {type(error).__name__} {str(error).splitlines()[:2]}", flush=True)
            continue
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)


def main(folder, part=""):
    write_cases(folder, ((arch, one) for arch in TARGETS for one in cases(arch)), part)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
