/* SPDX-License-Identifier: Apache-2.0 */
/* Derives what a loop asks of its times from its dataflow, by docs/certificates.md alone. */
#ifndef SWP_CERTIFY_LOOP_EDGES_H
#define SWP_CERTIFY_LOOP_EDGES_H

#include "base/context.h"
#include "swp/loop.h"

/* Finds the least and the most slots of each value. */
swp_status swp_certify_slot_range(swp_context *ctx, const swp_loop *loop, int **least, int **most);

/* Returns the value that a value has as many slots as, since one op writes both and states their slots; else itself. */
int swp_certify_slots_with(const swp_loop *loop, int value);

/*
 * Makes the modulo problem of a loop with so many slots (0: any number), each at least the least,
 * and so many stages (0: any).
 */
swp_status swp_certify_problem_of_loop(swp_context *ctx, const swp_loop *loop, const int *slots,
                                       int stages, swp_problem *out);

#endif
