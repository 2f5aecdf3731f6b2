/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether what is accepted of a schedule with warp roles ends no judgement: behind each subset of its hazards the proof and
 * the judge that writes runs out find the same, and in whatever order hazards are accepted, until none is left, the same
 * are told in the end.
 */
#ifndef TEST_JUDGES_ROLES_ACCEPT_H
#define TEST_JUDGES_ROLES_ACCEPT_H

#include "random.h"

#include "swp/verify.h"

typedef struct roles_accept_case {
    const swp_schedule *schedule;
    int most_n; /* iterations of the runs that the judge writes out; of output tiles, of each… */
    int most_tiles;     /* …of so many */
    int all_subsets_of; /* so many hazards all subsets are taken… */
    int subsets;        /* …and of more so many random ones */
    int orders;         /* random ones */
} roles_accept_case;

/* What a test has seen. */
typedef struct roles_accept_tally {
    size_t safe;
    size_t schedules;                /* with hazards */
    size_t kinds[SWP_HAZARD_KINDS];  /* hazards */
    size_t behind[SWP_HAZARD_KINDS]; /* of these, those told only where others are accepted */
    size_t subsets;
    size_t orders;
    size_t open; /* sets behind which the proof comes to no end */
    size_t different;
} roles_accept_tally;

/* @return whether it is so. Else what differs is printed */
bool roles_accept_all(const roles_accept_case *of, test_random *random, roles_accept_tally *t);

void roles_accept_print(const roles_accept_tally *t);

#endif
