# SPDX-License-Identifier: Apache-2.0
"""A kernel in Triton is compiled for sm_90, and audited."""

import pytest

triton = pytest.importorskip("triton")
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402


@triton.jit
def product(a, b, c, columns, depth, TILE: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    places = tl.program_id(1) * TILE + tl.arange(0, TILE)
    steps = tl.arange(0, STEP)
    total = tl.zeros((TILE, TILE), tl.float32)
    for first in range(0, depth, STEP):
        left = tl.load(a + rows[:, None] * depth + (first + steps)[None, :])
        right = tl.load(b + (first + steps)[:, None] * columns + places[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * columns + places[None, :], total)


@pytest.fixture(scope="module")
def kernel():
    signature = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "columns": "i32", "depth": "i32", "TILE": "constexpr", "STEP": "constexpr"}
    aligned = {(i,): [["tt.divisibility", 16]] for i in range(5)}
    source = ASTSource(fn=product, signature=signature, constexprs={"TILE": 64, "STEP": 32}, attrs=aligned)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4, "num_stages": 3})


def test_product(kernel, audit_kernel):
    audit_kernel(kernel, strict=True)


def test_product_without_barriers(kernel, audit_kernel):
    with pytest.raises(pytest.fail.Exception, match="product"):
        audit_kernel(kernel.asm["ptx"].replace("bar.sync", "// bar.sync"))
