/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the built-in loops: it adds units and costs of the target, and the kinds of ops that
 * several of them have.
 */
#ifndef SWP_KERNELS_LOOP_MAKER_H
#define SWP_KERNELS_LOOP_MAKER_H

#include "kernels/builtin.h"
#include "swp/loop_compile.h"

enum { SWP_KERNELS_ELEMENT = 2, SWP_KERNELS_BLOCK = 128, SWP_KERNELS_BLOCK_K = 64 };

/* A loop while it is made. */
typedef struct swp_loop_maker {
    swp_loop_builder *b;
    const swp_target *target;
    const swp_loop_settings *settings;
    int memory;
    int lds;
    int mma;
    int valu;
    int exps;
    int producer; /* roles of loads and of all other ops; 0: there are none */
    int consumer;
    int most_slots; /* most slots of a tile */
    int64_t signal;
    int64_t shared_bytes;
} swp_loop_maker;

/* Returns a figure of the loop's target. */
int64_t swp_kernels_figure(const swp_loop_maker *m, swp_target_figure figure);

/* Returns how often `each` has to be done for `work`. */
int64_t swp_kernels_share(int64_t work, int64_t each);

swp_completion swp_kernels_mma_completion(const swp_loop_maker *m);

/*
 * Adds one warp that loads, and two warp groups that share all other work. Unless the settings say
 * more, tiles have at most four slots and the shared memory that `kept` bytes leave.
 */
void swp_kernels_add_roles(swp_loop_maker *m, int producer_registers, int consumer_registers,
                           int64_t kept);

/* The first adds a tile in shared memory, the second a value in registers. */
int swp_kernels_add_tile(swp_loop_maker *m, const char *name, int64_t bytes);
int swp_kernels_add_registers(swp_loop_maker *m, const char *name, int64_t bytes);

/* Adds an op that brings `bytes` from global memory. */
void swp_kernels_add_load(swp_loop_maker *m, swp_loop_op_args op, int64_t bytes);

/* Add ops over a tile, which read as long as they issue instructions. */
void swp_kernels_add_vector_op(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes);
void swp_kernels_add_exponentials(swp_loop_maker *m, swp_loop_op_args op, int64_t count);
void swp_kernels_add_matrix_op(swp_loop_maker *m, swp_loop_op_args op, int64_t products);

/*
 * Adds a matrix op of a loop with roles. The unit executes those of all instances in turns. So one
 * retires, and gives its operands back, only when all of them have passed. The next one can issue
 * sooner, which keeps one group in flight.
 */
void swp_kernels_add_matrix_op_in_turns(swp_loop_maker *m, swp_loop_op_args op, int64_t products);

/*
 * Return for how many cycles an instance issues so many instructions for each of `lanes` elements;
 * the second adds one exponential for each. Without roles both are 0.
 */
int64_t swp_kernels_issue(const swp_loop_maker *m, int64_t lanes, int instructions);
int64_t swp_kernels_issue_exponentials(const swp_loop_maker *m, int64_t lanes, int instructions);

/*
 * Add what happens once for each output tile: registers are cleared before its first iteration, and
 * results go through shared memory to global memory.
 */
void swp_kernels_add_clear(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes);
void swp_kernels_add_way_out(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes);

/* Names the loop, lets `add` fill it, and returns it. */
swp_status swp_kernels_make_loop(swp_context *ctx, const char *name, const swp_target *target,
                                 const swp_settings *settings, void (*add)(swp_loop_maker *m),
                                 swp_loop *out);

/*
 * Defines the built-in of a function loop_name() that adds all that the loop has. `for_target` NULL
 * stands for the default target.
 */
#define SWP_KERNELS_LOOP(loop_name, text, for_target)                                              \
    static swp_status make_##loop_name(swp_context *ctx, const swp_target *target,                 \
                                       const swp_settings *settings, swp_loop *out)                \
    {                                                                                              \
        return swp_kernels_make_loop(ctx, #loop_name, target, settings, loop_name, out);           \
    }                                                                                              \
    const swp_builtin swp_kernels_##loop_name##_builtin = {                                        \
        .name = #loop_name, .meaning = (text), .loop = make_##loop_name, .target = (for_target)}

#endif
