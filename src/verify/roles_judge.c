/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a run by all rules about warp roles, in their order. */
#include "verify/roles.h"

#include <limits.h>

typedef struct rule {
    swp_hazard_kind kind;
    swp_status (*judge)(swp_role_judge *judge);
} rule;

static const rule rules[] = {
#define ROW(name, kind, judge) {kind, judge},
    SWP_ROLE_RULES(ROW)
#undef ROW
};

int swp_verify_role_place_of(swp_hazard_kind kind)
{
    int place = 0;
    while (rules[place].kind != kind && rules[place].kind != SWP_HAZARD_KINDS)
        place++;
    return place;
}

static bool is_issued(const swp_happens_run *run, int instance, int step)
{
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++)
        if (!swp_happens_issued(run, swp_happens_thread_of(instance, which), step))
            return false;
    return true;
}

/* Ops that all threads of an instance issue, up to so many, and the step behind them. */
static int count_works(const swp_happens_run *run, int instance, int most, int *end)
{
    int count = 0;
    for (*end = 0; *end < run->lengths[instance] && is_issued(run, instance, *end); ++*end) {
        if (run->steps[instance][*end].work && count == most)
            break;
        count += run->steps[instance][*end].work != NULL;
    }
    return count;
}

/* Without warp roles all instances have the same ops. Behind those that all of them come to nothing is asked. */
swp_status swp_verify_role_find_ends(swp_role_judge *judge)
{
    const swp_happens_run *run = judge->run;
    int *ends = NULL;
    int works = INT_MAX;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->program->count, &ends));
    for (int i = 0; i < run->program->count; i++)
        works = count_works(run, i, works, &ends[i]);
    for (int i = 0; i < run->program->count; i++)
        (void)count_works(run, i, works, &ends[i]);
    judge->ends = ends;
    return SWP_OK;
}

/* Without warp roles what follows from a hazard is told, too. */
static bool ends_with_first_kind(const swp_role_judge *judge)
{
    return !judge->run->program->is_flat && swp_verify_role_holds(judge, SWP_HAPPENS_FIRST_KIND);
}

swp_status swp_verify_role_judge_run(swp_role_judge *judge, int *rank)
{
    *rank = 0;
    if (judge->run->program->is_flat && judge->run->stuck)
        SWP_TRY(swp_verify_role_find_ends(judge));
    for (int i = 0; i < SWP_ROLE_RULE_COUNT; i++) {
        const bool ends = judge->found || judge->is_cut_short;
        if (i > 0 && ends && rules[i].kind != rules[i - 1].kind && ends_with_first_kind(judge))
            break;
        judge->rule = (swp_role_rule)i;
        SWP_TRY(rules[i].judge(judge));
        judge->found |= judge->progress && judge->progress->judged[i].found;
        if (judge->found || judge->is_cut_short)
            *rank = swp_verify_role_place_of(rules[i].kind) + 1;
    }
    return SWP_OK;
}
