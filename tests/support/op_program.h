/* SPDX-License-Identifier: Apache-2.0 */
/* Small schedules of general loops, in words. */
#ifndef TEST_SUPPORT_OP_PROGRAM_H
#define TEST_SUPPORT_OP_PROGRAM_H

#include "swp/compile.h"
#include "swp/loop.h"

typedef struct op_program {
    swp_context *ctx;
    swp_loop loop;
    swp_loop_dataflow dataflow;
    swp_schedule schedule;
} op_program;

/*
 * A schedule of the builder's loop without entries: one group of waves, raw barriers, managed
 * registers. Each value has its least number of slots. A list points into the program: do not move it.
 */
void op_program_begin(op_program *p, swp_context *ctx, swp_loop_builder *builder,
                      int tiles_per_pass, int min_tiles);

/*
 * "|" is a barrier, "v2" and "l0" are waits on vmcnt and lgkmcnt, "LOAD+1" is the op of that name for
 * the iteration 1 after its list's base.
 */
void op_program_read(op_program *p, swp_phase phase, const char *words);

#endif
