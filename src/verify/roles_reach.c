/* SPDX-License-Identifier: Apache-2.0 */
/* Finds how far back from a cut of a run anything that may follow reaches. */
#include "ir/roles.h"
#include "verify/roles_state.h"

swp_role_clock swp_verify_role_clock(const swp_role_state_writer *w, const swp_happens_step *step)
{
    return swp_ir_entry_clock(w->judge->model->schedule, step->op);
}

swp_role_clock swp_verify_role_object_clock(const swp_role_state_writer *w, int object)
{
    return w->judge->model->schedule->objects[object].clock;
}

swp_role_clock swp_verify_role_value_clock(const swp_role_state_writer *w, int value)
{
    return w->judge->model->values[value].is_of_tiles ? SWP_TILE_CLOCK : SWP_PASS_CLOCK;
}

/* What the lists name, from their bases. */
typedef struct extent {
    swp_role_judge *judge;
    swp_role_lists_reach *out;
    int64_t first; /* iterations of ops of the pass clock */
    int64_t last;
    int distance;
    int groups;
} extent;

static void lower(int64_t *low, int64_t number)
{
    if (number < *low)
        *low = number;
}

/* What it does to a value, from the base of its list: a register of passes may be read, or cleared, one version before. */
static void reach_value(const extent *e, const swp_happens_step *step,
                        const swp_role_operand *operand)
{
    const bool is_shared = e->judge->model->values[operand->value].is_shared;
    const int64_t version = swp_verify_role_version(e->judge, step, operand);
    lower(&e->out->value_low[operand->value], is_shared ? version : version - 1);
}

static void stretch(extent *e, const swp_happens_step *step)
{
    const swp_op *op = step->op;
    const swp_role_op *of = step->work ? &e->judge->model->ops[swp_loop_op_of_tag(op->tag)] : NULL;
    if (op->wait_value > e->groups)
        e->groups = op->wait_value;
    if (op->object >= 0)
        lower(&e->out->object_low[op->object], op->iteration);
    if (swp_happens_waits_for_phase(op))
        lower(&e->out->wait_low[op->object], op->iteration);
    for (int t = 0; of && t < of->operand_count; t++) {
        reach_value(e, step, &of->operands[t]);
        if (of->operands[t].distance > e->distance)
            e->distance = of->operands[t].distance;
    }
    if (of && step->work->clock == SWP_PASS_CLOCK) {
        lower(&e->first, op->iteration);
        e->last = op->iteration > e->last ? op->iteration : e->last;
    }
}

static void stretch_program(extent *e, const swp_happens_program *p)
{
    for (int i = 0; i < p->count; i++)
        for (swp_phase list = SWP_PROLOGUE; list <= SWP_DRAIN; list++)
            for (int k = 0; k < p->instances[i].lengths[list]; k++) {
                swp_happens_step step = swp_happens_step_in(p, &p->instances[i], list, k, 0);
                step.iteration = step.op->iteration;
                stretch(e, &step);
            }
}

/* A step that somebody still has to do. */
static void reach_back(swp_role_state_writer *w, const swp_happens_step *step)
{
    const swp_role_model *m = w->judge->model;
    const swp_role_op *op = step->work ? &m->ops[swp_loop_op_of_tag(step->op->tag)] : NULL;
    const bool is_tiled = op && step->work->clock == SWP_TILE_CLOCK;
    if (step->op->object >= 0)
        lower(&w->object_low[step->op->object], step->iteration);
    if (swp_happens_waits_for_phase(step->op))
        lower(&w->wait_low[step->op->object], step->iteration);
    for (int t = 0; op && t < op->operand_count; t++) {
        const int value = op->operands[t].value;
        const bool is_last = is_tiled && !m->values[value].is_of_tiles;
        lower(&w->value_low[value], swp_verify_role_version(w->judge, step, &op->operands[t]) - 1);
        if (is_last && step->tile < w->tiles)
            lower(&w->value_low[value], w->run->bases[step->tile + 1] - 1);
    }
    lower(&w->low_tile, step->tile);
}

/* From where on nothing that comes is of before the run, nor the first of its slot. */
static void find_start(const swp_role_model *m, swp_role_lists_reach *out)
{
    for (int o = 0; o < (int)m->schedule->object_count; o++) {
        const int64_t start = m->schedule->objects[o].slots - out->object_low[o];
        int64_t *of = &out->start[m->schedule->objects[o].clock];
        *of = start > *of ? start : *of;
    }
    for (int v = 0; v < (int)m->loop->value_count; v++) {
        int64_t *of = &out->start[m->values[v].is_of_tiles ? SWP_TILE_CLOCK : SWP_PASS_CLOCK];
        *of = -out->value_low[v] > *of ? -out->value_low[v] : *of;
    }
}

/* All that may follow. */
static void stretch_forms(extent *e)
{
    const swp_happens_tiles *tiles = e->judge->run->tiles;
    for (int f = 0; tiles && f < tiles->form_count; f++)
        stretch_program(e, &tiles->programs[f]);
    for (int f = 0; f < e->judge->form_count; f++)
        stretch_program(e, e->judge->forms[f]);
}

static swp_status find_extent(swp_role_judge *judge, swp_role_lists_reach *out)
{
    const swp_role_model *m = judge->model;
    const int unroll = m->schedule->loop.tiles_per_pass;
    extent e = {.judge = judge, .out = out};
    SWP_TRY(SWP_TAKE(out->ctx, m->schedule->object_count, &out->object_low));
    SWP_TRY(SWP_TAKE(out->ctx, m->schedule->object_count, &out->wait_low));
    SWP_TRY(SWP_TAKE(out->ctx, m->loop->value_count, &out->value_low));
    for (size_t o = 0; o < m->schedule->object_count; o++)
        out->object_low[o] = out->wait_low[o] = SWP_MOST_ACCESSES;
    for (size_t v = 0; v < m->loop->value_count; v++)
        out->value_low[v] = SWP_MOST_ACCESSES;
    stretch_forms(&e);
    find_start(m, out);
    out->most_local = e.distance + 1;
    out->most_passes = (e.last - e.first + e.distance) / unroll + 2;
    out->most_groups = e.groups + 1;
    return SWP_OK;
}

/* Of one state alone it is found in the memory of the run. */
static swp_status find_lists(swp_role_state_writer *w)
{
    swp_role_lists_reach *lists = w->judge->reach;
    if (!lists) {
        SWP_TRY(SWP_TAKE(w->run->ctx, 1, &lists));
        lists->ctx = w->run->ctx;
    }
    w->lists = lists;
    return lists->object_low ? SWP_OK : find_extent(w->judge, lists);
}

static swp_status find_threads(swp_role_state_writer *w)
{
    const swp_happens_run *run = w->run;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->program->count, &w->earliest));
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->program->count, &w->latest));
    for (int i = 0; i < run->program->count; i++) {
        w->earliest[i] = run->lengths[i];
        for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
            const swp_happens_thread *t = &run->threads[swp_happens_thread_of(i, which)];
            if (t->step < w->earliest[i])
                w->earliest[i] = t->step;
            if (t->step + t->issued > w->latest[i])
                w->latest[i] = t->step + t->issued;
        }
    }
    return SWP_OK;
}

swp_status swp_verify_role_reach(swp_role_state_writer *w)
{
    const swp_happens_run *run = w->run;
    const swp_role_model *m = w->judge->model;
    const int passes = w->passes < 0 ? 0 : w->passes;
    w->now[SWP_PASS_CLOCK] =
        (run->tiles ? run->n : 0) + (int64_t)passes * m->schedule->loop.tiles_per_pass;
    w->now[SWP_TILE_CLOCK] = w->low_tile = w->tiles;
    SWP_TRY(find_lists(w));
    SWP_TRY(find_threads(w));
    SWP_TRY(SWP_TAKE(run->ctx, m->schedule->object_count, &w->object_low));
    SWP_TRY(SWP_TAKE(run->ctx, m->schedule->object_count, &w->wait_low));
    SWP_TRY(SWP_TAKE(run->ctx, m->loop->value_count, &w->value_low));
    for (int o = 0; o < (int)m->schedule->object_count; o++) {
        const int64_t now = w->now[swp_verify_role_object_clock(w, o)];
        w->object_low[o] = w->lists->object_low[o] + now;
        w->wait_low[o] = w->lists->wait_low[o] + now;
    }
    for (int v = 0; v < (int)m->loop->value_count; v++)
        w->value_low[v] = w->lists->value_low[v] + w->now[swp_verify_role_value_clock(w, v)];
    for (int i = 0; i < run->program->count; i++)
        for (int s = w->earliest[i]; s < run->lengths[i]; s++)
            reach_back(w, &run->steps[i][s]);
    return SWP_OK;
}
