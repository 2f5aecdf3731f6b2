/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The judge of schedules with warp roles: every run up to some number of iterations written out, its moments ordered,
 * and the table of docs/roles-reference.md asked of it rule by rule. It is written from that page alone.
 */
#ifndef TEST_JUDGES_ROLES_UNROLLED_H
#define TEST_JUDGES_ROLES_UNROLLED_H

#include "judgement.h"

/* Judges runs up to `most_n` of a schedule that swp_schedule_check_loop() takes; judgement_free() frees `out`. */
void roles_unrolled_judge(const swp_schedule *schedule, int most_n, judgement *out);

/* The same of a schedule with output tiles: all sequences of up to so many tiles, of up to `most_n` iterations each. */
void roles_unrolled_judge_tiles(const swp_schedule *schedule, int most_n, int most_tiles,
                                judgement *out);

/* The same two, where the judgement of a run goes on behind what is accepted. */
void roles_unrolled_judge_behind(const swp_schedule *schedule, int most_n,
                                 const role_accepted *accepted, judgement *out);
void roles_unrolled_judge_tiles_behind(const swp_schedule *schedule, int most_n, int most_tiles,
                                       const role_accepted *accepted, judgement *out);

/* How many iterations are enough to look at: 12, or three turns of the most slots after the prologue. */
int roles_most_n(const swp_schedule *schedule);

#endif
