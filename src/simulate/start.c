/* SPDX-License-Identifier: Apache-2.0 */
/* What an op that is issued leaves behind: units that it keeps, what is in flight, what others are told of it. */
#include "simulate/start.h"

#include "simulate/mbarriers.h"
#include "simulate/places.h"
#include "simulate/queue.h"
#include "simulate/units.h"

static swp_status start_access(swp_sim_engine *engine, const swp_sim_event *event,
                               const swp_sim_step *step, int64_t done)
{
    swp_sim_group *group = &engine->groups[event->group];
    swp_sim_queue *queue = &group->queues[step->object];
    SWP_TRY(swp_simulate_queue_push(engine->ctx, queue,
                                    (swp_sim_flight){step->accesses, done, *event}));
    swp_simulate_leave_access(engine, group, step, &queue->newest);
    return SWP_OK;
}

/* What others learn of by an object is no sooner there. */
static void keep_told(swp_sim_group *group, const swp_sim_step *step, int64_t issue,
                      const swp_sim_event *event)
{
    const int64_t done = issue + step->shared_cycles;
    if (step->shared_cycles > 0 && done > group->told.done)
        group->told = (swp_sim_flight){.done = done, .cause = *event};
}

static void put_into_group(swp_sim_group *group, int queue, const swp_sim_flight *flight)
{
    if (flight->done > group->open[queue].done)
        group->open[queue] = *flight;
}

/* An asynchronous operation of a warp role, granted its units. */
static swp_status start_async(swp_sim_engine *engine, const swp_sim_event *event,
                              const swp_sim_step *step, int64_t grant)
{
    swp_sim_group *group = &engine->groups[event->group];
    const swp_sim_flight done = {.accesses = 1, .done = grant + step->latency, .cause = *event};
    const swp_sim_flight read = {1, grant + step->read_cycles, *event};
    swp_simulate_leave_access(engine, group, step, &done);
    if (step->mbarrier >= 0)
        return swp_simulate_mbarrier_add(engine, step, event->group, &done);
    put_into_group(group, step->queue, &done);
    if (step->tells_reads)
        put_into_group(group, step->queue + 1, &read);
    return SWP_OK;
}

swp_status swp_simulate_start(swp_sim_engine *engine, const swp_sim_event *event,
                              const swp_sim_step *step, int64_t issue, int64_t *finished)
{
    const swp_sim_event *last = NULL;
    const swp_sim_group *group = &engine->groups[event->group];
    int64_t chained = 0;
    if (step->kind == SWP_SIM_ASYNC || step->kind == SWP_SIM_ACCESS)
        swp_simulate_chained(engine, group, step, &chained);
    const int64_t first = chained > issue ? chained : issue;
    const int64_t grant = swp_simulate_units_grant(engine, step, first, &last);
    *finished = grant + step->latency;
    if (engine->listener.grant)
        SWP_TRY(engine->listener.grant(engine->listener.user, event, grant, last));
    SWP_TRY(swp_simulate_units_take(engine, step, grant, event));
    if (step->kind == SWP_SIM_ACCESS)
        return start_access(engine, event, step, *finished);
    if (step->kind == SWP_SIM_ASYNC)
        return start_async(engine, event, step, grant);
    swp_simulate_leave_values(engine, group, step, issue, event);
    keep_told(&engine->groups[event->group], step, issue, event);
    return SWP_OK;
}

swp_sim_flight swp_simulate_part(const swp_sim_engine *engine, const swp_sim_event *event,
                                 int64_t issue)
{
    const swp_sim_flight *told = &engine->groups[event->group].told;
    return told->done > issue ? *told : (swp_sim_flight){.done = issue, .cause = *event};
}

static swp_status end_group(swp_sim_engine *engine, const swp_sim_event *event, int queue,
                            bool any_order)
{
    swp_sim_group *group = &engine->groups[event->group];
    swp_sim_flight flight = group->open[queue];
    flight.accesses = 1;
    group->open[queue] = (swp_sim_flight){0};
    return any_order ? swp_simulate_queue_put(engine->ctx, &group->queues[queue], flight)
                     : swp_simulate_queue_push(engine->ctx, &group->queues[queue], flight);
}

swp_status swp_simulate_commit(swp_sim_engine *engine, const swp_sim_event *event,
                               const swp_sim_step *step)
{
    SWP_TRY(end_group(engine, event, step->queue, step->any_order));
    return step->tells_reads ? end_group(engine, event, step->queue + 1, step->any_order) : SWP_OK;
}
