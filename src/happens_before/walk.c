/* SPDX-License-Identifier: Apache-2.0 */
/* Follows one execution of a run of warp roles, each thread as far as it comes, with vector clocks. */
#include "base/budget.h"
#include "happens_before/run.h"

#include <string.h>

/* Counted from 0, so that compilers take the numbers of a block at once. */
enum { BLOCK = 8 };
static inline void join_block(int *restrict clock, const int *restrict other)
{
    for (int k = 0; k < BLOCK; k++)
        clock[k] = other[k] > clock[k] ? other[k] : clock[k];
}

static void join(const swp_happens_run *run, int *restrict clock, const int *restrict other)
{
    const int width = (int)swp_happens_width(run);
    int i = 0;
    for (; i + BLOCK <= width; i += BLOCK)
        join_block(clock + i, other + i);
    for (; i < width; i++)
        clock[i] = other[i] > clock[i] ? other[i] : clock[i];
}

static bool holds(const swp_happens_run *run, swp_happens_rule rule)
{
    return swp_happens_holds(run->program, rule);
}

/* What a thread knows as it issues a step, that issue included. */
static void join_issue(const swp_happens_run *run, int *clock, int thread, int step)
{
    join(run, clock, run->clocks.items[run->threads[thread].clocks[step]]);
    for (int i = thread; i < (int)swp_happens_width(run); i += run->thread_count)
        if (clock[i] < swp_happens_issue(step))
            clock[i] = swp_happens_issue(step);
}

/* --- Phases --- */

/* With too few arrivals or bytes it is complete, too. */
static bool is_excused(const swp_happens_run *run, const swp_happens_phase *phase)
{
    const swp_happens_at at = run->phases[phase - run->phases - phase->rank].first;
    if (run->program->excused_count == 0 || at.step < 0)
        return false;
    const swp_happens_step *step = swp_happens_step_of(run, at.instance, at.step);
    const int stream = run->program->instances[at.instance].stream;
    for (size_t i = 0; i < run->program->excused_count; i++) {
        const swp_happens_entry *entry = &run->program->excused[i];
        if (entry->stream == stream && entry->list == step->list && entry->entry == step->entry)
            return true;
    }
    return false;
}

/* All that it waits for but the phase before it. With too few arrivals or bytes it never has. */
static bool has_all(const swp_happens_run *run, const swp_happens_phase *phase)
{
    const bool is_last = !run->goes_on || run->tail || phase->coming == 0;
    if (phase->operations == 0 || phase->pending > 0 || !is_last)
        return false;
    return !holds(run, SWP_HAPPENS_TOO_FEW) ||
           (phase->arrivals >= run->program->schedule->objects[phase->object].arrivals &&
            phase->brought >= phase->expected) ||
           is_excused(run, phase);
}

static bool is_first(const swp_happens_run *run, const swp_happens_phase *phase)
{
    return phase->turn < run->program->schedule->objects[phase->object].slots;
}

/* Completes it, where that can be, and those that only waited for it. */
static swp_status complete(swp_happens_run *run, int number)
{
    while (number >= 0) {
        swp_happens_phase *phase = &run->phases[number];
        const swp_happens_phase *before = phase->before < 0 ? NULL : &run->phases[phase->before];
        if (phase->completed || !has_all(run, phase) ||
            (!is_first(run, phase) && !(before && before->completed)))
            break;
        SWP_TRY(swp_happens_keep_phase(run, number));
        if (before)
            join(run, phase->clock, swp_happens_handed_on(before));
        phase->completed = true;
        phase->in_tail = run->tail != NULL;
        number = phase->after;
    }
    return SWP_OK;
}

swp_status swp_happens_complete_open(swp_happens_run *run)
{
    for (int p = run->first_open; p < run->phase_count; p++)
        if (run->phases[p].coming > 0)
            SWP_TRY(complete(run, p));
    return SWP_OK;
}

/* --- One thread --- */

static swp_status meet(swp_happens_run *run, int thread, const swp_happens_step *at, int step)
{
    swp_happens_meeting *meeting = &run->barriers[at->barrier].meetings.items[at->meeting];
    SWP_TRY(swp_happens_keep_meeting(run, at->barrier, at->meeting));
    const bool is_cluster = swp_ir_sync_object_row(swp_happens_operation(at)->object)->across_ranks;
    if (holds(run, is_cluster ? SWP_HAPPENS_CLUSTER_PART : SWP_HAPPENS_PART))
        join_issue(run, meeting->clock, thread, step);
    meeting->opened = --meeting->pending == 0;
    return SWP_OK;
}

/* Whether the phase learns of the issue: in other ranks by rules of its own. */
static bool tells(const swp_happens_run *run, const swp_happens_step *at, int rank)
{
    if (run->phases[at->phase].rank == rank)
        return holds(run, SWP_HAPPENS_ARRIVAL);
    return holds(run, swp_happens_is_copy(at) ? SWP_HAPPENS_MULTICAST : SWP_HAPPENS_TO_ALL);
}

static swp_status arrive(swp_happens_run *run, int thread, const swp_happens_step *at, int step,
                         int rank)
{
    const int number = swp_happens_phase_in(run, at->phase, rank);
    swp_happens_phase *phase = &run->phases[number];
    if (phase->turn < 0) /* complete at the start */
        return SWP_OK;
    SWP_TRY(swp_happens_keep_phase(run, number));
    if (tells(run, at, rank))
        join_issue(run, phase->clock, thread, step);
    phase->pending--;
    return complete(run, number);
}

static swp_status issue(swp_happens_run *run, int thread, const swp_happens_step *at, int step)
{
    if (at->barrier >= 0 && swp_happens_operation(at)->arrives)
        SWP_TRY(meet(run, thread, at, step));
    if (at->phase < 0 || swp_happens_waits_for_phase(at->op))
        return SWP_OK;
    for (int rank = 0; rank < run->program->ranks; rank++)
        if (swp_happens_reaches(run, at, rank))
            SWP_TRY(arrive(run, thread, at, step, rank));
    return SWP_OK;
}

/* Whether all threads of the instance have issued what a wait retires. */
static bool is_retired(const swp_happens_run *run, int instance, int step)
{
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++)
        if (!swp_happens_issued(run, swp_happens_thread_of(instance, which), step))
            return false;
    return true;
}

/* What an entry waits for; NEVER: for nothing. */
static swp_completes awaited(const swp_happens_step *at)
{
    const swp_sync_operation *operation = swp_happens_operation(at);
    if (at->is_for_all)
        return SWP_COMPLETES_BY_GROUP;
    return operation->waits ? swp_ir_sync_completes(operation) : SWP_COMPLETES_NEVER;
}

static bool may_return(const swp_happens_run *run, int instance, const swp_happens_step *at)
{
    switch (awaited(at)) {
    case SWP_COMPLETES_BY_PHASE:
        return run->phases[at->phase].completed;
    case SWP_COMPLETES_BY_MEETING:
        return run->barriers[at->barrier].meetings.items[at->meeting].opened;
    case SWP_COMPLETES_BY_GROUP:
        return !at->is_for_all || at->retires < 0 || is_retired(run, instance, at->retires);
    default:
        return true;
    }
}

/* What a thread learns as a step returns. */
static void learn(const swp_happens_run *run, int instance, const swp_happens_step *at, int *clock)
{
    switch (awaited(at)) {
    case SWP_COMPLETES_BY_PHASE:
        join(run, clock, swp_happens_handed_on(&run->phases[at->phase]));
        break;
    case SWP_COMPLETES_BY_MEETING:
        join(run, clock, run->barriers[at->barrier].meetings.items[at->meeting].clock);
        break;
    case SWP_COMPLETES_BY_GROUP:
        for (int which = 0; at->retires >= 0 && which < SWP_HAPPENS_THREADS; which++)
            join_issue(run, clock, swp_happens_thread_of(instance, which), at->retires);
        break;
    default:
        break;
    }
}

static bool learns(const swp_happens_run *run, const swp_happens_step *at)
{
    const swp_completes completes = awaited(at);
    const swp_sync_object_row *object = swp_ir_sync_object_row(swp_happens_operation(at)->object);
    if (!object->orders && !at->is_for_all)
        return false;
    switch (completes) {
    case SWP_COMPLETES_BY_PHASE:
        return holds(run, SWP_HAPPENS_PHASE_WAIT);
    case SWP_COMPLETES_BY_MEETING:
        return holds(run, object->across_ranks ? SWP_HAPPENS_CLUSTER_OPENING : SWP_HAPPENS_OPENING);
    case SWP_COMPLETES_BY_GROUP:
        return at->is_for_all && holds(run, SWP_HAPPENS_ISSUES);
    default:
        return false;
    }
}

/* To the next step, with the clock that the thread has there. */
static swp_status step_on(swp_happens_run *run, int thread, const swp_happens_step *at)
{
    swp_happens_thread *t = &run->threads[thread];
    int clock = t->clocks[t->step];
    if (at && learns(run, at)) {
        int *learnt = NULL;
        SWP_TRY(SWP_TAKE(run->ctx, swp_happens_width(run), &learnt));
        memcpy(learnt, run->clocks.items[clock], swp_happens_width(run) * sizeof *learnt);
        learn(run, thread / SWP_HAPPENS_THREADS, at, learnt);
        clock = (int)run->clocks.count;
        SWP_TRY(SWP_PUSH(run->ctx, &run->clocks, learnt));
    }
    t->step++;
    t->issued = false;
    t->clocks[t->step] = clock;
    return SWP_OK;
}

/* As far as it comes before a step. */
static swp_status advance(swp_happens_run *run, int thread, int end, bool *moved)
{
    enum { STEPS_OF_A_STEP = 16 };
    const int instance = thread / SWP_HAPPENS_THREADS;
    swp_happens_thread *t = &run->threads[thread];
    while (t->step < end) {
        const swp_happens_step *at = &run->steps[instance][t->step];
        SWP_TRY(swp_keep_on(run->ctx, STEPS_OF_A_STEP));
        if (thread % SWP_HAPPENS_THREADS >= swp_happens_threads_of(at)) {
            SWP_TRY(step_on(run, thread, NULL));
            continue;
        }
        if (!t->issued) {
            t->issued = true;
            *moved = true;
            SWP_TRY(issue(run, thread, at, t->step));
        }
        if (!may_return(run, instance, at))
            break;
        *moved = true;
        SWP_TRY(step_on(run, thread, at));
    }
    return SWP_OK;
}

/* --- All threads --- */

swp_status swp_happens_walk_to(swp_happens_run *run, int pass)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (int t = 0; t < run->thread_count; t++) {
            const int instance = t / SWP_HAPPENS_THREADS;
            const int end =
                pass < 0 ? run->lengths[instance]
                         : swp_happens_steps_before(&run->program->instances[instance], pass);
            SWP_TRY(advance(run, t, end, &moved));
        }
    }
    return SWP_OK;
}

swp_status swp_happens_walk_begin(swp_happens_run *run)
{
    int *nothing = NULL;
    SWP_TRY(SWP_TAKE(run->ctx, swp_happens_width(run), &nothing));
    return SWP_PUSH(run->ctx, &run->clocks, nothing);
}

swp_status swp_happens_note_cut(swp_happens_run *run)
{
    for (int t = 0; t < run->thread_count; t++) {
        const swp_happens_thread *at = &run->threads[t];
        SWP_TRY(SWP_PUSH(run->ctx, &run->cuts, 2 * at->step + at->issued));
    }
    while (run->first_open < run->phase_count && run->phases[run->first_open].completed)
        run->first_open++;
    return SWP_OK;
}
