/* SPDX-License-Identifier: Apache-2.0 */
/* Refutation steps with choices of one's own, and certificates of them. */
#ifndef TEST_SUPPORT_REFUTATIONS_H
#define TEST_SUPPORT_REFUTATIONS_H

#include "certify/encode.h"
#include "random.h"

/* How a step groups uses that the formula need not tell apart. */
typedef enum refutation_groups {
    GROUPS_EXACT, /* each use alone: the formula says all */
    GROUPS_RANDOM /* it may say less */
} refutation_groups;

/* A step that refutes `value`, with all components, and the rest at random within the rules. */
swp_certificate_step random_refutation(swp_context *ctx, test_random *random,
                                       const swp_problem *problem, int64_t value,
                                       refutation_groups groups);

/* A step that refutes that the ops of this one's component can be scheduled at all. */
swp_certificate_step component_refutation(swp_context *ctx, const swp_problem *problem, int op);

/* The formula of a step; the judgement's `why` is set where the step is refused. */
swp_status formula_of_step(swp_context *ctx, swp_judgement *judgement, const swp_problem *problem,
                           const swp_certificate_step *step, swp_certify_formula *formula);

/*
 * The text of a certificate whose steps refute `first` to value - 1, with proofs by `cadical`; for
 * the caller to free. NULL if one has a model, or needs no formula.
 */
char *certificate_of(swp_context *ctx, test_random *random, const swp_problem *problem,
                     int64_t first, int64_t value);

#endif
