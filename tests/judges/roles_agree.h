/* SPDX-License-Identifier: Apache-2.0 */
/* What the unrolled judge says of a program with warp roles beside what a verdict says. */
#ifndef TEST_JUDGES_ROLES_AGREE_H
#define TEST_JUDGES_ROLES_AGREE_H

#include <stdio.h>

#include "roles_generator.h"
#include "roles_judgement.h"

/*
 * How many hazards only one of two judgements has, or both from other least numbers; each on a line of `out` if that is
 * not NULL.
 */
size_t role_judgements_differ(const char *first, const role_judgement *one, const char *second,
                              const role_judgement *other, FILE *out);

/*
 * How many hazards only one of them names, or both from other least numbers of iterations; each on a line of `out` if
 * that is not NULL. Hazards that only show with more than `most_n`, the judge's, do not count.
 */
size_t roles_differences(const swp_verdict *verdict, const role_judgement *judged, int most_n,
                         FILE *out);

/* Whether there are none, and the verdict is safe where it has no hazard. Else all is printed, and the program. */
bool roles_agree(const random_roles *p, const swp_verdict *verdict, const role_judgement *judged,
                 int most_n);

#endif
