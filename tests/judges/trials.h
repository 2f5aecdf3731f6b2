/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of derived synchronisation ask of an order and of what is derived for it. */
#ifndef TEST_JUDGES_TRIALS_H
#define TEST_JUDGES_TRIALS_H

#include "orders.h"
#include "swp/sync.h"

/* By swp_verify(), and by the unrolled judge. */
bool trial_is_safe(const swp_schedule *schedule);
bool trial_is_safe_unrolled(const swp_schedule *schedule);

bool trial_is_wait(const swp_op *op);

/* In the steady state; negative where the cycle model comes to none. */
double trial_cycles_a_pass(const swp_schedule *schedule);

/* Fractions of few passes differ by more. */
extern const double trial_hair;

typedef struct trial_cost {
    double cycles; /* a pass */
    int barriers;
} trial_cost;

trial_cost trial_cost_of(const swp_schedule *schedule);

/* Fewer cycles, or as many with fewer barriers. */
bool trial_is_less(trial_cost a, trial_cost b);

/* Barriers in each gap of an order. */
typedef struct placement {
    const small_order *order;
    int gaps[ORDER_MOST_OPS];
    size_t tried;
} placement;

/* With the strongest waits. */
bool placement_is_safe(placement *p);

typedef struct derivation {
    swp_context *ctx;
    program order;
    swp_schedule schedule; /* the context's */
    swp_sync_result result;
    swp_status status;
} derivation;

/* Where the kernel phase had so many barriers. */
derivation derive(const small_order *order, swp_sync_goal goal, int barriers);
void derivation_free(derivation *d);

/* What it claims. */
trial_cost derivation_cost(const derivation *d);
trial_cost derivation_bound(const derivation *d);

/* Prints a case that failed. */
void derivation_show(const char *what, uint64_t seed, size_t index, const derivation *d);

typedef struct trial_tally {
    size_t bodies;
    size_t refused;
    size_t placements;
    size_t proofs;
    size_t optimal;
    size_t unfinished;
    size_t by_ops[ORDER_MOST_OPS + 1];
    size_t lagging;
    size_t raw;
} trial_tally;

void trial_count(trial_tally *t, const small_order *order);

/* A claim about every order of some size, where the kernel phase had some number of barriers. */
typedef struct trial {
    int least_ops;
    int most_ops;
    int most_barriers;
    bool (*holds)(trial_tally *t, const small_order *order, int barriers, uint64_t seed,
                  size_t index);
} trial;

/* Asserts it of random orders until `bodies` have counted, prints the tally; replays as random.h says. */
void trial_run(const trial *claim, uint64_t seed, size_t bodies);

#endif
