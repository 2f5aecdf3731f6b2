/* SPDX-License-Identifier: Apache-2.0 */
/* What is in flight, from its issue to its end: accesses of waves, which counters count, and operations of instances. */
#include "run/ops.h"

#include "base/context.h"

/* A counter that wraps does not stall, so more can be in flight than it can count. */
static swp_status note_counter(swp_run_machine *m, int wave, const swp_run_step *step)
{
    const int most = swp_run_largest(m->limits, step->queue);
    const swp_run_queue *queue = &m->threads[wave].queues[step->queue];
    const int64_t done = queue->head ? m->accesses[queue->items[queue->head - 1]].position : 0;
    const int64_t retired = done > queue->retired ? done : queue->retired;
    if (m->limits->counter_full == SWP_COUNTER_STALLS || most == 0 ||
        queue->total + step->cost - retired <= most)
        return SWP_OK;
    const swp_instance at = swp_run_instance(m, wave, m->threads[wave].next);
    return SWP_PUSH(m->ctx, &m->outcome->passed, at);
}

static swp_status enqueue(swp_run_machine *m, int index, const swp_run_step *step)
{
    swp_run_access *access = &m->accesses[index];
    const int thread = access->instance * m->lanes;
    swp_run_queue *queue = &m->threads[thread].queues[step->queue];
    SWP_TRY(note_counter(m, thread, step));
    queue->total += step->cost;
    access->position = queue->total;
    queue->items[queue->count++] = index;
    return SWP_OK;
}

static int committed(const swp_run_thread *t, const swp_run_step *step)
{
    return t->commits[step->queue == SWP_RUN_MATRIX_GROUP ? 0 : 1];
}

swp_status swp_run_new_access(swp_run_machine *m, int thread, const swp_run_step *step, int to)
{
    swp_run_thread *t = &m->threads[thread];
    const size_t reads = step->action == SWP_RUN_OP ? step->reads.count : 0;
    const int index = m->access_count++;
    swp_run_access *access = &m->accesses[index];
    *access = (swp_run_access){.instance = t->instance,
                               .step = t->next,
                               .to = to,
                               .issued_at = m->clock,
                               .group = committed(t, step)};
    const size_t shares = reads * (size_t)m->program->waves;
    SWP_TRY(SWP_TAKE(m->ctx, shares + reads * (size_t)m->lanes, &access->shares));
    access->registers = access->shares + shares;
    *swp_run_access_at(m, t->instance, t->next, to) = index;
    swp_run_open_access(m, index);
    return swp_run_is_queued(step) ? enqueue(m, index, step) : SWP_OK;
}

void swp_run_note_makers(swp_run_machine *m, int index)
{
    const swp_run_access *access = &m->accesses[index];
    const swp_run_operand_list *writes = &swp_run_step_of(m, access)->writes;
    for (size_t i = 0; i < writes->count; i++)
        if (!writes->items[i].in_lds)
            m->threads[(size_t)access->instance * (size_t)m->lanes]
                .states[writes->items[i].index]
                .last_maker = index;
}

void swp_run_note_wait(swp_run_machine *m, int wave, const swp_run_step *step)
{
    for (int q = 0; q < SWP_RUN_QUEUES; q++) {
        swp_run_queue *queue = &m->threads[wave].queues[q];
        if (swp_run_waits_for(step, q) && queue->total - swp_run_left(m, step, q) > queue->retired)
            queue->retired = queue->total - swp_run_left(m, step, q);
    }
}

/* All threads of an instance issue a wgmma, one a copy or a store. */
static bool is_issued(const swp_run_machine *m, const swp_run_access *access)
{
    const int all = (1 << m->lanes) - 1;
    return swp_run_step_of(m, access)->queue != SWP_RUN_MATRIX_GROUP || access->issued == all;
}

bool swp_run_may_take_effect(const swp_run_machine *m, int access)
{
    return !m->accesses[access].done && is_issued(m, &m->accesses[access]) &&
           swp_run_first_in_order(m, access) == access;
}

/* It reads, and makes what it makes. */
static swp_status end(swp_run_machine *m, int index, const swp_run_step *step)
{
    swp_run_access *access = &m->accesses[index];
    access->is_read = true;
    access->done_at = m->outcome->accesses++;
    if (step->action == SWP_RUN_OP)
        return swp_run_end_op(m, access);
    swp_run_kind_effect(m, index, step);
    return SWP_OK;
}

swp_status swp_run_take_effect(swp_run_machine *m, int index)
{
    const swp_run_access *access = &m->accesses[index];
    const swp_run_step *step = swp_run_step_of(m, access);
    const int thread = access->instance * m->lanes;
    SWP_TRY(swp_run_record(m, thread, 0, access->step, access->to));
    if (!access->is_read) {
        SWP_TRY(end(m, index, step));
        if (step->queue == SWP_RUN_STORE_GROUP)
            return SWP_OK;
    }
    swp_run_close_access(m, index);
    swp_run_queue *queue = &m->threads[thread].queues[step->queue];
    while (queue->head < queue->count && m->accesses[queue->items[queue->head]].done)
        queue->head++;
    const bool counts = m->rank_mbarriers > 0 && step->queue == SWP_RUN_COPY_MBARRIER;
    return counts ? swp_run_bytes_land(m, access->to, step) : SWP_OK;
}
