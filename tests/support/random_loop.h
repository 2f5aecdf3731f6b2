/* SPDX-License-Identifier: Apache-2.0 */
/* Small random loops, all of them legal. */
#ifndef TEST_SUPPORT_RANDOM_LOOP_H
#define TEST_SUPPORT_RANDOM_LOOP_H

#include "random.h"

#include "swp/loop.h"

typedef struct loop_shape {
    int most_ops;
    int most_values;
    int most_cycles; /* of latencies and uses */
    int most_slots;  /* of values that are bounded at all */
    bool has_wgmmas; /* some ops of completion matrix_group go on in one sum */
    bool has_issues; /* some ops keep what issues them */
} loop_shape;

/* A loop that swp_check_loop() takes, in the context's memory. */
swp_loop random_loop(swp_context *ctx, test_random *random, const loop_shape *shape);

/* A loop of a property test, in a context of its own. */
typedef struct loop_case {
    size_t index;
    swp_context *ctx;
    test_random random; /* behind the loop */
    swp_loop loop;
} loop_case;

/* Calls `check` for so many loops of a seed. */
void for_random_loops(const loop_shape *shape, uint64_t seed, size_t cases,
                      void (*check)(loop_case *c, void *tally), void *tally);

/* Lets every op whose counter nothing else tells name one, and some others too. */
void state_counters(swp_loop *loop, test_random *random);

/* The loop on standard output, to look at a case that fails. */
void print_loop(const swp_loop *loop);

#endif
