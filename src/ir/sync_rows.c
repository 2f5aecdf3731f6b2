/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of synchronisation objects and of the entries that operate on them. Words say what no code asks, and the
 * sections are those of NVIDIA's PTX ISA and of AMD's manuals.
 */
#include "ir/sync_objects.h"

const swp_sync_object_row swp_ir_sync_objects[SWP_SYNC_ROWS] = {
    [SWP_VMCNT] =
        {.orders = true,
         .kind = SWP_COMPLETION_COUNTER,
         .wait = SWP_WAIT_FOR_VM,
         .name = "vmcnt",
         .arrives =
             "loads from global memory, also to shared memory, and stores to it, of one wave",
         .completed = "wait(n): at most n accesses issued after it are in flight",
         .retires = "the use of a managed register, with all that is older; of a scoreboard, that "
                    "load alone; a full counter that stalls, the oldest",
         .order = "a retired access before all that its wave issues later, and before what other "
                  "waves issue behind a barrier after that",
         .leaves = "no barrier retires it, fenced or not; loads take effect in any order",
         .evidence = "AMD CDNA 3 and 4 ISA 4.4; clang-22: use_of_a_load, loads_to_lds_and_loads, "
                     "more_loads_than_the_counter_holds"},
    [SWP_LGKMCNT] =
        {.orders = true,
         .kind = SWP_COMPLETION_COUNTER,
         .wait = SWP_WAIT_FOR_LGKM,
         .fence_retires = true,
         .in_order = true,
         .name = "lgkmcnt",
         .arrives = "reads and writes of shared memory, of one wave",
         .completed = "wait(n): at most n accesses issued after it are in flight",
         .retires = "a fenced barrier; the use of a managed register or of a scoreboard, with all "
                    "that is older; a full counter that stalls, the oldest",
         .order = "as vmcnt; and shared memory accesses of one wave take effect as they are issued",
         .leaves = "a raw barrier retires nothing; scalar reads are in no order with the others",
         .evidence =
             "AMD CDNA 3 and 4 ISA 4.4; LLVM AMDGPU memory model; clang-22: lds_in_order, barrier, "
             "use_of_an_lds_read; run on an H200: shared_in_order, barrier_after_store"},
    [SWP_COPY_GROUP] = {.orders = true,
                        .kind = SWP_COMPLETION_GROUP,
                        .wait = SWP_WAIT_FOR_VM,
                        .name = "copy group",
                        .arrives = "cp.async of one thread, which a commit puts into a group",
                        .completed = "wait(n): all groups but the n newest are complete",
                        .retires = "nothing else",
                        .order = "a retired copy before all that its thread does later",
                        .leaves = "no barrier, full counter or use of a register waits for it; "
                                  "other threads see the copy behind a barrier alone",
                        .evidence = "PTX ISA cp.async.wait_group; ptxas 13.0; run on an H200: "
                                    "wait_retires_older_group, barrier_retires_copy"},
    [SWP_MATRIX_GROUP] =
        {.completes = SWP_COMPLETES_BY_GROUP,
         .orders = true,
         .kind = SWP_COMPLETION_GROUP,
         .wait = SWP_WAIT_FOR_LGKM,
         .tracks = SWP_COMPLETION_MATRIX_GROUP,
         .async_proxy = true,
         .word = "wgmma",
         .collective = true,
         .most_left = 7,
         .name = "matrix group",
         .arrives = "wgmma of one warp group, which matrix_commit puts into a group",
         .completed = "wait(n): all groups but the n newest are retired",
         .retires = "nothing else",
         .order = "wgmmas of one shape in one accumulator take effect in order; a retired one "
                  "comes before all that its warps do later",
         .leaves = "__syncthreads does not retire it; wgmmas of different accumulators are in no "
                   "order; an uncommitted one is in no group, and no wait retires it",
         .evidence = "PTX ISA wgmma.wait_group, wgmma.fence; ptxas 13.0; run on an H200: "
                     "wgmma_wait_and_barrier, barrier_retires_wgmma"},
    [SWP_COPY_MBARRIER] = {.orders = true,
                           .kind = SWP_COMPLETION_MBARRIER,
                           .wait = SWP_WAIT_FOR_VM,
                           .name = "copy mbarrier",
                           .arrives = "copies of a loop that cannot be one role, each by its bytes",
                           .completed = "wait(n): at most n accesses issued after it are in flight",
                           .retires = "nothing else",
                           .order = "a landed copy before what its wave does later",
                           .leaves = "no barrier waits for it; copies land in any order",
                           .evidence = "PTX ISA mbarrier.try_wait, cp.async.bulk.tensor; run on an "
                                       "H200: mbarrier_retires_copy"},
    [SWP_MATRIX_MBARRIER] =
        {.orders = true,
         .kind = SWP_COMPLETION_MBARRIER,
         .wait = SWP_WAIT_FOR_LGKM,
         .name = "matrix mbarrier",
         .arrives = "matrix instructions whose end an mbarrier tells, of a loop without roles",
         .completed = "wait(n): at most n accesses issued after it are in flight",
         .retires = "nothing else",
         .order = "a retired instruction before what its wave does later",
         .leaves = "no barrier waits for it; no order was assumed between two of them",
         .evidence = "PTX ISA mbarrier.try_wait; no other evidence was looked for"},
    [SWP_NO_OBJECT] = {.name = "none"},
    [SWP_SYNC_BULK_GROUP] =
        {.completes = SWP_COMPLETES_BY_GROUP,
         .orders = true,
         .tracks = SWP_COMPLETION_STORE_GROUP,
         .async_proxy = true,
         .word = "bulk store",
         .name = "bulk-store group",
         .arrives = "bulk stores of one thread, which bulk_commit puts into a group",
         .completed = "bulk_wait_read(n): the sources of all groups but the n newest are "
                      "read; bulk_wait(n): what they wrote is visible, too",
         .retires = "nothing else",
         .order = "the reads of a retired store before what its thread does later",
         .leaves = "other threads learn of it by an arrival or a meeting alone; "
                   "bulk_wait_read says nothing of what was written",
         .evidence = "PTX ISA cp.async.bulk.wait_group"},
    [SWP_SYNC_MBARRIER] =
        {.completes = SWP_COMPLETES_BY_PHASE,
         .orders = true,
         .tracks = SWP_COMPLETION_COPY_MBARRIER,
         .async_proxy = true,
         .word = "copy",
         .name = "mbarrier",
         .arrives = "arrive: each thread that executes it; arrive_expect: one, with bytes; copies, "
                    "by their bytes; of all ranks of a cluster that arrive there",
         .completed = "a phase: all arrivals and all expected bytes have come, and the phase "
                      "before is complete",
         .retires = "a phase's completion retires the copies that name it",
         .order = "what an arriving thread did before, and the copies, before all behind the "
                  "return of a wait",
         .leaves =
             "a wait knows the parity of a phase alone; ordinary accesses and asynchronous ones "
             "need a fence besides; an arrival at another rank is not known to have come there",
         .evidence = "PTX ISA mbarrier, mbarrier.test_wait, fence.proxy.async; run on an H200: "
                     "mbarrier_retires_copy"},
    [SWP_SYNC_NAMED_BARRIER] =
        {.completes = SWP_COMPLETES_BY_MEETING,
         .orders = true,
         .name = "named barrier",
         .arrives = "all threads of the instances that have an operation on the slot",
         .completed = "a meeting: the threads of all participants have come",
         .retires = "nothing",
         .order = "what participants did before they arrived, before all behind a named_sync of "
                  "the meeting",
         .leaves = "a named_arrive waits for nobody; asynchronous operations in flight stay so",
         .evidence = "PTX ISA barrier, bar.sync, bar.arrive"},
    [SWP_SYNC_GROUP_BARRIER] =
        {.completes = SWP_COMPLETES_BY_MEETING,
         .orders = true,
         .name = "work group's barrier",
         .arrives = "all threads of the work group",
         .completed = "all have come",
         .retires = "a fenced one what lgkmcnt counts; a raw one nothing",
         .order = "what threads did and had retired before it, before all behind it",
         .leaves = "groups, mbarriers and what vmcnt counts stay in flight",
         .evidence =
             "PTX ISA barrier; LLVM AMDGPU memory model; clang-22: barrier, "
             "barrier_of_the_language; run on an H200: barrier_after_store, barrier_retires_wgmma"},
    [SWP_SYNC_CLUSTER_BARRIER] =
        {.completes = SWP_COMPLETES_BY_MEETING,
         .orders = true,
         .across_ranks = true,
         .waits_apart = true,
         .name = "cluster's barrier",
         .arrives = "all threads of all work groups of the cluster, by cluster_arrive",
         .completed =
             "all have come; the hardware takes ended threads for arrived ones, the proof does not",
         .retires = "nothing",
         .order = "what threads of all ranks did before they arrived, before all behind a "
                  "cluster_wait; it also tells that arrivals at other ranks have come",
         .leaves = "cluster_arrive waits for nobody; asynchronous operations in flight stay so",
         .evidence = "PTX ISA barrier.cluster"},
};

enum { FIRST = SWP_TAG_BARRIER };
const swp_sync_operation swp_ir_sync_operations[SWP_SYNC_OPERATIONS] = {
    [SWP_TAG_BARRIER - FIRST] = {.object = SWP_SYNC_GROUP_BARRIER,
                                 .arrives = true,
                                 .waits = true,
                                 .macro = "NAMED_SYNC"},
    [SWP_TAG_WAIT_VM - FIRST] = {.object = SWP_NO_OBJECT},
    [SWP_TAG_WAIT_LGKM - FIRST] = {.object = SWP_NO_OBJECT},
    [SWP_TAG_SET_PRIO - FIRST] = {.object = SWP_NO_OBJECT},
    [SWP_TAG_SCHEDULE_BARRIER - FIRST] = {.object = SWP_NO_OBJECT},
    [SWP_TAG_SCHED_GROUP_BARRIER - FIRST] = {.object = SWP_NO_OBJECT},
    [SWP_TAG_ARRIVE -
        FIRST] = {.object = SWP_SYNC_MBARRIER, .arrives = true, .macro = "MBARRIER_ARRIVE"},
    [SWP_TAG_ARRIVE_EXPECT -
        FIRST] = {.object = SWP_SYNC_MBARRIER, .arrives = true, .macro = "MBARRIER_ARRIVE_EXPECT"},
    [SWP_TAG_WAIT_PHASE -
        FIRST] = {.object = SWP_SYNC_MBARRIER, .waits = true, .macro = "MBARRIER_WAIT"},
    [SWP_TAG_NAMED_SYNC - FIRST] = {.object = SWP_SYNC_NAMED_BARRIER,
                                    .arrives = true,
                                    .waits = true,
                                    .macro = "NAMED_SYNC"},
    [SWP_TAG_NAMED_ARRIVE -
        FIRST] = {.object = SWP_SYNC_NAMED_BARRIER, .arrives = true, .macro = "NAMED_ARRIVE"},
    [SWP_TAG_MATRIX_COMMIT - FIRST] = {.object = SWP_MATRIX_GROUP,
                                       .commits = true,
                                       .macro = "MATRIX_COMMIT",
                                       .ptx = "wgmma.commit_group.sync.aligned"},
    [SWP_TAG_MATRIX_WAIT - FIRST] = {.object = SWP_MATRIX_GROUP,
                                     .waits = true,
                                     .macro = "MATRIX_WAIT",
                                     .ptx = "wgmma.wait_group.sync.aligned"},
    [SWP_TAG_BULK_COMMIT - FIRST] = {.object = SWP_SYNC_BULK_GROUP,
                                     .commits = true,
                                     .macro = "BULK_COMMIT",
                                     .ptx = "cp.async.bulk.commit_group"},
    [SWP_TAG_BULK_WAIT - FIRST] = {.object = SWP_SYNC_BULK_GROUP,
                                   .waits = true,
                                   .macro = "BULK_WAIT",
                                   .ptx = "cp.async.bulk.wait_group"},
    [SWP_TAG_BULK_WAIT_READ - FIRST] = {.object = SWP_SYNC_BULK_GROUP,
                                        .waits = true,
                                        .reads_alone = true,
                                        .macro = "BULK_WAIT_READ",
                                        .ptx = "cp.async.bulk.wait_group.read"},
    [SWP_TAG_FENCE_ASYNC - FIRST] = {.object = SWP_NO_OBJECT,
                                     .fence = SWP_PROXY_FENCE,
                                     .macro = "FENCE_ASYNC",
                                     .ptx = "fence.proxy.async.shared::cta"},
    [SWP_TAG_MATRIX_FENCE - FIRST] = {.object = SWP_NO_OBJECT,
                                      .fence = SWP_REGISTER_FENCE,
                                      .macro = "MATRIX_FENCE",
                                      .ptx = "wgmma.fence.sync.aligned"},
    [SWP_TAG_CLUSTER_ARRIVE - FIRST] = {.object = SWP_SYNC_CLUSTER_BARRIER,
                                        .arrives = true,
                                        .macro = "CLUSTER_ARRIVE",
                                        .ptx = "barrier.cluster.arrive.release"},
    [SWP_TAG_CLUSTER_WAIT - FIRST] = {.object = SWP_SYNC_CLUSTER_BARRIER,
                                      .waits = true,
                                      .macro = "CLUSTER_WAIT",
                                      .ptx = "barrier.cluster.wait.acquire"},
};
