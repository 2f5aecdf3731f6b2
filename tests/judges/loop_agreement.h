/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the proof of a loop says what the judge that unrolls it does. */
#ifndef TEST_JUDGES_LOOP_AGREEMENT_H
#define TEST_JUDGES_LOOP_AGREEMENT_H

#include "loop_unrolled.h"

typedef enum loop_agreement {
    LOOP_AGREES,
    LOOP_DIFFERS,   /* in whether something goes wrong, or from which N on */
    LOOP_IS_STRANGE /* a hazard is told that the judge has not, or only from a larger N on */
} loop_agreement;

/* Hazards that show only with more than `most_n` iterations, the judge's, do not count. */
loop_agreement loop_judges_agree(const judgement *judged, const swp_verdict *verdict, int most_n);

#endif
