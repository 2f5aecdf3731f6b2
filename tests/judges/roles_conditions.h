/* SPDX-License-Identifier: Apache-2.0 */
/* Ops of a draft that do not always run. */
#ifndef TEST_JUDGES_ROLES_CONDITIONS_H
#define TEST_JUDGES_ROLES_CONDITIONS_H

#include "random.h"
#include "roles_draft.h"

/* Gives ops that may have one a condition, and puts new ones of that kind in front of ordinary ops that find a register. */
void draft_add_conditions(draft *d, test_random *random);

/* Whether each op with a condition finds in its own slot what it leaves there where it does not run. */
bool conditions_have_slots(const swp_loop_dataflow *dataflow);

/* The schedule without an op and its entries. */
swp_schedule roles_without_op(swp_context *ctx, const swp_schedule *schedule, int op);

#endif
