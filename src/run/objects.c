/* SPDX-License-Identifier: Apache-2.0 */
/* Sets up sync objects: mbarriers and what is meant by their phases, barriers and who takes part in their meetings. */
#include "run/sync.h"

#include "base/context.h"
#include "ir/entry.h"
#include "ir/roles.h"

static bool works_on_mbarrier(const swp_run_machine *m, const swp_op *op)
{
    return op->object >= 0 && m->schedule->objects[op->object].kind == SWP_OBJECT_MBARRIER;
}

static int executed_by(const swp_run_machine *m, int role, const swp_op *op)
{
    const swp_stream *stream = &m->schedule->streams[role];
    int instances = 0;
    for (int i = 0; i < stream->instances; i++)
        instances += swp_ir_runs_in(op, i);
    return instances * (op->by == SWP_ONE_THREAD ? 1 : stream->warps * SWP_IR_WARP_THREADS);
}

/* All ranks run the same lists, so that to each there goes what each sends to all. */
static swp_status count_in_phase(swp_run_machine *m, int rank, swp_run_role_step maker)
{
    const swp_run_step *step = &m->program->lists[maker.role].items[maker.step];
    const swp_op *op = step->source;
    const int senders = swp_run_goes_to_all(m, step) ? m->ranks : 1;
    const int64_t threads = (int64_t)senders * executed_by(m, maker.role, op);
    swp_run_phase *phase =
        works_on_mbarrier(m, op) && threads > 0 ? swp_run_phase_of(m, rank, step) : NULL;
    if (!phase || op->tag == SWP_TAG_WAIT_PHASE)
        return SWP_OK;
    if (swp_ir_is_work(op))
        phase->brought += threads * op->bytes;
    else
        phase->arrivals += threads;
    if (op->tag == SWP_TAG_ARRIVE_EXPECT)
        phase->expected += threads * op->bytes;
    return SWP_PUSH(m->ctx, &phase->makers, maker);
}

static swp_status new_phases(swp_run_machine *m)
{
    const size_t roles = m->schedule->object_count > 0 ? m->schedule->stream_count : 0;
    for (size_t role = 0; role < roles; role++)
        for (size_t i = 0; i < m->program->lists[role].count; i++)
            if (m->program->lists[role].items[i].turn >= m->turns)
                m->turns = m->program->lists[role].items[i].turn + 1;
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->ranks * m->schedule->object_count * (size_t)m->turns,
                     &m->phases));
    for (int rank = 0; rank < m->ranks; rank++)
        for (int role = 0; role < (int)roles; role++)
            for (int i = 0; i < (int)m->program->lists[role].count; i++)
                SWP_TRY(count_in_phase(m, rank, (swp_run_role_step){role, i}));
    return SWP_OK;
}

static void set_objects(swp_run_machine *m, int rank)
{
    for (size_t i = 0; i < m->schedule->object_count; i++) {
        const swp_role_object *object = &m->schedule->objects[i];
        for (int slot = m->first_slot[i]; slot < m->first_slot[i] + object->slots; slot++) {
            if (object->kind == SWP_OBJECT_MBARRIER)
                m->mbarriers[rank * m->rank_mbarriers + slot].pending = object->arrivals;
            else
                m->meetings[rank * m->rank_meetings + slot].threads = object->threads;
        }
    }
}

swp_status swp_run_count_objects(swp_run_machine *m)
{
    const swp_schedule *schedule = m->schedule;
    SWP_TRY(SWP_TAKE(m->ctx, schedule->object_count, &m->first_slot));
    for (size_t i = 0; i < schedule->object_count; i++) {
        const swp_role_object *object = &schedule->objects[i];
        const bool is_mbarrier = object->kind == SWP_OBJECT_MBARRIER;
        m->first_slot[i] = is_mbarrier ? m->rank_mbarriers : m->rank_meetings;
        *(is_mbarrier ? &m->rank_mbarriers : &m->rank_meetings) += object->slots;
    }
    m->rank_meetings++;
    m->meeting_count = m->ranks * m->rank_meetings + (m->ranks > 1);
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->ranks * (size_t)m->rank_mbarriers, &m->mbarriers));
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->meeting_count, &m->meetings));
    for (int rank = 0; rank < m->ranks; rank++)
        set_objects(m, rank);
    return SWP_OK;
}

static void note_participant(const swp_run_machine *m, int instance, const swp_run_step *step,
                             bool *takes_part)
{
    const int place = swp_run_place_of_meeting(m, instance, step);
    if (place >= 0 && swp_run_executes(m, instance * m->lanes, step))
        takes_part[place] = true;
}

static void note_participants(const swp_run_machine *m, int instance, const swp_entry_list *entries,
                              bool *takes_part)
{
    for (size_t i = 0; i < entries->count; i++) {
        const swp_run_step step = {.source = &entries->items[i].op};
        note_participant(m, instance, &step, takes_part);
    }
}

/* With output tiles every list counts, whether the run comes to it or not. */
static void note_in_all_lists(const swp_run_machine *m, int instance, bool *takes_part)
{
    const swp_stream *stream = swp_run_stream_of(m, instance);
    const swp_tails *tails = &stream->tails;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
        note_participants(m, instance, swp_stream_phase(stream, phase), takes_part);
    for (size_t i = 0; i < tails->epilogue_count; i++)
        note_participants(m, instance, &tails->epilogues[i], takes_part);
    for (size_t i = 0; i < tails->straight_count; i++)
        note_participants(m, instance, &tails->straight[i], takes_part);
}

/* A wave counts as one. */
static int threads_of(const swp_run_machine *m, int instance)
{
    const int warps = swp_run_stream_of(m, instance)->warps;
    return warps > 0 ? warps * SWP_IR_WARP_THREADS : 1;
}

/* An instance takes part in the meetings of a slot if it has an operation on it. */
static void count_participants(const swp_run_machine *m, int instance, bool *takes_part)
{
    const swp_run_step_list *steps = swp_run_list_of(m->program, instance);
    takes_part[(swp_run_rank_of(m, instance) + 1) * m->rank_meetings - 1] = true;
    takes_part[m->meeting_count - 1] = true;
    for (size_t i = 0; i < steps->count && m->schedule->object_count > 0; i++)
        note_participant(m, instance, &steps->items[i], takes_part);
    if (m->schedule->output_tiles)
        note_in_all_lists(m, instance, takes_part);
    for (int i = 0; i < m->meeting_count; i++)
        if (takes_part[i])
            m->meetings[i].adds_up += threads_of(m, instance);
}

static swp_status new_meetings(swp_run_machine *m)
{
    const size_t places = (size_t)m->meeting_count;
    SWP_TRY(SWP_TAKE(m->ctx, places * (size_t)m->program->waves, &m->takes_part));
    for (int instance = 0; instance < m->program->waves; instance++)
        count_participants(m, instance, &m->takes_part[(size_t)instance * places]);
    for (int rank = 0; rank < m->ranks; rank++) {
        swp_run_meeting_place *work_group = &m->meetings[(rank + 1) * m->rank_meetings - 1];
        work_group->threads = work_group->adds_up;
    }
    m->meetings[m->meeting_count - 1].threads = m->meetings[m->meeting_count - 1].adds_up;
    return SWP_OK;
}

swp_status swp_run_new_objects(swp_run_machine *m)
{
    SWP_TRY(new_meetings(m));
    return new_phases(m);
}
