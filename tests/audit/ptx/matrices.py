# SPDX-License-Identifier: Apache-2.0
"""ldmatrix and stmatrix with their qualifiers in many orders, as ptxas takes them in any, and fragments of wmma with their strides."""

import itertools
import random

from snippets import HEAD

# Each thread of two warps stores a row of 16 bytes; each warp loads what the other one has stored.
ROWS = HEAD.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 4;
    mov.u32 %r3, tiles;
    add.u32 %r4, %r3, %r2;
    xor.b32 %r5, %r2, 512;
    add.u32 %r6, %r3, %r5;
    STORE
    bar.sync 0;
    LOAD
    ret;
}
"""
ORDERS = 12
STORE = "st.shared.v4.b32 [%r4], {%r1, %r1, %r1, %r1};"
LOADS = [("ldmatrix", ("sync", "aligned", "x1", "m8n8", "shared", "b16"), "{%r10}, [%r6]"),
         ("ldmatrix", ("sync", "aligned", "x2", "m8n8", "trans", "shared::cta", "b16"), "{%r10, %r11}, [%r6]"),
         ("ldmatrix", ("sync", "aligned", "x4", "m8n8", "b16"), "{%r10, %r11, %r12, %r13}, [%rd5]"),
         ("ldmatrix", ("sync", "aligned", "x2", "m16n16", "trans", "shared", "b8"), "{%r10, %r11, %r12, %r13}, [%r6]")]
STORES = [("stmatrix", ("sync", "aligned", "x4", "m8n8", "shared", "b16"), "[%r4], {%r10, %r11, %r12, %r13}"),
          ("stmatrix", ("sync", "aligned", "x4", "m16n8", "trans", "shared", "b8"), "[%r4], {%r10, %r11, %r12, %r13}")]


def in_orders(opcode, qualifiers, operands):
    """The instruction with its qualifiers in some orders, the same ones each time."""
    orders = list(itertools.permutations(qualifiers))
    for order in random.Random(len(orders)).sample(orders, ORDERS):
        text = f"{'.'.join((opcode, *order))} {operands};"
        # A generic address is one of shared memory where it is computed from a variable's.
        yield f"cvt.u64.u32 %rd4, %r6;\n    cvta.shared.u64 %rd5, %rd4;\n    {text}" if "%rd5" in text else text


KERNELS = {}
FAULTS = {}
for load in LOADS:
    for text in in_orders(*load):
        KERNELS[f"{text} behind a barrier"] = ROWS.replace("STORE", STORE).replace("LOAD", text)
        FAULTS[f"{text} before the barrier"] = (KERNELS[f"{text} behind a barrier"], "    bar.sync 0;\n", "", "stale_read")
for store in STORES:
    for text in in_orders(*store):
        KERNELS[f"{text} before a barrier"] = ROWS.replace("STORE", text).replace("LOAD", "ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r6];")
        FAULTS[f"{text} behind the barrier"] = (KERNELS[f"{text} before a barrier"], "    bar.sync 0;\n", "", "stale_read")
UNKNOWN = {"matrices of no shape of PTX": (KERNELS[f"{next(in_orders(*LOADS[0]))} behind a barrier"], "m8n8", "m32n32", "not followed")}

# A fragment of 16 rows of 32 bytes is a warp's half of the rows where these stand side by side.
HALF = "    and.b32 %r7, {rows}, 512;\n    add.u32 %r8, %r3, %r7;\n    "
OTHERS, OWN = HALF.format(rows="%r5"), HALF.format(rows="%r2")
FRAGMENT = "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, [%r8], 16;"
TALL = "wmma.load.b.sync.aligned.col.m32n8k16.shared::cta.bf16 {%r10, %r11}, [%r8], 16;"
KEPT = "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r8], {%r10, %r11, %r12, %r13}, 16;"
LOAD = "ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r6];"
BARRIER, WARP = "    bar.sync 0;\n", "    bar.warp.sync 0xffffffff;\n"
FRAGMENTS = {"a fragment": ROWS.replace("STORE", STORE).replace("LOAD", OTHERS + FRAGMENT),
             "a fragment with rows side by side": ROWS.replace("STORE", STORE).replace("LOAD", OTHERS + FRAGMENT.replace(", 16;", ";")),
             "a fragment of columns": ROWS.replace("STORE", STORE).replace("LOAD", OTHERS + TALL),
             "a fragment that is stored": ROWS.replace("STORE", OWN + KEPT).replace("LOAD", LOAD)}
for which, text in FRAGMENTS.items():
    KERNELS[f"{which} and a barrier"] = text
    FAULTS[f"{which} and no barrier"] = (text, BARRIER, "", "stale_read")
ALONE = {"a fragment of the own rows": ROWS.replace("STORE", STORE).replace("LOAD", OWN + FRAGMENT),
         "a fragment that is stored to the own rows": ROWS.replace("STORE", OWN + KEPT).replace("LOAD", LOAD.replace("%r6", "%r4"))}
for which, text in ALONE.items():
    KERNELS[which] = text.replace(BARRIER, WARP)
    FAULTS[f"{which}, and no meeting of the warp"] = (text, BARRIER, "", "stale_read")
    FAULTS[f"{which} that reaches to others'"] = (KERNELS[which], ", 16;", ", 24;", None)
UNKNOWN["a fragment of bits"] = (FRAGMENTS["a fragment"], "m16n16k16.shared.f16", "m8n8k128.shared.b1", "not followed")
UNKNOWN["a stride that memory decides"] = (FRAGMENTS["a fragment"], "[%r8], 16;", "[%r8], %r9;", None)
