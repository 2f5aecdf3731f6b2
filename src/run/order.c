/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine permits: what must be done before what (docs/verification.md, "The machine"). */
#include "run/sync.h"

/* Waves that issue a wgmma together (PTX ISA, "wgmma"). */
enum { WARP_GROUP = 4 };

/* Whether a thread need not wait any longer at the step that it has issued. */
static bool may_return(const swp_run_machine *m, int thread)
{
    const swp_run_step *step = swp_run_next_step(m, thread);
    const swp_run_thread *t = &m->threads[thread];
    if (step->source->tag == SWP_TAG_WAIT_PHASE)
        return swp_run_phase_is_over(m, swp_run_rank_of(m, t->instance), step);
    const int place = swp_run_place_of_meeting(m, t->instance, step);
    if (place >= 0)
        return m->meetings[place].opened > t->ticket;
    return swp_run_awaited_async(m, thread) < 0;
}

int64_t swp_run_awaited_of_group(const swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    if (!step || m->program->manner->waits_behind || step->action != SWP_RUN_SYNC ||
        !swp_run_waits_for(step, SWP_RUN_MATRIX_GROUP) ||
        m->schedule->machine.waves_per_group != WARP_GROUP)
        return 0;
    return m->threads[wave].queues[SWP_RUN_MATRIX_GROUP].total - step->limit;
}

bool swp_run_is_of_group(const swp_run_machine *m, int wave, int other)
{
    const int *group = m->program->sharing->number_of_instance;
    return group[m->threads[wave].instance] == group[m->threads[other].instance];
}

bool swp_run_waits_for_group(const swp_run_machine *m, int wave)
{
    const int64_t awaited = swp_run_awaited_of_group(m, wave);
    for (int other = 0; awaited > 0 && other < m->thread_count; other++)
        if (swp_run_is_of_group(m, wave, other) &&
            m->threads[other].queues[SWP_RUN_MATRIX_GROUP].total < awaited)
            return true;
    return false;
}

bool swp_run_waits(const swp_run_machine *m, int thread)
{
    if (m->program->manner->waits_behind)
        return m->threads[thread].waits && !may_return(m, thread);
    const int place = m->rank_meetings - 1;
    return m->meetings[place].opened < m->threads[thread].parts[place] ||
           swp_run_waits_for_group(m, thread);
}

/* How many of the queue come before `counted` accesses more, from its total on. */
static int older_than(const swp_run_machine *m, const swp_run_queue *queue, int64_t counted)
{
    int upto = queue->head;
    while (upto < queue->count &&
           queue->total - m->accesses[queue->items[upto]].position >= counted)
        upto++;
    return upto;
}

/* An access that finds its counter full is issued when the oldest ones are done. */
static void need_room(const swp_run_machine *m, int wave, const swp_run_step *step,
                      swp_run_need *need)
{
    const int most = swp_run_largest(m->limits, step->queue);
    if (m->limits->counter_full == SWP_COUNTER_STALLS && step->cost > 0 && most > 0)
        need->upto[step->queue] =
            older_than(m, &m->threads[wave].queues[step->queue], (int64_t)most - step->cost);
}

/* A compiler waits on the counter, for the last access whose register the step reads. */
static void need_registers(const swp_run_machine *m, int wave, const swp_run_step *step,
                           swp_run_need *need)
{
    for (int number = 0; number < SWP_RUN_QUEUES; number++) {
        const swp_run_queue *queue = &m->threads[wave].queues[number];
        int i = queue->count;
        while (i > need->upto[number] && i > queue->head &&
               !swp_run_awaits(m, queue->items[i - 1], step))
            i--;
        if (i > need->upto[number] && i > queue->head)
            need->upto[number] = i;
    }
}

int swp_run_left(const swp_run_machine *m, const swp_run_step *wait, int queue)
{
    const int most = swp_run_largest(m->limits, queue);
    return most > 0 && wait->limit > most ? most : wait->limit;
}

swp_run_need swp_run_need_to_run(const swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    const swp_run_queue *queues = m->threads[wave].queues;
    swp_run_need need = {.upto = {0}};
    if (!step)
        return need;
    for (int q = 0; step->action == SWP_RUN_SYNC && q < SWP_RUN_QUEUES; q++)
        if (swp_run_waits_for(step, q))
            need.upto[q] = older_than(m, &queues[q], swp_run_left(m, step, q));
    if (step->action == SWP_RUN_SYNC && step->source->tag == SWP_TAG_BARRIER &&
        m->limits->barrier == SWP_BARRIER_FENCED)
        need.upto[SWP_RUN_LGKM] = queues[SWP_RUN_LGKM].count;
    if (swp_run_is_queued(step))
        need_room(m, wave, step, &need);
    if (m->limits->registers == SWP_REGISTERS_MANAGED)
        need_registers(m, wave, step, &need);
    else if (m->limits->registers == SWP_REGISTERS_SCOREBOARD)
        need.reader = step;
    return need;
}

swp_run_need swp_run_need_of(const swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    const swp_run_need none = {0};
    return step && step->may_not_run ? none : swp_run_need_to_run(m, wave);
}

bool swp_run_is_needed(const swp_run_machine *m, int wave, const swp_run_need *need, int number,
                       int i)
{
    const int access = m->threads[wave].queues[number].items[i];
    return i < need->upto[number] || (need->reader && swp_run_awaits(m, access, need->reader));
}

bool swp_run_must_do(const swp_run_machine *m, int wave, int access)
{
    const swp_run_need need = swp_run_need_of(m, wave);
    const int number = swp_run_step_of(m, &m->accesses[access])->queue;
    if (m->accesses[access].instance != m->threads[wave].instance)
        return number == SWP_RUN_MATRIX_GROUP &&
               swp_run_is_of_group(m, wave, m->accesses[access].instance * m->lanes) &&
               m->accesses[access].position <= swp_run_awaited_of_group(m, wave);
    const swp_run_queue *queue = &m->threads[wave].queues[number];
    for (int i = queue->head; i < queue->count; i++)
        if (queue->items[i] == access)
            return swp_run_is_needed(m, wave, &need, number, i);
    return false;
}

static bool all_done(const swp_run_machine *m, int wave, const swp_run_need *need, int number)
{
    const swp_run_queue *queue = &m->threads[wave].queues[number];
    for (int i = queue->head; i < queue->count; i++)
        if (!m->accesses[queue->items[i]].done && swp_run_is_needed(m, wave, need, number, i))
            return false;
    return true;
}

/* What the other waves of its warp group have to have done. */
static bool has_of_group(const swp_run_machine *m, int wave)
{
    const bool waits = swp_run_awaited_of_group(m, wave) > 0;
    for (int i = 0; waits && i < m->open_count; i++)
        if (!m->accesses[m->open[i]].done && swp_run_must_do(m, wave, m->open[i]))
            return false;
    return true;
}

static bool has(const swp_run_machine *m, int wave, const swp_run_need *need)
{
    for (int q = 0; q < SWP_RUN_QUEUES; q++)
        if (!all_done(m, wave, need, q))
            return false;
    return has_of_group(m, wave);
}

/* What a wave needs done it waits for before it issues, a thread of a warp role behind it. */
bool swp_run_may_issue(const swp_run_machine *m, int thread)
{
    if (!swp_run_next_step(m, thread) || swp_run_waits(m, thread))
        return false;
    if (m->program->manner->waits_behind)
        return true;
    const swp_run_need need = swp_run_need_of(m, thread);
    return has(m, thread, &need);
}

bool swp_run_is_left_out(const swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    if (!step || !step->may_not_run)
        return false;
    const swp_run_need need = swp_run_need_to_run(m, wave);
    return !has(m, wave, &need);
}

int swp_run_first_in_order(const swp_run_machine *m, int access)
{
    const swp_run_access *a = &m->accesses[access];
    const swp_run_step *step = swp_run_step_of(m, a);
    const swp_run_queue *queue =
        &m->threads[(size_t)a->instance * (size_t)m->lanes].queues[step->queue];
    if (step->queue == SWP_RUN_LGKM)
        return queue->items[queue->head];
    for (int i = 0; step->in_order && m->open[i] != access; i++) {
        const swp_run_access *earlier = &m->accesses[m->open[i]];
        if (earlier->instance == a->instance && earlier->step < a->step &&
            swp_run_follows(m, swp_run_step_of(m, earlier), step))
            return m->open[i];
    }
    return access;
}
