/* SPDX-License-Identifier: Apache-2.0 */
/* The hazards of a mutant beside those of its base, which may have some itself. */
#ifndef TEST_JUDGES_WORSE_H
#define TEST_JUDGES_WORSE_H

#include "mutants.h"
#include "swp/verify.h"
#include "unrolled.h"

enum { MOST_HAZARDS = 512 };

/* At entries of the base, without those that first show beyond the judge's last N. */
typedef struct hazard_set {
    judged_hazard items[MOST_HAZARDS];
    int count;
} hazard_set;

/* Of the base itself where `m` is NULL. */
hazard_set hazards_of_verdict(const swp_verdict *verdict, const mutant *m, const swp_schedule *base,
                              int most_tiles);
hazard_set hazards_of_judgement(const judgement *judged, const mutant *m, const swp_schedule *base);

/* Whether the mutant has a hazard that its base has not, or has from a larger N only. */
bool is_worse(const hazard_set *mutated, const hazard_set *base);

/* Whether both judges name the same hazards, each from the same N. */
bool same_hazards(const hazard_set *a, const hazard_set *b);

#endif
