/* SPDX-License-Identifier: Apache-2.0 */
/* What all timings are made of: one wave's next step with what it needs, and no more. */
#include "run/timing.h"

#include "base/context.h"

int swp_run_draw(swp_run_random *random, int limit)
{
    return (int)(swp_run_mix(random->seed, random->drawn++) % (uint64_t)limit);
}

swp_timing swp_run_timing_of(swp_timing timing, uint64_t seed)
{
    return timing == SWP_TIMING_ADVERSARIAL ? (swp_timing)(seed % SWP_TIMING_ADVERSARIAL) : timing;
}

/* Lets the access take effect, and before it those that must. */
static swp_status land_in_order(swp_run_machine *m, int access)
{
    while (!m->accesses[access].done)
        SWP_TRY(swp_run_take_effect(m, swp_run_first_in_order(m, access)));
    return SWP_OK;
}

swp_status swp_run_land(swp_run_machine *m, int access)
{
    if (swp_run_brings(m, access, false))
        for (int other = swp_run_oldest_open(m); other < m->access_count; other++)
            if (swp_run_brings(m, other, true))
                SWP_TRY(land_in_order(m, other));
    return land_in_order(m, access);
}

static swp_status issue_with(swp_run_machine *m, int wave, const swp_run_need *need)
{
    for (int counter = 0; counter < SWP_RUN_QUEUES; counter++) {
        const swp_run_queue *queue = &m->threads[wave].queues[counter];
        for (int i = queue->head; i < queue->count; i++)
            if (swp_run_is_needed(m, wave, need, counter, i))
                SWP_TRY(swp_run_land(m, queue->items[i]));
    }
    return swp_run_issue(m, wave);
}

swp_status swp_run_advance(swp_run_machine *m, int wave)
{
    const swp_run_need need = swp_run_need_of(m, wave);
    return issue_with(m, wave, &need);
}

/* An op that is there to be looked at runs. */
static swp_status advance_and_run(swp_run_machine *m, int wave)
{
    const swp_run_need need = swp_run_need_to_run(m, wave);
    return issue_with(m, wave, &need);
}

/* The wave that has arrived at the fewest barriers; it waits for none. */
static int last_wave(const swp_run_machine *m)
{
    int last = 0;
    for (int wave = 1; wave < m->program->waves; wave++)
        if (swp_run_barriers_of(m, wave) < swp_run_barriers_of(m, last))
            last = wave;
    return last;
}

swp_status swp_run_approach(swp_run_machine *m, swp_run_target target, bool *reached)
{
    const swp_run_thread *wave = &m->threads[target.thread];
    *reached = false;
    while (wave->next < target.step ||
           (wave->next == target.step && swp_run_waits(m, target.thread))) {
        const int next = swp_run_waits(m, target.thread) ? last_wave(m) : target.thread;
        if (!swp_run_next_step(m, next))
            return SWP_OK;
        SWP_TRY(swp_run_advance(m, next));
    }
    *reached = true;
    return SWP_OK;
}

swp_status swp_run_reach(swp_run_machine *m, swp_run_target target, bool *reached)
{
    SWP_TRY(swp_run_approach(m, target, reached));
    return *reached && m->threads[target.thread].next == target.step ? advance_and_run(m, target.thread)
                                                                 : SWP_OK;
}

/* All that is in flight, oldest first; but for what not all threads have issued. */
static swp_status land_all(swp_run_machine *m)
{
    for (int i = 0; i < m->open_count;)
        if (swp_run_may_take_effect(m, m->open[i]))
            SWP_TRY(swp_run_land(m, m->open[i]));
        else
            i++;
    return SWP_OK;
}

/* From this one on the first thread that may issue; SWP_RUN_NOBODY. */
static int next_in_turn(const swp_run_machine *m, int turn)
{
    for (int i = 0; i < m->thread_count; i++)
        if (swp_run_may_issue(m, (turn + i) % m->thread_count))
            return (turn + i) % m->thread_count;
    return SWP_RUN_NOBODY;
}

swp_status swp_run_rest(swp_run_machine *m)
{
    SWP_TRY(land_all(m));
    for (int thread = next_in_turn(m, 0); thread != SWP_RUN_NOBODY;
         thread = next_in_turn(m, thread + 1)) {
        SWP_TRY(swp_run_issue(m, thread));
        SWP_TRY(land_all(m));
    }
    return SWP_OK;
}
