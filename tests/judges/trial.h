/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the unrolled judge share: the flat programs of one number of tiles. */
#ifndef TEST_JUDGES_TRIAL_H
#define TEST_JUDGES_TRIAL_H

#include "flat.h"
#include "unrolled.h"

enum { MOST_SLICES = 64 }; /* registers of a single buffer */

/* All waves of a group run the same. */
typedef struct trial {
    const swp_schedule *schedule;
    int tiles;
    int groups;
    wave waves[2];   /* of each group, complete */
    int issued[2];   /* how many of its steps are looked at: the same lines in each group */
    int *at_line[2]; /* the step of each of these lines */
    judgement *out;
} trial;

void trial_report(const trial *t, swp_hazard_kind kind, swp_phase phase, int entry);

/* X, in a wave, comes before Y of the same wave; LDS operations take effect in issue order. */
bool before_in_wave(const wave *w, int x, int y);

/* X comes before Y of another wave. */
bool before_across(const step *x, const step *y);

/* Reports stale_read, overwritten, write_race and wrong_tile. */
void judge_fragments(const trial *t);

#endif
