/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second judge of schedules: for every legal number of tiles up to a limit, happens-before on
 * the flat program. No recurrence, no states; it shares nothing with src/verify/ but the types.
 *
 * docs/verification.md says how it reads the specification where several readings are possible: what
 * is one fault, which tile a fragment must hold, and how far a run that stops is judged.
 */
#ifndef TEST_JUDGES_UNROLLED_H
#define TEST_JUDGES_UNROLLED_H

#include "judgement.h"

/* Judges all N up to `most_tiles`. */
judgement unrolled_judge(const swp_schedule *schedule, int most_tiles);

#endif
