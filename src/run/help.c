/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Has a thread, or wave, come to a step with no more than that needs, so that whatever need not come before it has not
 * happened yet. Each rule that asks whether one moment comes before another one is tried like that.
 */
#include "run/sync.h"
#include "run/timing.h"

#include "base/context.h"

/* Retires an operation, and before it those that must; in vain where one is not issued everywhere. */
static swp_status retire_in_order(swp_run_machine *m, int async)
{
    while (!m->accesses[async].done) {
        const int first = swp_run_first_in_order(m, async);
        const int instance = m->accesses[first].instance;
        for (int lane = 0; lane < m->lanes && !swp_run_may_take_effect(m, first); lane++) {
            bool reached = false;
            SWP_TRY(swp_run_help_to(
                m, (swp_run_target){instance * m->lanes + lane, m->accesses[first].step},
                SWP_RUN_ISSUED, &reached));
        }
        if (!swp_run_may_take_effect(m, first))
            return SWP_OK;
        SWP_TRY(swp_run_take_effect(m, first));
    }
    return SWP_OK;
}

/* An arrival or a copy, by every thread that executes it and whose goes to the rank, until the waiting thread may go on. */
static swp_status help_by_step(swp_run_machine *m, int thread, swp_run_role_step maker)
{
    const int *first = m->program->sharing->first_instance;
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    const swp_run_step *step = &m->program->lists[maker.role].items[maker.step];
    for (int other = first[maker.role] * m->lanes; other < first[maker.role + 1] * m->lanes;
         other++) {
        bool reached = false;
        const int instance = m->threads[other].instance;
        if (swp_run_may_issue(m, thread) || !swp_run_executes(m, other, step) ||
            !swp_run_goes_to(m, instance, step, rank))
            continue;
        SWP_TRY(swp_run_help_to(m, (swp_run_target){other, maker.step}, SWP_RUN_ISSUED, &reached));
        const int async = *swp_run_access_at(m, instance, maker.step, rank);
        if (reached && async >= 0)
            SWP_TRY(retire_in_order(m, async));
    }
    return SWP_OK;
}

static swp_status help_phase(swp_run_machine *m, int thread, const swp_run_step *wait)
{
    const int object = wait->source->object;
    const int slots = m->schedule->objects[object].slots;
    const swp_run_turn at = swp_run_turn_of(wait->turn, slots);
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    for (int phase = swp_run_mbarrier_of(m, rank, wait)->completed; phase <= at.phase; phase++) {
        const swp_run_role_steps *makers =
            &swp_run_phase_at(m, rank, object, phase * slots + at.slot)->makers;
        for (size_t i = 0; i < makers->count; i++)
            SWP_TRY(help_by_step(m, thread, makers->items[i]));
    }
    return SWP_OK;
}

/* The next part of a thread in a meeting at a place; its number of steps: there is none. */
static int next_part(const swp_run_machine *m, int thread, int place)
{
    const swp_run_thread *t = &m->threads[thread];
    size_t i = (size_t)t->next + (t->waits ? 1 : 0);
    while (i < t->steps->count &&
           !(swp_run_executes(m, thread, &t->steps->items[i]) &&
             t->steps->items[i].source->tag != SWP_TAG_CLUSTER_WAIT &&
             swp_run_place_of_meeting(m, t->instance, &t->steps->items[i]) == place))
        i++;
    return (int)i;
}

static swp_status help_meeting(swp_run_machine *m, int thread, int place)
{
    const int meeting = m->threads[thread].ticket;
    for (int other = 0; other < m->thread_count; other++) {
        const swp_run_thread *o = &m->threads[other];
        bool reached = m->takes_part[o->instance * m->meeting_count + place];
        while (reached && o->parts[place] <= meeting && !swp_run_may_issue(m, thread)) {
            const int step = next_part(m, other, place);
            if (step == (int)o->steps->count)
                break;
            SWP_TRY(swp_run_help_to(m, (swp_run_target){other, step}, SWP_RUN_ISSUED, &reached));
        }
    }
    return SWP_OK;
}

/* What ends the wait that the thread stands at, as far as it can happen. */
static swp_status help_thread(swp_run_machine *m, int thread)
{
    const swp_run_step *step = swp_run_next_step(m, thread);
    const int place = swp_run_place_of_meeting(m, m->threads[thread].instance, step);
    if (step->source->tag == SWP_TAG_WAIT_PHASE)
        return help_phase(m, thread, step);
    if (place >= 0)
        return help_meeting(m, thread, place);
    int async = swp_run_awaited_async(m, thread);
    for (int before = -1; async >= 0 && async != before;
         before = async, async = swp_run_awaited_async(m, thread))
        SWP_TRY(retire_in_order(m, async));
    return SWP_OK;
}

/* The waves of its warp group issue what the wave waits for. */
static swp_status help_group(swp_run_machine *m, int wave)
{
    bool reached = true;
    const int64_t awaited = swp_run_awaited_of_group(m, wave);
    for (int other = 0; other < m->thread_count; other++) {
        const swp_run_thread *o = &m->threads[other];
        while (reached && swp_run_is_of_group(m, wave, other) &&
               o->queues[SWP_RUN_MATRIX_GROUP].total < awaited)
            SWP_TRY(
                swp_run_help_to(m, (swp_run_target){other, o->next}, SWP_RUN_RETURNED, &reached));
    }
    return SWP_OK;
}

static swp_status help(swp_run_machine *m, int thread)
{
    if (m->program->manner->waits_behind)
        return help_thread(m, thread);
    if (swp_run_waits_for_group(m, thread))
        SWP_TRY(help_group(m, thread));
    else if (swp_run_waits(m, thread))
        SWP_TRY(help_meeting(m, thread, m->rank_meetings - 1));
    return swp_run_waits(m, thread) || !swp_run_next_step(m, thread)
               ? SWP_OK
               : swp_run_land_needed(m, thread);
}

static bool is_there(const swp_run_machine *m, swp_run_target target, swp_run_moment moment)
{
    const swp_run_thread *t = &m->threads[target.thread];
    if (t->next != target.step || moment == SWP_RUN_RETURNED)
        return t->next > target.step;
    return moment == SWP_RUN_ISSUED ? t->waits : !swp_run_waits(m, target.thread);
}

swp_status swp_run_help_to(swp_run_machine *m, swp_run_target target, swp_run_moment moment,
                           bool *reached)
{
    const int thread = target.thread;
    swp_run_thread *t = &m->threads[thread];
    *reached = is_there(m, target, moment);
    if (t->is_on_way)
        return SWP_OK;
    while (!*reached && (swp_run_next_step(m, thread) || swp_run_waits(m, thread))) {
        t->is_on_way = true;
        if (!swp_run_may_issue(m, thread))
            SWP_TRY(help(m, thread));
        t->is_on_way = false;
        *reached = is_there(m, target, moment);
        if (*reached || !swp_run_may_issue(m, thread))
            return SWP_OK;
        SWP_TRY(swp_run_issue(m, thread));
        *reached = is_there(m, target, moment);
    }
    return SWP_OK;
}
