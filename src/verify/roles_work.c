/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about work of warp roles: every instance does each op once for each iteration of the run. */
#include "verify/roles.h"

#include <inttypes.h>

static const swp_role_at nobody = {-1, -1};

/* The last entry of an op in the run, of any instance; step -1: there is none. */
static swp_role_at last_entry(const swp_role_judge *judge, int op)
{
    const swp_happens_run *run = judge->run;
    swp_role_at last = nobody;
    for (int i = 0; i < run->program->count; i++)
        for (int w = 0; w < judge->works[i].count; w++) {
            const swp_role_work *work = &judge->works[i].items[w];
            const swp_happens_step *step = &run->steps[i][work->step];
            const swp_happens_step *best =
                last.step < 0 ? NULL : swp_happens_step_of(run, last.instance, last.step);
            if (work->op == op && (!best || step->list > best->list ||
                                   (step->list == best->list && step->entry > best->entry)))
                last = (swp_role_at){i, work->step};
        }
    return last;
}

/* The first iteration of the run that an instance does not do an op for; n: none. */
static int64_t first_missing(const swp_role_judge *judge, int instance, int op)
{
    const swp_role_works *works = &judge->works[instance];
    int count = 0;
    const swp_role_work *first = swp_verify_role_find_work(judge, instance, op, 0, &count);
    int64_t next = 0;
    int at = (int)(first - works->items);
    if (count == 0)
        return 0;
    for (; at < works->count && works->items[at].op == op; at++) {
        if (works->items[at].iteration > next)
            break;
        next = works->items[at].iteration + 1;
    }
    return next < judge->run->n ? next : judge->run->n;
}

static swp_status check_missing(swp_role_judge *judge, int instance, int op)
{
    const int64_t missing = first_missing(judge, instance, op);
    const swp_happens_instance *in = &judge->run->program->instances[instance];
    const char *name = judge->model->loop->ops[op].name;
    swp_hazard *hazard = NULL;
    if (missing >= judge->run->n)
        return SWP_OK;
    const swp_role_at last = last_entry(judge, op);
    SWP_TRY(last.step < 0
                ? swp_verify_role_tell_end(judge, SWP_MISSING_WORK, instance, name, &hazard)
                : swp_verify_role_tell(judge, SWP_MISSING_WORK, last, nobody, &hazard));
    if (!hazard)
        return SWP_OK;
    hazard->instance = in->number;
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s %d does not do %s for iteration %" PRId64 " of %" PRId64,
                      judge->model->schedule->streams[in->stream].name, in->number, name, missing,
                      judge->run->n);
}

static swp_status check_range(swp_role_judge *judge, int instance, const swp_role_work *work)
{
    const swp_role_at at = {instance, work->step};
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    if (work->iteration >= 0 && work->iteration < judge->run->n)
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_OUT_OF_RANGE, at, nobody, &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s, and the run has the iterations 0 … %" PRId64,
                      swp_verify_role_name(judge, at, name), judge->run->n - 1);
}

static swp_status check_double(swp_role_judge *judge, int instance, const swp_role_work *first,
                               const swp_role_work *second)
{
    const swp_role_at at = {instance, second->step};
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    if (first->op != second->op || first->iteration != second->iteration)
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_DOUBLE_WORK, at, (swp_role_at){instance, first->step},
                                 &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail, "%s is done twice",
                      swp_verify_role_name(judge, at, name));
}

swp_status swp_verify_role_work(swp_role_judge *judge)
{
    const swp_happens_program *program = judge->run->program;
    for (int i = 0; i < program->count; i++) {
        const swp_role_works *works = &judge->works[i];
        for (int op = 0; op < (int)judge->model->loop->op_count; op++)
            if (judge->model->ops[op].stream == program->instances[i].stream)
                SWP_TRY(check_missing(judge, i, op));
        for (int w = 0; w < works->count; w++) {
            SWP_TRY(check_range(judge, i, &works->items[w]));
            if (w > 0)
                SWP_TRY(check_double(judge, i, &works->items[w - 1], &works->items[w]));
        }
    }
    return SWP_OK;
}
