/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which wait retires each op that is tracked by groups, as wgmmas and bulk stores are: a list commits groups in
 * order, and waits retire them so, or in any order.
 */
#include "happens_before/run.h"

typedef struct retirer {
    const swp_happens_program *program;
    swp_happens_step *steps;
    swp_sync_object of;
    swp_happens_retirer *at;
} retirer;

static bool is_commit(const retirer *r, int s)
{
    const swp_sync_operation *operation = swp_happens_operation(&r->steps[s]);
    return operation->commits && operation->object == r->of;
}

/* Whether the step ends a group. */
static bool ends_group(const retirer *r, int s)
{
    if (!is_commit(r, s) || swp_happens_holds(r->program, SWP_HAPPENS_EMPTY_GROUP))
        return is_commit(r, s);
    for (s--; s >= 0 && !is_commit(r, s); s--)
        if (swp_happens_tracker(&r->steps[s]) == r->of)
            return true;
    return false;
}

static void retire_step(retirer *r, int wait)
{
    swp_happens_step *step = &r->steps[r->at->next];
    if (swp_happens_tracker(step) == r->of) {
        step->retired_by = wait;
        r->at->newest = r->at->next;
    }
    r->at->group += ends_group(r, r->at->next);
    r->at->next++;
}

/* Groups that are known to be retired: of those that retire in any order none are, unless all are. */
static int groups_retired(const retirer *r, int wait)
{
    const int left =
        swp_happens_holds(r->program, SWP_HAPPENS_NEWEST) ? r->steps[wait].op->wait_value : 0;
    if (left > 0 && swp_ir_sync_object_row(r->of)->any_order)
        return 0;
    return r->at->commits - left;
}

static void retire(retirer *r, int wait)
{
    const int retired = groups_retired(r, wait);
    while (r->at->group < retired && r->at->next < wait)
        retire_step(r, wait);
    if (retired == r->at->commits && !swp_happens_holds(r->program, SWP_HAPPENS_UNCOMMITTED))
        while (r->at->next < wait)
            retire_step(r, wait);
    r->steps[wait].retires = r->at->newest;
    r->steps[wait].is_for_all = swp_ir_sync_object_row(r->of)->collective;
}

void swp_happens_lay_group(swp_happens_run *run, int instance, int step)
{
    const swp_sync_operation *operation = swp_happens_operation(&run->steps[instance][step]);
    retirer r = {.program = run->program,
                 .steps = run->steps[instance],
                 .of = operation->object,
                 .at = &run->retirers[instance * SWP_HAPPENS_RETIRERS + (int)operation->object]};
    if (swp_ir_sync_completes(operation) != SWP_COMPLETES_BY_GROUP)
        return;
    r.at->commits += ends_group(&r, step);
    if (operation->waits)
        retire(&r, step);
}
