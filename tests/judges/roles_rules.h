/* SPDX-License-Identifier: Apache-2.0 */
/* The table of docs/roles-reference.md, "What must never happen": a rule is a function that tells all of its kind in a run. */
#ifndef TEST_JUDGES_ROLES_RULES_H
#define TEST_JUDGES_ROLES_RULES_H

#include "judgement.h"
#include "roles_run.h"

/* An entry of a list. */
typedef struct role_place {
    int stream;
    swp_phase phase;
    int entry;
} role_place;

void role_tell_at(const role_run *run, judgement *out, swp_hazard_kind kind, role_place at);

/* What a rule tells of an act. */
void role_tell(const role_run *run, judgement *out, swp_hazard_kind kind, const role_act *act);

/* Of synchronisation. */
void role_rule_counts(const role_run *run, judgement *out);
void role_rule_early_arrivals(const role_run *run, judgement *out);
void role_rule_named_barrier(const role_run *run, judgement *out);
void role_rule_phase_alias(const role_run *run, judgement *out);
void role_rule_unobserved_phase(const role_run *run, judgement *out);
void role_rule_deadlock(const role_run *run, judgement *out);
void role_rule_lost_peer(const role_run *run, judgement *out);

/* Of places in shared memory. What a stuck run does not come to is not asked. */
void role_rule_unfenced_place(const role_run *run, judgement *out);
void role_rule_stale_read(const role_run *run, judgement *out);
void role_rule_overwritten(const role_run *run, judgement *out);
void role_rule_write_race(const role_run *run, judgement *out);
void role_rule_wrong_place(const role_run *run, judgement *out);

/* Of registers. */
void role_rule_unfenced_register(const role_run *run, judgement *out);
void role_rule_accumulator_in_flight(const role_run *run, judgement *out);
void role_rule_wrong_register(const role_run *run, judgement *out);

/* Of the work. */
void role_rule_missing_work(const role_run *run, judgement *out);
void role_rule_double_work(const role_run *run, judgement *out);
void role_rule_out_of_range(const role_run *run, judgement *out);

#endif
