/* SPDX-License-Identifier: Apache-2.0 */
/* What the unrolled judge says of a program beside what the verifier says. */
#ifndef TEST_JUDGES_AGREE_H
#define TEST_JUDGES_AGREE_H

#include "unrolled.h"

/* A hazard that only one of them names, or that they name with different numbers of tiles. */
typedef struct disagreement {
    bool found;
    bool verdicts; /* one calls the program safe */
    judged_hazard hazard;
    int judged_n;   /* 0: the judge does not name it */
    int verified_n; /* 0: the verifier does not */
} disagreement;

/* The first, if any. Hazards that only show with more tiles than the judge's do not count. */
disagreement judges_disagree(const judgement *judged, const swp_verdict *verdict, int most_tiles);

/* "stale_read kernel 5: unrolled from N = 4, verifier from N = 6" */
void disagreement_print(char *out, size_t size, const disagreement *d);

#endif
