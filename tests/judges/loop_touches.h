/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a general loop read and make, and what of it meets in registers. */
#ifndef TEST_JUDGES_LOOP_TOUCHES_H
#define TEST_JUDGES_LOOP_TOUCHES_H

#include "loop_flat.h"

/* Fills in the touches of a step whose op and iteration are known. */
void loop_touches(const swp_loop_dataflow *dataflow, loop_line *s);

/* The counter that an op of the loop adds to. */
loop_counter loop_counts_on(const swp_loop *loop, int op);

/* Whether readers of the one register that an asynchronous op makes are held until it is there. */
bool loop_is_awaited(const swp_loop *loop, const loop_line *s);

/* Whether the later op reads that register, or makes it again. */
bool loop_reads_what(const swp_loop *loop, const loop_line *early, const loop_line *late);
bool loop_makes_again(const loop_line *early, const loop_line *late);

/* Whether the later op meets the earlier one, which is in flight, in a register. */
bool loop_registers_meet(const swp_loop *loop, const loop_line *early, const loop_line *late);

#endif
