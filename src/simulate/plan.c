/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the next entry of a group: what it has to wait for, of operands, counters, units, phases and groups. */
#include "simulate/plan.h"

#include "simulate/mbarriers.h"
#include "simulate/places.h"
#include "simulate/queue.h"
#include "simulate/units.h"

void swp_simulate_delay_until(swp_sim_plan *p, swp_stall_cause cause, int64_t time,
                              const swp_sim_event *other)
{
    if (time <= p->issue)
        return;
    p->delays[p->delay_count++] = (swp_sim_delay){
        .cause = cause, .cycles = time - p->issue, .other = other, .object = p->step->object_name};
    p->issue = time;
}

static void stall_until(swp_sim_plan *p, swp_stall_cause cause, const swp_sim_flight *flight)
{
    if (flight)
        swp_simulate_delay_until(p, cause, flight->done, &flight->cause);
}

static void plan_operands(const swp_sim_engine *engine, const swp_sim_group *group, swp_sim_plan *p)
{
    int64_t done = 0;
    const swp_sim_flight *last = swp_simulate_operand(engine, group, p->step, &done);
    if (last)
        swp_simulate_delay_until(p, SWP_STALL_OPERAND, done, &last->cause);
}

static void plan_units(const swp_sim_engine *engine, swp_sim_plan *p)
{
    const swp_sim_event *last = NULL;
    const int64_t grant = swp_simulate_units_grant(engine, p->step, p->issue, &last);
    swp_simulate_delay_until(p, SWP_STALL_UNIT, grant, last);
}

/* In a loop with issue times an op issues at the grant of its units, and holds its group until then. */
static void plan_grant(const swp_sim_engine *engine, const swp_sim_group *group, swp_sim_plan *p)
{
    int64_t done = 0;
    if (!engine->program->states_issue)
        return;
    const swp_sim_flight *last = swp_simulate_chained(engine, group, p->step, &done);
    if (last)
        swp_simulate_delay_until(p, SWP_STALL_OPERAND, done, &last->cause);
    plan_units(engine, p);
}

static void plan_access(const swp_sim_engine *engine, const swp_sim_group *group, swp_sim_plan *p)
{
    const int largest = swp_ir_sync_largest(engine->program->machine, p->step->object);
    swp_sim_queue queue = group->queues[p->step->object];
    plan_operands(engine, group, p);
    if (largest == 0 || engine->program->machine->counter_full == SWP_COUNTER_WRAPS)
        return;
    while (queue.first < queue.count && queue.items[queue.first].done <= p->issue)
        queue.first++;
    stall_until(p, SWP_STALL_COUNTER, swp_simulate_queue_room(&queue, p->step->accesses, largest));
}

static void plan_phase(const swp_sim_engine *engine, int index, swp_sim_plan *p)
{
    const swp_sim_flight *last = NULL;
    int64_t seen = 0;
    p->is_stuck = !swp_simulate_mbarrier_phase(engine, p->step, index, &last, &seen);
    if (last)
        swp_simulate_delay_until(p, SWP_STALL_PHASE, seen, &last->cause);
}

static void plan_opened(const swp_sim_engine *engine, int index, swp_sim_plan *p)
{
    const swp_sim_meeting *meeting = &engine->meetings[p->step->meeting];
    const swp_sim_part *part = &meeting->parts[index];
    p->is_stuck = part->count > meeting->opened;
    if (!p->is_stuck && part->count > 0)
        swp_simulate_delay_until(p, SWP_STALL_BARRIER, part->opened, &part->opener);
}

void swp_simulate_plan_step(const swp_sim_engine *engine, int index, swp_sim_plan *p)
{
    const swp_sim_group *group = &engine->groups[index];
    *p = (swp_sim_plan){.step = swp_simulate_next_step(engine, index), .issue = group->ready};
    switch (p->step->kind) {
    case SWP_SIM_ACCESS:
        plan_access(engine, group, p);
        plan_grant(engine, group, p);
        break;
    case SWP_SIM_COMPUTE:
        plan_operands(engine, group, p);
        plan_units(engine, p);
        break;
    case SWP_SIM_WAIT:
        stall_until(p, SWP_STALL_WAIT,
                    swp_simulate_queues_awaited(group->queues, engine->program->machine,
                                                p->step->waits, p->step->accesses));
        break;
    case SWP_SIM_BARRIER:
        if (engine->program->machine->barrier == SWP_BARRIER_FENCED)
            stall_until(p, SWP_STALL_FENCE, swp_simulate_queues_fenced(group->queues));
        break;
    case SWP_SIM_ASYNC:
        plan_operands(engine, group, p);
        plan_grant(engine, group, p);
        break;
    case SWP_SIM_PHASE:
        plan_phase(engine, index, p);
        break;
    case SWP_SIM_OPENED:
        plan_opened(engine, index, p);
        break;
    case SWP_SIM_GROUP_WAIT:
        stall_until(p, SWP_STALL_WAIT,
                    swp_simulate_queue_retired(&group->queues[p->step->queue], p->step->accesses));
        break;
    case SWP_SIM_NOTHING:
    case SWP_SIM_ARRIVE:
    case SWP_SIM_MEET:
    case SWP_SIM_COMMIT:
        break;
    }
}
