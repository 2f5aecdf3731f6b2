/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the phases of mbarriers that a run works on, and what each of them expects. */
#include "happens_before/run.h"

#include <stdlib.h>

static bool is_of_mbarrier(const swp_happens_run *run, const swp_op *op)
{
    return op->object >= 0 &&
           run->program->schedule->objects[op->object].kind == SWP_OBJECT_MBARRIER;
}

static int compare(const void *a, const void *b)
{
    const swp_happens_phase *x = a;
    const swp_happens_phase *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

/* -1: no operation is on it. */
static int find(const swp_happens_run *run, int rank, int object, int64_t turn)
{
    const swp_happens_phase key = {.rank = rank, .object = object, .turn = turn};
    const swp_happens_phase *found =
        run->phase_count == 0
            ? NULL
            : bsearch(&key, run->phases, (size_t)run->phase_count, sizeof key, compare);
    return found ? (int)(found - run->phases) : -1;
}

/* Each turn once, in order. */
static swp_status list_turns(swp_happens_run *run)
{
    size_t most = 0;
    for (int i = 0; i < run->program->count; i++)
        most += (size_t)run->lengths[i];
    SWP_TRY(SWP_TAKE(run->ctx, most, &run->phases));
    size_t count = 0;
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < run->lengths[i]; s++) {
            const swp_happens_step *step = &run->steps[i][s];
            if (is_of_mbarrier(run, step->op))
                run->phases[count++] = (swp_happens_phase){.rank = swp_happens_rank_of(run, i),
                                                           .object = step->op->object,
                                                           .turn = step->iteration};
        }
    if (count > 0)
        qsort(run->phases, count, sizeof *run->phases, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare(&run->phases[i], &run->phases[run->phase_count - 1]) != 0)
            run->phases[run->phase_count++] = run->phases[i];
    run->phases_of_a_rank = run->phase_count / run->program->ranks;
    return SWP_OK;
}

static void count_operation(swp_happens_run *run, int instance, const swp_happens_step *step,
                            swp_happens_phase *phase)
{
    const int threads = run->program->instances[instance].threads;
    if (step->op->tag == SWP_TAG_WAIT_PHASE) {
        phase->wait_count++;
        return;
    }
    phase->operations += swp_happens_threads_of(step);
    if (swp_happens_is_copy(step)) {
        phase->brought += step->op->bytes;
        return;
    }
    const bool each = swp_happens_holds(run->program, SWP_HAPPENS_EACH_THREAD);
    phase->arrivals += step->op->by == SWP_ONE_THREAD || !each ? 1 : threads;
    phase->expected += step->op->bytes;
}

static void count_operations(swp_happens_run *run)
{
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < run->lengths[i]; s++) {
            swp_happens_step *step = &run->steps[i][s];
            if (!is_of_mbarrier(run, step->op))
                continue;
            const int own = swp_happens_rank_of(run, i);
            step->phase = find(run, own, step->op->object, step->iteration);
            for (int rank = 0; rank < run->program->ranks; rank++)
                if (swp_happens_reaches(run, step, rank))
                    count_operation(run, i, step,
                                    &run->phases[swp_happens_phase_in(run, step->phase, rank)]);
        }
}

static swp_status list_waits(swp_happens_run *run)
{
    for (int p = 0; p < run->phase_count; p++) {
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->phases[p].wait_count, &run->phases[p].waits));
        run->phases[p].wait_count = 0;
    }
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < run->lengths[i]; s++) {
            const swp_happens_step *step = &run->steps[i][s];
            if (step->phase < 0 || step->op->tag != SWP_TAG_WAIT_PHASE)
                continue;
            swp_happens_phase *phase = &run->phases[step->phase];
            phase->waits[phase->wait_count++] = (swp_happens_at){i, s};
        }
    return SWP_OK;
}

/* By role, tile, list, pass and entry. */
static bool is_earlier(const swp_happens_run *run, swp_happens_at a, swp_happens_at b)
{
    const swp_happens_instance *of = run->program->instances;
    const swp_happens_step *x = swp_happens_step_of(run, a.instance, a.step);
    const swp_happens_step *y = swp_happens_step_of(run, b.instance, b.step);
    if (of[a.instance].stream != of[b.instance].stream)
        return of[a.instance].stream < of[b.instance].stream;
    if (x->tile != y->tile)
        return x->tile < y->tile;
    if (x->list != y->list)
        return swp_happens_list_rank(x->list) < swp_happens_list_rank(y->list);
    return x->pass != y->pass ? x->pass < y->pass : x->entry < y->entry;
}

/* Of the operations of rank 0: all ranks have the same ones. */
static void find_first(swp_happens_run *run)
{
    const bool earlier = swp_happens_holds(run->program, SWP_HAPPENS_FIRST_OPERATION);
    for (int p = 0; p < run->phase_count; p++)
        run->phases[p].first = (swp_happens_at){-1, -1};
    for (int i = 0; i < run->program->of_a_rank; i++)
        for (int s = 0; s < run->lengths[i]; s++) {
            const swp_happens_step *step = &run->steps[i][s];
            const swp_happens_at at = {i, s};
            if (step->phase < 0 || step->op->tag == SWP_TAG_WAIT_PHASE)
                continue;
            swp_happens_at *first = &run->phases[step->phase].first;
            if (first->step < 0 || is_earlier(run, at, *first) == earlier)
                *first = at;
        }
}

static bool is_excused(const swp_happens_run *run, swp_happens_at at)
{
    const swp_happens_step *step = swp_happens_step_of(run, at.instance, at.step);
    const int stream = run->program->instances[at.instance].stream;
    for (size_t i = 0; i < run->program->excused_count; i++) {
        const swp_happens_entry *entry = &run->program->excused[i];
        if (entry->stream == stream && entry->list == step->list && entry->entry == step->entry)
            return true;
    }
    return false;
}

static void excuse(swp_happens_run *run)
{
    for (int p = 0; p < run->phase_count; p++) {
        const swp_happens_at first = run->phases[p % run->phases_of_a_rank].first;
        run->phases[p].is_excused = first.step >= 0 && is_excused(run, first);
    }
}

swp_status swp_happens_find_phases(swp_happens_run *run)
{
    SWP_TRY(list_turns(run));
    count_operations(run);
    find_first(run);
    excuse(run);
    for (int p = 0; p < run->phase_count; p++) {
        swp_happens_phase *phase = &run->phases[p];
        const int slots = run->program->schedule->objects[phase->object].slots;
        phase->before = find(run, phase->rank, phase->object, phase->turn - slots);
        phase->after = find(run, phase->rank, phase->object, phase->turn + slots);
        phase->pending = phase->operations;
        phase->completed = phase->turn < 0;
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->thread_count, &phase->clock));
    }
    return list_waits(run);
}

int64_t swp_happens_phase_number(const swp_happens_run *run, int object, int64_t turn)
{
    return swp_happens_quotient(turn, run->program->schedule->objects[object].slots);
}
