/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop asks of its times, derived from its dataflow by docs/certificates.md alone. */
#ifndef SWP_CERTIFY_LOOP_EDGES_H
#define SWP_CERTIFY_LOOP_EDGES_H

#include "base/context.h"
#include "swp/loop.h"

/* The least and the most slots of each value. */
swp_status swp_certify_slot_range(swp_context *ctx, const swp_loop *loop, int **least, int **most);

/*
 * The modulo problem of a loop with so many slots (0: without bound), each at least the least, and stages
 * (0: any).
 */
swp_status swp_certify_problem_of_loop(swp_context *ctx, const swp_loop *loop, const int *slots,
                                       int stages, swp_problem *out);

#endif
