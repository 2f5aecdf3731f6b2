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
    swp_happens_step *steps;
    const groups *of;
    int next;
    int group;
    int newest; /* operation that is retired; -1: none */
} retirer;

static void retire(retirer *r, int wait, int groups_retired)
{
    while (r->group < groups_retired && r->next < wait) {
        swp_happens_step *step = &r->steps[r->next];
        if (swp_happens_completion(step) == r->of->completion) {
            step->retired_by = wait;
            r->newest = r->next;
        }
        r->group += step->op->tag == r->of->commit_tag;
        r->next++;
    }
    r->steps[wait].retires = r->newest;
}

static void find_in(swp_happens_step *steps, int length, const groups *of)
{
    retirer r = {.steps = steps, .of = of, .newest = -1};
    int commits = 0;
    for (int s = 0; s < length; s++) {
        const int tag = steps[s].op->tag;
        commits += tag == of->commit_tag;
        if (tag == of->wait_tags[0] || tag == of->wait_tags[1])
            retire(&r, s, commits - steps[s].op->wait_value);
    }
}

void swp_happens_find_retirements(swp_happens_run *run)
{
    for (int i = 0; i < run->program->count; i++)
        for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++)
            find_in(run->steps[i], run->lengths[i], &sorts[k]);
}
