/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The judge of schedules of general loops: happens-before on the flat program of each number of
 * iterations, from docs/loops-proof.md ("What an entry does") and docs/verification.md alone. It shares
 * nothing with src/verify/ and src/run/ but the types.
 *
 * It tells everything that may go wrong. A judge that tells a fault once names a part of that.
 */
#ifndef TEST_JUDGES_LOOP_UNROLLED_H
#define TEST_JUDGES_LOOP_UNROLLED_H

#include "judgement.h"

/* Judges a form (swp_schedule_form()) with up to `passes` passes of the kernel. */
judgement loop_judge(const swp_schedule *form, int passes);

/* The least number of iterations that goes wrong; -1: none does. */
int loop_least_wrong(const judgement *judged);

#endif
