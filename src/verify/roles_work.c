/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about work of warp roles: every instance does each op once for each iteration of the run. */
#include "ir/effects.h"
#include "ir/implied_barriers.h"
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

/*
 * The last entry of an op in the lists of a role for this run; where they have none, the end of the last. Without warp roles
 * it is that end, so that one op tells for all.
 */
static swp_entry_ref last_entry(const swp_role_judge *judge, int stream, int op, int tile)
{
    const swp_stream *of = &program_of(judge, tile)->schedule->streams[stream];
    const int tag = swp_tag_of_loop_op(op);
    if (judge->run->program->is_flat)
        return (swp_entry_ref){SWP_EPILOGUE, swp_ir_published_count(&of->epilogue)};
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

/* Whether an instance does an op for an iteration, in the lists of a tile (-1: of any). */
static bool is_done(const swp_happens_run *run, int instance, int op, int64_t iteration, int tile)
{
    int s = swp_happens_find_work(run, instance, op, iteration);
    while (tile >= 0 && s >= 0 && run->steps[instance][s].tile != tile)
        s = run->steps[instance][s].earlier;
    return s >= 0;
}

/* The first iteration, from the base, that an instance does not do an op for; n: none. */
static int64_t first_missing(const swp_role_judge *judge, int instance, int op, const work_span *of)
{
    int64_t next = 0;
    while (next < of->n && is_done(judge->run, instance, op, of->base + next, of->tile))
        next++;
    return next;
}

/* The same of a run whose passes longer ones have, too. */
static int64_t first_missing_here(const swp_role_judge *judge, int instance, int op)
{
    const swp_happens_run *run = judge->run;
    int64_t *done = &judge->progress->done[instance * (int)judge->model->loop->op_count + op];
    int64_t next = *done;
    int s = 0;
    while (next < run->n && (s = swp_happens_find_work(run, instance, op, next)) >= 0) {
        next++;
        if (*done == next - 1 && s < swp_happens_length_at_cut(run, instance))
            *done = next;
    }
    return next;
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
    if (judge->run->program->is_flat) {
        hazard->name = "end";
        return swp_verify_role_word(judge, hazard,
                                    (swp_role_about){-1, 0, missing, SWP_NO_TILE, name});
    }
    if (is_of_tiles)
        return swp_format(judge->ctx, (char **)&hazard->detail, "%s %d does not do %s for tile %d",
                          role, in->number, name, tile);
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s %d does not do %s for iteration %" PRId64 " of %" PRId64, role,
                      in->number, name, missing, of->n);
}

static swp_status check_span(swp_role_judge *judge, int instance, int op, work_span of)
{
    const int64_t missing = judge->progress && !judge->run->tiles
                                ? first_missing_here(judge, instance, op)
                                : first_missing(judge, instance, op, &of);
    return missing < of.n ? tell_missing(judge, instance, op, &of, missing) : SWP_OK;
}

/* An op of the pass clock counts in each output tile. */
static work_span of_tile(const swp_role_judge *judge, int op, int tile)
{
    const swp_happens_run *run = judge->run;
    if (judge->model->loop->ops[op].clock == SWP_TILE_CLOCK)
        return (work_span){tile, 1, -1};
    return (work_span){run->bases[tile], run->sequence->n[tile], tile};
}

bool swp_verify_role_is_missing(const swp_role_judge *judge, int instance, int op, int tile)
{
    const work_span of = of_tile(judge, op, tile);
    return judge->model->ops[op].stream == judge->run->program->instances[instance].stream &&
           first_missing(judge, instance, op, &of) < of.n;
}

static swp_status check_missing(swp_role_judge *judge, int instance, int op)
{
    const swp_happens_run *run = judge->run;
    const swp_role_progress *progress = judge->progress;
    if (!run->tiles)
        return check_span(judge, instance, op, (work_span){0, run->n, -1});
    int t = progress ? (int)progress->done[instance * (int)judge->model->loop->op_count + op] : 0;
    for (; t < run->sequence->count; t++)
        SWP_TRY(check_span(judge, instance, op, of_tile(judge, op, t)));
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

static bool is_in(const work_span *of, const swp_happens_step *step)
{
    return step->iteration >= of->base && step->iteration < of->base + of->n;
}

static swp_status check_range(swp_role_judge *judge, swp_happens_at at)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    const work_span of = span_of(judge, step);
    if (is_in(&of, step) || !swp_verify_role_comes_to(judge, at) ||
        !swp_verify_role_holds(judge, SWP_HAPPENS_RANGE))
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_OUT_OF_RANGE, at, nobody, &hazard));
    if (!hazard)
        return SWP_OK;
    if (judge->run->program->is_flat)
        return swp_verify_role_word(
            judge, hazard,
            (swp_role_about){-1, 0, step->op->iteration, SWP_NO_TILE,
                             swp_schedule_op_name(judge->model->schedule, step->op->tag)});
    return swp_format(judge->ctx, (char **)&hazard->detail, "%s, and the %s has 0 … %" PRId64,
                      swp_verify_role_name(judge, at, name), of.tile < 0 ? "run" : "tile",
                      of.n - 1);
}

/* Without warp roles work for an iteration that does not exist is told once. */
static swp_status check_double(swp_role_judge *judge, swp_happens_at at)
{
    const swp_happens_step *steps = judge->run->steps[at.instance];
    const swp_happens_step *step = &steps[at.step];
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    const work_span of = span_of(judge, step);
    if (step->earlier < 0 || (judge->run->program->is_flat && !is_in(&of, step)) ||
        (steps[step->earlier].tile != step->tile && step->work->clock == SWP_PASS_CLOCK) ||
        !swp_verify_role_holds(judge, SWP_HAPPENS_DOUBLE))
        return SWP_OK;
    SWP_TRY(swp_verify_role_tell(judge, SWP_DOUBLE_WORK, at,
                                 (swp_happens_at){at.instance, step->earlier}, &hazard));
    if (!hazard)
        return SWP_OK;
    if (judge->run->program->is_flat)
        return swp_verify_role_word(judge, hazard, swp_verify_role_about_nothing);
    return swp_format(judge->ctx, (char **)&hazard->detail, "%s is done twice",
                      swp_verify_role_name(judge, at, name));
}

static swp_status ask(swp_role_judge *judge, int instance, int step)
{
    const swp_happens_at at = {instance, step};
    if (!judge->run->steps[instance][step].work)
        return SWP_OK;
    SWP_TRY(check_range(judge, at));
    return check_double(judge, at);
}

swp_status swp_verify_role_work(swp_role_judge *judge)
{
    const swp_happens_program *program = judge->run->program;
    for (int i = 0; i < swp_verify_role_tellers(judge); i++) {
        for (int op = 0; op < (int)judge->model->loop->op_count; op++)
            if (judge->model->ops[op].stream == program->instances[i].stream)
                SWP_TRY(check_missing(judge, i, op));
        SWP_TRY(swp_verify_role_ask_steps(judge, i, ask, NULL));
    }
    return SWP_OK;
}
