/* SPDX-License-Identifier: Apache-2.0 */
/* What a judge of schedules with warp roles says: hazards, each with the least number of iterations that shows it. */
#ifndef TEST_JUDGES_ROLES_JUDGEMENT_H
#define TEST_JUDGES_ROLES_JUDGEMENT_H

#include "swp/verify.h"

enum { ROLE_MOST_TILES = 3 };

/* What a run is of: iterations, and with output tiles those of each. */
typedef struct role_sequence {
    int n; /* in all */
    int count;
    int tiles[ROLE_MOST_TILES];
} role_sequence;

typedef struct role_hazard {
    swp_hazard_kind kind;
    int stream;
    swp_phase phase;
    int entry;
    int smallest_n;
    role_sequence smallest; /* that, of a schedule with output tiles */
} role_hazard;

/* Hazards by stream, phase, entry and kind; one for each of those. */
typedef struct role_judgement {
    role_hazard *items;
    size_t count;
    size_t capacity;
} role_judgement;

/* Fewer tiles, then fewer iterations, then the first in lexical order. */
int role_sequence_compare(const role_sequence *a, const role_sequence *b);

/* Hazards that somebody takes. */
typedef struct role_accepted {
    const swp_acceptance *items;
    size_t count;
} role_accepted;

/* @param role  the name of the hazard's */
bool role_is_accepted(const role_accepted *accepted, const role_hazard *hazard, const char *role);

/* Adds a hazard in its place, unless it is there from a number of iterations as small. */
void role_judgement_add(role_judgement *judged, role_hazard hazard);

/* The hazard of that kind and place; NULL: it is not there. */
const role_hazard *role_judgement_find(const role_judgement *judged, const role_hazard *like);

/* How early a kind is decided: by its place in the table of docs/roles-reference.md. */
int role_kind_rank(swp_hazard_kind kind);

/* The kind that is found first: of the least number of iterations, the earliest in the table. The judgement has one. */
swp_hazard_kind role_judgement_first(const role_judgement *judged);

/* "stale_read stream 1 kernel 5 from N = 4" */
void role_hazard_print(char *out, size_t size, const role_hazard *hazard);

void role_judgement_free(role_judgement *judged);

#endif
