/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine permits: what must be done before what (page 2, "The machine"). */
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

/* With managed registers a step waits for the last access whose registers it must not touch. */
static void need_registers(const swp_run_machine *m, int wave, const swp_run_step *step,
                           swp_run_need *need)
{
    for (int counter = 0; counter < SWP_RUN_COUNTERS; counter++) {
        const swp_run_queue *queue = &m->waves[wave].queues[counter];
        int i = queue->count;
        while (
            i > need->upto[counter] && i > queue->head &&
            !swp_run_needs_register(m, swp_run_step_of(m, &m->accesses[queue->items[i - 1]]), step))
            i--;
        if (i > need->upto[counter] && i > queue->head)
            need->upto[counter] = i;
    }
}

swp_run_need swp_run_need_of(const swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    const swp_run_queue *queues = m->waves[wave].queues;
    swp_run_need need = {{0}};
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
    return need;
}

static bool all_done(const swp_run_machine *m, const swp_run_queue *queue, int upto)
{
    for (int i = queue->head; i < upto; i++)
        if (!m->accesses[queue->items[i]].done)
            return false;
    return true;
}

bool swp_run_may_issue(const swp_run_machine *m, int wave)
{
    if (!swp_run_next_step(m, wave) || swp_run_waits(m, wave))
        return false;
    const swp_run_need need = swp_run_need_of(m, wave);
    const swp_run_queue *queues = m->waves[wave].queues;
    return all_done(m, &queues[SWP_RUN_VM], need.upto[SWP_RUN_VM]) &&
           all_done(m, &queues[SWP_RUN_LGKM], need.upto[SWP_RUN_LGKM]);
}

bool swp_run_may_take_effect(const swp_run_machine *m, int access)
{
    const swp_run_access *a = &m->accesses[access];
    const swp_run_queue *lds = &m->waves[a->wave].queues[SWP_RUN_LGKM];
    if (a->done)
        return false;
    return swp_run_step_of(m, a)->counter == SWP_RUN_VM || lds->items[lds->head] == access;
}
