# SPDX-License-Identifier: Apache-2.0
"""Qualifiers of PTX in other orders: each that ptxas takes gets the answer of the usual one. SWP_SEED=N replays a sample, SWP_FULL=1 takes all."""

import itertools
import os
import random
import shutil
import subprocess
import tempfile

from checks import audit, check
from compiled_ptx import NVCC

PTXAS = shutil.which("ptxas") or (NVCC and shutil.which("ptxas", path=os.path.dirname(NVCC)))
SAMPLE = 4

KERNEL = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
.maxntid 32, 1, 1
{
    .reg .pred %p<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<4>;
    .shared .align 128 .b8 tile[1024];
    .shared .align 8 .b8 bar[8];
    mov.u32 %r1, tile;
    mov.u32 %r2, bar;
    mov.u32 %r3, %tid.x;
    ld.param.u64 %rd1, [out];
    setp.ne.u32 %p1, %r3, 0;
    @!%p1 mbarrier.init.shared::cta.b64 [%r2], 1;
    @!%p1 fence.mbarrier_init.release.cluster;
    bar.sync 0;
BODY    ret;
}
"""
GIVE = "    bar.sync 0;\n    @%p1 bra $end;\n    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 128;\n    cp.async.bulk.commit_group;\n    cp.async.bulk.wait_group 0;\n$end:\n"
BRING = "    @%p1 bra $wait;\n    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 128;\n"
WAIT = "$wait:\n    mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n    @!%p2 bra $wait;\n    ld.shared.b32 %r4, [%r1];\n"

# (first part, qualifiers, operands, what stands before, what behind, the answer)
CASES = [
    ("cp.async", ("ca", "shared", "global", "L2::128B"), "[%r1], [%rd1], 16", "    @%p1 bra $end;\n", "    cp.async.wait_all;\n$end:\n", "no_fault"),
    ("cp.async.bulk", ("shared::cluster", "global", "mbarrier::complete_tx::bytes"), "[%r1], [%rd1], 128, [%r2]", BRING, WAIT, "no_fault"),
    ("cp.reduce.async.bulk", ("global", "shared::cta", "bulk_group", "add", "u32"), "[%rd1], [%r1], 128", "    @%p1 bra $end;\n",
     "    cp.async.bulk.commit_group;\n$end:\n", "fault"),
    ("fence", ("proxy", "async", "shared::cta"), "", "    st.shared.b32 [%r1], %r3;\n", GIVE, "no_fault"),
    ("fence", ("proxy", "async", "global"), "", "    st.shared.b32 [%r1], %r3;\n", GIVE, "fault"),
    ("barrier", ("sync", "aligned"), "0", "    @!%p1 st.shared.b32 [%r1], %r3;\n", "    ld.shared.b32 %r4, [%r1];\n", "no_fault"),
    ("shfl", ("sync", "idx", "b32"), "%r4, %r3, 0, 31, -1", "", "", "no_fault"),
    ("mbarrier.arrive", ("release", "cta", "shared::cta", "b64"), "_, [%r2]", "    @%p1 bra $wait;\n", WAIT, "no_fault"),
    ("mbarrier.arrive", ("expect_tx", "release", "cta", "shared::cta", "b64"), "_, [%r2], 128", "    @%p1 bra $wait;\n",
     "    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 128, [%r2];\n" + WAIT, "no_fault"),
    ("mbarrier.try_wait", ("parity", "acquire", "cta", "shared::cta", "b64"), "%p2, [%r2], 0", "    @!%p1 mbarrier.arrive.shared::cta.b64 _, [%r2];\n$wait:\n",
     "    @!%p2 bra $wait;\n", "no_fault"),
    ("ldmatrix", ("sync", "aligned", "m8n8", "x1", "shared", "b16"), "{%r4}, [%r1]", "", "", "no_fault"),
]


def is_taken(text, folder):
    path = os.path.join(folder, "k.ptx")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run([PTXAS, "-arch=sm_90a", path, "-o", os.devnull], capture_output=True, check=False).returncode == 0


def check_orders():
    if not PTXAS:
        return
    seed = int(os.environ.get("SWP_SEED", random.randrange(1 << 32)))
    print(f"orders of qualifiers: SWP_SEED={seed}")
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for first, qualifiers, operands, before, behind, answer in CASES:
            orders = list(itertools.permutations(qualifiers))[1:]
            draw.shuffle(orders)
            taken = 0
            for order in [qualifiers, *orders]:
                text = KERNEL.replace("BODY", f"{before}    {'.'.join((first, *order))} {operands};\n{behind}")
                if not is_taken(text, folder):
                    check(order != qualifiers, f"ptxas refuses {first}.{'.'.join(order)}")
                    continue
                _, report = audit(text)
                check(isinstance(report, dict) and report["answer"] == answer, f"{first}.{'.'.join(order)}: {report}, wanted {answer}")
                taken += 1
                if taken > SAMPLE and not os.environ.get("SWP_FULL"):
                    break
