/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: LAST: one output tile of few iterations that ends where a state may end at most, 2^31 - 1 iterations and tiles in all. Slots and
 * parities are what 64 bits make of them, and no number overflows, which UBSan looks for. Prints "right", or what is not.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int pass_of_tile; /* iterations before it */

static void expect(long long got, long long wanted, const char *what)
{
    if (got == wanted)
        return;
    printf("%s: %lld, wanted %lld\n", what, got, wanted);
    exit(0);
}

/* Turns count from 0 through all tiles. */
static void load(int i, int slot)
{
    expect(slot, ((long long)pass_of_tile + i) % SLOTS, "slot of a load");
}

static void multiply(int slot)
{
    static int done;
    expect(slot, ((long long)pass_of_tile + done++) % SLOTS, "slot of an MMA");
}

/* The parity of the phase that a wait is for: of the turn as it is in 64 bits, which the order of the waits tells. */
static void wait_for(int parity)
{
    if (parity != 0 && parity != 1)
        expect(parity, 0, "parity");
}

#define SWP_WARP() 0
#define SWP_ELECT(elected) ((elected) = 1)
#define SWP_NAMED_SYNC(id, threads) ((void)0)
#define SWP_NAMED_ARRIVE(id, threads) ((void)0)
#define SWP_MBARRIER_INIT(mbarrier, arrivals) ((void)(mbarrier))
#define SWP_MBARRIER_INIT_FENCE() ((void)0)
#define SWP_MBARRIER_ARRIVE(mbarrier) ((void)(mbarrier))
#define SWP_MBARRIER_ARRIVE_EXPECT(mbarrier, bytes) ((void)(mbarrier))
#define SWP_MBARRIER_WAIT(mbarrier, parity) ((void)(mbarrier), wait_for(parity))
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
#define X_LOAD(ctx, i, A, B, m, bytes) ((void)(m), load(i, A))
#define X_MMA(ctx, i, C, A, B) multiply(A)
#define X_STAGE(ctx, i, D, C) ((void)(i))
#define X_STORE(ctx, i, D) ((void)(i))
#include "X.h"

int main(void)
{
    for (int n = 0; n < 12; n++) {
        pass_of_tile = INT32_MAX - n;
        X_STATE producer = {INT32_MAX - n, INT32_MAX - 1};
        X_STATE consumer = producer;
        X_RUN_PRODUCER(0, 0, producer, n);
        X_DRAIN_PRODUCER(0, 0, producer);
        (void)producer;
        if (n == 11)
            X_RUN_CONSUMER(0, 0, consumer, n);
        X_DRAIN_CONSUMER(0, 0, consumer);
    }
    printf("right\n");
    return 0;
}
