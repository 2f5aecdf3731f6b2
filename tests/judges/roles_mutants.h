/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every schedule with warp roles that is one small edit away from another: of each entry of each list, and of each number of
 * slots and arrivals.
 */
#ifndef TEST_JUDGES_ROLES_MUTANTS_H
#define TEST_JUDGES_ROLES_MUTANTS_H

#include "swp/compile.h"

/* X(kind, name). Those up to ROLE_LAST_WEAKENED remove or weaken synchronisation. */
#define ROLE_MUTANT_KINDS_TABLE(X)                                                                 \
    X(ROLE_NO_WAIT, "a wait for a phase removed")                                                  \
    X(ROLE_LATE_WAIT, "a wait behind its first consumer")                                          \
    X(ROLE_NO_ARRIVAL, "an arrival removed")                                                       \
    X(ROLE_EARLY_ARRIVAL, "an arrival one op earlier")                                             \
    X(ROLE_ARRIVALS, "expected arrivals +- 1")                                                     \
    X(ROLE_EXPECTED_BYTES, "other expected bytes")                                                 \
    X(ROLE_NO_COMMIT, "a commit removed")                                                          \
    X(ROLE_NO_GROUP_WAIT, "a wait for groups removed")                                             \
    X(ROLE_GROUPS_LEFT, "a wait for groups, n + 1")                                                \
    X(ROLE_NO_FENCE, "a fence removed")                                                            \
    X(ROLE_SWAP, "two neighbours swapped")                                                         \
    X(ROLE_TWICE, "an entry twice")                                                                \
    X(ROLE_TURN, "another turn or iteration")                                                      \
    X(ROLE_FEWER_GROUPS_LEFT, "a wait for groups, n - 1")                                          \
    X(ROLE_COPIED_BYTES, "other copied bytes")                                                     \
    X(ROLE_THREADS, "other threads")                                                               \
    X(ROLE_INSTANCES, "by one instance")                                                           \
    X(ROLE_OBJECT, "another object of its kind")                                                   \
    X(ROLE_OBJECT_SLOTS, "slots of an object +- 1")                                                \
    X(ROLE_VALUE_SLOTS, "slots of a value +- 1")

#define ROLE_MUTANT_ENUMERATOR(kind, name) kind,
typedef enum role_mutant_kind {
    ROLE_MUTANT_KINDS_TABLE(ROLE_MUTANT_ENUMERATOR) ROLE_MUTANT_KINDS,
    ROLE_NO_ENTRY = ROLE_MUTANT_KINDS, /* of role_mutants_visit_removals() */
    ROLE_LAST_WEAKENED = ROLE_NO_FENCE
} role_mutant_kind;
#undef ROLE_MUTANT_ENUMERATOR

const char *role_mutant_kind_name(role_mutant_kind kind);

typedef struct role_mutant {
    role_mutant_kind kind;
    char what[160]; /* the list, the entry and what became of it */
    const swp_schedule *schedule;
} role_mutant;

/* Visits each mutant, in a fixed order. The base is edited in place, and is as it was in the end. */
void role_mutants_visit(swp_schedule *base, void (*visit)(const role_mutant *m, void *user),
                        void *user);

/* Visits the schedule without each of its entries, be it an op or synchronisation. */
void role_mutants_visit_removals(swp_schedule *base,
                                 void (*visit)(const role_mutant *m, void *user), void *user);

#endif
