/* SPDX-License-Identifier: Apache-2.0 */
/* Lays runs out and follows them: from their beginning, or from the cut behind the passes that they share. */
#include "happens_before/run.h"
#include "happens_before/queues.h"

#include <string.h>

/* --- Steps --- */

/* As steps are copied to larger room, it grows to what most runs need, then to what any does. */
static int capacity_for(const swp_happens_run *run, int instance, int needed)
{
    const swp_happens_instance *in = &run->program->instances[instance];
    for (int k = 0; run->goes_on && run->lengths[instance] > 0 && k < SWP_HAPPENS_ROOMS; k++) {
        const int capacity = swp_happens_length(in, run->rooms.passes[k]);
        if (needed <= capacity)
            return capacity;
    }
    return run->lengths[instance] == 0 ? needed : needed + run->lengths[instance] / 2;
}

swp_status swp_happens_room(swp_happens_run *run, int instance, int more)
{
    const int length = run->lengths[instance];
    const int needed = length + more;
    swp_happens_step *steps = NULL;
    SWP_TRY(swp_happens_table_reserve(run->ctx, &run->turns, (size_t)more));
    SWP_TRY(swp_happens_table_reserve(run->ctx, &run->works, (size_t)more));
    if (needed <= run->capacities[instance])
        return SWP_OK;
    const int capacity = capacity_for(run, instance, needed);
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)capacity, &steps));
    if (length > 0)
        memcpy(steps, run->steps[instance], (size_t)length * sizeof *steps);
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
        swp_happens_thread *t = &run->threads[swp_happens_thread_of(instance, which)];
        int *clocks = NULL;
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)capacity + 1, &clocks));
        if (length > 0)
            memcpy(clocks, t->clocks, ((size_t)t->step + 1) * sizeof *clocks);
        t->clocks = clocks;
    }
    run->steps[instance] = steps;
    run->capacities[instance] = capacity;
    return SWP_OK;
}

static int key_of_work(const swp_happens_run *run, int instance, int op)
{
    return op * run->program->count + instance;
}

int swp_happens_find_work(const swp_happens_run *run, int instance, int op, int64_t iteration)
{
    return swp_happens_table_find(&run->works, key_of_work(run, instance, op), iteration);
}

static void lay_work(swp_happens_run *run, int instance, int s)
{
    swp_happens_step *step = &run->steps[instance][s];
    if (!step->work)
        return;
    const int key = key_of_work(run, instance, swp_loop_op_of_tag(step->op->tag));
    step->earlier = swp_happens_table_find(&run->works, key, step->iteration);
    swp_happens_table_set(&run->works, key, step->iteration, s);
}

void swp_happens_take_back_work(swp_happens_run *run, int instance, const swp_happens_step *step)
{
    swp_happens_table_set(&run->works,
                          key_of_work(run, instance, swp_loop_op_of_tag(step->op->tag)),
                          step->iteration, step->earlier);
}

swp_status swp_happens_lay(swp_happens_run *run, int instance, const swp_happens_step *step)
{
    const int s = run->lengths[instance]++;
    run->steps[instance][s] = *step;
    SWP_TRY(swp_happens_lay_phase(run, instance, s));
    SWP_TRY(swp_happens_lay_part(run, instance, s));
    swp_happens_lay_group(run, instance, s);
    if (run->program->is_flat)
        swp_happens_lay_queues(run, instance, s);
    lay_work(run, instance, s);
    return SWP_OK;
}

/* Notes how the run stands, with room for so many steps more that none is taken behind the cut. */
static swp_status keep(swp_context *ctx, swp_happens_run *run, size_t steps)
{
    SWP_TRY(swp_happens_table_reserve(run->ctx, &run->turns, steps));
    SWP_TRY(swp_happens_table_reserve(run->ctx, &run->works, steps));
    return swp_happens_keep(ctx, run);
}

static swp_status lay_list(swp_happens_run *run, const swp_happens_program *program, swp_phase list,
                           int pass)
{
    for (int i = 0; i < program->count; i++) {
        const swp_happens_instance *in = &program->instances[i];
        SWP_TRY(swp_happens_room(run, i, in->lengths[list]));
        for (int k = 0; k < in->lengths[list]; k++) {
            const swp_happens_step step = swp_happens_step_in(program, in, list, k, pass);
            SWP_TRY(swp_happens_lay(run, i, &step));
        }
    }
    return SWP_OK;
}

/* --- A run --- */

static swp_status take(swp_happens_run *run)
{
    const size_t count = (size_t)run->program->count;
    const size_t retirers = count * SWP_HAPPENS_RETIRERS;
    run->thread_count = run->program->count * SWP_HAPPENS_THREADS;
    run->rows = run->tiles ? run->tiles->row_count : 1;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    SWP_TRY(SWP_TAKE(run->ctx, count, &run->steps));
    SWP_TRY(SWP_TAKE(run->ctx, count, &run->lengths));
    SWP_TRY(SWP_TAKE(run->ctx, count, &run->capacities));
    SWP_TRY(SWP_TAKE(run->ctx, retirers, &run->retirers));
    for (size_t k = 0; k < retirers; k++)
        run->retirers[k].newest = -1;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->thread_count, &run->threads));
    for (int i = 0; i < run->program->count; i++)
        run->capacities[i] = -1; /* its threads have no clocks yet */
    SWP_TRY(swp_happens_take_barriers(run));
    return swp_happens_walk_begin(run);
}

static void find_stuck(swp_happens_run *run)
{
    run->stuck = false;
    for (int t = 0; t < run->thread_count; t++)
        run->stuck |= run->threads[t].step < run->lengths[t / SWP_HAPPENS_THREADS];
}

static swp_status lay_all(swp_happens_run *run)
{
    for (int i = 0; i < run->program->count; i++)
        SWP_TRY(
            swp_happens_room(run, i, swp_happens_length(&run->program->instances[i], run->passes)));
    SWP_TRY(lay_list(run, run->program, SWP_PROLOGUE, 0));
    for (int pass = 0; pass < run->passes; pass++)
        SWP_TRY(lay_list(run, run->program, SWP_KERNEL, pass));
    return lay_list(run, run->program, SWP_EPILOGUE, run->passes);
}

static int64_t iterations(const swp_happens_program *program, int passes)
{
    const swp_loop_shape *loop = &program->schedule->loop;
    return loop->min_tiles + (int64_t)passes * loop->tiles_per_pass;
}

swp_status swp_happens_run_follow(swp_context *ctx, const swp_happens_program *program, int passes,
                                  swp_happens_run *out)
{
    *out = (swp_happens_run){
        .ctx = ctx, .program = program, .passes = passes, .n = iterations(program, passes)};
    SWP_TRY(take(out));
    SWP_TRY(lay_all(out));
    for (int pass = 0; pass <= passes; pass++) {
        SWP_TRY(swp_happens_walk_to(out, pass));
        SWP_TRY(swp_happens_note_cut(out));
    }
    SWP_TRY(swp_happens_walk_to(out, -1));
    find_stuck(out);
    return SWP_OK;
}

swp_status swp_happens_run_go_on_tiles(swp_happens_run *run, const swp_happens_sequence *sequence)
{
    run->sequence = sequence;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)sequence->count + 1, &run->bases));
    for (int t = 0; t < sequence->count; t++)
        run->bases[t + 1] = run->bases[t] + sequence->n[t];
    run->n = run->bases[sequence->count];
    for (int i = 0; i < run->program->count; i++)
        SWP_TRY(swp_happens_lay_tiles(run, i));
    SWP_TRY(swp_happens_walk_to(run, -1));
    find_stuck(run);
    return SWP_OK;
}

swp_status swp_happens_run_follow_tiles(swp_context *ctx, const swp_happens_tiles *tiles,
                                        const swp_happens_sequence *sequence, swp_happens_run *out)
{
    *out = (swp_happens_run){.ctx = ctx,
                             .program = &tiles->programs[0],
                             .passes = -1, /* no cuts are noted */
                             .tiles = tiles};
    SWP_TRY(take(out));
    return swp_happens_run_go_on_tiles(out, sequence);
}

swp_status swp_happens_run_keep_tiles(swp_context *ctx, swp_happens_run *run,
                                      const swp_happens_sequence *longest)
{
    size_t steps = 0;
    for (int i = 0; i < run->program->count; i++) {
        const int more = swp_happens_count_tiles(run, i, longest) - run->lengths[i];
        SWP_TRY(swp_happens_room(run, i, more));
        steps += (size_t)more;
    }
    return keep(ctx, run, steps);
}

/* --- Runs that share their passes --- */

swp_status swp_happens_run_begin(swp_context *ctx, const swp_happens_program *program,
                                 swp_happens_rooms rooms, swp_happens_run *out)
{
    enum { FEW = 2 }; /* most runs that break a rule have no more */
    *out = (swp_happens_run){.ctx = ctx, .program = program, .goes_on = true, .rooms = rooms};
    SWP_TRY(take(out));
    SWP_TRY(swp_happens_find_comings(out));
    for (int i = 0; i < program->count; i++)
        SWP_TRY(swp_happens_room(out, i, swp_happens_length(&program->instances[i], FEW)));
    SWP_TRY(lay_list(out, program, SWP_PROLOGUE, 0));
    SWP_TRY(swp_happens_walk_to(out, -1));
    return swp_happens_note_cut(out);
}

swp_status swp_happens_run_go_on(swp_happens_run *run)
{
    SWP_TRY(lay_list(run, run->program, SWP_KERNEL, run->passes));
    run->passes++;
    SWP_TRY(swp_happens_walk_to(run, -1));
    return swp_happens_note_cut(run);
}

swp_status swp_happens_run_end(swp_context *ctx, swp_happens_run *run,
                               const swp_happens_program *program)
{
    size_t steps = 0;
    for (int i = 0; i < program->count; i++) {
        SWP_TRY(swp_happens_room(run, i, program->instances[i].lengths[SWP_EPILOGUE]));
        steps += (size_t)program->instances[i].lengths[SWP_EPILOGUE];
    }
    SWP_TRY(keep(ctx, run, steps));
    run->program = program;
    run->n = iterations(program, run->passes);
    SWP_TRY(lay_list(run, program, SWP_EPILOGUE, run->passes));
    SWP_TRY(swp_happens_complete_open(run));
    SWP_TRY(swp_happens_walk_to(run, -1));
    find_stuck(run);
    return SWP_OK;
}
