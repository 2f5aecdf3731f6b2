/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the built-in GEMM loops (docs/loops.md), each from one logical iteration. */
#include "kernels/loop_maker.h"

enum { GEMM_SIDE = 2 };

/* This GEMM's matrix op takes whole tiles of A and B from shared memory. */
static void gemm_tile(swp_loop_maker *m)
{
    const int64_t bytes = (int64_t)SWP_KERNELS_BLOCK * SWP_KERNELS_BLOCK_K * SWP_KERNELS_ELEMENT;
    const int64_t cycles =
        swp_kernels_share((int64_t)SWP_KERNELS_BLOCK * SWP_KERNELS_BLOCK * SWP_KERNELS_BLOCK_K,
                          swp_kernels_figure(m, SWP_TARGET_MMA_PRODUCTS));
    const int64_t reads =
        swp_kernels_share(2 * bytes, swp_kernels_figure(m, SWP_TARGET_SHARED_BYTES));
    const int a = swp_kernels_add_tile(m, "A", bytes);
    const int b = swp_kernels_add_tile(m, "B", bytes);
    const int c =
        swp_kernels_add_registers(m, "C", (int64_t)SWP_KERNELS_BLOCK * SWP_KERNELS_BLOCK * 4);
    swp_kernels_add_load(m, (swp_loop_op_args){.name = "LOAD_A", .writes = {a}}, bytes);
    swp_kernels_add_load(m, (swp_loop_op_args){.name = "LOAD_B", .writes = {b}}, bytes);
    /* Matrix ops into one accumulator follow each other at the unit's rate. */
    swp_work(m->b, "MMA",
             .uses = {{.unit = m->mma, .cycles = cycles},
                      {.unit = m->lds, .cycles = reads < cycles ? reads : cycles}},
             .latency = cycles, .read_cycles = cycles, .completion = swp_kernels_mma_completion(m),
             .reads = {{.value = a}, {.value = b}}, .updates = {c});
}

/*
 * One warp copies tiles, and two warp groups multiply them, each its own rows. Both tiles are one
 * copy, as they share an mbarrier. Four slots leave some of an H100's shared memory for staging C.
 * If that is part of the loop, it has as much as C takes.
 */
static void gemm_ws(swp_loop_maker *m)
{
    enum { COLUMNS = 256, STAGED = 32 * 1024, COPYING = 40, MULTIPLYING = 232 };
    const bool persistent = m->settings->persistent;
    const int64_t a_bytes = (int64_t)SWP_KERNELS_BLOCK * SWP_KERNELS_BLOCK_K * SWP_KERNELS_ELEMENT;
    const int64_t b_bytes = (int64_t)COLUMNS * SWP_KERNELS_BLOCK_K * SWP_KERNELS_ELEMENT;
    const int64_t sums = (int64_t)SWP_KERNELS_BLOCK * COLUMNS;
    swp_kernels_add_roles(m, COPYING, MULTIPLYING, persistent ? 0 : STAGED);
    const int a = swp_kernels_add_tile(m, "A", a_bytes);
    const int b = swp_kernels_add_tile(m, "B", b_bytes);
    const int c = swp_kernels_add_registers(m, "C", sums * 4);
    if (persistent)
        swp_kernels_add_clear(m, (swp_loop_op_args){.writes = {c}}, sums);
    swp_kernels_add_load(m, (swp_loop_op_args){.name = "LOAD", .writes = {a, b}},
                         a_bytes + b_bytes);
    swp_kernels_add_matrix_op_in_turns(
        m, (swp_loop_op_args){.name = "MMA", .reads = {{.value = a}, {.value = b}}, .updates = {c}},
        sums * SWP_KERNELS_BLOCK_K);
    if (persistent)
        swp_kernels_add_way_out(m, (swp_loop_op_args){.reads = {{.value = c}}}, sums);
}

/*
 * This is the GEMM of the published kernels: quadrants of A and B go through LDS and register
 * fragments to a 2 x 2 grid of MMAs.
 */
static void gemm_fragments(swp_loop_maker *m)
{
    static const char *const tiles[2][GEMM_SIDE] = {{"A0", "A1"}, {"B0", "B1"}};
    static const char *const fragments[2][GEMM_SIDE] = {{"a0", "a1"}, {"b0", "b1"}};
    static const char *const loads[2][GEMM_SIDE] = {{"LOAD_A0", "LOAD_A1"}, {"LOAD_B0", "LOAD_B1"}};
    static const char *const reads[2][GEMM_SIDE] = {{"FRAG_A0", "FRAG_A1"}, {"FRAG_B0", "FRAG_B1"}};
    static const char *const mmas[GEMM_SIDE][GEMM_SIDE] = {{"MMA_00", "MMA_01"},
                                                           {"MMA_10", "MMA_11"}};
    static const char *const sums[GEMM_SIDE][GEMM_SIDE] = {{"c00", "c01"}, {"c10", "c11"}};
    enum { VM = 4, LGKM = 8, SLOTS = 2 };
    const swp_tile_shape *shape = &m->target->tile_shape;
    const int64_t sum_bytes = (int64_t)shape->block[0] * shape->block[1];
    const swp_cost_model costs = m->target->double_buffer(VM, VM, 1).cost_model;
    const int slots = m->settings->slots ? m->settings->slots : SLOTS;
    const int vm = m->target->accesses.load_is_group ? 1 : VM;
    const int lgkm = m->target->accesses.frag_synchronous ? 1 : LGKM;
    const int64_t load_latency = costs.costs[SWP_LOAD_A].latency;
    const int64_t read_latency = costs.costs[SWP_MMA_LOAD_A].latency;
    /* A counter holds so many accesses in flight; the next one waits for room. */
    const int vmcnt = swp_loop_add_unit(m->b, "vmcnt", swp_kernels_figure(m, SWP_TARGET_VMCNT));
    const int lgkmcnt =
        swp_loop_add_unit(m->b, "lgkmcnt", swp_kernels_figure(m, SWP_TARGET_LGKMCNT));
    int fragment[2][GEMM_SIDE];
    for (int channel = 0; channel < 2; channel++) {
        const int64_t bytes =
            (int64_t)shape->block[channel] * shape->block[2] * shape->elem_bytes / GEMM_SIDE;
        for (int i = 0; i < GEMM_SIDE; i++) {
            const int place = swp_value(m->b, tiles[channel][i], .space = SWP_SPACE_SHARED,
                                        .bytes = bytes, .most_slots = slots);
            fragment[channel][i] =
                swp_value(m->b, fragments[channel][i], .most_slots = 1,
                          .space = SWP_SPACE_REGISTERS, .bytes = bytes / GEMM_SIDE);
            swp_work(
                m->b, loads[channel][i],
                .uses = {{.unit = m->memory, .cycles = (int64_t)m->settings->occupancy_global * vm},
                         {.unit = vmcnt, .cycles = load_latency, .amount = vm}},
                .latency = load_latency, .accesses = vm, .completion = SWP_COMPLETION_COUNTER,
                .writes = {place});
            swp_work(
                m->b, reads[channel][i],
                .uses = {{.unit = m->lds, .cycles = (int64_t)m->settings->occupancy_lds * lgkm},
                         {.unit = lgkmcnt, .cycles = read_latency, .amount = lgkm}},
                .latency = read_latency, .accesses = lgkm, .completion = SWP_COMPLETION_COUNTER,
                .reads = {{.value = place}}, .writes = {fragment[channel][i]});
        }
    }
    for (int row = 0; row < GEMM_SIDE; row++)
        for (int column = 0; column < GEMM_SIDE; column++) {
            const int64_t cycles = costs.costs[SWP_MMA].latency;
            const int sum = swp_kernels_add_registers(m, sums[row][column], sum_bytes);
            swp_work(m->b, mmas[row][column], .uses = {{.unit = m->mma, .cycles = cycles}},
                     .latency = cycles,
                     .reads = {{.value = fragment[0][row]}, {.value = fragment[1][column]}},
                     .updates = {sum});
        }
}

SWP_KERNELS_LOOP(gemm_tile, "GEMM, A and B through shared memory; pipelined from one iteration",
                 NULL);
SWP_KERNELS_LOOP(gemm_fragments,
                 "GEMM with split loads and register fragments; pipelined from one iteration",
                 NULL);
SWP_KERNELS_LOOP(gemm_ws, "GEMM with warp roles; pipelined from one iteration", "sm_90");
