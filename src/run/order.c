/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine permits: what must be done before what (docs/verification.md, "The machine"). */
#include "run/machine.h"

bool swp_run_waits(const swp_run_machine *m, int wave)
{
    for (int other = 0; other < m->program->waves; other++)
        if (m->waves[other].barriers < m->waves[wave].barriers)
            return true;
    return false;
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
    const int counter = step->counter;
    const int most = counter == SWP_RUN_VM ? m->limits->vm_max : m->limits->lgkm_max;
    if (m->limits->counter_full == SWP_COUNTER_STALLS && step->cost > 0)
        need->upto[counter] =
            older_than(m, &m->waves[wave].queues[counter], (int64_t)most - step->cost);
}

/* A compiler waits on the counter, for the last access whose register the step reads. */
static void need_registers(const swp_run_machine *m, int wave, const swp_run_step *step,
                           swp_run_need *need)
{
    for (int counter = 0; counter < SWP_RUN_COUNTERS; counter++) {
        const swp_run_queue *queue = &m->waves[wave].queues[counter];
        int i = queue->count;
        while (i > need->upto[counter] && i > queue->head &&
               !swp_run_awaits(m, queue->items[i - 1], step))
            i--;
        if (i > need->upto[counter] && i > queue->head)
            need->upto[counter] = i;
    }
}

swp_run_need swp_run_need_of(const swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    const swp_run_queue *queues = m->waves[wave].queues;
    swp_run_need need = {.upto = {0}};
    if (!step)
        return need;
    if (step->action == SWP_RUN_WAIT_VM)
        need.upto[SWP_RUN_VM] = older_than(m, &queues[SWP_RUN_VM], step->limit);
    else if (step->action == SWP_RUN_WAIT_LGKM)
        need.upto[SWP_RUN_LGKM] = older_than(m, &queues[SWP_RUN_LGKM], step->limit);
    else if (step->action == SWP_RUN_BARRIER && m->limits->barrier == SWP_BARRIER_FENCED)
        need.upto[SWP_RUN_LGKM] = queues[SWP_RUN_LGKM].count;
    if (swp_run_is_counted(step))
        need_room(m, wave, step, &need);
    if (m->limits->registers == SWP_REGISTERS_MANAGED)
        need_registers(m, wave, step, &need);
    else if (m->limits->registers == SWP_REGISTERS_SCOREBOARD)
        need.reader = step;
    return need;
}

bool swp_run_is_needed(const swp_run_machine *m, int wave, const swp_run_need *need, int counter,
                       int i)
{
    const int access = m->waves[wave].queues[counter].items[i];
    return i < need->upto[counter] || (need->reader && swp_run_awaits(m, access, need->reader));
}

bool swp_run_must_do(const swp_run_machine *m, int wave, int access)
{
    const swp_run_need need = swp_run_need_of(m, wave);
    const int counter = swp_run_step_of(m, &m->accesses[access])->counter;
    const swp_run_queue *queue = &m->waves[wave].queues[counter];
    for (int i = queue->head; i < queue->count; i++)
        if (queue->items[i] == access)
            return swp_run_is_needed(m, wave, &need, counter, i);
    return false;
}

static bool all_done(const swp_run_machine *m, int wave, const swp_run_need *need, int counter)
{
    const swp_run_queue *queue = &m->waves[wave].queues[counter];
    for (int i = queue->head; i < queue->count; i++)
        if (!m->accesses[queue->items[i]].done && swp_run_is_needed(m, wave, need, counter, i))
            return false;
    return true;
}

bool swp_run_may_issue(const swp_run_machine *m, int wave)
{
    if (!swp_run_next_step(m, wave) || swp_run_waits(m, wave))
        return false;
    const swp_run_need need = swp_run_need_of(m, wave);
    return all_done(m, wave, &need, SWP_RUN_VM) && all_done(m, wave, &need, SWP_RUN_LGKM);
}

bool swp_run_may_take_effect(const swp_run_machine *m, int access)
{
    const swp_run_access *a = &m->accesses[access];
    const swp_run_queue *lds = &m->waves[a->wave].queues[SWP_RUN_LGKM];
    if (a->done)
        return false;
    return swp_run_step_of(m, a)->counter == SWP_RUN_VM || lds->items[lds->head] == access;
}
