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

static swp_status land_needed(swp_run_machine *m, int wave, const swp_run_need *need)
{
    for (int number = 0; number < SWP_RUN_QUEUES; number++) {
        const swp_run_queue *queue = &m->threads[wave].queues[number];
        for (int i = queue->head; i < queue->count; i++)
            if (swp_run_is_needed(m, wave, need, number, i))
                SWP_TRY(swp_run_land(m, queue->items[i]));
    }
    return SWP_OK;
}

/* What the other waves of its warp group have to have done before a wait returns. */
static swp_status land_of_group(swp_run_machine *m, int wave)
{
    const bool waits = swp_run_awaited_of_group(m, wave) > 0;
    for (int i = 0; waits && i < m->open_count;)
        if (!m->accesses[m->open[i]].done && swp_run_must_do(m, wave, m->open[i]))
            SWP_TRY(swp_run_land(m, m->open[i]));
        else
            i++;
    return SWP_OK;
}

swp_status swp_run_land_needed(swp_run_machine *m, int wave)
{
    const swp_run_need need = swp_run_need_of(m, wave);
    SWP_TRY(land_of_group(m, wave));
    return land_needed(m, wave, &need);
}

swp_status swp_run_advance(swp_run_machine *m, int wave)
{
    SWP_TRY(swp_run_land_needed(m, wave));
    return swp_run_issue(m, wave);
}

/* An op that is there to be looked at runs. */
swp_status swp_run_reach(swp_run_machine *m, swp_run_target target, bool *reached)
{
    SWP_TRY(swp_run_help_to(m, target, SWP_RUN_BEFORE, reached));
    if (!*reached || m->threads[target.thread].next != target.step)
        return SWP_OK;
    const swp_run_need need = swp_run_need_to_run(m, target.thread);
    SWP_TRY(land_of_group(m, target.thread));
    SWP_TRY(land_needed(m, target.thread, &need));
    return swp_run_issue(m, target.thread);
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
