/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels around headers, each a case of the prefix X: of a producer and consumers with the roles PRODUCER and CONSUMER, or of one
 * role, ALL, which a loop without roles has.
 */
#ifndef CASES_H
#define CASES_H

#include "machine.h"

enum { MOST_TILES = 23, MOST_TEAMS = 4 };

typedef struct test_case {
    const char *name;
    void (*run)(int n);
    int producer_warp, producer_warps, idle_warps; /* 0 warps: there is one role */
    int consumer_warp, consumer_warps, consumers;
    void (*clear)(void);                /* before a run */
    bool (*is_right)(int teams, int n); /* after it; NULL: nothing more is asked */
} test_case;

/* The threads of a warp beside a role pass over all lists. */
#define DEFINE_CASE(X, look)                                                                       \
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
            look(n);                                                                               \
        }                                                                                          \
    }

#define CASE(X, name, clear, is_right)                                                             \
    {                                                                                              \
        name, run_##X, X##_FIRST_WARP_PRODUCER, X##_WARPS_PRODUCER,                                \
            X##_FIRST_WARP_CONSUMER - X##_WARPS_PRODUCER, X##_FIRST_WARP_CONSUMER,                 \
            X##_WARPS_CONSUMER, X##_INSTANCES_CONSUMER, clear, is_right                            \
    }

#define DEFINE_CASE_OF_ALL(X, look)                                                                \
    static void run_##X(int n)                                                                     \
    {                                                                                              \
        X##_INIT(0);                                                                               \
        X##_ENTER_ALL(0);                                                                          \
        X##_RUN_ALL(0, X##_INSTANCE_OF(SWP_WARP()), n);                                            \
        look(n);                                                                                   \
    }

#define CASE_OF_ALL(X, name, clear, is_right)                                                      \
    {                                                                                              \
        name, run_##X, 0, 0, 0, X##_FIRST_WARP_ALL, X##_WARPS_ALL, X##_INSTANCES_ALL, clear,       \
            is_right                                                                               \
    }

extern const test_case cases[];
extern const int case_count;

#endif
