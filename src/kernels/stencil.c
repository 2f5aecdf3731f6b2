/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the built-in stencil (docs/loops.md) from one logical iteration. */
#include "kernels/loop_maker.h"

/* Each iteration of this stencil loads one plane, and computes from it and the two before. */
static void stencil(swp_loop_maker *m)
{
    enum { POINTS = 64 * 64, OPERATIONS = 7 };
    const int64_t bytes = (int64_t)POINTS * 4;
    const int64_t stores = swp_kernels_share(bytes, swp_kernels_figure(m, SWP_TARGET_LOAD_BYTES));
    const int64_t reads =
        swp_kernels_share(3 * bytes, swp_kernels_figure(m, SWP_TARGET_SHARED_BYTES));
    const int64_t cycles = swp_kernels_share((int64_t)POINTS * OPERATIONS,
                                             swp_kernels_figure(m, SWP_TARGET_VECTOR_LANES));
    const int plane = swp_kernels_add_tile(m, "plane", bytes);
    const int points = swp_kernels_add_registers(m, "points", 3 * bytes);
    const int result = swp_kernels_add_registers(m, "result", bytes);
    swp_kernels_add_load(m, (swp_loop_op_args){.name = "LOAD_PLANE", .writes = {plane}}, bytes);
    swp_work(m->b, "READ", .uses = {{.unit = m->lds, .cycles = reads}},
             .latency = swp_kernels_figure(m, SWP_TARGET_SHARED_LATENCY) + reads,
             .completion = SWP_COMPLETION_COUNTER,
             .reads = {{.value = plane},
                       {.value = plane, .distance = 1},
                       {.value = plane, .distance = 2}},
             .writes = {points});
    swp_work(m->b, "STENCIL", .uses = {{.unit = m->valu, .cycles = cycles}},
             .latency = cycles + swp_kernels_figure(m, SWP_TARGET_VECTOR_LATENCY),
             .read_cycles = cycles, .reads = {{.value = points}}, .writes = {result});
    swp_work(m->b, "STORE", .uses = {{.unit = m->memory, .cycles = stores}}, .latency = stores,
             .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = result}});
}

SWP_KERNELS_LOOP(stencil, "a stencil over planes; pipelined from one iteration", NULL);
