/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second judge of schedules: for every legal number of tiles up to a limit, happens-before on
 * the flat program. No recurrence, no states; it shares nothing with src/verify/ but the types.
 *
 * How it reads the specification where several readings are possible:
 * - the j-th COMPUTE of an accumulator in a pass (or the epilogue) is that of its j-th tile;
 * - a fragment read is judged by the COMPUTEs that read it. Where they want different tiles and one
 *   of these is there for certain, the others have the wrong tile; else the first COMPUTE counts;
 * - stale_read, overwritten and write_race are conflicts in a place that gets the wanted tile some
 *   time; where it never does, the COMPUTE has the wrong tile;
 * - entries behind a barrier that is never met are not issued.
 */
#ifndef TEST_JUDGES_UNROLLED_H
#define TEST_JUDGES_UNROLLED_H

#include "judgement.h"

/* Judges all N up to `most_tiles`. */
judgement unrolled_judge(const swp_schedule *schedule, int most_tiles);

#endif
