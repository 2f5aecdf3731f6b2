/* SPDX-License-Identifier: Apache-2.0 */
/* Answers what comes before what in a run that has been followed. */
#include "happens_before/queues.h"

bool swp_happens_issued(const swp_happens_run *run, int thread, int step)
{
    const swp_happens_thread *t = &run->threads[thread];
    return t->step > step || (t->step == step && t->issued);
}

bool swp_happens_returned(const swp_happens_run *run, int thread, int step)
{
    return run->threads[thread].step > step;
}

bool swp_happens_before(const swp_happens_run *run, int kind, int thread, int moment, int later,
                        int step)
{
    if (thread == later)
        return moment < swp_happens_issue(step) &&
               swp_happens_holds(run->program, SWP_HAPPENS_LIST);
    const int *clock = run->clocks.items[run->threads[later].clocks[step]];
    return clock[swp_happens_place_in_clock(run, kind, thread)] >= moment;
}

bool swp_happens_observed_before(const swp_happens_run *run, int phase, int later, int step)
{
    const swp_happens_phase *p = &run->phases[phase];
    const int kind = swp_happens_kind_of_object(run, p->object);
    for (size_t w = 0; w < p->waits.count; w++) {
        const swp_happens_at *wait = &p->waits.items[w];
        const int threads = swp_happens_threads_of(&run->steps[wait->instance][wait->step]);
        for (int which = 0; which < threads; which++) {
            const int thread = swp_happens_thread_of(wait->instance, which);
            if (swp_happens_returned(run, thread, wait->step) &&
                swp_happens_before(run, kind, thread, swp_happens_return(wait->step), later, step))
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
    const int kind = swp_happens_kind_of_object(run, b->object);
    for (int i = 0; i < run->program->count; i++) {
        const swp_happens_numbers *waits = &b->waits[i];
        const int wait = (size_t)meeting < waits->count ? waits->items[meeting] : -1;
        for (int which = 0; wait >= 0 && which < SWP_HAPPENS_THREADS; which++) {
            const int thread = swp_happens_thread_of(i, which);
            if (swp_happens_returned(run, thread, wait) &&
                swp_happens_before(run, kind, thread, swp_happens_return(wait), later, step))
                return true;
        }
    }
    return false;
}

/* In any thread of the instance, whose waits retire it for all. */
static bool retired_before(const swp_happens_run *run, int kind, int instance, int wait, int later,
                           int step)
{
    for (int which = 0; wait >= 0 && which < SWP_HAPPENS_THREADS; which++) {
        const int thread = swp_happens_thread_of(instance, which);
        if (which < swp_happens_threads_of(&run->steps[instance][wait]) &&
            (thread == later || swp_happens_holds(run->program, SWP_HAPPENS_FOR_ALL)) &&
            swp_happens_before(run, kind, thread, swp_happens_return(wait), later, step))
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

/* A thread retires what is in its own queues, and any thread of a warp group what that issues together. */
static bool retired_alone_before(const swp_happens_run *run, int kind, int thread, int access,
                                 int later, int step)
{
    const int instance = thread / SWP_HAPPENS_THREADS;
    const swp_happens_step *at = &run->steps[instance][access];
    const int moment = swp_happens_own_end(at);
    const bool of_any = swp_happens_ends_for_all(run, instance, access) ||
                        !swp_happens_holds(run->program, SWP_HAPPENS_OWN_QUEUE);
    for (int which = 0; at->retired_by >= 0 && which < SWP_HAPPENS_THREADS; which++) {
        const int of = swp_happens_thread_of(instance, which);
        if ((of == thread || of_any) && swp_ir_sync_object_row(at->queue)->orders &&
            swp_happens_before(run, kind, of, moment, later, step))
            return true;
    }
    return false;
}

/* Whether a thread orders by it what it did by ordinary instructions before asynchronous ones. Each barrier without roles does. */
static bool is_proxy_fence(const swp_happens_program *program, const swp_happens_step *step)
{
    const swp_sync_operation *operation = swp_happens_operation(step);
    return operation->fence == SWP_PROXY_FENCE ||
           (program->is_flat && operation->object == SWP_SYNC_GROUP_BARRIER);
}

int swp_happens_fence_behind(const swp_happens_run *run, int instance, int which, int step)
{
    const swp_happens_step *steps = run->steps[instance];
    const bool is_queued = swp_happens_is_queued(&steps[step]);
    if (is_queued && steps[step].retired_by < 0)
        return -1;
    for (int s = is_queued ? steps[step].retired_by : step + 1; s < run->lengths[instance]; s++)
        if (is_proxy_fence(run->program, &steps[s]) && which < swp_happens_threads_of(&steps[s]))
            return s;
    return -1;
}

bool swp_happens_over_before(const swp_happens_run *run, int kind, int instance, int which,
                             int step, int rank, int later, int later_step)
{
    const swp_happens_step *at = &run->steps[instance][step];
    const int thread = swp_happens_thread_of(instance, which);
    if (swp_happens_is_queued(at))
        return retired_alone_before(run, kind, thread, step, later, later_step);
    const swp_sync_object_row *tracker = swp_happens_tracked_by(at);
    switch (tracker->completes) {
    case SWP_COMPLETES_BY_PHASE:
        return tracker->orders && landed_before(run, at, rank, later, later_step);
    case SWP_COMPLETES_BY_GROUP:
        return tracker->orders &&
               swp_happens_holds(run->program, tracker->collective ? SWP_HAPPENS_RETIREMENT
                                                                   : SWP_HAPPENS_STORES) &&
               retired_before(run, kind, instance, at->retired_by, later, later_step);
    default:
        return swp_happens_before(run, kind, thread, swp_happens_issue(step), later, later_step);
    }
}
