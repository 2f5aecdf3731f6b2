/* SPDX-License-Identifier: Apache-2.0 */
/* Finds who takes part in which meeting of the named barriers and the work group's barrier of a run. */
#include "happens_before/run.h"

#include "ir/entry.h"

/* The number of the barrier that an entry is a part at; -1: it is none. The work group's is the first. */
static int barrier_of(const swp_happens_run *run, int instance, const swp_op *op)
{
    const swp_schedule *schedule = run->program->schedule;
    if (swp_ir_is_barrier(op))
        return 0;
    if (op->tag != SWP_TAG_NAMED_SYNC && op->tag != SWP_TAG_NAMED_ARRIVE)
        return -1;
    int first = 1;
    for (int i = 0; i < op->object; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER)
            first += schedule->objects[i].slots;
    const int number = run->program->instances[instance].number;
    const int64_t slot = op->slot + (int64_t)op->slot_step * number;
    return first + (int)swp_happens_rest(slot, schedule->objects[op->object].slots);
}

static swp_status take_barrier(swp_happens_run *run, int object, int slot)
{
    swp_happens_barrier *barrier = &run->barriers[run->barrier_count++];
    const size_t instances = (size_t)run->program->count;
    *barrier = (swp_happens_barrier){.object = object, .slot = slot};
    SWP_TRY(SWP_TAKE(run->ctx, instances, &barrier->takes_part));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    SWP_TRY(SWP_TAKE(run->ctx, instances, &barrier->parts));
    return SWP_TAKE(run->ctx, instances, &barrier->part_counts);
}

static swp_status take_barriers(swp_happens_run *run)
{
    const swp_schedule *schedule = run->program->schedule;
    size_t count = 1;
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER)
            count += (size_t)schedule->objects[i].slots;
    SWP_TRY(SWP_TAKE(run->ctx, count, &run->barriers));
    SWP_TRY(take_barrier(run, -1, 0));
    for (size_t i = 0; i < schedule->object_count; i++)
        for (int slot = 0; slot < schedule->objects[i].slots; slot++)
            if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER)
                SWP_TRY(take_barrier(run, (int)i, slot));
    return SWP_OK;
}

/* Each step's number at its barrier. */
static void count_parts(swp_happens_run *run)
{
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < run->lengths[i]; s++) {
            swp_happens_step *step = &run->steps[i][s];
            step->barrier = barrier_of(run, i, step->op);
            if (step->barrier < 0)
                continue;
            swp_happens_barrier *barrier = &run->barriers[step->barrier];
            step->meeting = barrier->part_counts[i]++;
            if (barrier->part_counts[i] > barrier->meeting_count)
                barrier->meeting_count = barrier->part_counts[i];
        }
}

static swp_status list_parts(swp_happens_run *run)
{
    for (int b = 0; b < run->barrier_count; b++)
        for (int i = 0; i < run->program->count; i++)
            SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->barriers[b].part_counts[i],
                             &run->barriers[b].parts[i]));
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < run->lengths[i]; s++) {
            const swp_happens_step *step = &run->steps[i][s];
            if (step->barrier >= 0)
                run->barriers[step->barrier].parts[i][step->meeting] = s;
        }
    return SWP_OK;
}

/* Marks the barriers that an instance has a part at in a list of a program. */
static void mark_parts(swp_happens_run *run, const swp_happens_program *p, int instance,
                       swp_phase list)
{
    const swp_happens_instance *in = &p->instances[instance];
    const swp_entry_list *entries = swp_stream_phase(&p->schedule->streams[in->stream], list);
    for (int i = 0; i < in->lengths[list]; i++) {
        const int barrier = barrier_of(run, instance, &entries->items[in->lists[list][i]].op);
        if (barrier >= 0)
            run->barriers[barrier].takes_part[instance] = true;
    }
}

/* Of the work group's barrier all, of a named one those who have an operation on it, of output tiles in any list. */
static void find_participants(swp_happens_run *run)
{
    for (int i = 0; i < run->program->count; i++) {
        run->barriers[0].takes_part[i] = true;
        for (int b = 1; b < run->barrier_count; b++)
            run->barriers[b].takes_part[i] = run->barriers[b].part_counts[i] > 0;
        for (int f = 0; run->tiles && f < run->tiles->form_count; f++)
            for (swp_phase list = SWP_PROLOGUE; list <= SWP_DRAIN; list++)
                mark_parts(run, &run->tiles->programs[f], i, list);
    }
}

static swp_status open_meetings(swp_happens_run *run, swp_happens_barrier *barrier)
{
    for (int i = 0; i < run->program->count; i++)
        if (barrier->takes_part[i] || !swp_happens_holds(run->program, SWP_HAPPENS_PARTICIPANTS)) {
            barrier->participants++;
            barrier->threads += run->program->instances[i].threads;
        }
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)barrier->meeting_count, &barrier->meetings));
    for (int m = 0; m < barrier->meeting_count; m++) {
        barrier->meetings[m].pending = barrier->participants * SWP_HAPPENS_THREADS;
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->thread_count, &barrier->meetings[m].clock));
    }
    return SWP_OK;
}

swp_status swp_happens_find_barriers(swp_happens_run *run)
{
    SWP_TRY(take_barriers(run));
    count_parts(run);
    SWP_TRY(list_parts(run));
    find_participants(run);
    for (int b = 0; b < run->barrier_count; b++)
        SWP_TRY(open_meetings(run, &run->barriers[b]));
    return SWP_OK;
}
