/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of synchronisation objects. What code asks of one is a cell of its own, and words say the rest for
 * docs/objects.md; the sections are those of NVIDIA's PTX ISA and of AMD's manuals.
 */
#include "ir/sync_objects.h"
#include "base/require.h"
#include "swp/objects.h"

/* --- Those that track the accesses of one wave --- */

static const swp_sync_object_row rows[] = {
    [SWP_VMCNT] = {.kind = SWP_COMPLETION_COUNTER,
                   .wait = SWP_WAIT_FOR_VM,
                   .fence_retires = false,
                   .in_order = false},
    [SWP_LGKMCNT] = {.kind = SWP_COMPLETION_COUNTER,
                     .wait = SWP_WAIT_FOR_LGKM,
                     .fence_retires = true,
                     .in_order = true},
    [SWP_COPY_GROUP] = {.kind = SWP_COMPLETION_GROUP,
                        .wait = SWP_WAIT_FOR_VM,
                        .fence_retires = false,
                        .in_order = false},
    [SWP_MATRIX_GROUP] = {.kind = SWP_COMPLETION_GROUP,
                          .wait = SWP_WAIT_FOR_LGKM,
                          .fence_retires = false,
                          .in_order = false},
    [SWP_COPY_MBARRIER] = {.kind = SWP_COMPLETION_MBARRIER,
                           .wait = SWP_WAIT_FOR_VM,
                           .fence_retires = false,
                           .in_order = false},
    [SWP_MATRIX_MBARRIER] = {.kind = SWP_COMPLETION_MBARRIER,
                             .wait = SWP_WAIT_FOR_LGKM,
                             .fence_retires = false,
                             .in_order = false},
};

/* --- All of them in words --- */

static const swp_object_description descriptions[] = {
    [SWP_VMCNT] =
        {.name = "vmcnt",
         .kind = "counter",
         .waited_for_by = "wait_vm",
         .arrives =
             "loads from global memory, also to shared memory, and stores to it, of one wave",
         .completes = "wait(n): at most n accesses issued after it are in flight",
         .retires = "the use of a managed register, with all that is older; of a scoreboard, that "
                    "load alone; a full counter that stalls, the oldest",
         .orders = "a retired access before all that its wave issues later, and before what other "
                   "waves issue behind a barrier after that",
         .leaves = "no barrier retires it, fenced or not; loads take effect in any order",
         .evidence = "AMD CDNA 3 and 4 ISA 4.4; clang-22: use_of_a_load, loads_to_lds_and_loads, "
                     "more_loads_than_the_counter_holds"},
    [SWP_LGKMCNT] =
        {.name = "lgkmcnt",
         .kind = "counter",
         .waited_for_by = "wait_lgkm",
         .arrives = "reads and writes of shared memory, of one wave",
         .completes = "wait(n): at most n accesses issued after it are in flight",
         .retires = "a fenced barrier; the use of a managed register or of a scoreboard, with all "
                    "that is older; a full counter that stalls, the oldest",
         .orders =
             "as vmcnt; and shared memory accesses of one wave take effect as they are issued",
         .leaves = "a raw barrier retires nothing; scalar reads are in no order with the others",
         .evidence =
             "AMD CDNA 3 and 4 ISA 4.4; LLVM AMDGPU memory model; clang-22: lds_in_order, barrier, "
             "use_of_an_lds_read; run on an H200: shared_in_order, barrier_after_store"},
    [SWP_COPY_GROUP] = {.name = "copy group",
                        .kind = "group",
                        .waited_for_by = "wait_vm",
                        .arrives = "cp.async of one thread, which a commit puts into a group",
                        .completes = "wait(n): all groups but the n newest are complete",
                        .retires = "nothing else",
                        .orders = "a retired copy before all that its thread does later",
                        .leaves = "no barrier, full counter or use of a register waits for it; "
                                  "other threads see the copy behind a barrier alone",
                        .evidence = "PTX ISA cp.async.wait_group; ptxas 13.0; run on an H200: "
                                    "wait_retires_older_group, barrier_retires_copy"},
    [SWP_MATRIX_GROUP] =
        {.name = "matrix group",
         .kind = "group",
         .waited_for_by = "wait_lgkm, matrix_wait",
         .arrives = "wgmma of one warp group, which matrix_commit puts into a group",
         .completes = "wait(n): all groups but the n newest are retired",
         .retires = "nothing else",
         .orders = "wgmmas of one shape in one accumulator take effect in order; a retired one "
                   "comes before all that its warps do later",
         .leaves = "__syncthreads does not retire it; wgmmas of different accumulators are in no "
                   "order; an uncommitted one is in no group, and no wait retires it",
         .evidence = "PTX ISA wgmma.wait_group, wgmma.fence; ptxas 13.0; run on an H200: "
                     "wgmma_wait_and_barrier, barrier_retires_wgmma"},
    [SWP_COPY_MBARRIER] = {.name = "copy mbarrier",
                           .kind = "mbarrier",
                           .waited_for_by = "wait_vm",
                           .arrives = "tensor copies of a loop without roles, each by its bytes",
                           .completes = "wait(n): at most n accesses issued after it are in flight",
                           .retires = "nothing else",
                           .orders = "a landed copy before what its wave does later",
                           .leaves = "no barrier waits for it; copies land in any order",
                           .evidence = "PTX ISA mbarrier.try_wait, cp.async.bulk.tensor; run on an "
                                       "H200: mbarrier_retires_copy"},
    [SWP_MATRIX_MBARRIER] =
        {.name = "matrix mbarrier",
         .kind = "mbarrier",
         .waited_for_by = "wait_lgkm",
         .arrives = "matrix instructions whose end an mbarrier tells, of a loop without roles",
         .completes = "wait(n): at most n accesses issued after it are in flight",
         .retires = "nothing else",
         .orders = "a retired instruction before what its wave does later",
         .leaves = "no barrier waits for it; no order was assumed between two of them",
         .evidence = "PTX ISA mbarrier.try_wait; no other evidence was looked for"},
    {.name = "bulk-store group",
     .kind = "group",
     .waited_for_by = "bulk_wait_read, bulk_wait",
     .arrives = "bulk stores of one thread, which bulk_commit puts into a group",
     .completes = "bulk_wait_read(n): the sources of all groups but the n newest are read; "
                  "bulk_wait(n): what they wrote is visible, too",
     .retires = "nothing else",
     .orders = "the reads of a retired store before what its thread does later",
     .leaves = "other threads learn of it by an arrival or a meeting alone; bulk_wait_read says "
               "nothing of what was written",
     .evidence = "PTX ISA cp.async.bulk.wait_group"},
    {.name = "mbarrier",
     .kind = "mbarrier",
     .waited_for_by = "wait_phase",
     .arrives = "arrive: each thread that executes it; arrive_expect: one, with bytes; copies, by "
                "their bytes; of all ranks of a cluster that arrive there",
     .completes =
         "a phase: all arrivals and all expected bytes have come, and the phase before is complete",
     .retires = "a phase's completion retires the copies that name it",
     .orders = "what an arriving thread did before, and the copies, before all behind the return "
               "of a wait",
     .leaves = "a wait knows the parity of a phase alone; ordinary accesses and asynchronous ones "
               "need a fence besides; an arrival at another rank is not known to have come there",
     .evidence = "PTX ISA mbarrier, mbarrier.test_wait, fence.proxy.async; run on an H200: "
                 "mbarrier_retires_copy"},
    {.name = "named barrier",
     .kind = "barrier",
     .waited_for_by = "named_sync",
     .arrives = "all threads of the instances that have an operation on the slot",
     .completes = "a meeting: the threads of all participants have come",
     .retires = "nothing",
     .orders =
         "what participants did before they arrived, before all behind a named_sync of the meeting",
     .leaves = "a named_arrive waits for nobody; asynchronous operations in flight stay so",
     .evidence = "PTX ISA barrier, bar.sync, bar.arrive"},
    {.name = "work group's barrier",
     .kind = "barrier",
     .waited_for_by = "barrier",
     .arrives = "all threads of the work group",
     .completes = "all have come",
     .retires = "a fenced one what lgkmcnt counts; a raw one nothing",
     .orders = "what threads did and had retired before it, before all behind it",
     .leaves = "groups, mbarriers and what vmcnt counts stay in flight",
     .evidence =
         "PTX ISA barrier; LLVM AMDGPU memory model; clang-22: barrier, barrier_of_the_language; "
         "run on an H200: barrier_after_store, barrier_retires_wgmma"},
    {.name = "cluster's barrier",
     .kind = "barrier",
     .waited_for_by = "cluster_wait",
     .arrives = "all threads of all work groups of the cluster, by cluster_arrive",
     .completes =
         "all have come; the hardware takes ended threads for arrived ones, the proof does not",
     .retires = "nothing",
     .orders = "what threads of all ranks did before they arrived, before all behind a "
               "cluster_wait; it also tells that arrivals at other ranks have come",
     .leaves = "cluster_arrive waits for nobody; asynchronous operations in flight stay so",
     .evidence = "PTX ISA barrier.cluster"},
};

const swp_object_description *swp_object_descriptions(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = sizeof descriptions / sizeof *descriptions;
    return descriptions;
}

const char *swp_ir_sync_object_name(swp_sync_object object)
{
    return descriptions[object].name;
}

const swp_sync_object_row *swp_ir_sync_object_row(swp_sync_object object)
{
    return &rows[object];
}

static swp_sync_object object_of(swp_completion kind, swp_wait_kind wait)
{
    swp_sync_object object = 0;
    while (object < SWP_SYNC_OBJECTS && (rows[object].kind != kind || rows[object].wait != wait))
        object++;
    return object;
}

swp_sync_object swp_ir_loop_object_of(const swp_loop *loop, const swp_loop_op *op)
{
    return object_of(swp_ir_completion_kind(op->completion), swp_ir_loop_wait_of(loop, op));
}

bool swp_ir_sync_in_order(swp_sync_object earlier, swp_sync_object later)
{
    return earlier == later && earlier != SWP_NO_OBJECT && rows[earlier].in_order;
}

int swp_ir_sync_largest(const swp_machine *machine, swp_sync_object object)
{
    if (rows[object].kind != SWP_COMPLETION_COUNTER)
        return 0;
    return swp_ir_most_in_flight(machine, rows[object].wait);
}
