# SPDX-License-Identifier: Apache-2.0
"""A kernel in CuTe DSL is compiled for sm_90a, and audited."""

import os

os.environ.setdefault("CUTE_DSL_KEEP", "ptx")
os.environ.setdefault("CUTE_DSL_ARCH", "sm_90a")

import pytest

cutlass = pytest.importorskip("cutlass")
import cutlass.cute as cute  # noqa: E402
from cutlass.cute.runtime import make_fake_compact_tensor  # noqa: E402
from cutlass.memory import SmemAllocator  # noqa: E402

THREADS = 128


@cute.kernel
def reverse(numbers: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    shared = SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(THREADS))
    shared[thread] = numbers[thread]
    cute.arch.sync_threads()
    numbers[thread] = shared[THREADS - 1 - thread]


@cute.jit
def launch(numbers: cute.Tensor):
    reverse(numbers).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


@pytest.fixture(scope="module")
def kernel():
    return cute.compile(launch, make_fake_compact_tensor(cutlass.Float32, (THREADS,)))


def test_reverse(kernel, audit_kernel):
    audit_kernel(kernel, strict=True)


def test_reverse_without_barriers(kernel, audit_kernel):
    with pytest.raises(pytest.fail.Exception, match="stale_read"):
        audit_kernel(kernel.__ptx__.replace("barrier.sync", "// barrier.sync").replace("bar.sync", "// bar.sync"))
