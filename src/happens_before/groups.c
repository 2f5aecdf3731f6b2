/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which wait retires each wgmma and each bulk store, by the groups of an instance's list. */
#include "happens_before/run.h"

/* The groups of one sort of a list: committed in order, retired in order. */
typedef struct groups {
    int commit_tag;
    int wait_tags[2];
    swp_completion completion;
} groups;

static const groups sorts[] = {
    {SWP_TAG_MATRIX_COMMIT,
     {SWP_TAG_MATRIX_WAIT, SWP_TAG_MATRIX_WAIT},
     SWP_COMPLETION_MATRIX_GROUP},
    {SWP_TAG_BULK_COMMIT, {SWP_TAG_BULK_WAIT, SWP_TAG_BULK_WAIT_READ}, SWP_COMPLETION_STORE_GROUP},
};

/*
 * A wait retires what the commit that is number `commits - n` has put into a group, and all before it. `next` is
 * the first step that is not retired yet, `group` the groups committed in front of it.
 */
typedef struct retirer {
    const swp_happens_program *program;
    swp_happens_step *steps;
    const groups *of;
    int next;
    int group;
    int newest; /* operation that is retired; -1: none */
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
    swp_happens_step *step = &r->steps[r->next];
    if (swp_happens_completion(step) == r->of->completion) {
        step->retired_by = wait;
        r->newest = r->next;
    }
    r->group += ends_group(r, r->next);
    r->next++;
}

static void retire(retirer *r, int wait, int commits)
{
    const bool leaves_some = swp_happens_holds(r->program, SWP_HAPPENS_NEWEST);
    const int groups_retired = commits - (leaves_some ? r->steps[wait].op->wait_value : 0);
    while (r->group < groups_retired && r->next < wait)
        retire_step(r, wait);
    if (groups_retired == commits && !swp_happens_holds(r->program, SWP_HAPPENS_UNCOMMITTED))
        while (r->next < wait)
            retire_step(r, wait);
    r->steps[wait].retires = r->newest;
}

static void find_in(const swp_happens_run *run, int instance, const groups *of)
{
    retirer r = {.program = run->program, .steps = run->steps[instance], .of = of, .newest = -1};
    int commits = 0;
    for (int s = 0; s < run->lengths[instance]; s++) {
        const int tag = r.steps[s].op->tag;
        commits += ends_group(&r, s);
        if (tag == of->wait_tags[0] || tag == of->wait_tags[1])
            retire(&r, s, commits);
    }
}

void swp_happens_find_retirements(swp_happens_run *run)
{
    for (int i = 0; i < run->program->count; i++)
        for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++)
            find_in(run, i, &sorts[k]);
}
