/* SPDX-License-Identifier: Apache-2.0 */
/* Which op makes the version that another one reads, and which one replaces it. */
#ifndef SWP_IR_LOOP_DATAFLOW_H
#define SWP_IR_LOOP_DATAFLOW_H

#include "base/context.h"
#include "swp/compile.h"

enum { SWP_NO_OP = -1 };

/* Whether the op makes a version of the value, or changes the newest one. */
bool swp_ir_loop_writes(const swp_loop_op *op, int value);
bool swp_ir_loop_updates(const swp_loop_op *op, int value);
/* Either of them. */
bool swp_ir_loop_makes(const swp_loop_op *op, int value);

/* Whether it makes any value of a space, or names one of it among those that it reads. */
bool swp_ir_loop_makes_in(const swp_loop *loop, const swp_loop_op *op, swp_space space);
bool swp_ir_loop_reads_in(const swp_loop *loop, const swp_loop_op *op, swp_space space);

/* Whether the consumer of an edge is issued as soon as the edge lets it. */
bool swp_ir_loop_is_tight(const swp_pipeline *p, const swp_problem_edge *edge);

/* The first and the last op of an iteration that make the value; SWP_NO_OP: an input of the loop. */
int swp_ir_loop_first_maker(const swp_loop *loop, int value);
int swp_ir_loop_last_maker(const swp_loop *loop, int value);
/* The last one before an op, and the first one after it. */
int swp_ir_loop_maker_before(const swp_loop *loop, int value, int op);
int swp_ir_loop_maker_after(const swp_loop *loop, int value, int op);

/* Refuses clusters and multicasts without a meaning (docs/loops.md, "Clusters"). */
swp_status swp_ir_loop_check_cluster(swp_context *ctx, const swp_loop *loop);

/* Cycles from its maker's issue for what the op updates; 0: the maker's latency. */
int64_t swp_ir_loop_update_latency(const swp_loop_op *op, int value);

/* The slot of the version of an iteration, which may be before the loop. */
int swp_ir_loop_slot(const swp_loop_dataflow *dataflow, int value, int iteration);

typedef struct swp_loop_values {
    const int *items;
    size_t count;
} swp_loop_values;

/* The values that have as many slots as this one, because the op that writes them says so; else it alone. */
swp_loop_values swp_ir_loop_alike(const swp_loop *loop, const int *value);

/* The most slots that a value, or the op that writes it, states; 0: none. */
int swp_ir_loop_stated_most(const swp_loop *loop, int value);

/* Gives a value, and those that are alike, so many slots. */
void swp_ir_loop_set_slots(const swp_loop *loop, int *slots, int value, int count);

/*
 * Slots that the readers' distances and the bounds allow. An accumulator, which every iteration
 * updates, stays in its slot unless its bounds ask for more.
 */
int swp_ir_loop_least_slots(const swp_loop *loop, int value);
int swp_ir_loop_most_slots(const swp_loop *loop, int value);

enum { SWP_REGISTER_BYTES = 4 };

/* Bytes of registers that the budget comes to; 0: any. */
int64_t swp_ir_loop_register_bytes(const swp_loop *loop);

/* Registers a lane that so many bytes come to at least; 0 where the lanes are not known. */
int64_t swp_ir_loop_registers(const swp_loop *loop, int64_t bytes);

/*
 * The dependences with so many slots (0: without bound), and with at most `stages` stages (0: any):
 * then the last op of the problem is not the loop's, but marks where iterations begin.
 */
swp_status swp_ir_loop_build_problem(swp_context *ctx, const swp_loop *loop, const int *slots,
                                     int stages, swp_loop_problem *out);

/* The least number of slots of a value that these times work with, whatever those that are alike need. */
int swp_ir_loop_needed_slots(const swp_loop *loop, int value, const int64_t *times,
                             int64_t interval);

/* Gives each value the least slots that these times work with, and those that are alike equally many. */
void swp_ir_loop_need_slots(const swp_loop *loop, const int64_t *times, int64_t interval,
                            int *slots);

#endif
