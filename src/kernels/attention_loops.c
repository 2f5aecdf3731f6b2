/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the built-in attention loops (docs/loops.md), each from one logical iteration. */
#include "kernels/loop_maker.h"

enum { HEAD = 128 };

/*
 * These count the instructions of a lane for each element; exponentials take one more, of their own
 * unit. Together the ops of a softmax issue for 1024 cycles. An H200 takes 1250 for them and for
 * some waits, while both warp groups are at it.
 */
enum {
    MASK_ISSUES = 2,
    ROW_MAX_ISSUES = 2,
    EXP_ISSUES = 4,
    ROW_SUM_ISSUES = 1,
    RESCALE_ISSUES = 1
};
/* Adds the queries of a block, which all its passes read. */
static int add_queries(swp_loop_maker *m, int64_t bytes)
{
    const int queries = swp_value(m->b, "Q", .space = SWP_SPACE_SHARED, .bytes = bytes);
    swp_kernels_add_load(
        m, (swp_loop_op_args){.name = "LOAD_Q", .clock = SWP_TILE_CLOCK, .writes = {queries}},
        bytes);
    return queries;
}

/*
 * Adds attention with a running softmax: an iteration takes a block of queries against a block of
 * keys and values.
 */
static void add_attention(swp_loop_maker *m, bool masked, bool persistent)
{
    const int64_t bytes = (int64_t)SWP_KERNELS_BLOCK * HEAD * SWP_KERNELS_ELEMENT;
    const int64_t scores = (int64_t)SWP_KERNELS_BLOCK * SWP_KERNELS_BLOCK;
    const int64_t products = scores * HEAD;
    const int64_t rows = (int64_t)SWP_KERNELS_BLOCK * HEAD;
    const int keys = swp_kernels_add_tile(m, "K", bytes);
    const int values = swp_kernels_add_tile(m, "V", bytes);
    const int s = swp_kernels_add_registers(m, "S", scores * 4);
    const int p = swp_kernels_add_registers(m, "P", scores * SWP_KERNELS_ELEMENT);
    const int scale = swp_kernels_add_registers(m, "scale", (int64_t)SWP_KERNELS_BLOCK * 4);
    const int top = swp_kernels_add_registers(m, "m", (int64_t)SWP_KERNELS_BLOCK * 4);
    const int sum = swp_kernels_add_registers(m, "l", (int64_t)SWP_KERNELS_BLOCK * 4);
    const int out = swp_kernels_add_registers(m, "O", (int64_t)SWP_KERNELS_BLOCK * HEAD * 4);
    swp_loop_op_args qk = {.name = "QK", .reads = {{.value = keys}}, .writes = {s}};
    if (persistent) {
        qk.reads[1].value = add_queries(m, bytes);
        swp_kernels_add_clear(m, (swp_loop_op_args){.writes = {top, sum, out}}, rows);
    }
    swp_kernels_add_load(m, (swp_loop_op_args){.name = "LOAD_K", .writes = {keys}}, bytes);
    swp_kernels_add_matrix_op(m, qk, products);
    if (masked)
        swp_kernels_add_vector_op(
            m,
            (swp_loop_op_args){
                .name = "MASK", .issue = swp_kernels_issue(m, scores, MASK_ISSUES), .updates = {s}},
            scores);
    swp_kernels_add_vector_op(
        m,
        (swp_loop_op_args){.name = "ROW_MAX",
                           .issue = swp_kernels_issue(m, scores, ROW_MAX_ISSUES),
                           .reads = {{.value = s}},
                           .writes = {scale},
                           .updates = {top}},
        scores);
    swp_kernels_add_exponentials(
        m,
        (swp_loop_op_args){.name = "EXP",
                           .issue = swp_kernels_issue_exponentials(m, scores, EXP_ISSUES),
                           .reads = {{.value = s}, {.value = top}},
                           .writes = {p}},
        scores);
    swp_kernels_add_vector_op(
        m,
        (swp_loop_op_args){.name = "ROW_SUM",
                           .issue = swp_kernels_issue(m, scores, ROW_SUM_ISSUES),
                           .reads = {{.value = p}, {.value = scale}},
                           .updates = {sum}},
        scores);
    swp_kernels_add_load(m, (swp_loop_op_args){.name = "LOAD_V", .writes = {values}}, bytes);
    swp_kernels_add_vector_op(
        m,
        (swp_loop_op_args){.name = "RESCALE",
                           .issue = swp_kernels_issue(m, rows, RESCALE_ISSUES),
                           .reads = {{.value = scale}},
                           .updates = {out}},
        rows);
    swp_kernels_add_matrix_op(m,
                              (swp_loop_op_args){.name = "PV",
                                                 .reads = {{.value = p}, {.value = values}},
                                                 .updates = {out}},
                              products);
    if (persistent)
        swp_kernels_add_way_out(m, (swp_loop_op_args){.reads = {{.value = out}, {.value = sum}}},
                                rows);
}

static void attention_fwd(swp_loop_maker *m)
{
    add_attention(m, false, false);
}

/*
 * One warp copies keys and values. Two warp groups do all else, each for its own queries, which
 * stay in shared memory.
 */
static void attention_ws(swp_loop_maker *m)
{
    enum { COPYING = 24, MULTIPLYING = 240 };
    const bool persistent = m->settings->persistent;
    const int64_t queries = (int64_t)SWP_KERNELS_BLOCK * HEAD * SWP_KERNELS_ELEMENT;
    swp_kernels_add_roles(m, COPYING, MULTIPLYING, persistent ? 0 : queries);
    add_attention(m, m->settings->causal, persistent);
}

SWP_KERNELS_LOOP(attention_fwd,
                 "attention forward: Q.K, softmax, P.V; pipelined from one iteration", NULL);
SWP_KERNELS_LOOP(attention_ws, "attention forward with warp roles; pipelined from one iteration",
                 "sm_90");
