/* SPDX-License-Identifier: Apache-2.0 */
/* Finds who takes part in which meeting of the named barriers, the work groups' barriers and the cluster's of a run. */
#include "happens_before/run.h"

#include "ir/entry.h"

/* Of a rank: the work group's is the first, then the slots of the named ones. */
static int barriers_before(const swp_schedule *schedule, int object)
{
    int count = 1;
    for (int i = 0; i < object; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER)
            count += schedule->objects[i].slots;
    return count;
}

/* The number of the barrier that an entry is a part at, or waits at; -1: it is neither. The cluster's is the last. */
static int barrier_of(const swp_happens_run *run, int instance, const swp_op *op)
{
    const swp_schedule *schedule = run->program->schedule;
    const swp_happens_instance *in = &run->program->instances[instance];
    const int first = in->rank * run->barriers_of_a_rank;
    const swp_sync_object_row *object =
        swp_ir_sync_object_row(swp_ir_sync_operation(op->tag)->object);
    if (object->completes != SWP_COMPLETES_BY_MEETING)
        return -1;
    if (op->object < 0)
        return object->across_ranks ? run->barrier_count - 1 : first;
    const int64_t slot = op->slot + (int64_t)op->slot_step * in->number;
    return first + barriers_before(schedule, op->object) +
           (int)swp_happens_rest(slot, schedule->objects[op->object].slots);
}

static swp_status take_barrier(swp_happens_run *run, int object, int slot)
{
    swp_happens_barrier *barrier = &run->barriers[run->barrier_count++];
    const size_t instances = (size_t)run->program->count;
    *barrier = (swp_happens_barrier){.object = object, .slot = slot};
    SWP_TRY(SWP_TAKE(run->ctx, instances, &barrier->takes_part));
    SWP_TRY(SWP_TAKE(run->ctx, instances, &barrier->parts));
    return SWP_TAKE(run->ctx, instances, &barrier->waits);
}

static swp_status take_barriers_of_a_rank(swp_happens_run *run)
{
    const swp_schedule *schedule = run->program->schedule;
    SWP_TRY(take_barrier(run, -1, 0));
    for (size_t i = 0; i < schedule->object_count; i++)
        for (int slot = 0; slot < schedule->objects[i].slots; slot++)
            if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER)
                SWP_TRY(take_barrier(run, (int)i, slot));
    return SWP_OK;
}

static swp_status take_all(swp_happens_run *run)
{
    const swp_schedule *schedule = run->program->schedule;
    const int ranks = run->program->ranks;
    run->barriers_of_a_rank = barriers_before(schedule, (int)schedule->object_count);
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)(ranks * run->barriers_of_a_rank) + 1, &run->barriers));
    for (int rank = 0; rank < ranks; rank++)
        SWP_TRY(take_barriers_of_a_rank(run));
    return take_barrier(run, -1, 0);
}

/* --- Who takes part --- */

bool swp_happens_has_part(const swp_happens_run *run, const swp_happens_program *p, int instance,
                          swp_phase list, int barrier)
{
    const swp_happens_instance *in = &p->instances[instance];
    const swp_entry_list *entries = swp_stream_phase(&p->schedule->streams[in->stream], list);
    for (int i = 0; i < in->lengths[list]; i++)
        if (barrier_of(run, instance, &entries->items[in->lists[list][i]].op) == barrier)
            return true;
    return false;
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

/* Marks those of the lists of a run; of output tiles it may have any list. */
static void mark_lists(swp_happens_run *run, int instance)
{
    for (int f = 0; run->tiles && f < run->tiles->form_count; f++)
        for (swp_phase list = SWP_PROLOGUE; list <= SWP_DRAIN; list++)
            mark_parts(run, &run->tiles->programs[f], instance, list);
    if (run->tiles)
        return;
    mark_parts(run, run->program, instance, SWP_PROLOGUE);
    if (run->passes > 0 || run->goes_on)
        mark_parts(run, run->program, instance, SWP_KERNEL);
    if (!run->goes_on)
        mark_parts(run, run->program, instance, SWP_EPILOGUE);
}

/* Of the barrier of a work group, or of the cluster, all; of a named one those who have an operation on it. */
static void find_participants(swp_happens_run *run)
{
    for (int i = 0; i < run->program->count; i++) {
        const int first = swp_happens_rank_of(run, i) * run->barriers_of_a_rank;
        mark_lists(run, i);
        run->barriers[first].takes_part[i] = true;
        run->barriers[run->barrier_count - 1].takes_part[i] = run->program->ranks > 1;
    }
}

/* Whether it is a barrier of the instance's rank, or of all ranks. */
static bool is_of(const swp_happens_run *run, const swp_happens_barrier *barrier, int instance)
{
    const int number = (int)(barrier - run->barriers);
    return number == run->barrier_count - 1 ||
           number / run->barriers_of_a_rank == swp_happens_rank_of(run, instance);
}

static void count_participants(swp_happens_run *run, swp_happens_barrier *barrier)
{
    const bool holds = swp_happens_holds(run->program, SWP_HAPPENS_PARTICIPANTS);
    for (int i = 0; i < run->program->count; i++)
        if (barrier->takes_part[i] || (!holds && is_of(run, barrier, i))) {
            barrier->participants++;
            barrier->threads += run->program->instances[i].threads;
        }
}

swp_status swp_happens_take_barriers(swp_happens_run *run)
{
    SWP_TRY(take_all(run));
    find_participants(run);
    for (int b = 0; b < run->barrier_count; b++)
        count_participants(run, &run->barriers[b]);
    return SWP_OK;
}

/* --- Steps --- */

static bool waits_apart(const swp_sync_operation *operation)
{
    return swp_ir_sync_object_row(operation->object)->waits_apart;
}

static swp_status open_meeting(swp_happens_run *run, swp_happens_barrier *barrier)
{
    const size_t count = barrier->meetings.count;
    const swp_happens_meeting meeting = {.pending = barrier->participants * SWP_HAPPENS_THREADS};
    SWP_TRY(SWP_PUSH(run->ctx, &barrier->meetings, meeting));
    return SWP_TAKE(run->ctx, swp_happens_width(run), &barrier->meetings.items[count].clock);
}

/* Its number at its barrier: that of a part, or how often the instance has waited apart from that before. */
swp_status swp_happens_lay_part(swp_happens_run *run, int instance, int s)
{
    swp_happens_step *step = &run->steps[instance][s];
    step->barrier = barrier_of(run, instance, step->op);
    if (step->barrier < 0)
        return SWP_OK;
    swp_happens_barrier *barrier = &run->barriers[step->barrier];
    swp_happens_numbers *parts = &barrier->parts[instance];
    swp_happens_numbers *waits = &barrier->waits[instance];
    const swp_sync_operation *operation = swp_happens_operation(step);
    step->meeting = (int)(operation->arrives ? parts->count : waits->count);
    if (operation->arrives)
        SWP_TRY(SWP_PUSH(run->ctx, parts, s));
    if (operation->waits || !waits_apart(operation))
        SWP_TRY(SWP_PUSH(run->ctx, waits, operation->waits ? s : -1));
    while (barrier->meetings.count <= (size_t)step->meeting)
        SWP_TRY(open_meeting(run, barrier));
    return SWP_OK;
}
