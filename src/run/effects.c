/* SPDX-License-Identifier: Apache-2.0 */
/* What each op does when it issues, and each access when it takes effect. */
#include "run/machine.h"

#include "base/context.h"
#include "base/names.h"
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
    const int counter = swp_run_counter_of(step);
    const int most = counter == SWP_RUN_VM ? m->limits->vm_max : m->limits->lgkm_max;
    const swp_run_queue *queue = &m->waves[wave].queues[counter];
    const int64_t retired = queue->head ? m->accesses[queue->items[queue->head - 1]].position : 0;
    if (m->limits->counter_full == SWP_COUNTER_STALLS ||
        queue->total + step->cost - retired <= most)
        return SWP_OK;
    const swp_instance at = swp_run_instance(m, wave, m->waves[wave].next);
    return SWP_PUSH(m->ctx, &m->outcome->passed, at);
}

static swp_status note_tile(swp_run_machine *m, int wave, const swp_run_step *step)
{
    if (step->action != SWP_RUN_LOAD || (step->tile >= 0 && step->tile < m->program->n))
        return SWP_OK;
    const swp_tile_outside found = {swp_run_instance(m, wave, m->waves[wave].next), step->tile};
    return SWP_PUSH(m->ctx, &m->outcome->outside, found);
}

/* A store reads its source registers when it issues. */
static swp_status capture(swp_run_machine *m, int wave, const swp_run_step *step,
                          swp_run_access *access)
{
    SWP_TRY(swp_run_check_operand(m, wave, step, step->reads[0]));
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->program->slices, &access->captured));
    for (int slice = 0; slice < m->program->slices; slice++)
        access->captured[slice] = *swp_run_register(m, wave, step->reads[0], slice);
    return SWP_OK;
}

static swp_status issue_access(swp_run_machine *m, int wave, const swp_run_step *step)
{
    SWP_TRY(note_counter(m, wave, step));
    SWP_TRY(note_tile(m, wave, step));
    swp_run_wave *w = &m->waves[wave];
    swp_run_queue *queue = &w->queues[swp_run_counter_of(step)];
    swp_run_access *access = &m->accesses[m->access_count];
    queue->total += step->cost;
    *access = (swp_run_access){.wave = wave, .step = w->next, .position = queue->total};
    if (step->action == SWP_RUN_STORE)
        SWP_TRY(capture(m, wave, step, access));
    w->access_of_step[w->next] = m->access_count;
    queue->items[queue->count++] = m->access_count++;
    return SWP_OK;
}

static swp_status compute(swp_run_machine *m, int wave, const swp_run_step *step)
{
    swp_run_matrix *sum = &m->waves[wave].accumulators[step->accumulator];
    for (int share = 0; share < m->program->waves; share++) {
        const int64_t *a = swp_run_register(m, wave, step->reads[0], share)->values;
        const int64_t *b = m->program->next_tile
                               ? a + SWP_RUN_SIDE
                               : swp_run_register(m, wave, step->reads[1], share)->values;
        swp_run_add_product(sum, a, b);
    }
    SWP_TRY(swp_run_check_operand(m, wave, step, step->reads[0]));
    return swp_run_check_operand(m, wave, step, step->reads[1]);
}

swp_status swp_run_issue(swp_run_machine *m, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    const int registers[] = {step->reads[0], step->reads[1], step->writes};
    SWP_TRY(record(m, (swp_timing_event){.wave = wave, .issue = 1}));
    for (size_t i = 0; i < SWP_COUNT_OF(registers); i++)
        SWP_TRY(swp_run_check_ready(m, wave, registers[i]));
    if (swp_run_is_access(step))
        SWP_TRY(issue_access(m, wave, step));
    else if (step->action == SWP_RUN_COMPUTE)
        SWP_TRY(compute(m, wave, step));
    else if (step->action == SWP_RUN_BARRIER)
        m->waves[wave].barriers++;
    m->waves[wave].next++;
    m->outcome->issued++;
    return SWP_OK;
}

static swp_run_cell written_by(swp_run_cell cell, int access)
{
    cell.writer = access;
    return cell;
}

static void load(swp_run_machine *m, int index, const swp_run_step *step)
{
    const int wave = m->accesses[index].wave;
    if (m->program->next_tile) {
        for (int slice = 0; slice < m->program->slices; slice++)
            *swp_run_register(m, wave, step->writes, slice) =
                written_by(swp_run_share(m->seed, 0, slice, step->tile, wave), index);
        m->waves[wave].filled_by[step->writes] = index;
        return;
    }
    const swp_run_place *place = &m->program->places.items[step->place];
    *swp_run_lds(m, step->place, wave, 0) =
        written_by(swp_run_share(m->seed, place->channel, place->subtile, step->tile, wave), index);
}

static void read_fragment(swp_run_machine *m, int index, const swp_run_step *step)
{
    const int wave = m->accesses[index].wave;
    for (int share = 0; share < m->program->waves; share++)
        *swp_run_register(m, wave, step->writes, share) =
            *swp_run_lds(m, step->place, share, step->slice);
    m->waves[wave].filled_by[step->writes] = index;
}

static void store(swp_run_machine *m, int index, const swp_run_step *step)
{
    const swp_run_access *access = &m->accesses[index];
    for (int slice = 0; slice < m->program->slices; slice++)
        *swp_run_lds(m, step->place, access->wave, slice) =
            written_by(access->captured[slice], index);
}

swp_status swp_run_take_effect(swp_run_machine *m, int index)
{
    swp_run_access *access = &m->accesses[index];
    const swp_run_step *step = swp_run_step_of(m, access);
    SWP_TRY(record(m, (swp_timing_event){.wave = access->wave, .effect = access->step}));
    if (step->action == SWP_RUN_LOAD)
        load(m, index, step);
    else if (step->action == SWP_RUN_FRAGMENT)
        read_fragment(m, index, step);
    else
        store(m, index, step);
    access->done = true;
    access->done_at = m->outcome->accesses++;
    swp_run_queue *queue = &m->waves[access->wave].queues[swp_run_counter_of(step)];
    while (queue->head < queue->count && m->accesses[queue->items[queue->head]].done)
        queue->head++;
    return SWP_OK;
}
