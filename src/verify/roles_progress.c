/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rules have judged of the passes that runs share, so that a longer run is asked of what is new in it alone
 * (docs/roles-proof.md, "What is judged once").
 */
#include "ir/entry.h"
#include "verify/roles.h"

/* --- How far ahead anything asks --- */

/* For each op and rest of an iteration: the least iteration that an entry of it names, from its base. */
typedef struct least_of {
    const swp_role_model *model;
    int unroll;
    int64_t *items;
    int behind;
} least_of;

static int64_t *least_at(const least_of *l, int op, int64_t iteration)
{
    return &l->items[(int64_t)op * l->unroll + swp_happens_rest(iteration, l->unroll)];
}

static void note_least(const least_of *l, const swp_entry_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_op *op = &list->items[i].op;
        if (!swp_ir_is_work(op))
            continue;
        int64_t *least = least_at(l, swp_loop_op_of_tag(op->tag), op->iteration);
        if (op->iteration < *least)
            *least = op->iteration;
    }
}

static void look_behind(least_of *l, int64_t iterations)
{
    const int64_t passes = swp_happens_quotient(iterations, l->unroll);
    if (passes > l->behind)
        l->behind = passes < INT32_MAX ? (int)passes : INT32_MAX;
}

/* A step asks of those that do an op for an iteration, which may stand passes behind it. */
static void ask_of(least_of *l, int op, int64_t iteration)
{
    const int64_t least = *least_at(l, op, iteration);
    if (least != INT64_MAX)
        look_behind(l, iteration - least);
}

static void ask_of_readers(least_of *l, const swp_role_value *value, int64_t version)
{
    for (int r = 0; r < value->reader_count; r++)
        ask_of(l, value->readers[r].op, version + value->readers[r].distance);
}

static void ask_of_operand(least_of *l, const swp_role_operand *operand, int64_t iteration)
{
    const swp_role_value *value = &l->model->values[operand->value];
    if (!value->is_shared || value->makers == 0)
        return;
    if (operand->kind == SWP_ROLE_READS) {
        ask_of(l, value->made_by[operand->part], iteration - operand->distance);
        return;
    }
    ask_of_readers(l, value, iteration - value->slots);
    if (operand->part == 0) {
        ask_of(l, value->made_by[value->makers - 1], iteration - value->slots);
        return;
    }
    ask_of_readers(l, value, iteration);
    ask_of(l, value->made_by[operand->part - 1], iteration);
}

static void ask_of_entries(least_of *l, const swp_entry_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_op *op = &list->items[i].op;
        const swp_role_op *of =
            swp_ir_is_work(op) ? &l->model->ops[swp_loop_op_of_tag(op->tag)] : NULL;
        if (of) /* and whether the run has that iteration */
            look_behind(l, op->iteration - l->model->schedule->loop.min_tiles);
        for (int t = 0; of && t < of->operand_count; t++)
            ask_of_operand(l, &of->operands[t], op->iteration);
    }
}

static swp_status find_behind(swp_context *ctx, const swp_role_model *model,
                              const swp_happens_program *programs[], int count,
                              swp_role_progress *progress)
{
    const int unroll = programs[0]->schedule->loop.tiles_per_pass;
    const size_t rows = model->loop->op_count * (size_t)unroll;
    least_of l = {.model = model, .unroll = unroll};
    SWP_TRY(SWP_TAKE(ctx, rows, &l.items));
    for (size_t i = 0; i < rows; i++)
        l.items[i] = INT64_MAX;
    for (int f = 0; f < count; f++)
        for (size_t s = 0; s < model->schedule->stream_count; s++)
            note_least(&l, &programs[f]->schedule->streams[s].epilogue);
    for (size_t s = 0; s < model->schedule->stream_count; s++)
        note_least(&l, &programs[0]->schedule->streams[s].kernel);
    for (size_t s = 0; s < model->schedule->stream_count; s++) {
        ask_of_entries(&l, &programs[0]->schedule->streams[s].prologue);
        ask_of_entries(&l, &programs[0]->schedule->streams[s].kernel);
    }
    progress->behind = l.behind;
    return SWP_OK;
}

/* --- What is settled --- */

swp_status swp_verify_role_progress_of_tiles(swp_context *ctx, const swp_role_model *model,
                                             const swp_happens_program *program,
                                             swp_role_progress *out)
{
    const size_t instances = (size_t)program->count;
    const size_t threads = instances * SWP_HAPPENS_THREADS;
    *out = (swp_role_progress){.ctx = ctx};
    for (int rule = 0; rule < SWP_ROLE_RULE_COUNT; rule++) {
        SWP_TRY(SWP_TAKE(ctx, instances, &out->judged[rule].steps));
        SWP_TRY(SWP_TAKE(ctx, instances, &out->judged[rule].open));
    }
    SWP_TRY(SWP_TAKE(ctx, instances, &out->settled));
    SWP_TRY(SWP_TAKE(ctx, instances, &out->turns));
    for (size_t i = 0; i < instances; i++)
        out->turns[i] = -1;
    SWP_TRY(SWP_TAKE(ctx, threads, &out->held));
    return SWP_TAKE(ctx, instances * model->loop->op_count, &out->done);
}

swp_status swp_verify_role_progress_new(swp_context *ctx, const swp_role_model *model,
                                        const swp_happens_program *programs[], int count,
                                        swp_role_progress *out)
{
    SWP_TRY(swp_verify_role_progress_of_tiles(ctx, model, programs[0], out));
    return find_behind(ctx, model, programs, count, out);
}

/* Passes of the kernel that all threads of an instance have done at the cut. */
static int passes_done(const swp_happens_run *run, int instance)
{
    const swp_happens_instance *in = &run->program->instances[instance];
    int least = run->passes;
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
        const int done = swp_happens_done_at_cut(run, swp_happens_thread_of(instance, which)) -
                         in->lengths[SWP_PROLOGUE];
        const int passes = done < 0                       ? 0
                           : in->lengths[SWP_KERNEL] == 0 ? run->passes
                                                          : done / in->lengths[SWP_KERNEL];
        if (passes < least)
            least = passes;
    }
    return least;
}

void swp_verify_role_settle(swp_role_progress *progress, const swp_happens_run *run)
{
    int passes = run->passes;
    for (int i = 0; i < run->program->count; i++) {
        const int done = passes_done(run, i);
        if (done < passes)
            passes = done;
    }
    passes -= progress->behind;
    for (int i = 0; i < run->program->count; i++)
        if (passes > 0)
            progress->settled[i] = swp_happens_steps_before(&run->program->instances[i], passes);
}

int swp_verify_role_first_step(const swp_role_judge *judge, int instance)
{
    return judge->progress ? judge->progress->judged[judge->rule].steps[instance] : 0;
}

int swp_verify_role_settled(const swp_role_judge *judge, int instance)
{
    return judge->progress ? judge->progress->settled[instance] : 0;
}

void swp_verify_role_judged_to(const swp_role_judge *judge, int instance)
{
    if (judge->progress)
        judge->progress->judged[judge->rule].steps[instance] = judge->progress->settled[instance];
}

/* --- Asking --- */

/* @return whether it is still open, by `*open` */
static swp_status ask_settled(swp_role_judge *judge, int instance, int step, swp_role_ask_step *ask,
                              swp_role_is_open *is_open, bool *open)
{
    *open = is_open && is_open(judge, instance, step);
    judge->is_settled = !*open;
    SWP_TRY(ask(judge, instance, step));
    judge->is_settled = false;
    return SWP_OK;
}

static swp_status ask_open(swp_role_judge *judge, int instance, swp_role_ask_step *ask,
                           swp_role_is_open *is_open)
{
    swp_happens_numbers *open = &judge->progress->judged[judge->rule].open[instance];
    size_t kept = 0;
    for (size_t k = 0; k < open->count; k++) {
        bool is_left = false;
        SWP_TRY(ask_settled(judge, instance, open->items[k], ask, is_open, &is_left));
        if (is_left)
            open->items[kept++] = open->items[k];
    }
    open->count = kept;
    return SWP_OK;
}

swp_status swp_verify_role_ask_steps(swp_role_judge *judge, int instance, swp_role_ask_step *ask,
                                     swp_role_is_open *is_open)
{
    const int settled = swp_verify_role_settled(judge, instance);
    int step = swp_verify_role_first_step(judge, instance);
    if (judge->progress)
        SWP_TRY(ask_open(judge, instance, ask, is_open));
    for (; step < settled; step++) {
        bool is_left = false;
        SWP_TRY(ask_settled(judge, instance, step, ask, is_open, &is_left));
        if (is_left)
            SWP_TRY(SWP_PUSH(judge->progress->ctx,
                             &judge->progress->judged[judge->rule].open[instance], step));
    }
    for (; step < judge->run->lengths[instance]; step++)
        SWP_TRY(ask(judge, instance, step));
    swp_verify_role_judged_to(judge, instance);
    return SWP_OK;
}
