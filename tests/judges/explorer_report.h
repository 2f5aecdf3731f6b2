/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what executions showed to the hazards of docs/verification.md, "Hazards".
 *
 * The first COMPUTE of a fragment whose tile the fragment load saw in some execution, or that a
 * later step brings to the place, says what the load is there for; the others, and all if there is
 * none such, have the wrong tile. What is wrong with the load follows from what it saw, share by
 * share:
 * - never its tile, which comes later: stale_read, at the load;
 * - something older, or nothing: stale_read too, but write_race at the step that brings the tile if
 *   that had always taken effect;
 * - another tile that a later step brings: overwritten, at that step, if the load can come before
 *   it, or if the share never holds the tile any more, as others do; if the step had always taken
 *   effect, and the load saw its tile nevertheless, write_race.
 *
 * A fault is reported once, where it first shows: at the COMPUTE, or at the step that it is reported
 * at if that comes later; of one place the first kind in the table's order. A load that something
 * was reported of counts as right from then on, and a step as having brought its tile in time. So
 * does a load whose tile comes later from a step that this was reported of.
 *
 * Two loads into the staging register without a store between them are no race to report: the tile
 * of the first is lost in any order, which its COMPUTE shows.
 */
#ifndef TEST_JUDGES_EXPLORER_REPORT_H
#define TEST_JUDGES_EXPLORER_REPORT_H

#include "explorer_steps.h"
#include "judgement.h"

typedef struct reporter {
    const step_list *list;
    judgement *judged;
} reporter;

/* Whether anything is wrong for this number of tiles, whatever it is called. */
bool is_anything_wrong(const step_list *list, const swp_schedule *schedule);

/*
 * Adds the hazards of one number of tiles; those that smaller numbers had are there already. A run
 * in which a wave waits for ever is judged as far as the barrier that it waits at.
 */
void report_hazards(step_list *list, const swp_schedule *schedule, judgement *judged);

void report_at(const reporter *r, int at, swp_hazard_kind kind);

/* Reports stale_read, overwritten, write_race and wrong_tile. */
void report_reads(const reporter *r);

#endif
