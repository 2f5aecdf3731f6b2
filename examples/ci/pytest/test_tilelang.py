# SPDX-License-Identifier: Apache-2.0
"""A kernel in TileLang is compiled for sm_80, and audited. nvcc makes PTX of it."""

import shutil

import pytest

tilelang = pytest.importorskip("tilelang")
import tilelang.language as T  # noqa: E402
from tilelang import tvm  # noqa: E402

if not shutil.which("nvcc"):
    pytest.skip("TileLang's kernels are compiled by nvcc", allow_module_level=True)

SIZE, TILE, STEP = 1024, 64, 32


@T.prim_func
def product(A: T.Tensor((SIZE, SIZE), "float16"), B: T.Tensor((SIZE, SIZE), "float16"), C: T.Tensor((SIZE, SIZE), "float16")):
    with T.Kernel(SIZE // TILE, SIZE // TILE, threads=128) as (column, row):
        left = T.alloc_shared((TILE, STEP), "float16")
        right = T.alloc_shared((STEP, TILE), "float16")
        total = T.alloc_fragment((TILE, TILE), "float32")
        T.clear(total)
        for step in T.Pipelined(SIZE // STEP, num_stages=3):
            T.copy(A[row * TILE, step * STEP], left)
            T.copy(B[step * STEP, column * TILE], right)
            T.gemm(left, right, total)
        T.copy(total, C[row * TILE, column * TILE])


@pytest.fixture(scope="module")
def kernel():
    target = tvm.target.Target({"kind": "cuda", "arch": "sm_80"})
    with target:
        return tilelang.lower(product, target=target)


def test_product(kernel, audit_kernel):
    audit_kernel(kernel, strict=True)


def test_product_that_waits_for_nothing(kernel, audit_kernel):
    """Without the waits for its copies the kernel reads tiles that have not come."""
    from tilelang.contrib import nvcc

    with kernel.target:
        ptx = nvcc.get_ptx_from_source(kernel.kernel_source.replace("cp_async_wait<", "cp_async_wait<9 + "))
    with pytest.raises(pytest.fail.Exception, match="stale_read"):
        audit_kernel(ptx if isinstance(ptx, str) else bytes(ptx).decode())
