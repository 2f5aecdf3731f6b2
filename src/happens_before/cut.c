/* SPDX-License-Identifier: Apache-2.0 */
/* Brings a run back to the cut behind its passes, once what followed there has been judged. */
#include "happens_before/run.h"

#include <string.h>

typedef struct kept_phase {
    int number;
    swp_happens_phase phase;
} kept_phase;

typedef struct kept_meeting {
    int barrier;
    int number;
    swp_happens_meeting meeting;
} kept_meeting;

/* What a barrier has. */
typedef struct kept_barrier {
    swp_happens_numbers *parts;
    swp_happens_numbers *waits;
    swp_happens_meetings meetings;
} kept_barrier;

/* The run as it was, and what its lists pointed to where that has changed. */
struct swp_happens_tail {
    swp_happens_run run;
    int *lengths;
    swp_happens_thread *threads;
    swp_happens_retirer *retirers;
    kept_barrier *barriers;
    struct {
        kept_phase *items;
        size_t count;
        size_t capacity;
    } phases;
    struct {
        kept_meeting *items;
        size_t count;
        size_t capacity;
    } meetings;
};

static swp_status copy(swp_context *ctx, const void *items, size_t count, size_t size, void *out)
{
    void *taken = NULL;
    SWP_TRY(swp_take(ctx, count, size, &taken));
    if (count > 0)
        memcpy(taken, items, count * size);
    memcpy(out, &taken, sizeof taken);
    return SWP_OK;
}

#define COPY(ctx, items, count, out) copy((ctx), (items), (size_t)(count), sizeof *(items), (out))

static swp_status keep_barriers(swp_context *ctx, swp_happens_tail *tail)
{
    const int instances = tail->run.program->count;
    SWP_TRY(SWP_TAKE(ctx, (size_t)tail->run.barrier_count, &tail->barriers));
    for (int b = 0; b < tail->run.barrier_count; b++) {
        const swp_happens_barrier *barrier = &tail->run.barriers[b];
        tail->barriers[b].meetings = barrier->meetings;
        SWP_TRY(COPY(ctx, barrier->parts, instances, &tail->barriers[b].parts));
        SWP_TRY(COPY(ctx, barrier->waits, instances, &tail->barriers[b].waits));
    }
    return SWP_OK;
}

swp_status swp_happens_keep(swp_context *ctx, swp_happens_run *run)
{
    const int instances = run->program->count;
    swp_happens_tail *tail = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &tail));
    tail->run = *run;
    SWP_TRY(COPY(ctx, run->lengths, instances, &tail->lengths));
    SWP_TRY(COPY(ctx, run->threads, run->thread_count, &tail->threads));
    SWP_TRY(COPY(ctx, run->retirers, instances * SWP_HAPPENS_RETIRERS, &tail->retirers));
    SWP_TRY(keep_barriers(ctx, tail));
    run->ctx = ctx;
    run->tail = tail;
    return SWP_OK;
}

swp_status swp_happens_keep_phase(swp_happens_run *run, int number)
{
    swp_happens_phase *phase = &run->phases[number];
    if (!run->tail || number >= run->tail->run.phase_count || phase->is_kept)
        return SWP_OK;
    const kept_phase kept = {number, *phase};
    SWP_TRY(SWP_PUSH(run->ctx, &run->tail->phases, kept));
    phase->is_kept = true;
    return COPY(run->ctx, kept.phase.clock, swp_happens_width(run), &phase->clock);
}

swp_status swp_happens_keep_meeting(swp_happens_run *run, int barrier, int number)
{
    swp_happens_meeting *meeting = &run->barriers[barrier].meetings.items[number];
    if (!run->tail || (size_t)number >= run->tail->barriers[barrier].meetings.count ||
        meeting->is_kept)
        return SWP_OK;
    const kept_meeting kept = {barrier, number, *meeting};
    SWP_TRY(SWP_PUSH(run->ctx, &run->tail->meetings, kept));
    meeting->is_kept = true;
    return COPY(run->ctx, kept.meeting.clock, swp_happens_width(run), &meeting->clock);
}

/* --- Back --- */

/* What was added last goes first. */
static void take_back_phases(swp_happens_run *run)
{
    const int ranks = run->program->ranks;
    for (int p = run->phase_count - ranks; p >= run->tail->run.phase_count; p -= ranks)
        swp_happens_table_set(&run->turns, run->phases[p].object, run->phases[p].turn, -1);
}

static void take_back_works(swp_happens_run *run, int instance)
{
    for (int s = run->lengths[instance] - 1; s >= run->tail->lengths[instance]; s--) {
        const swp_happens_step *step = &run->steps[instance][s];
        if (step->work)
            swp_happens_take_back_work(run, instance, step);
    }
}

/* What waits behind the cut have retired. */
static void take_back_retirements(swp_happens_run *run, int instance)
{
    for (int k = 0; k < SWP_HAPPENS_RETIRERS; k++) {
        const int at = instance * SWP_HAPPENS_RETIRERS + k;
        for (int s = run->tail->retirers[at].next; s < run->tail->lengths[instance]; s++)
            if (run->steps[instance][s].retired_by >= run->tail->lengths[instance])
                run->steps[instance][s].retired_by = -1;
        run->retirers[at] = run->tail->retirers[at];
    }
}

static void put_back_barriers(swp_happens_run *run)
{
    const swp_happens_tail *tail = run->tail;
    const size_t size = (size_t)run->program->count * sizeof(swp_happens_numbers);
    for (int b = 0; b < run->barrier_count; b++) {
        memcpy(run->barriers[b].parts, tail->barriers[b].parts, size);
        memcpy(run->barriers[b].waits, tail->barriers[b].waits, size);
        run->barriers[b].meetings = tail->barriers[b].meetings;
    }
    for (size_t m = 0; m < tail->meetings.count; m++) {
        const kept_meeting *kept = &tail->meetings.items[m];
        run->barriers[kept->barrier].meetings.items[kept->number] = kept->meeting;
    }
}

void swp_happens_run_back(swp_happens_run *run)
{
    const swp_happens_tail *tail = run->tail;
    take_back_phases(run);
    for (int i = run->program->count - 1; i >= 0; i--) {
        take_back_works(run, i);
        take_back_retirements(run, i);
        run->lengths[i] = tail->lengths[i];
    }
    memcpy(run->threads, tail->threads, (size_t)run->thread_count * sizeof *run->threads);
    put_back_barriers(run);
    const size_t works = run->works.count;
    const size_t turns = run->turns.count;
    *run = tail->run;
    run->works.count = works;
    run->turns.count = turns;
    for (size_t p = 0; p < tail->phases.count; p++)
        run->phases[tail->phases.items[p].number] = tail->phases.items[p].phase;
}

/* --- What there was --- */

int swp_happens_done_at_cut(const swp_happens_run *run, int thread)
{
    return run->tail->threads[thread].step;
}

int swp_happens_length_at_cut(const swp_happens_run *run, int instance)
{
    return run->tail ? run->tail->lengths[instance] : 0;
}

int swp_happens_phases_at_cut(const swp_happens_run *run)
{
    return run->tail ? run->tail->run.phase_count : 0;
}

/* --- Whether to follow it from there --- */

/* Who has a part at a barrier takes part in all of its meetings. */
static bool has_same_participants(const swp_happens_run *run, const swp_happens_program *program)
{
    for (int b = 0; b < run->barrier_count - 1; b++)
        for (int i = 0; i < program->count; i++) {
            if (b % run->barriers_of_a_rank == 0 ||
                swp_happens_rank_of(run, i) != b / run->barriers_of_a_rank)
                continue;
            const bool takes_part =
                swp_happens_has_part(run, program, i, SWP_PROLOGUE, b) ||
                (run->passes > 0 && swp_happens_has_part(run, program, i, SWP_KERNEL, b)) ||
                swp_happens_has_part(run, program, i, SWP_EPILOGUE, b);
            if (takes_part != run->barriers[b].takes_part[i])
                return false;
        }
    return true;
}

/* Whether an operation of the epilogue is on a phase that was closed. */
static bool reopens(const swp_happens_run *run, int rank, const swp_happens_step *step)
{
    if (step->op->object < 0 || swp_happens_waits_for_phase(step->op))
        return false;
    const int number = swp_happens_find_phase(run, rank, step->op->object, step->iteration);
    return number >= 0 && run->phases[number].operations > 0 && run->phases[number].coming == 0;
}

bool swp_happens_run_may_end(const swp_happens_run *run, const swp_happens_program *program)
{
    if (!has_same_participants(run, program))
        return false;
    for (int i = 0; i < program->count; i++) {
        const swp_happens_instance *in = &program->instances[i];
        for (int k = 0; k < in->lengths[SWP_EPILOGUE]; k++) {
            const swp_happens_step step =
                swp_happens_step_in(program, in, SWP_EPILOGUE, k, run->passes);
            if (reopens(run, swp_happens_rank_of(run, i), &step))
                return false;
        }
    }
    return true;
}
