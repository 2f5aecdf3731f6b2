/* SPDX-License-Identifier: Apache-2.0 */
/* Named barriers and the work group's and cluster's barriers, which count threads; or, as meant, meet who takes part. */
#include "run/sync.h"

int swp_run_place_of_meeting(const swp_run_machine *m, int instance, const swp_run_step *step)
{
    const swp_op *op = step->source;
    const int first = swp_run_rank_of(m, instance) * m->rank_meetings;
    if (op->tag == SWP_TAG_CLUSTER_ARRIVE || op->tag == SWP_TAG_CLUSTER_WAIT)
        return m->meeting_count - 1;
    if (op->tag == SWP_TAG_BARRIER)
        return first + m->rank_meetings - 1;
    if (op->tag != SWP_TAG_NAMED_SYNC && op->tag != SWP_TAG_NAMED_ARRIVE)
        return -1;
    const int number = swp_run_number_of(m, instance);
    const int slots = m->schedule->objects[op->object].slots;
    const swp_run_turn at = swp_run_turn_of(op->slot + op->slot_step * number, slots);
    return first + m->first_slot[op->object] + at.slot;
}

/* Whether all threads of those who take part have come to the next meeting. */
static bool have_all_come(const swp_run_machine *m, int place)
{
    for (int thread = 0; thread < m->thread_count; thread++) {
        const swp_run_thread *t = &m->threads[thread];
        if (m->takes_part[t->instance * m->meeting_count + place] &&
            t->parts[place] <= m->meetings[place].opened)
            return false;
    }
    return true;
}

static void meet_as_meant(swp_run_machine *m, int thread, int place)
{
    m->threads[thread].ticket = m->threads[thread].parts[place]++;
    if (have_all_come(m, place))
        m->meetings[place].opened++;
}

void swp_run_meet(swp_run_machine *m, int thread, int place)
{
    swp_run_meeting_place *meeting = &m->meetings[place];
    if (m->as_meant) {
        meet_as_meant(m, thread, place);
        return;
    }
    m->threads[thread].ticket = meeting->opened;
    m->threads[thread].parts[place]++;
    meeting->arrived += swp_run_weight(m, thread);
    if (meeting->arrived < meeting->threads)
        return;
    meeting->arrived -= meeting->threads;
    meeting->opened++;
}
