/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which wait retires each wgmma and each bulk store, by the groups of an instance's list. */
#include "happens_before/run.h"

/* The groups of one sort of a list: committed in order, retired in order. */
typedef struct groups {
    int commit_tag;
    int wait_tags[2];
    swp_completion completion;
} groups;

static const groups sorts[SWP_HAPPENS_GROUP_SORTS] = {
    {SWP_TAG_MATRIX_COMMIT,
     {SWP_TAG_MATRIX_WAIT, SWP_TAG_MATRIX_WAIT},
     SWP_COMPLETION_MATRIX_GROUP},
    {SWP_TAG_BULK_COMMIT, {SWP_TAG_BULK_WAIT, SWP_TAG_BULK_WAIT_READ}, SWP_COMPLETION_STORE_GROUP},
};

typedef struct retirer {
    const swp_happens_program *program;
    swp_happens_step *steps;
    const groups *of;
    swp_happens_retirer *at;
} retirer;

static bool is_commit(const retirer *r, int s)
{
    return r->steps[s].op->tag == r->of->commit_tag;
}

/* Whether the step ends a group. */
static bool ends_group(const retirer *r, int s)
{
    if (!is_commit(r, s) || swp_happens_holds(r->program, SWP_HAPPENS_EMPTY_GROUP))
        return is_commit(r, s);
    for (s--; s >= 0 && !is_commit(r, s); s--)
        if (swp_happens_completion(&r->steps[s]) == r->of->completion)
            return true;
    return false;
}

static void retire_step(retirer *r, int wait)
{
    swp_happens_step *step = &r->steps[r->at->next];
    if (swp_happens_completion(step) == r->of->completion) {
        step->retired_by = wait;
        r->at->newest = r->at->next;
    }
    r->at->group += ends_group(r, r->at->next);
    r->at->next++;
}

static void retire(retirer *r, int wait)
{
    const bool leaves_some = swp_happens_holds(r->program, SWP_HAPPENS_NEWEST);
    const int commits = r->at->commits;
    const int groups_retired = commits - (leaves_some ? r->steps[wait].op->wait_value : 0);
    while (r->at->group < groups_retired && r->at->next < wait)
        retire_step(r, wait);
    if (groups_retired == commits && !swp_happens_holds(r->program, SWP_HAPPENS_UNCOMMITTED))
        while (r->at->next < wait)
            retire_step(r, wait);
    r->steps[wait].retires = r->at->newest;
}

void swp_happens_lay_group(swp_happens_run *run, int instance, int step)
{
    for (int k = 0; k < SWP_HAPPENS_GROUP_SORTS; k++) {
        retirer r = {.program = run->program,
                     .steps = run->steps[instance],
                     .of = &sorts[k],
                     .at = &run->retirers[instance * SWP_HAPPENS_RETIRERS + k]};
        const int tag = r.steps[step].op->tag;
        r.at->commits += ends_group(&r, step);
        if (tag == r.of->wait_tags[0] || tag == r.of->wait_tags[1])
            retire(&r, step);
    }
}
