/* SPDX-License-Identifier: Apache-2.0 */
/* What the unrolled judge says of a program beside what a verdict says. */
#ifndef TEST_JUDGES_AGREE_H
#define TEST_JUDGES_AGREE_H

#include <stdio.h>

#include "judgement.h"
#include "roles_generator.h"

/*
 * How many hazards only one of two judgements has, or both from other least numbers; each on a line of `out` if that is
 * not NULL.
 */
size_t judgements_differ(const char *first, const judgement *one, const char *second,
                         const judgement *other, FILE *out);

/*
 * How many hazards only one of them names, or both from other least numbers of iterations; each on a line of `out` if
 * that is not NULL. Hazards that only show with more than `most_n`, the judge's, do not count.
 */
size_t roles_differences(const swp_verdict *verdict, const judgement *judged, int most_n,
                         FILE *out);

/* A hazard that only one of them names, or that they name with different numbers of iterations. */
typedef struct disagreement {
    bool found;
    bool verdicts; /* one calls the program safe */
    judged_hazard hazard;
    int judged_n;   /* 0: the judge does not name it */
    int verified_n; /* 0: the verifier does not */
} disagreement;

/* The first, if any. Hazards that only show with more iterations than the judge's do not count. */
disagreement judges_disagree(const judgement *judged, const swp_verdict *verdict, int most_n);

/* "stale_read kernel 5: unrolled from N = 4, verifier from N = 6" */
void disagreement_print(char *out, size_t size, const disagreement *d);

/*
 * With output tiles: what the proof calls safe is so for the judge, and the hazards that it tells of a sequence that is written out, of up to
 * `most_tiles` tiles of up to `longest` iterations, are those that the judge finds there.
 */
bool roles_tiles_are_found(const swp_verdict *verdict, const judgement *judged, int most_tiles,
                           int longest);

/* The judge has no others, too. Where the proof has followed all cuts, that is so. */
bool roles_tiles_agree(const swp_verdict *verdict, const judgement *judged, int most_tiles,
                       int longest);

/* Whether there are none, and the verdict is safe where it has no hazard. Else all is printed, and the program. */
bool roles_agree(const random_roles *p, const swp_verdict *verdict, const judgement *judged,
                 int most_n);

#endif
