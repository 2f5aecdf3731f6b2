/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about work of warp roles: every instance does each op once for each iteration of the run. */
#include "verify/roles.h"

#include <inttypes.h>

static const swp_happens_at nobody = {-1, -1};

/* A form's lists as they run, and in the order in which missing work is told. */
static const swp_phase lists_back[] = {SWP_END, SWP_EPILOGUE, SWP_KERNEL, SWP_PROLOGUE, SWP_BEGIN};

/* The program of a tile; of a run without output tiles the only one. */
static const swp_happens_program *program_of(const swp_role_judge *judge, int tile)
{
    const swp_happens_run *run = judge->run;
    if (!run->tiles)
        return run->program;
    return &run->tiles
                ->programs[swp_schedule_form_of(run->tiles->schedule, run->sequence->n[tile])];
}

/* The last entry of an op in the lists of a role for this run; where they have none, the end of the last. */
static swp_entry_ref last_entry(const swp_role_judge *judge, int stream, int op, int tile)
{
    const swp_stream *of = &program_of(judge, tile)->schedule->streams[stream];
    const int tag = swp_tag_of_loop_op(op);
    for (size_t l = 0; l < sizeof lists_back / sizeof *lists_back; l++) {
        const swp_entry_list *entries = swp_stream_phase(of, lists_back[l]);
        for (size_t i = entries->count; i > 0; i--)
            if (entries->items[i - 1].op.tag == tag)
                return (swp_entry_ref){lists_back[l], (int)i - 1};
    }
    if (judge->model->loop->ops[op].clock == SWP_TILE_CLOCK)
        return (swp_entry_ref){SWP_END, (int)of->end.count};
    return (swp_entry_ref){SWP_EPILOGUE, (int)of->epilogue.count};
}

/* Iterations, from `base`, for which an instance has to do an op. */
typedef struct work_span {
    int64_t base;
    int64_t n;
    int tile; /* whose work counts; -1: all */
} work_span;

/* The first iteration, from the base, that an instance does not do an op for; n: none. */
static int64_t first_missing(const swp_role_judge *judge, int instance, int op, const work_span *of)
{
    const swp_role_works *works = &judge->works[instance];
    const swp_role_work *work = swp_verify_role_first_work(judge, instance, op);
    int64_t next = of->base;
    for (; work < works->items + works->count && work->op == op; work++) {
        if (work->iteration < of->base || (of->tile >= 0 && work->tile != of->tile))
            continue;
        if (work->iteration > next)
            break;
        next = work->iteration + 1;
    }
    return next - of->base < of->n ? next - of->base : of->n;
}

static swp_status tell_missing(swp_role_judge *judge, int instance, int op, const work_span *of,
                               int64_t missing)
{
    const swp_happens_instance *in = &judge->run->program->instances[instance];
    const bool is_of_tiles = judge->model->loop->ops[op].clock == SWP_TILE_CLOCK;
    const int tile = is_of_tiles ? (int)of->base : of->tile < 0 ? 0 : of->tile;
    const char *name = judge->model->loop->ops[op].name;
    const char *role = judge->model->schedule->streams[in->stream].name;
    swp_hazard *hazard = NULL;
    if (!swp_verify_role_holds(judge, SWP_HAPPENS_MISSING))
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell_entry(judge, SWP_MISSING_WORK, instance, tile,
                                       last_entry(judge, in->stream, op, tile), name, &hazard));
    if (!hazard)
        return SWP_OK;
    if (is_of_tiles)
        return swp_format(judge->ctx, (char **)&hazard->detail, "%s %d does not do %s for tile %d",
                          role, in->number, name, tile);
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s %d does not do %s for iteration %" PRId64 " of %" PRId64, role,
                      in->number, name, missing, of->n);
}

static swp_status check_span(swp_role_judge *judge, int instance, int op, work_span of)
{
    const int64_t missing = first_missing(judge, instance, op, &of);
    return missing < of.n ? tell_missing(judge, instance, op, &of, missing) : SWP_OK;
}

/* In the run; an op of the pass clock in each output tile. */
static swp_status check_missing(swp_role_judge *judge, int instance, int op)
{
    const swp_happens_run *run = judge->run;
    if (!run->tiles)
        return check_span(judge, instance, op, (work_span){0, run->n, -1});
    const bool is_of_tiles = judge->model->loop->ops[op].clock == SWP_TILE_CLOCK;
    for (int t = 0; t < run->sequence->count; t++)
        SWP_TRY(check_span(judge, instance, op,
                           is_of_tiles ? (work_span){t, 1, -1}
                                       : (work_span){run->bases[t], run->sequence->n[t], t}));
    return SWP_OK;
}

/* What the run has of what a step of an op counts. */
static work_span span_of(const swp_role_judge *judge, const swp_happens_step *step)
{
    const swp_happens_run *run = judge->run;
    if (!run->tiles)
        return (work_span){0, run->n, -1};
    if (step->work->clock == SWP_TILE_CLOCK)
        return (work_span){0, run->sequence->count, -1};
    return (work_span){step->base, run->sequence->n[step->tile], step->tile};
}

static swp_status check_range(swp_role_judge *judge, int instance, const swp_role_work *work)
{
    const swp_happens_at at = {instance, work->step};
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    const work_span of = span_of(judge, swp_happens_step_of(judge->run, instance, work->step));
    if ((work->iteration >= of.base && work->iteration < of.base + of.n) ||
        !swp_verify_role_comes_to(judge, at) || !swp_verify_role_holds(judge, SWP_HAPPENS_RANGE))
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_OUT_OF_RANGE, at, nobody, &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail, "%s, and the %s has 0 … %" PRId64,
                      swp_verify_role_name(judge, at, name), of.tile < 0 ? "run" : "tile",
                      of.n - 1);
}

static swp_status check_double(swp_role_judge *judge, int instance, const swp_role_work *first,
                               const swp_role_work *second)
{
    const swp_happens_at at = {instance, second->step};
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    if (first->op != second->op || first->iteration != second->iteration ||
        (first->tile != second->tile &&
         judge->model->loop->ops[first->op].clock == SWP_PASS_CLOCK) ||
        !swp_verify_role_holds(judge, SWP_HAPPENS_DOUBLE))
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_DOUBLE_WORK, at,
                                 (swp_happens_at){instance, first->step}, &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail, "%s is done twice",
                      swp_verify_role_name(judge, at, name));
}

swp_status swp_verify_role_work(swp_role_judge *judge)
{
    const swp_happens_program *program = judge->run->program;
    for (int i = 0; i < swp_verify_role_tellers(judge); i++) {
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
