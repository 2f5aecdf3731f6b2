/* SPDX-License-Identifier: Apache-2.0 */
/* What the built-in loops are made with: units and costs of the target, and ops of the kinds that several of them have. */
#ifndef SWP_KERNELS_LOOP_MAKER_H
#define SWP_KERNELS_LOOP_MAKER_H

#include "kernels/builtin.h"
#include "swp/loop_compile.h"

enum { SWP_KERNELS_ELEMENT = 2, SWP_KERNELS_BLOCK = 128, SWP_KERNELS_BLOCK_K = 64 };

/* A loop on its way. */
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
    int most_slots; /* of a tile */
    int64_t signal;
    int64_t shared_bytes;
} swp_loop_maker;

/* What the loop's target says. */
int64_t swp_kernels_figure(const swp_loop_maker *m, swp_target_figure figure);

/* How often `each` has to be done for `work`. */
int64_t swp_kernels_share(int64_t work, int64_t each);

swp_completion swp_kernels_mma_completion(const swp_loop_maker *m);

/*
 * One warp that loads and two warp groups that share all other work, in at most four slots and the shared memory that `kept` bytes leave,
 * unless the settings say more.
 */
void swp_kernels_add_roles(swp_loop_maker *m, int producer_registers, int consumer_registers,
                           int64_t kept);

/* Ops are of these roles. */
int swp_kernels_add_tile(swp_loop_maker *m, const char *name, int64_t bytes);
int swp_kernels_add_registers(swp_loop_maker *m, const char *name, int64_t bytes);

/* Brings `bytes` from global memory. */
void swp_kernels_add_load(swp_loop_maker *m, swp_loop_op_args op, int64_t bytes);

/* An op over a tile reads as long as it issues instructions. */
void swp_kernels_add_vector_op(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes);
void swp_kernels_add_exponentials(swp_loop_maker *m, swp_loop_op_args op, int64_t count);
void swp_kernels_add_matrix_op(swp_loop_maker *m, swp_loop_op_args op, int64_t products);

/*
 * A matrix op of a loop with roles, which the unit does for its instances in turns: until it has retired, and gives its operands back, those
 * of all of them pass. That is longer than until the next one can be issued, which keeps one group in flight.
 */
void swp_kernels_add_matrix_op_in_turns(swp_loop_maker *m, swp_loop_op_args op, int64_t products);

/*
 * Cycles for which an instance issues so many instructions for each of `lanes` elements, and for which it issues exponentials of as many
 * besides; 0 where the loop has no roles.
 */
int64_t swp_kernels_issue(const swp_loop_maker *m, int64_t lanes, int instructions);
int64_t swp_kernels_issue_exponentials(const swp_loop_maker *m, int64_t lanes, int instructions);

/* Once an output tile: registers as they are before its first iteration, and results through shared memory to global memory. */
void swp_kernels_add_clear(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes);
void swp_kernels_add_way_out(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes);

/* Names the loop, has `add` add to it, and hands it out. */
swp_status swp_kernels_make_loop(swp_context *ctx, const char *name, const swp_target *target,
                                 const swp_settings *settings, void (*add)(swp_loop_maker *m),
                                 swp_loop *out);

/* The built-in of a function loop_name() that adds all that the loop has; `for_target` NULL: the default one. */
#define SWP_KERNELS_LOOP(loop_name, text, for_target)                                              \
    static swp_status make_##loop_name(swp_context *ctx, const swp_target *target,                 \
                                       const swp_settings *settings, swp_loop *out)                \
    {                                                                                              \
        return swp_kernels_make_loop(ctx, #loop_name, target, settings, loop_name, out);           \
    }                                                                                              \
    const swp_builtin swp_kernels_##loop_name##_builtin = {                                        \
        .name = #loop_name, .meaning = (text), .loop = make_##loop_name, .target = (for_target)}

#endif
