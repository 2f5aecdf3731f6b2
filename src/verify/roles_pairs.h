/* SPDX-License-Identifier: Apache-2.0 */
/* Asks of each pair of threads that touch one share of a version of a shared value whether the one is over, or fenced, before the other. */
#ifndef SWP_VERIFY_ROLES_PAIRS_H
#define SWP_VERIFY_ROLES_PAIRS_H

#include "verify/roles.h"

/* A step that touches a version of a shared value, and one of the threads that execute it. */
typedef struct swp_role_access {
    swp_happens_at at;
    const swp_happens_step *step;
    int which;
} swp_role_access;

/* What is asked of two accesses: `a` has to be over before `b`. */
typedef struct swp_role_question {
    swp_role_judge *judge;
    swp_hazard_kind kind;
    int value;
    int64_t version;
    swp_happens_at teller; /* where it is told */
    int rank;              /* in whose shared memory */
} swp_role_question;

typedef bool swp_role_is_right(const swp_role_question *q, const swp_role_access *a,
                               const swp_role_access *b);

bool swp_verify_role_is_over(const swp_role_question *q, const swp_role_access *a,
                             const swp_role_access *b);
/* Whether an instance has no other wave, whose share it would read. */
bool swp_verify_role_is_one_wave(const swp_happens_program *program);

/* Whether a fence of the thread stands between. The first one behind the instruction tells for all. */
bool swp_verify_role_is_fenced(const swp_role_question *q, const swp_role_access *a,
                               const swp_role_access *b);

/* Asks of all steps that do an op, which touches a share that one step does, for an iteration: they have to be over before it. */
swp_status swp_verify_role_ask_all(const swp_role_question *q, swp_role_is_right *right,
                                   swp_happens_at one, int op, int64_t iteration);

#endif
