/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the run of so many passes and answers what comes before what in it. */
#include "happens_before/run.h"

static swp_status take_steps(swp_happens_run *run)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->program->count, &run->steps));
    return SWP_TAKE(run->ctx, (size_t)run->program->count, &run->lengths);
}

static swp_status follow(swp_happens_run *run)
{
    SWP_TRY(swp_happens_find_phases(run));
    SWP_TRY(swp_happens_find_barriers(run));
    swp_happens_find_retirements(run);
    return swp_happens_walk(run);
}

swp_status swp_happens_run_follow(swp_context *ctx, const swp_happens_program *program, int passes,
                                  swp_happens_run *out)
{
    const swp_loop_shape *loop = &program->schedule->loop;
    *out = (swp_happens_run){.ctx = ctx,
                             .program = program,
                             .passes = passes,
                             .n = loop->min_tiles + (int64_t)passes * loop->tiles_per_pass,
                             .thread_count = program->count * SWP_HAPPENS_THREADS};
    SWP_TRY(take_steps(out));
    for (int i = 0; i < program->count; i++) {
        out->lengths[i] = swp_happens_length(&program->instances[i], passes);
        SWP_TRY(swp_happens_steps(ctx, program, i, passes, &out->steps[i]));
    }
    return follow(out);
}

swp_status swp_happens_run_follow_tiles(swp_context *ctx, const swp_happens_tiles *tiles,
                                        const swp_happens_sequence *sequence, swp_happens_run *out)
{
    const swp_happens_program *program = &tiles->programs[0];
    *out = (swp_happens_run){.ctx = ctx,
                             .program = program,
                             .passes = -1, /* no cuts are noted */
                             .tiles = tiles,
                             .sequence = sequence,
                             .thread_count = program->count * SWP_HAPPENS_THREADS};
    SWP_TRY(SWP_TAKE(ctx, (size_t)sequence->count + 1, &out->bases));
    for (int t = 0; t < sequence->count; t++)
        out->bases[t + 1] = out->bases[t] + sequence->n[t];
    out->n = out->bases[sequence->count];
    SWP_TRY(take_steps(out));
    for (int i = 0; i < program->count; i++)
        SWP_TRY(swp_happens_tile_steps(ctx, tiles, i, sequence, &out->steps[i], &out->lengths[i]));
    return follow(out);
}

bool swp_happens_issued(const swp_happens_run *run, int thread, int step)
{
    const swp_happens_thread *t = &run->threads[thread];
    return t->step > step || (t->step == step && t->issued);
}

bool swp_happens_returned(const swp_happens_run *run, int thread, int step)
{
    return run->threads[thread].step > step;
}

bool swp_happens_before(const swp_happens_run *run, int thread, int moment, int later, int step)
{
    if (thread == later)
        return moment < swp_happens_issue(step) &&
               swp_happens_holds(run->program, SWP_HAPPENS_LIST);
    return run->clocks.items[run->threads[later].clocks[step]][thread] >= moment;
}

bool swp_happens_observed_before(const swp_happens_run *run, int phase, int later, int step)
{
    const swp_happens_phase *p = &run->phases[phase];
    for (int w = 0; w < p->wait_count; w++) {
        const swp_happens_at *wait = &p->waits[w];
        const int threads = swp_happens_threads_of(&run->steps[wait->instance][wait->step]);
        for (int which = 0; which < threads; which++) {
            const int thread = swp_happens_thread_of(wait->instance, which);
            if (swp_happens_returned(run, thread, wait->step) &&
                swp_happens_before(run, thread, swp_happens_return(wait->step), later, step))
                return true;
        }
    }
    return false;
}

/* Who has waited for a later phase of the slot knows of this one, too. */
bool swp_happens_completed_before(const swp_happens_run *run, int phase, int later, int step)
{
    for (; phase >= 0 && run->phases[phase].completed; phase = run->phases[phase].after)
        if (swp_happens_observed_before(run, phase, later, step))
            return true;
    return false;
}

bool swp_happens_opened_before(const swp_happens_run *run, int barrier, int meeting, int later,
                               int step)
{
    const swp_happens_barrier *b = &run->barriers[barrier];
    for (int i = 0; i < run->program->count; i++) {
        const int wait = b->waits[i][meeting];
        for (int which = 0; wait >= 0 && which < SWP_HAPPENS_THREADS; which++) {
            const int thread = swp_happens_thread_of(i, which);
            if (swp_happens_returned(run, thread, wait) &&
                swp_happens_before(run, thread, swp_happens_return(wait), later, step))
                return true;
        }
    }
    return false;
}

/* In any thread of the instance, whose waits retire it for all. */
static bool retired_before(const swp_happens_run *run, int instance, int wait, int later, int step)
{
    for (int which = 0; wait >= 0 && which < SWP_HAPPENS_THREADS; which++) {
        const int thread = swp_happens_thread_of(instance, which);
        if (which < swp_happens_threads_of(&run->steps[instance][wait]) &&
            (thread == later || swp_happens_holds(run->program, SWP_HAPPENS_FOR_ALL)) &&
            swp_happens_before(run, thread, swp_happens_return(wait), later, step))
            return true;
    }
    return false;
}

/* A copy, in a rank to which it goes. A phase below 0 is complete without it, so nobody learns of its end. */
static bool landed_before(const swp_happens_run *run, const swp_happens_step *at, int rank,
                          int later, int step)
{
    const bool is_own = run->phases[at->phase].rank == rank || !swp_happens_goes_to_all(at);
    const int phase = is_own ? at->phase : swp_happens_phase_in(run, at->phase, rank);
    return run->phases[phase].turn >= 0 &&
           swp_happens_holds(run->program, is_own ? SWP_HAPPENS_LANDING : SWP_HAPPENS_MULTICAST) &&
           swp_happens_completed_before(run, phase, later, step);
}

bool swp_happens_over_before(const swp_happens_run *run, int instance, int which, int step,
                             int rank, int later, int later_step)
{
    const swp_happens_step *at = &run->steps[instance][step];
    switch (swp_happens_completion(at)) {
    case SWP_COMPLETION_COPY_MBARRIER:
        return landed_before(run, at, rank, later, later_step);
    case SWP_COMPLETION_MATRIX_GROUP:
        return swp_happens_holds(run->program, SWP_HAPPENS_RETIREMENT) &&
               retired_before(run, instance, at->retired_by, later, later_step);
    case SWP_COMPLETION_STORE_GROUP:
        return swp_happens_holds(run->program, SWP_HAPPENS_STORES) &&
               retired_before(run, instance, at->retired_by, later, later_step);
    default:
        return swp_happens_before(run, swp_happens_thread_of(instance, which),
                                  swp_happens_issue(step), later, later_step);
    }
}
