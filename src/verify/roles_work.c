/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about work of warp roles: every instance does each op once for each iteration of the run. */
#include "verify/roles.h"

#include <inttypes.h>

static const swp_role_at nobody = {-1, -1};

/* The last entry of an op in the lists of a role for this run; where they have none, the end of the last. */
static swp_entry_ref last_entry(const swp_role_judge *judge, int stream, int op)
{
    const swp_stream *of = &judge->run->program->schedule->streams[stream];
    const int tag = swp_tag_of_loop_op(op);
    for (int list = SWP_EPILOGUE; list >= SWP_PROLOGUE; list--) {
        const swp_entry_list *entries = swp_stream_phase(of, (swp_phase)list);
        for (size_t i = entries->count; i > 0; i--)
            if (entries->items[i - 1].op.tag == tag)
                return (swp_entry_ref){(swp_phase)list, (int)i - 1};
    }
    return (swp_entry_ref){SWP_EPILOGUE, (int)of->epilogue.count};
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
    SWP_TRY(swp_verify_role_tell_entry(judge, SWP_MISSING_WORK, instance,
                                       last_entry(judge, in->stream, op), name, &hazard));
    if (!hazard)
        return SWP_OK;
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
