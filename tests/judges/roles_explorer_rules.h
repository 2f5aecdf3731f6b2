/* SPDX-License-Identifier: Apache-2.0 */
/* What must never happen, in two forms: what has to come before a step, and what lists alone show. */
#ifndef TEST_JUDGES_ROLES_EXPLORER_RULES_H
#define TEST_JUDGES_ROLES_EXPLORER_RULES_H

#include "roles_explorer.h"
#include "roles_explorer_run.h"

/* Gives the steps of a run their rules. */
void rx_state_rules(rx_run *run);

/* Adds the hazards that no order has to do with. */
void rx_judge_lists(const rx_run *run, roles_exploration *out);

/* Adds a hazard in its place, once. */
void rx_add_hazard(roles_exploration *out, roles_hazard hazard);

/* Leaves the first kind, and from `stale_read` on all. */
void rx_keep_first_kind(roles_exploration *out);

#endif
