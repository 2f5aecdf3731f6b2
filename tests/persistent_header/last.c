/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: LAST: one output tile of few iterations that ends where a state may end at most, 2^31 - 1 iterations and tiles in all. Slots and
 * parities are those of the turn in 64 bits, and no number overflows, which UBSan looks for. Prints "right", or what is not.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int pass_of_tile; /* iterations before it */

static void expect(const char *of, const char *what, long long got, long long wanted)
{
    if (got == wanted)
        return;
    printf("%s: %s %lld, wanted %lld\n", of, what, got, wanted);
    exit(0);
}

static int parity_waited_for; /* by the last wait */

/* Turns count from 0 through all tiles. A wait before the turn is for the phase of this turn of the slot, or the one before. */
static void take_turn(int i, int slot, int phases_before, const char *op)
{
    const long long turn = (long long)pass_of_tile + i;
    expect(op, "slot", slot, turn % SLOTS);
    expect(op, "parity", parity_waited_for, (turn / SLOTS + phases_before) % 2);
}

#define SWP_WARP() 0
#define SWP_ELECT(elected) ((elected) = 1)
#define SWP_NAMED_SYNC(id, threads) ((void)0)
#define SWP_NAMED_ARRIVE(id, threads) ((void)0)
#define SWP_MBARRIER_INIT(mbarrier, arrivals) ((void)(mbarrier))
#define SWP_MBARRIER_INIT_FENCE() ((void)0)
#define SWP_MBARRIER_ARRIVE(mbarrier) ((void)(mbarrier))
#define SWP_MBARRIER_ARRIVE_EXPECT(mbarrier, bytes) ((void)(mbarrier))
#define SWP_MBARRIER_WAIT(mbarrier, parity) ((void)(mbarrier), parity_waited_for = (parity))
#define SWP_FENCE_ASYNC() ((void)0)
#define SWP_MATRIX_FENCE() ((void)0)
#define SWP_MATRIX_COMMIT() ((void)0)
#define SWP_MATRIX_WAIT(n) ((void)0)
#define SWP_BULK_COMMIT() ((void)0)
#define SWP_BULK_WAIT(n) ((void)0)
#define SWP_BULK_WAIT_READ(n) ((void)0)

static char mbarriers[1024];
#define X_MBARRIERS(ctx) mbarriers
#define X_CLEAR(ctx, i, C) ((void)(i))
#define X_LOAD(ctx, i, A, B, m, bytes) ((void)(m), take_turn(i, A, 1, "load"))
#define X_MMA(ctx, i, C, A, B) take_turn(i, A, 0, "MMA")
#define X_STAGE(ctx, i, D, C) ((void)(i))
#define X_STORE(ctx, i, D) ((void)(i))
#include "X.h"

enum { MOST_ITERATIONS = 11 }; /* every form of the lists, and each slot more than once */

int main(void)
{
    for (int n = 0; n <= MOST_ITERATIONS; n++) {
        pass_of_tile = INT32_MAX - n;
        X_STATE producer = {INT32_MAX - n, INT32_MAX - 1};
        X_STATE consumer = producer;
        X_RUN_PRODUCER(0, 0, producer, n);
        X_DRAIN_PRODUCER(0, 0, producer);
        X_RUN_CONSUMER(0, 0, consumer, n);
        X_DRAIN_CONSUMER(0, 0, consumer);
        expect("producer", "iterations", producer.pass, INT32_MAX);
        expect("consumer", "iterations", consumer.pass, INT32_MAX);
    }
    printf("right\n");
    return 0;
}
