/* SPDX-License-Identifier: Apache-2.0 */
/* A loop without warp roles, written as one role whose threads are its waves. */
#ifndef TEST_JUDGES_FLAT_ROLE_H
#define TEST_JUDGES_FLAT_ROLE_H

#include "swp/compile.h"
#include "swp/loop.h"

/* Whether one role says all that the schedule does: a lag has two. */
bool flat_role_fits(const swp_schedule *flat);

/*
 * The schedule as one role, in the memory of the context: entries keep their numbers. An op that updates a shared value reads
 * the shares of all there, and writes its own.
 */
swp_schedule flat_role(swp_context *ctx, const swp_schedule *flat);

#endif
