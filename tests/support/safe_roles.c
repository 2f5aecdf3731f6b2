/* SPDX-License-Identifier: Apache-2.0 */
#include "safe_roles.h"

static swp_loop_builder *gemm(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "ring");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "MMA", .latency = 9, .completion = SWP_COMPLETION_MATRIX_GROUP,
             .reads = {{.value = tile}}, .updates = {sum});
    return l;
}

static void add_producer(roles_program *p)
{
    roles_program_add(p, .name = "producer",
                      .prologue = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=64!",
                      .kernel = "wait_phase@empty-1! arrive_expect@full+1=64! LOAD@full+1=64!");
}

void safe_ring(roles_program *p, swp_context *ctx)
{
    roles_program_begin(p, ctx, gemm(ctx), 1, 1);
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 2);
    add_producer(p);
    roles_program_add(p, .name = "consumer", .warps = 4, .instances = 2,
                      .prologue = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit",
                      .kernel = "wait_phase@full+1 MMA+1 matrix_commit matrix_wait:1 "
                                "arrive@empty+0!",
                      .epilogue = "matrix_wait:0 arrive@empty+0!");
}

/* Two halves of a tile come from the two work groups. */
static void add_cluster_producer(roles_program *p)
{
    roles_program_add(p, .name = "producer",
                      .prologue = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=32!",
                      .kernel = "wait_phase@empty-1! arrive_expect@full+1=64! LOAD@full+1=32!",
                      .epilogue = p->schedule.output_tiles ? "" : "cluster_arrive cluster_wait",
                      .drain = p->schedule.output_tiles ? "cluster_arrive cluster_wait" : "");
}

void safe_cluster(roles_program *p, swp_context *ctx)
{
    roles_program_begin(p, ctx, gemm(ctx), 1, 1);
    roles_program_cluster(p, 2, "LOAD");
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 4);
    add_cluster_producer(p);
    roles_program_add(p, .name = "consumer", .warps = 4, .instances = 2,
                      .prologue = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit",
                      .kernel = "wait_phase@full+1 MMA+1 matrix_commit matrix_wait:1 "
                                "arrive@empty+0!*",
                      .epilogue = "matrix_wait:0 arrive@empty+0!* cluster_arrive cluster_wait");
}

void safe_cluster_readers(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "readers");
    const int a = swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD_A", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {a});
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "READ", .latency = 9, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = a}, {.value = tile}}, .updates = {sum});
    roles_program_begin(p, ctx, l, 1, 0);
    roles_program_cluster(p, 2, "LOAD");
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 64);
    roles_program_add(p, .name = "producer",
                      .kernel = "wait_phase@empty-2! arrive_expect@full+0=128! LOAD_A@full+0=64! "
                                "LOAD@full+0=32!",
                      .epilogue = "cluster_arrive cluster_wait");
    roles_program_add(p, .name = "consumer",
                      .kernel = "wait_phase@full+0 READ+0 fence_async arrive@empty+0*",
                      .epilogue = "cluster_arrive cluster_wait");
}

void safe_cluster_meetings(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "meetings");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "READ", .latency = 9, .completion = SWP_COMPLETION_NONE, .reads = {{.value = tile}},
             .updates = {sum});
    roles_program_begin(p, ctx, l, 1, 0);
    roles_program_cluster(p, 2, "LOAD");
    (void)roles_program_mbarrier(p, "full", 1, 1);
    roles_program_add(p, .name = "producer",
                      .kernel = "arrive_expect@full+0=64! LOAD@full+0=32! cluster_arrive "
                                "cluster_wait");
    roles_program_add(p, .name = "consumer",
                      .kernel = "wait_phase@full+0 READ+0 fence_async cluster_arrive cluster_wait");
}

void safe_ring_of_all(roles_program *p, swp_context *ctx)
{
    roles_program_begin(p, ctx, gemm(ctx), 1, 1);
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 256);
    add_producer(p);
    roles_program_add(p, .name = "consumer", .warps = 4, .instances = 2,
                      .prologue = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit",
                      .kernel = "wait_phase@full+1 MMA+1 matrix_commit matrix_wait:1 "
                                "arrive@empty+0",
                      .epilogue = "matrix_wait:0 arrive@empty+0");
}

void safe_readers(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "readers");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "READ", .latency = 9, .completion = SWP_COMPLETION_NONE, .reads = {{.value = tile}},
             .updates = {sum});
    roles_program_begin(p, ctx, l, 1, 0);
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 32);
    roles_program_add(p, .name = "producer",
                      .kernel = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=64!");
    roles_program_add(p, .name = "consumer",
                      .kernel = "wait_phase@full+0 READ+0 fence_async arrive@empty+0");
}

void safe_staging(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "staging");
    const int stage = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64);
    swp_work(l, "STAGE", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {stage});
    swp_work(l, "STORE", .latency = 9, .completion = SWP_COMPLETION_STORE_GROUP,
             .reads = {{.value = stage}}, .writes_global = true);
    roles_program_begin(p, ctx, l, 1, 0);
    (void)roles_program_named(p, "group", 1, 128);
    roles_program_add(p, .name = "writer", .warps = 4,
                      .kernel = "named_sync@group STAGE+0 fence_async named_sync@group STORE+0! "
                                "bulk_commit! bulk_wait_read:0!");
}

void safe_turns(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "turns");
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "WORK", .latency = 9, .completion = SWP_COMPLETION_NONE, .updates = {sum});
    roles_program_begin(p, ctx, l, 1, 1);
    (void)roles_program_named(p, "turn", 2, 256);
    roles_program_add(p, .name = "worker", .warps = 4, .instances = 2,
                      .prologue = "named_arrive@turn:0&2",
                      .kernel = "named_sync@turn:0^1 WORK+0 named_arrive@turn:1^1",
                      .epilogue = "named_sync@turn:0^1 WORK+0 named_arrive@turn:1^1&1");
}

/* In halves: D takes the sum twice, the second time over what was stored. */
static swp_loop_builder *stored_gemm(swp_context *ctx, bool in_halves)
{
    swp_loop_builder *l = swp_loop_new(ctx, "tiles");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    const int stage = swp_value(l, "D", .space = SWP_SPACE_SHARED, .bytes = 64);
    swp_work(l, "CLEAR", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {sum});
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "MMA", .latency = 9, .completion = SWP_COMPLETION_MATRIX_GROUP,
             .reads = {{.value = tile}}, .updates = {sum});
    swp_work(l, "STAGE", .latency = 9, .completion = SWP_COMPLETION_NONE, .reads = {{.value = sum}},
             .writes = {stage});
    swp_work(l, "STORE", .latency = 9, .completion = SWP_COMPLETION_STORE_GROUP,
             .reads = {{.value = stage}}, .writes_global = true);
    if (!in_halves)
        return l;
    swp_work(l, "STAGE_1", .latency = 9, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = sum}}, .updates = {stage});
    swp_work(l, "STORE_1", .latency = 9, .completion = SWP_COMPLETION_STORE_GROUP,
             .reads = {{.value = stage}}, .writes_global = true);
    return l;
}

static void begin_tiles(roles_program *p, swp_context *ctx, swp_loop_builder *l, int releases)
{
    roles_program_begin(p, ctx, l, 1, 1);
    roles_program_once_a_tile(p, "CLEAR");
    roles_program_once_a_tile(p, "STAGE");
    roles_program_once_a_tile(p, "STORE");
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, releases);
    (void)roles_program_named(p, "free", 2, 128);
    (void)roles_program_named(p, "staged", 2, 128);
}

void safe_tiles(roles_program *p, swp_context *ctx)
{
    begin_tiles(p, ctx, stored_gemm(ctx, false), 2);
    add_producer(p);
    roles_program_add(p, .name = "consumer", .warps = 4, .instances = 2, .begin = "CLEAR",
                      .prologue = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit",
                      .kernel = "wait_phase@full+1 MMA+1 matrix_commit matrix_wait:1 "
                                "arrive@empty+0!",
                      .epilogue = "matrix_wait:0 arrive@empty+0!",
                      .end = "bulk_wait_read:0! named_sync@free^1 STAGE fence_async "
                             "named_sync@staged^1 STORE! bulk_commit!",
                      .drain = "bulk_wait_read:0!");
}

void safe_halves(roles_program *p, swp_context *ctx)
{
    begin_tiles(p, ctx, stored_gemm(ctx, true), 2);
    roles_program_once_a_tile(p, "STAGE_1");
    roles_program_once_a_tile(p, "STORE_1");
    add_producer(p);
    roles_program_add(p, .name = "consumer", .warps = 4, .instances = 2, .begin = "CLEAR",
                      .prologue = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit",
                      .kernel = "wait_phase@full+1 MMA+1 matrix_commit matrix_wait:1 "
                                "arrive@empty+0!",
                      .epilogue = "matrix_wait:0 arrive@empty+0!",
                      .end = "bulk_wait_read:0! named_sync@free^1 STAGE fence_async "
                             "named_sync@staged^1 STORE! bulk_commit! bulk_wait_read:0! "
                             "named_sync@free^1 STAGE_1 fence_async named_sync@staged^1 STORE_1! "
                             "bulk_commit!",
                      .drain = "bulk_wait_read:0!");
}

void safe_cluster_tiles(roles_program *p, swp_context *ctx)
{
    begin_tiles(p, ctx, stored_gemm(ctx, false), 4);
    roles_program_cluster(p, 2, "LOAD");
    add_cluster_producer(p);
    roles_program_add(p, .name = "consumer", .warps = 4, .instances = 2, .begin = "CLEAR",
                      .prologue = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit",
                      .kernel = "wait_phase@full+1 MMA+1 matrix_commit matrix_wait:1 "
                                "arrive@empty+0!*",
                      .epilogue = "matrix_wait:0 arrive@empty+0!*",
                      .end = "bulk_wait_read:0! named_sync@free^1 STAGE fence_async "
                             "named_sync@staged^1 STORE! bulk_commit!",
                      .drain = "bulk_wait_read:0! cluster_arrive cluster_wait");
}

void safe_queries(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "queries");
    const int query = swp_value(l, "Q", .space = SWP_SPACE_SHARED, .bytes = 64);
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    swp_work(l, "QUERY", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER,
             .writes = {query});
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "WORK", .latency = 9, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = tile}, {.value = query}});
    roles_program_begin(p, ctx, l, 1, 0);
    roles_program_once_a_tile(p, "QUERY");
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 32);
    p->objects[roles_program_mbarrier(p, "asked", 1, 1)].clock = SWP_TILE_CLOCK;
    p->objects[roles_program_mbarrier(p, "answered", 1, 32)].clock = SWP_TILE_CLOCK;
    roles_program_add(p, .name = "producer",
                      .begin = "wait_phase@answered-1! arrive_expect@asked+0=64! "
                               "QUERY@asked+0=64!",
                      .kernel = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=64!");
    roles_program_add(p, .name = "consumer", .begin = "wait_phase@asked+0",
                      .kernel = "wait_phase@full+0 WORK+0 fence_async arrive@empty+0",
                      .end = "arrive@answered+0");
}

void safe_pairs(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "pairs");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "CLEAR", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {sum});
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "READ", .latency = 9, .completion = SWP_COMPLETION_NONE, .reads = {{.value = tile}},
             .updates = {sum});
    swp_work(l, "FINISH", .latency = 9, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = sum}}, .writes_global = true);
    roles_program_begin(p, ctx, l, 2, 0);
    roles_program_once_a_tile(p, "CLEAR");
    roles_program_once_a_tile(p, "FINISH");
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 32);
    roles_program_add(p, .name = "producer",
                      .kernel = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=64! "
                                "wait_phase@empty-1! arrive_expect@full+1=64! LOAD@full+1=64!",
                      .epilogues = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=64!");
    roles_program_add(p, .name = "consumer", .begin = "CLEAR",
                      .kernel = "wait_phase@full+0 READ+0 fence_async arrive@empty+0 "
                                "wait_phase@full+1 READ+1 fence_async arrive@empty+1",
                      .epilogues = "wait_phase@full+0 READ+0 fence_async arrive@empty+0",
                      .end = "FINISH");
}
