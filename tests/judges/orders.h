/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random small orders of data operations, with programs that synchronise them as much as can be.
 * Each op's tile is known from how the order is made, not from looking at it.
 */
#ifndef TEST_JUDGES_ORDERS_H
#define TEST_JUDGES_ORDERS_H

#include "random.h"
#include "words.h"

enum { ORDER_MOST_OPS = 24 };

/* In pass p the op handles tile p * tiles_per_pass + tile. */
typedef struct order_op {
    swp_op op;
    int tile;
    bool idle; /* what it brings is replaced before anybody looks at it */
} order_op;

typedef struct small_order {
    order_op ops[ORDER_MOST_OPS];
    int count;
    swp_machine machine;
    swp_loop_shape loop;
} small_order;

/* A loop of up to `most_ops` ops (at least 4) in a random order, which no synchronisation may be able to save. */
small_order small_order_random(test_random *random, int most_ops);

/* The order of a compiled kernel phase. */
small_order small_order_of(const swp_schedule *schedule);

/* The data operations, with empty prologue and epilogue and so many barriers in front. */
program order_program(const small_order *order, int barriers);

/*
 * gaps[i] barriers before op i, and both counters waited down to 0 before each of these and before
 * each op; prologue and epilogue with as much as there can be.
 */
program order_with_barriers(const small_order *order, const int *gaps);

#endif
