/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C = A B modulo 2^32 by headers of a producer that copies tiles and consumers that multiply them, each its own rows. DEFINE_CASE(X)
 * makes a case of the header with the prefix X.
 */
#ifndef GEMM_H
#define GEMM_H

#include "machine.h"

enum { MOST_TILES = 23 };

typedef struct test_case {
    const char *name;
    void (*run)(int n);
    int producer_warp, producer_warps, idle_warps;
    int consumer_warp, consumer_warps, consumers;
    bool stores; /* what the sums are after each tile */
} test_case;

/* What the macros of the header are. */
void load(int i, int slot, mbarrier *m, int bytes);
void multiply(int i, int slot);
void stage(int i, int slot);
void store(int i, int slot);

/* What a consumer does behind the loop. */
void look_at_sums(int n);

/* The threads of a warp beside a role pass over all lists. */
#define DEFINE_CASE(X)                                                                             \
    static void run_##X(int n)                                                                     \
    {                                                                                              \
        const int warp = SWP_WARP();                                                               \
        X##_INIT(0);                                                                               \
        if (X##_ROLE_OF(warp) == X##_ROLE_PRODUCER) {                                              \
            X##_ENTER_PRODUCER(0);                                                                 \
            X##_RUN_PRODUCER(0, X##_INSTANCE_OF(warp), n);                                         \
        } else {                                                                                   \
            X##_ENTER_CONSUMER(0);                                                                 \
            X##_RUN_CONSUMER(0, X##_INSTANCE_OF(warp), n);                                         \
            look_at_sums(n);                                                                       \
        }                                                                                          \
    }

#define CASE(X, name, stores)                                                                      \
    {                                                                                              \
        name, run_##X, X##_FIRST_WARP_PRODUCER, X##_WARPS_PRODUCER,                                \
            X##_FIRST_WARP_CONSUMER - X##_WARPS_PRODUCER, X##_FIRST_WARP_CONSUMER,                 \
            X##_WARPS_CONSUMER, X##_INSTANCES_CONSUMER, stores                                     \
    }

extern const test_case cases[];
extern const int case_count;

#endif
