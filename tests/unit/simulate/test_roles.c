/* SPDX-License-Identifier: Apache-2.0 */
/* Warp roles: each rule of the model on the least program that shows it (docs/simulation.md, "Warp roles"). */
#include "fixture.h"
#include "roles_program.h"

#include "simulate/engine.h"
#include "swp/simulate.h"
#include "swp/target.h"

#include <stdio.h>

enum { FULL, EMPTY };

static swp_simulation simulated(roles_program *p)
{
    swp_simulation out = {0};
    assert_ok(p->ctx, swp_simulate(p->ctx, &p->schedule, NULL, &out));
    return out;
}

/* By the figures of sm_90: wgmma ends 128 cycles after its turn; 16 exponentials a cycle, and 128 other operations. */
static swp_simulation simulated_by_figures(roles_program *p)
{
    const swp_simulate_options options = {.target = swp_target_find("sm_90")};
    swp_simulation out = {0};
    assert_ok(p->ctx, swp_simulate(p->ctx, &p->schedule, &options, &out));
    return out;
}

static void assert_pass(const swp_simulation *simulation, int cycles)
{
    assert_int_equal(simulation->cycles, (int64_t)cycles * simulation->passes);
}

static const swp_stall *stall_of(const swp_simulation *simulation, int group, int entry)
{
    for (size_t i = 0; i < simulation->stalls.count; i++)
        if (simulation->stalls.items[i].group == group &&
            simulation->stalls.items[i].entry == entry)
            return &simulation->stalls.items[i];
    fail_msg("group %d is not held at entry %d", group, entry);
    return NULL;
}

/* --- The matrix unit --- */

enum { SLOTS = 4 };

/* A ring of tiles for so many instances, one wgmma in flight. */
static void begin_gemm(roles_program *p, swp_context *ctx, int instances)
{
    swp_loop_builder *l = swp_loop_new(ctx, "ring");
    const int tma = swp_loop_add_unit(l, "tma", 1);
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int tile =
        swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = SLOTS);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .uses = {{.unit = tma, .cycles = 10}}, .latency = 20,
             .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "MMA", .uses = {{.unit = tensor, .cycles = 100}}, .latency = 120,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .reads = {{.value = tile}},
             .updates = {sum});
    roles_program_begin(p, ctx, l, 1, 1);
    (void)roles_program_mbarrier(p, "full", SLOTS, 1);
    (void)roles_program_mbarrier(p, "empty", SLOTS, instances);
    roles_program_add(p, .name = "producer",
                      .prologue = "wait_phase@empty-4! arrive_expect@full+0=64! LOAD@full+0=64!",
                      .kernel = "wait_phase@empty-3! arrive_expect@full+1=64! LOAD@full+1=64!");
    roles_program_add(p, .name = "consumer", .warps = 4, .instances = instances,
                      .prologue = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit",
                      .kernel = "wait_phase@full+1 MMA+1 matrix_commit matrix_wait:1 "
                                "arrive@empty+0!",
                      .epilogue = "matrix_wait:0 arrive@empty+0!");
}

/* The wgmma issues at 0 and ends at 120, or 100 + 128 by figures; a commit at 1, the wait from 2 on. */
static void by_figures_a_wgmma_ends_its_own_latency_after_its_turn(void **state)
{
    roles_program p;
    begin_gemm(&p, *state, 1);
    roles_program_op(&p, 1, SWP_KERNEL, 3)->wait_value = 0;
    const swp_simulation stated = simulated(&p);
    const swp_simulation by_figures = simulated_by_figures(&p);
    assert_int_equal(stall_of(&stated, 1, 3)->cycles, (120 - 2) * stated.passes);
    assert_int_equal(stall_of(&by_figures, 1, 3)->cycles, (228 - 2) * by_figures.passes);
}

/*
 * An op that issues for 300 cycles, 160 of them for a unit that takes as long, has 140 + 160 * 16 / 128 slots. So three
 * that begin at 0 by themselves begin at 0, 160 and 320, and meet at 620.
 */
static void by_figures_instances_share_the_issue_slots(void **state)
{
    roles_program p;
    swp_loop_builder *l = swp_loop_new(*state, "softmax");
    const int sfu = swp_loop_add_unit(l, "sfu", 3);
    const int row = swp_value(l, "R", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "EXP", .uses = {{.unit = sfu, .amount = 1, .cycles = 160}}, .issue = 300,
             .latency = 300, .read_cycles = 300, .updates = {row});
    roles_program_begin(&p, *state, l, 1, 1);
    (void)roles_program_named(&p, "all", 1, 384);
    roles_program_add(&p, .name = "consumer", .warps = 4, .instances = 3,
                      .kernel = "EXP+0 named_sync@all:0");
    const swp_simulation stated = simulated(&p);
    const swp_simulation by_figures = simulated_by_figures(&p);
    assert_pass(&stated, 301);
    assert_int_equal(stated.unit_count, 1);
    assert_true(by_figures.by_figures);
    assert_int_equal(by_figures.unit_count, 2);
    assert_string_equal(by_figures.units[1].name, "issue_slots");
    assert_pass(&by_figures, 621);
}

static void instances_share_a_unit(void **state)
{
    for (int instances = 1; instances <= 3; instances++) {
        roles_program p;
        begin_gemm(&p, *state, instances);
        const swp_simulation m = simulated(&p);
        assert_pass(&m, 100 * instances);
        assert_int_equal(m.group_count, 1 + instances);
        assert_string_equal(m.groups[0].role, "producer");
        assert_string_equal(m.groups[instances].role, "consumer");
        assert_int_equal(m.groups[instances].instance, instances - 1);
        assert_int_equal(m.units[0].busy, 10 * m.passes);
        assert_int_equal(m.units[1].busy, 100 * instances * m.passes);
        assert_int_equal(m.groups[1].busy[1], 100 * m.passes);
        assert_int_equal(m.groups[instances].busy[1], 100 * m.passes);
    }
}

/* Issued from 0 to 10 and, once the unit is free, from 100 to 110; a commit behind each, 200 of work, and the wait. */
static void with_a_time_of_issue_a_wgmma_issues_when_its_unit_is_free(void **state)
{
    roles_program p;
    swp_loop_builder *l = swp_loop_new(*state, "sums");
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    const int d = swp_value(l, "D", .space = SWP_SPACE_REGISTERS);
    const int e = swp_value(l, "E", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "MMA", .uses = {{.unit = tensor, .cycles = 100}}, .latency = 100, .issue = 10,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {c});
    swp_work(l, "NEXT", .uses = {{.unit = tensor, .cycles = 50}}, .latency = 50, .issue = 10,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {d});
    swp_work(l, "WORK", .latency = 200, .issue = 200, .updates = {e});
    roles_program_begin(&p, *state, l, 1, 0);
    roles_program_add(&p, .name = "consumer", .warps = 4,
                      .kernel = "MMA+0 matrix_commit NEXT+0 matrix_commit WORK+0 matrix_wait:0");
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 312);
    assert_int_equal(stall_of(&m, 0, 2)->cause, SWP_STALL_UNIT);
    assert_int_equal(stall_of(&m, 0, 2)->cycles, 89 * m.passes);
    assert_int_equal(stall_of(&m, 0, 2)->other.entry, 0);
}

/* LONG is there at 100, so SHORT begins at 70, and keeps the unit until OTHER, which begins at 80 and ends at 180. */
static void a_sum_is_no_sooner_there_than_what_it_adds_to(void **state)
{
    roles_program p;
    swp_loop_builder *l = swp_loop_new(*state, "sums");
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    const int d = swp_value(l, "D", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LONG", .uses = {{.unit = tensor, .cycles = 10}}, .latency = 100,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {c});
    swp_work(l, "SHORT", .uses = {{.unit = tensor, .cycles = 10}}, .latency = 30,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {c});
    swp_work(l, "OTHER", .uses = {{.unit = tensor, .cycles = 10}}, .latency = 100,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {d});
    roles_program_begin(&p, *state, l, 1, 0);
    roles_program_add(&p, .name = "consumer", .warps = 4,
                      .kernel = "LONG+0 SHORT+0 OTHER+0 matrix_commit matrix_wait:0");
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 181);
}

/* Nobody reads the sum, but SECOND updates what FIRST has made: it begins at 64, and is there at 256, when FIRST makes it anew. */
static void a_register_is_made_anew_when_it_is_there(void **state)
{
    roles_program p;
    swp_loop_builder *l = swp_loop_new(*state, "anew");
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int c =
        swp_value(l, "C", .space = SWP_SPACE_REGISTERS, .least_slots = 1, .most_slots = 1);
    swp_work(l, "FIRST", .uses = {{.unit = tensor, .cycles = 64}}, .latency = 192,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .writes = {c});
    swp_work(l, "SECOND", .uses = {{.unit = tensor, .cycles = 64}}, .latency = 192,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {c});
    roles_program_begin(&p, *state, l, 1, 0);
    roles_program_add(&p, .name = "consumer", .warps = 4,
                      .kernel = "FIRST+0 SECOND+0 matrix_commit matrix_wait:1");
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 256);
}

/* The producer waits for who gives the slot back last, three slots ago. */
static void a_stall_names_who_ends_it(void **state)
{
    roles_program p;
    begin_gemm(&p, *state, 2);
    const swp_simulation m = simulated(&p);
    const swp_stall *stall = stall_of(&m, 0, 0);
    assert_int_equal(stall->cause, SWP_STALL_PHASE);
    assert_string_equal(stall->object, "empty");
    assert_true(stall->has_other);
    assert_int_equal(stall->other_group, 2);
    assert_int_equal(stall->other.entry, 4);
    assert_int_equal(stall->passes_before, 3);
    assert_int_equal(stall->cycles, 197 * m.passes);
    assert_int_equal(m.groups[0].held, 197 * m.passes);
}

static void entries_of_other_instances_are_not_issued(void **state)
{
    roles_program p;
    begin_gemm(&p, *state, 2);
    roles_program_op(&p, 1, SWP_KERNEL, 0)->instances = 1;
    const swp_simulation m = simulated(&p);
    assert_true(m.groups[1].issues[0] != SWP_NOT_ISSUED);
    assert_true(m.groups[2].issues[0] == SWP_NOT_ISSUED);
    assert_int_equal(m.groups[0].issues[1] - m.groups[0].issues[0], 1);
}

static void what_never_comes_is_waited_for_for_ever(void **state)
{
    roles_program p;
    swp_simulation out;
    size_t count = 0;
    begin_gemm(&p, *state, 2);
    roles_program_drop(&p, 1, SWP_KERNEL, 4);
    assert_status(p.ctx, swp_simulate(p.ctx, &p.schedule, NULL, &out), SWP_INVALID);
    const swp_diag *diags = swp_context_diags(p.ctx, &count);
    assert_string_equal(diags[count - 1].message, "role producer, instance 0 waits for ever at "
                                                  "kernel entry 0 (wait_phase of empty)");
}

/* --- Groups --- */

static void begin_sums(roles_program *p, swp_context *ctx, int latency, const char *kernel)
{
    swp_loop_builder *l = swp_loop_new(ctx, "sums");
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "MMA", .uses = {{.unit = tensor, .cycles = 30}}, .latency = 40,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {sum},
             .update_latencies = {latency});
    roles_program_begin(p, ctx, l, 1, 0);
    roles_program_add(p, .name = "consumer", .warps = 4, .kernel = kernel);
}

/* MMA at 0, retired at 40, the next one at 41; or one in flight, as fast as the unit; or as its sum is handed on. */
static void groups_are_waited_for(void **state)
{
    roles_program p;
    swp_simulation m;
    begin_sums(&p, *state, 0, "MMA+0 matrix_commit matrix_wait:0");
    m = simulated(&p);
    assert_pass(&m, 41);
    assert_int_equal(stall_of(&m, 0, 2)->cause, SWP_STALL_WAIT);
    begin_sums(&p, *state, 0, "MMA+0 matrix_commit matrix_wait:1");
    m = simulated(&p);
    assert_pass(&m, 30);
    begin_sums(&p, *state, 35, "MMA+0 matrix_commit matrix_wait:1");
    m = simulated(&p);
    assert_pass(&m, 35);
}

static void begin_staging(roles_program *p, swp_context *ctx, const char *kernel)
{
    swp_loop_builder *l = swp_loop_new(ctx, "staging");
    const int stage = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64);
    swp_work(l, "STAGE", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {stage});
    swp_work(l, "STORE", .latency = 50, .read_cycles = 20, .completion = SWP_COMPLETION_STORE_GROUP,
             .reads = {{.value = stage}}, .writes_global = true);
    roles_program_begin(p, ctx, l, 1, 0);
    (void)roles_program_named(p, "group", 1, 128);
    roles_program_add(p, .name = "writer", .warps = 4, .kernel = kernel);
}

/* Sync at 0, STAGE at 1 until 10, when the second meeting opens, STORE at 11, read until 31 and there at 61. */
/* An instance that meets itself alone goes on; its bulk store waits for the place. */
static void a_store_is_read_before_it_is_there(void **state)
{
    roles_program p;
    swp_simulation m;
    begin_staging(&p, *state,
                  "named_sync@group STAGE+0 fence_async named_sync@group STORE+0! bulk_commit! "
                  "bulk_wait_read:0!");
    m = simulated(&p);
    assert_pass(&m, 31);
    const swp_stall *stall = stall_of(&m, 0, 4);
    assert_int_equal(stall->cause, SWP_STALL_OPERAND);
    assert_int_equal(stall->cycles, 6 * m.passes);
    assert_int_equal(stall->other.entry, 1);
    begin_staging(&p, *state,
                  "named_sync@group STAGE+0 fence_async named_sync@group STORE+0! bulk_commit! "
                  "bulk_wait:0!");
    m = simulated(&p);
    assert_pass(&m, 61);
}

/* --- Phases and meetings --- */

static void begin_readers(roles_program *p, swp_context *ctx, int signal, int latency)
{
    swp_loop_builder *l = swp_loop_new(ctx, "readers");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .latency = 20, .completion = SWP_COMPLETION_COPY_MBARRIER,
             .writes = {tile});
    swp_work(l, "READ", .latency = latency, .read_cycles = 7, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = tile}}, .updates = {sum});
    roles_program_begin(p, ctx, l, 1, 0);
    p->loop.signal = signal;
    (void)roles_program_mbarrier(p, "full", 1, 1);
    (void)roles_program_mbarrier(p, "empty", 1, 32);
    roles_program_add(p, .name = "producer",
                      .kernel = "wait_phase@empty-1! arrive_expect@full+0=64! LOAD@full+0=64!");
    roles_program_add(p, .name = "consumer", .kernel = "wait_phase@full+0 READ+0 arrive@empty+0");
}

/*
 * LOAD at 0 lands at 20, READ at 21 has read at 28, though its thread arrives at 22; wait at 28, LOAD at 30. A signal
 * is on its way twice.
 */
static void a_phase_is_as_late_as_its_last_part(void **state)
{
    roles_program p;
    swp_simulation m;
    begin_readers(&p, *state, 0, 5);
    m = simulated(&p);
    assert_pass(&m, 30);
    assert_int_equal(stall_of(&m, 0, 0)->other_group, 1);
    assert_int_equal(stall_of(&m, 0, 0)->other.entry, 1);
    assert_int_equal(stall_of(&m, 1, 0)->other_group, 0);
    assert_int_equal(stall_of(&m, 1, 0)->other.entry, 2);
    begin_readers(&p, *state, 3, 5);
    m = simulated(&p);
    assert_pass(&m, 36);
}

/* READ at 21 has its sum at 33, but has read at 28. */
static void a_slot_is_free_when_it_has_been_read(void **state)
{
    roles_program p;
    begin_readers(&p, *state, 0, 12);
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 30);
}

/* Each works for 9 cycles and lets the other one begin when it has issued. */
static void instances_take_turns(void **state)
{
    swp_loop_builder *l = swp_loop_new(*state, "turns");
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    roles_program p;
    swp_work(l, "WORK", .uses = {{.unit = alu, .cycles = 9}}, .latency = 9, .updates = {sum});
    roles_program_begin(&p, *state, l, 1, 1);
    (void)roles_program_named(&p, "turn", 2, 256);
    roles_program_add(&p, .name = "worker", .warps = 4, .instances = 2,
                      .prologue = "named_arrive@turn:0&2",
                      .kernel = "named_sync@turn:0^1 WORK+0 named_arrive@turn:1^1",
                      .epilogue = "named_sync@turn:0^1 WORK+0 named_arrive@turn:1^1&1");
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 18);
    assert_int_equal(m.groups[0].busy[0], 9 * m.passes);
    assert_int_equal(m.groups[1].busy[0], 9 * m.passes);
    assert_int_equal(m.groups[1].issues[1] - m.groups[0].issues[1], 9);
}

/* --- Output tiles --- */

/* Clears in 5 cycles, works for 10 an iteration, and keeps its unit for 7 more at the end of a tile. */
static void a_tile_takes_what_it_does_once_besides(void **state)
{
    swp_loop_builder *l = swp_loop_new(*state, "tiles");
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    roles_program p;
    swp_work(l, "CLEAR", .latency = 5, .writes = {sum});
    swp_work(l, "WORK", .uses = {{.unit = alu, .cycles = 10}}, .latency = 10, .updates = {sum});
    swp_work(l, "OUT", .uses = {{.unit = alu, .cycles = 7}}, .latency = 7,
             .reads = {{.value = sum}}, .writes_global = true);
    roles_program_begin(&p, *state, l, 1, 0);
    roles_program_add(&p, .name = "worker", .warps = 4, .begin = "CLEAR+0", .kernel = "WORK+0",
                      .end = "OUT+0");
    roles_program_once_a_tile(&p, "CLEAR");
    roles_program_once_a_tile(&p, "OUT");
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 10);
    assert_int_equal(m.prologue_cycles, 1);
    assert_true(m.tile_passes > 0);
    assert_int_equal(m.tile_cycles, (int64_t)m.tiles * (10 * m.tile_passes + 7));
}

/* A ring that goes on from tile to tile, whose sums are stored at their ends. */
static void begin_persistent(roles_program *p, swp_context *ctx, int slots)
{
    swp_loop_builder *l = swp_loop_new(ctx, "ring");
    const int tma = swp_loop_add_unit(l, "tma", 1);
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int tile =
        swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = slots);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "CLEAR", .latency = 20, .writes = {sum});
    swp_work(l, "LOAD", .uses = {{.unit = tma, .cycles = 90}}, .latency = 170,
             .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "MMA", .uses = {{.unit = tensor, .cycles = 100}}, .latency = 120,
             .completion = SWP_COMPLETION_MATRIX_GROUP, .reads = {{.value = tile}},
             .updates = {sum});
    swp_work(l, "OUT", .latency = 333, .read_cycles = 33, .reads = {{.value = sum}},
             .writes_global = true);
    roles_program_begin(p, ctx, l, 1, 0);
    (void)roles_program_mbarrier(p, "full", slots, 1);
    (void)roles_program_mbarrier(p, "empty", slots, 1);
    p->objects[EMPTY].arrivals = 1;
    char kernel[128];
    (void)snprintf(kernel, sizeof kernel,
                   "wait_phase@empty-%d! arrive_expect@full+0=64! LOAD@full+0=64!", slots);
    roles_program_add(p, .name = "producer", .kernel = kernel);
    roles_program_add(p, .name = "consumer", .warps = 4, .begin = "CLEAR+0",
                      .kernel = "wait_phase@full+0 matrix_fence MMA+0 matrix_commit matrix_wait:0 "
                                "arrive@empty+0!",
                      .end = "OUT+0");
    roles_program_once_a_tile(p, "CLEAR");
    roles_program_once_a_tile(p, "OUT");
}

/* When all of a run of so many tiles has finished. */
static int64_t end_of(roles_program *p, int passes, int tiles)
{
    const swp_simulate_options options = {0};
    swp_sim_program program;
    swp_sim_engine engine;
    bool moved = true;
    assert_ok(p->ctx, swp_simulate_program_build(p->ctx, &p->schedule, &options, &program));
    assert_ok(p->ctx, swp_simulate_engine_new(p->ctx, &program, passes, tiles, &engine));
    while (moved)
        assert_ok(p->ctx, swp_simulate_engine_step(&engine, &moved));
    assert_true(swp_simulate_engine_ended(&engine));
    return swp_simulate_engine_end(&engine);
}

/* Whatever the slots, which turn on from one tile to the next. */
static void tiles_repeat_in_a_long_run(void **state)
{
    for (int slots = 1; slots <= 5; slots++) {
        roles_program p;
        begin_persistent(&p, *state, slots);
        const swp_simulation m = simulated(&p);
        const int many = 40;
        assert_int_equal(end_of(&p, m.tile_passes, many + m.tiles) -
                             end_of(&p, m.tile_passes, many),
                         m.tile_cycles);
        assert_true(m.tile_cycles * m.passes >= (int64_t)m.tiles * m.tile_passes * m.cycles);
    }
}

/* --- Clusters --- */

/* Two work groups with a copy each of half a tile, and slots that both hand back, take what one alone takes. */
static void one_work_group_of_a_cluster_counts_for_all(void **state)
{
    roles_program p;
    begin_gemm(&p, *state, 2);
    swp_stream *producer = &p.schedule.streams[0];
    swp_stream *consumer = &p.schedule.streams[1];
    roles_program_cluster(&p, 2, "LOAD");
    p.objects[EMPTY].arrivals = 4;
    producer->prologue.items[1].op.bytes = producer->kernel.items[1].op.bytes = 128;
    consumer->kernel.items[4].op.to = consumer->epilogue.items[1].op.to = SWP_TO_ALL;
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 200);
    assert_int_equal(m.units[0].busy, 10 * m.passes);
    consumer->kernel.items[4].op.to = SWP_TO_OWN;
    swp_simulation out;
    assert_int_equal(swp_simulate(p.ctx, &p.schedule, NULL, &out), SWP_INVALID);
    assert_diag(p.ctx, "E0721", "role producer, instance 0 waits for ever");
}

/* Who waits for the cluster's meeting goes on when the last of its own work group has come. */
static void a_meeting_of_the_cluster_opens_when_all_have_come(void **state)
{
    swp_loop_builder *l = swp_loop_new(*state, "meet");
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    roles_program p;
    swp_work(l, "WORK", .uses = {{.unit = alu, .cycles = 9}}, .latency = 9, .updates = {sum});
    roles_program_begin(&p, *state, l, 1, 0);
    p.schedule.cluster = 2;
    roles_program_add(&p, .name = "worker", .warps = 4, .instances = 2,
                      .kernel = "WORK+0 cluster_arrive cluster_wait");
    const swp_simulation m = simulated(&p);
    assert_pass(&m, 18);
    assert_int_equal(stall_of(&m, 0, 2)->cause, SWP_STALL_BARRIER);
    assert_int_equal(stall_of(&m, 0, 2)->other_group, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(by_figures_a_wgmma_ends_its_own_latency_after_its_turn),
        CONTEXT_TEST(by_figures_instances_share_the_issue_slots),
        CONTEXT_TEST(instances_share_a_unit),
        CONTEXT_TEST(with_a_time_of_issue_a_wgmma_issues_when_its_unit_is_free),
        CONTEXT_TEST(a_sum_is_no_sooner_there_than_what_it_adds_to),
        CONTEXT_TEST(a_register_is_made_anew_when_it_is_there),
        CONTEXT_TEST(a_stall_names_who_ends_it),
        CONTEXT_TEST(entries_of_other_instances_are_not_issued),
        CONTEXT_TEST(what_never_comes_is_waited_for_for_ever),
        CONTEXT_TEST(groups_are_waited_for),
        CONTEXT_TEST(a_store_is_read_before_it_is_there),
        CONTEXT_TEST(a_phase_is_as_late_as_its_last_part),
        CONTEXT_TEST(a_slot_is_free_when_it_has_been_read),
        CONTEXT_TEST(instances_take_turns),
        CONTEXT_TEST(a_tile_takes_what_it_does_once_besides),
        CONTEXT_TEST(tiles_repeat_in_a_long_run),
        CONTEXT_TEST(one_work_group_of_a_cluster_counts_for_all),
        CONTEXT_TEST(a_meeting_of_the_cluster_opens_when_all_have_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
