# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX, each in order, and what makes a fault of each rule of them."""

HEAD = """.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tiles[];
.visible .entry k(.param .align 64 .b8 map_a[128], .param .u64 out, .param .u32 n)
.maxntid {threads}, 1, 1
{{
    .reg .pred %p<21>;
    .reg .b32 %r<60>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<20>;
    .shared .align 8 .b8 bars[64];
"""

# A ring of two slots of 8192 bytes: warp 4 copies, warps 0 to 3 multiply 64 x 64 x 64.
RING = HEAD.format(threads=160) + """
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 5;
    ld.param.u32 %r3, [n];
    mov.b64 %rd1, map_a;
    cvta.param.u64 %rd2, %rd1;
    mov.u32 %r4, bars;
    mov.u32 %r5, tiles;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $init_done;
    mbarrier.init.shared::cta.b64 [%r4], 1;
    mbarrier.init.shared::cta.b64 [%r4+8], 1;
    mbarrier.init.shared::cta.b64 [%r4+16], 1;
    mbarrier.init.shared::cta.b64 [%r4+24], 1;
    fence.mbarrier_init.release.cluster;
$init_done:
    bar.sync 0;
    mov.u32 %r10, 0; // iteration
    mov.u32 %r11, 0; // slot
    mov.u32 %r12, 0; // parity of the full mbarrier
    setp.ne.u32 %p2, %r2, 4;
    @%p2 bra $consumer;
    elect.sync _|%p3, 0xffffffff;
    @!%p3 bra $end;
$load:
    setp.ge.u32 %p4, %r10, %r3;
    @%p4 bra $end;
    shl.b32 %r13, %r11, 3;
    add.u32 %r14, %r4, %r13;
    shl.b32 %r15, %r11, 13;
    add.u32 %r16, %r5, %r15;
    xor.b32 %r17, %r12, 1;
$wait_empty:
    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14+16], %r17;
    @!%p5 bra $wait_empty;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r14], 8192;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r16], [%rd2, {%r10, %r10}], [%r14];
    add.u32 %r10, %r10, 1;
    add.u32 %r11, %r11, 1;
    setp.eq.u32 %p6, %r11, 2;
    selp.b32 %r11, 0, %r11, %p6;
    selp.b32 %r18, 1, 0, %p6;
    xor.b32 %r12, %r12, %r18;
    bra $load;
$consumer:
    mov.f32 %f1, 0f00000000;
    mov.f32 %f2, 0f00000000;
$multiply:
    setp.ge.u32 %p4, %r10, %r3;
    @%p4 bra $store;
    shl.b32 %r13, %r11, 3;
    add.u32 %r14, %r4, %r13;
    shl.b32 %r15, %r11, 13;
    add.u32 %r16, %r5, %r15;
$wait_full:
    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14], %r12;
    @%p5 bra $full;
    bra $wait_full;
$full:
    shr.u32 %r20, %r16, 4;
    cvt.u64.u32 %rd3, %r20;
    or.b64 %rd4, %rd3, 4611686293305360384;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%f1, %f2}, %rd4, %rd4, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    setp.ne.u32 %p7, %r1, 0;
    @%p7 bra $released;
    mbarrier.arrive.shared::cta.b64 _, [%r14+16];
$released:
    add.u32 %r10, %r10, 1;
    add.u32 %r11, %r11, 1;
    setp.eq.u32 %p6, %r11, 2;
    selp.b32 %r11, 0, %r11, %p6;
    selp.b32 %r18, 1, 0, %p6;
    xor.b32 %r12, %r12, %r18;
    bra $multiply;
$store:
    ld.param.u64 %rd5, [out];
    add.f32 %f3, %f1, %f2;
    st.global.f32 [%rd5], %f3;
$end:
    ret;
}
"""

# Every thread stores 16 bytes, thread 0 hands them to a bulk store, twice through one buffer.
STORES = HEAD.format(threads=128) + """
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 4;
    mov.u32 %r3, tiles;
    add.u32 %r4, %r3, %r2;
    ld.param.u32 %r5, [n];
    ld.param.u64 %rd1, [out];
    mov.u32 %r6, 0;
    setp.ne.u32 %p1, %r1, 0;
$again:
    setp.ge.u32 %p2, %r6, %r5;
    @%p2 bra $end;
    @%p1 bra $free;
    cp.async.bulk.wait_group.read 0;
$free:
    bar.sync 1, 128;
    st.shared.v4.b32 [%r4], {%r6, %r6, %r6, %r6};
    fence.proxy.async.shared::cta;
    bar.sync 1, 128;
    @%p1 bra $next;
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], 2048;
    cp.async.bulk.commit_group;
$next:
    add.u32 %r6, %r6, 1;
    bra $again;
$end:
    @%p1 bra $out;
    cp.async.bulk.wait_group.read 0;
$out:
    ret;
}
"""

# sm_80: each thread copies 16 bytes into one of two slots and reads its neighbour's.
COPIES = (HEAD.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 4;
    mov.u32 %r3, tiles;
    xor.b32 %r4, %r2, 512;
    ld.param.u32 %r5, [n];
    ld.param.u64 %rd1, [out];
    mov.u32 %r6, 0;
    add.u32 %r20, %r3, %r2;
    cp.async.cg.shared.global [%r20], [%rd1], 16;
    cp.async.commit_group;
$again:
    setp.ge.u32 %p2, %r6, %r5;
    @%p2 bra $end;
    and.b32 %r7, %r6, 1;
    shl.b32 %r8, %r7, 10;
    xor.b32 %r9, %r8, 1024;
    add.u32 %r10, %r3, %r9;
    add.u32 %r11, %r10, %r2;
    cp.async.cg.shared.global [%r11], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    bar.sync 0;
    add.u32 %r12, %r3, %r8;
    add.u32 %r13, %r12, %r4;
    ld.shared.v4.b32 {%r14, %r15, %r16, %r17}, [%r13];
    bar.sync 0; // all have read
    add.u32 %r6, %r6, 1;
    bra $again;
$end:
    cp.async.wait_all;
    ret;
}
""").replace("sm_90a", "sm_80")

# The same for a number of elements, of which a pass takes 64.
OF_ELEMENTS = "ld.param.u32 %r30, [n];\n    add.s32 %r31, %r30, 63;\n    shr.s32 %r5, %r31, 6;"
ELEMENTS = COPIES.replace("ld.param.u32 %r5, [n];", OF_ELEMENTS)

# As many passes as the work group's number and one, as causal attention has them.
BLOCKS = COPIES.replace("ld.param.u32 %r5, [n];", "mov.u32 %r5, %ctaid.x;\n    add.u32 %r5, %r5, 1;")

# The tensor map is one that memory names, and each slot has a copy of its own.
COPY = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r16], [%rd2, {%r10, %r10}], [%r14];"
UNKNOWN_MAP = (RING.replace("cvta.param.u64 %rd2, %rd1;", "ld.global.u64 %rd2, [%rd1];")
               .replace("    " + COPY, f"    @%p8 {COPY}\n    @!%p8 {COPY}")
               .replace("    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r14], 8192;",
                        "    setp.eq.u32 %p8, %r11, 0;\n    selp.b32 %r50, 8192, 8192, %p8;\n"
                        "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r14], %r50;"))

KERNELS = {"RING": RING, "STORES": STORES, "COPIES": COPIES, "ELEMENTS": ELEMENTS, "BLOCKS": BLOCKS, "UNKNOWN_MAP": UNKNOWN_MAP}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "an argument decides whether threads store at one place": (
        RING, "bar.sync 0;", "bar.sync 0;\n    ld.param.u32 %r40, [map_a+4];\n    setp.eq.u32 %p8, %r40, 1;\n    @%p8 st.shared.u32 [%r4+40], %r1;",
        "write_race"),
    "fewer bytes of the same unknown map": (UNKNOWN_MAP, "8192, 8192, %p8", "4096, 8192, %p8", "arrivals"),
    "no wait in pass 20 of a work group": (BLOCKS, "cp.async.wait_group 1;", "setp.ne.u32 %p9, %r6, 20;\n    @%p9 cp.async.wait_group 1;", "stale_read"),
    "no wait, in passes of elements": (ELEMENTS, "cp.async.wait_group 1;", "", "stale_read"),
    "no wait for the copy": (RING, "@%p5 bra $full;\n    bra $wait_full;", "", None),
    "a wait with the other parity": (RING, "[%r14], %r12;\n    @%p5", "[%r14], 1;\n    @%p5", None),
    "a parity that never flips": (RING, "[%r14], %r12;", "[%r14], 0;", None),
    "the producer's first wait has parity 0": (RING, "xor.b32 %r17, %r12, 1;", "mov.b32 %r17, %r12;", "deadlock"),
    "a slot released before the wgmma is retired": (RING, "wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;", "accumulator_in_flight"),
    "no wait for a slot": (RING, "@!%p5 bra $wait_empty;", "", None),
    "no release": (RING, "mbarrier.arrive.shared::cta.b64 _, [%r14+16];", "", "deadlock"),
    "a released slot that is another one": (RING, "_, [%r14+16];", "_, [%r4+16];", None),
    "a count too high": (RING, "[%r4+16], 1;", "[%r4+16], 2;", "deadlock"),
    "all threads of a warp arrive": (RING, "setp.ne.u32 %p7, %r1, 0;", "setp.ge.u32 %p7, %r1, 32;", "arrivals"),
    "expected bytes that are no multiple of 16": (RING, "[%r14], 8192;", "[%r14], 8200;", "arrivals"),
    "expected bytes without a copy": (RING, "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r16], "
                                      "[%rd2, {%r10, %r10}], [%r14];", "", "deadlock"),
    "expected bytes that reach into the next slot": (RING, "[%r14], 8192;", "[%r14], 8208;", None),
    "no wgmma.fence": (RING, "wgmma.fence.sync.aligned;", "", "unfenced"),
    "an ordinary use of a sum in flight": (RING, "wgmma.wait_group.sync.aligned 0;", "add.f32 %f3, %f1, %f2;\n"
                                           "    wgmma.wait_group.sync.aligned 0;", "accumulator_in_flight"),
    "an ordinary read of a sum between the fence and the wgmma": (RING, "wgmma.mma_async", "add.f32 %f9, %f1, %f1;\n    wgmma.mma_async", "unfenced"),
    "an ordinary write of a sum before the wgmma": (RING, "wgmma.mma_async", "add.f32 %f1, %f1, %f1;\n    wgmma.mma_async", "unfenced"),
    "no commit": (RING, "wgmma.commit_group.sync.aligned;", "", None),
    "no barrier behind the initialisation": (RING, "bar.sync 0;", "", "arrivals"),
    "no proxy fence before a bulk store": (STORES, "fence.proxy.async.shared::cta;", "", "unfenced"),
    "a buffer that is still read": (STORES, "wait_group.read 0;\n$free", "wait_group.read 1;\n$free", "overwritten"),
    "a fence of one thread, before it knows what others store": (
        STORES, "fence.proxy.async.shared::cta;", "@!%p1 fence.proxy.async.shared::cta;", "unfenced"),
    "numbers of their own that threads store at one place": (RING, "bar.sync 0;", "bar.sync 0;\n    st.shared.u32 [%r4+40], %r1;", "write_race"),
    "no barrier before a bulk store": (STORES, "shared::cta;\n    bar.sync 1, 128;", "shared::cta;", None),
    "other threads at a barrier": (STORES, "shared::cta;\n    bar.sync 1, 128;", "shared::cta;\n    bar.sync 1, 96;", "named_barrier"),
    "more threads than there are": (STORES, "bar.sync 1, 128;", "bar.sync 1, 160;", "named_barrier"),
    "an end with bulk stores in flight": (STORES, "wait_group.read 0;\n$out", "wait_group.read 1;\n$out", "lost_peer"),
    "too weak a wait for copies": (COPIES, "wait_group 1;", "wait_group 2;", "stale_read"),
    "no barrier behind a wait for copies": (COPIES, "cp.async.wait_group 1;\n    bar.sync 0;", "cp.async.wait_group 1;", None),
    "no barrier before a slot is filled again": (COPIES, "bar.sync 0; // all have read", "", None),
}

# name: (kernel, what is replaced, by what): nothing that a run shows
HARMLESS = {
    "the address of a parameter in a register": (COPIES, "ld.param.u32 %r5, [n];", "mov.b64 %rd9, n;\n    ld.param.u32 %r5, [%rd9];"),
    "elements that are copied in part": (ELEMENTS, "cp.async.cg.shared.global [%r11], [%rd1], 16;",
                                         "mad.lo.s32 %r40, %r6, -64, %r30;\n    setp.lt.s32 %p8, %r1, %r40;\n"
                                         "    selp.b32 %r41, 16, 0, %p8;\n    cp.async.cg.shared.global [%r11], [%rd1], 16, %r41;"),
    "a stronger wait": (COPIES, "cp.async.wait_group 1;", "cp.async.wait_group 0;"),
    "another barrier": (STORES, "bar.sync 1, 128;\n    st", "bar.sync 1, 128;\n    bar.sync 2, 128;\n    st"),
    "a reserve of threads at the initialisation": (RING, "bar.sync 0;", "bar.sync 0, 160;"),
    "one number that all threads store at one place": (RING, "bar.sync 0;", "bar.sync 0;\n    st.shared.u32 [%r4+40], 7;"),
    "comments with semicolons in a statement": (COPIES, "bar.sync 0; // all", "bar.sync /* ; bra $end; */ 0 // ;\n; // all"),
    "all directives in one line": (COPIES, ".version 8.0\n.target sm_80\n.address_size 64", ".version 8.0 .target sm_80, debug .address_size 64"),
    "a mark of the order of bytes": (COPIES, ".version 8.0", "\ufeff.version 8.0"),
    "a fence more": (STORES, "fence.proxy.async.shared::cta;", "fence.proxy.async;\n    fence.proxy.async.shared::cta;"),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "one number of a register that all threads store at one place": (RING, "bar.sync 0;", "bar.sync 0;\n    mov.u32 %r40, 7;\n"
                                                                     "    st.shared.u32 [%r4+40], %r40;", "always store the same"),
    "memory decides whether threads store at one place": (RING, "bar.sync 0;", "bar.sync 0;\n    ld.global.u32 %r40, [%rd2];\n    setp.eq.u32 %p8, %r40, 1;\n"
                                                          "    @%p8 st.shared.u32 [%r4+40], %r1;", None),
    "no wait for one number of elements": (ELEMENTS, "cp.async.wait_group 1;", "setp.ne.s32 %p9, %r30, 70;\n    @%p9 cp.async.wait_group 1;",
                                           "longer ones"),
    "no wait for one number of elements in pass 33": (ELEMENTS, "cp.async.wait_group 1;", "setp.ne.s32 %p9, %r30, 2100;\n    @%p9 cp.async.wait_group 1;",
                                                      "longer ones"),
    "no wait for one number of elements in pass 94": (ELEMENTS, "cp.async.wait_group 1;", "setp.ne.s32 %p9, %r30, 6000;\n    @%p9 cp.async.wait_group 1;",
                                                      "longer ones"),
    "no wait for many elements": (ELEMENTS, "cp.async.wait_group 1;", "setp.lt.s32 %p9, %r30, 9000;\n    @%p9 cp.async.wait_group 1;",
                                  "longer ones"),
    "no wait where a pass is nearly full": (ELEMENTS, "cp.async.wait_group 1;", "and.b32 %r40, %r30, 63;\n    setp.ne.s32 %p9, %r40, 63;\n"
                                            "    @%p9 cp.async.wait_group 1;", "longer ones"),
    "no wait in pass 100 of elements": (ELEMENTS, "cp.async.wait_group 1;", "setp.ne.u32 %p9, %r6, 100;\n    @%p9 cp.async.wait_group 1;",
                                        "longer ones"),
    "what is not known to do nothing": (COPIES, "bar.sync 0; // all", "frob.sync 0;\n    bar.sync 0; // all", "not followed"),
    "an address from memory": (COPIES, "mov.u32 %r3, tiles;", "ld.global.u32 %r3, [%rd1];", "address"),
    "a parity from memory": (RING, "[%r14], %r12;", "[%r14], %r40;", "number that orders"),
    "no wait in pass 100, which no run has": (COPIES, "cp.async.wait_group 1;", "setp.ne.u32 %p9, %r6, 100;\n    @%p9 cp.async.wait_group 1;",
                                              "longer ones"),
    "no wait in runs of 1000 passes": (COPIES, "cp.async.wait_group 1;", "setp.ne.u32 %p9, %r5, 1000;\n    @%p9 cp.async.wait_group 1;",
                                       "longer ones"),
    "memory decides who releases": (RING, "setp.ne.u32 %p7, %r1, 0;", "ld.global.u32 %r41, [%rd5];\n    setp.ne.u32 %p7, %r41, 0;", None),
}

# name: (text, code, words), which may have the line before them
REFUSED = {
    "cut short in a statement": (RING[:RING.index("wgmma.mma_async") + 30], "E0813", "semicolon"),
    "cut short between statements": (RING[:RING.index("    wgmma.commit")], "E0813", "brace"),
    "a label that is missing": (RING.replace("$released:", ""), "E0813", "no label $released"),
    "a label twice": (RING.replace("$released:", "$released:\n$full:"), "E0813", "twice"),
    "an old target": (RING.replace("sm_90a", "sm_70"), "E0812", "sm_70"),
    "two targets": (RING + RING.replace("sm_90a", "sm_80"), "E0812", "for sm_90a, and here for sm_80"),
    "a later version": (RING.replace(".version 8.0", ".version 10.1"), "E0812", "PTX of version 10.1"),
    "an old version": (RING.replace(".version 8.0", ".version 6.5"), "E0812", "versions 7.0 to 9.9"),
    "no version": (RING.replace(".version 8.0", ".version new"), "E0812", "PTX of version new"),
    "no target": (RING.replace(".target sm_90a", "// .target sm_90a"), "E0812", "<stdin>:1:1: error[E0812]: no .target"),
    "no target behind the version": ("\n\n" + RING.replace(".target sm_90a", "// .target sm_90a"), "E0812", "<stdin>:3:1: error[E0812]: no .target"),
    "what is no PTX before it": ("nvcc: warning;\n" + RING, "E0813", "no directive"),
    "no kernel": (RING[:RING.index(".visible")], "E0814", "no kernel"),
    "a part of a file": (RING[RING.index(".visible"):], "E0811", "a part of PTX"),
}
