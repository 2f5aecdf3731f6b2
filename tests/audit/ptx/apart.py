# SPDX-License-Identifier: Apache-2.0
"""Warps that never meet, and a thread that loops while others of its warp wait behind: runs of any length are like short ones."""

from meetings import FILLED
from snippets import HEAD

# Each thread keeps to a place of its own, and no warp waits for another one.
ALONE = HEAD.format(threads=96) + """
    mov.u32 %r1, %tid.x;
    ld.param.u32 %r2, [n];
    mov.u32 %r3, tiles;
    shl.b32 %r4, %r1, 2;
    add.u32 %r4, %r3, %r4;
    mov.u32 %r10, 0;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra $end;
$next:
    st.shared.b32 [%r4], %r10;
    ld.shared.b32 %r11, [%r4];
    add.u32 %r10, %r10, 1;
    setp.lt.u32 %p2, %r10, %r2;
    @%p2 bra $next;
$end:
    ret;
}
"""

# Thread 0 of warp 1 fills the slot alone; the others of its warp are at the end already, where all meet.
FILLER = FILLED.replace("$fills:\n", "    setp.ne.u32 %p5, %r5, 0;\n    @%p5 bra $end;\n$fills:\n").replace("    MEETING\n", "")
BEHIND = {name: FILLER.replace("$end:\n", f"$end:\n    {text}\n")
          for name, text in (("a barrier of all", "bar.sync 0;"), ("a meeting of the warp", "bar.warp.sync -1;"), ("nothing", ""))}

KERNELS = {"warps that never meet": ALONE} | {f"one thread that loops, and {name} behind": text for name, text in BEHIND.items()}
FAULTS = {
    "warps that never meet, at one place": (ALONE, "    shl.b32 %r4, %r1, 2;\n", "    and.b32 %r4, %r1, 31;\n    shl.b32 %r4, %r4, 2;\n", "write_race"),
    "one thread that loops with another parity": (BEHIND["a barrier of all"], "    not.b32 %r11, %r10;\n", "    mov.b32 %r11, %r10;\n", None),
    "one thread that loops and does not wait": (BEHIND["a meeting of the warp"], "    @!%p4 bra $free;\n", "", None),
}
UNKNOWN = {}
