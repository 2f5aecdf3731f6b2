/* SPDX-License-Identifier: Apache-2.0 */
/* What happens when an entry issues, and when an access takes effect. */
#include "run/machine.h"

#include "base/context.h"
#include "run/effects.h"
#include "run/operands.h"

static swp_status record(swp_run_machine *m, swp_timing_event event)
{
    swp_timing_event_list *events = &m->events;
    swp_timing_event *last = events->count ? &events->items[events->count - 1] : NULL;
    if (last && event.issue && last->issue && last->wave == event.wave) {
        last->issue++;
        return SWP_OK;
    }
    return SWP_PUSH(m->ctx, events, event);
}

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

static swp_status note_tile(swp_run_machine *m, int wave, const swp_run_step *step)
{
    if ((step->action != SWP_RUN_LOAD && step->action != SWP_RUN_OP) ||
        (step->tile >= 0 && step->tile < m->program->n))
        return SWP_OK;
    const swp_tile_outside found = {swp_run_instance(m, wave, m->threads[wave].next), step->tile};
    return SWP_PUSH(m->ctx, &m->outcome->outside, found);
}

static void finish(swp_run_machine *m, int access)
{
    m->accesses[access].done_at = m->outcome->accesses++;
    swp_run_close_access(m, access);
}

static void enqueue(swp_run_machine *m, int index, const swp_run_step *step)
{
    swp_run_access *access = &m->accesses[index];
    swp_run_queue *queue = &m->threads[access->instance].queues[step->queue];
    queue->total += step->cost;
    access->position = queue->total;
    queue->items[queue->count++] = index;
}

static int committed(const swp_run_thread *t, const swp_run_step *step)
{
    return t->commits[step->queue == SWP_RUN_MATRIX_GROUP ? 0 : 1];
}

swp_status swp_run_new_access(swp_run_machine *m, int thread, const swp_run_step *step, int to)
{
    swp_run_thread *t = &m->threads[thread];
    const size_t reads = swp_run_is_queued(step) && step->action == SWP_RUN_OP ? step->reads.count : 0;
    const int index = m->access_count++;
    swp_run_access *access = &m->accesses[index];
    *access = (swp_run_access){.instance = t->instance,
                               .step = t->next,
                               .to = to,
                               .issued_at = m->clock,
                               .group = committed(t, step)};
    SWP_TRY(SWP_TAKE(m->ctx, reads * (size_t)m->program->waves, &access->shares));
    SWP_TRY(SWP_TAKE(m->ctx, reads * (size_t)m->lanes, &access->registers));
    *swp_run_access_at(m, t->instance, t->next, to) = index;
    swp_run_open_access(m, index);
    if (!m->program->has_roles && swp_run_is_queued(step))
        enqueue(m, index, step);
    return SWP_OK;
}

static void note_makers(swp_run_machine *m, int index, const swp_run_step *step)
{
    const swp_run_access *access = &m->accesses[index];
    for (size_t i = 0; i < step->writes.count; i++)
        if (!step->writes.items[i].in_lds)
            m->threads[access->instance].states[step->writes.items[i].index].last_maker = index;
}

/* What is not counted is over when it has issued. */
static swp_status issue_access(swp_run_machine *m, int wave, const swp_run_step *step)
{
    const int index = m->access_count;
    SWP_TRY(note_tile(m, wave, step));
    if (swp_run_is_queued(step))
        SWP_TRY(note_counter(m, wave, step));
    if (swp_run_is_queued(step) && step->action == SWP_RUN_OP)
        SWP_TRY(swp_run_begin_op(m, wave, step));
    else
        SWP_TRY(swp_run_new_access(m, wave, step, 0));
    if (step->action == SWP_RUN_OP)
        note_makers(m, index, step);
    if (!swp_run_is_queued(step)) {
        SWP_TRY(swp_run_do_ordinary(m, wave, step));
        finish(m, index);
    }
    return step->action == SWP_RUN_STORE ? swp_run_store_issues(m, index, step) : SWP_OK;
}

static void note_wait(swp_run_machine *m, int wave, const swp_run_step *step)
{
    for (int q = 0; q < SWP_RUN_QUEUES; q++) {
        swp_run_queue *queue = &m->threads[wave].queues[q];
        if (swp_run_waits_for(step, q) && queue->total - swp_run_left(m, step, q) > queue->retired)
            queue->retired = queue->total - swp_run_left(m, step, q);
    }
}

swp_status swp_run_issue(swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    const bool is_left_out = swp_run_is_left_out(m, wave);
    SWP_TRY(record(m, (swp_timing_event){.wave = wave, .issue = 1}));
    if (!is_left_out)
        SWP_TRY(swp_run_check_ready(m, wave));
    if (is_left_out)
        swp_run_op_left_out(m, wave, step);
    else if (swp_run_is_access(step))
        SWP_TRY(issue_access(m, wave, step));
    else if (step->action == SWP_RUN_COMPUTE)
        SWP_TRY(swp_run_compute(m, wave, step));
    else if (step->action == SWP_RUN_BARRIER)
        m->threads[wave].barriers++;
    else if (step->action == SWP_RUN_WAIT_VM || step->action == SWP_RUN_WAIT_LGKM)
        note_wait(m, wave, step);
    m->threads[wave].next++;
    m->outcome->issued++;
    return SWP_OK;
}

swp_status swp_run_take_effect(swp_run_machine *m, int index)
{
    swp_run_access *access = &m->accesses[index];
    const swp_run_step *step = swp_run_step_of(m, access);
    SWP_TRY(record(m, (swp_timing_event){.wave = access->instance, .effect = access->step}));
    if (step->action == SWP_RUN_OP)
        SWP_TRY(swp_run_end_op(m, access));
    else
        swp_run_kind_effect(m, index, step);
    finish(m, index);
    swp_run_queue *queue = &m->threads[access->instance].queues[step->queue];
    while (queue->head < queue->count && m->accesses[queue->items[queue->head]].done)
        queue->head++;
    return SWP_OK;
}
