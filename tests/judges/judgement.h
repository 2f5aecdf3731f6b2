/* SPDX-License-Identifier: Apache-2.0 */
/* What a judge of schedules says: hazards, each with the least number of iterations that shows it. */
#ifndef TEST_JUDGES_JUDGEMENT_H
#define TEST_JUDGES_JUDGEMENT_H

#include "swp/verify.h"

enum { ROLE_MOST_TILES = 3 };

/* What a run is of: iterations, and with output tiles those of each. */
typedef struct role_sequence {
    int n; /* in all */
    int count;
    int tiles[ROLE_MOST_TILES];
} role_sequence;

typedef struct judged_hazard {
    swp_hazard_kind kind;
    int stream; /* 0 without warp roles */
    swp_phase phase;
    int entry;
    int smallest_n;
    role_sequence smallest; /* that, of a schedule with output tiles */
} judged_hazard;

/* Hazards by stream, phase, entry and kind; one for each of those. */
typedef struct judgement {
    judged_hazard *items;
    size_t count;
    size_t capacity;
} judgement;

/* Fewer tiles, then fewer iterations, then the first in lexical order. */
int role_sequence_compare(const role_sequence *a, const role_sequence *b);

/* Hazards that somebody takes. */
typedef struct role_accepted {
    const swp_acceptance *items;
    size_t count;
} role_accepted;

/* @param role  the name of the hazard's */
bool role_is_accepted(const role_accepted *accepted, const judged_hazard *hazard, const char *role);

/* Adds a hazard in its place, unless it is there from a number of iterations as small. */
void judgement_add(judgement *judged, judged_hazard hazard);

/* By stream, phase, entry and kind. */
int judged_hazard_compare(const judged_hazard *a, const judged_hazard *b);

/* What a proof tells, as a judge would. Of output tiles the first ones count. */
judged_hazard judged_hazard_of(const swp_hazard *hazard);

/* The hazard of that kind and place; NULL: it is not there. */
const judged_hazard *judgement_find(const judgement *judged, const judged_hazard *like);

/* How early a kind is decided: by its place in the table of docs/roles-reference.md. */
int role_kind_rank(swp_hazard_kind kind);

/* The kind that is found first: of the least number of iterations, the earliest in the table. The judgement has one. */
swp_hazard_kind judgement_first(const judgement *judged);

/* "stale_read stream 1 kernel 5 from N = 4" */
void judged_hazard_print(char *out, size_t size, const judged_hazard *hazard);

void judgement_free(judgement *judged);

#endif
