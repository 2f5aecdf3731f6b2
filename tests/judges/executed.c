/* SPDX-License-Identifier: Apache-2.0 */
#include "executed.h"

#include "execute.h"
#include "fixture.h"

enum { MOST_TILES = 12 };

void expect_shown(const swp_schedule *schedule, const swp_hazard_list *hazards, const char *what)
{
    for (size_t i = 0; i < hazards->count; i++) {
        const swp_hazard *hazard = &hazards->items[i];
        if (execute_hazard(schedule, hazard) == NOT_SHOWN)
            fail_msg("%s: %s at %s entry %d is not shown at N = %d", what,
                     swp_hazard_name(hazard->kind), swp_phase_name(hazard->at.phase),
                     hazard->at.entry, hazard->smallest_n);
    }
}

void expect_right(const swp_schedule *schedule, int runs, const char *what)
{
    const int wrong = execute_adversarially(schedule, runs, schedule->loop.min_tiles, MOST_TILES);
    if (wrong > 0)
        fail_msg("%s is called safe, but goes wrong in %d of %d runs", what, wrong, runs);
}
