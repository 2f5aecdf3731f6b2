/* SPDX-License-Identifier: Apache-2.0 */
/* What a judge of schedules says: hazards, each with the least number of tiles that shows it. */
#ifndef TEST_JUDGES_JUDGEMENT_H
#define TEST_JUDGES_JUDGEMENT_H

#include "swp/verify.h"

typedef struct judged_hazard {
    swp_phase phase;
    int entry;
    swp_hazard_kind kind;
    int smallest_n;
} judged_hazard;

/* Hazards by phase, entry and kind; one for each of those. */
typedef struct judgement {
    judged_hazard *items;
    size_t count;
    size_t capacity;
} judgement;

/* Adds a hazard in its place, unless it is there from a number of tiles as small. */
void judgement_add(judgement *judged, judged_hazard hazard);

void judgement_free(judgement *judged);

#endif
