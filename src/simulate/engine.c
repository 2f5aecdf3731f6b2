/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop of the cycle model: plans a group's next entry, and performs the one that goes first. */
#include "simulate/engine.h"

#include "simulate/places.h"
#include "simulate/queue.h"
#include "simulate/units.h"

/* What holds a step, in the order in which it is met. */
enum { MOST_DELAYS = 2 };

/* When the next step of a group issues, as things stand, and why not earlier. */
typedef struct plan {
    const swp_sim_step *step;
    int64_t issue; /* of a barrier: when the group reaches it */
    swp_sim_delay delays[MOST_DELAYS];
    int delay_count;
} plan;

static const swp_sim_step_list *steps_of(const swp_sim_engine *engine, int group, swp_phase phase)
{
    return &engine->program->steps[group][phase];
}

static int first_pass(swp_phase phase, int passes)
{
    return phase == SWP_PROLOGUE ? -1 : phase == SWP_KERNEL ? 0 : passes;
}

static void enter(const swp_sim_engine *engine, swp_sim_group *group, swp_phase phase)
{
    group->phase = phase;
    group->position = 0;
    group->pass = first_pass(phase, engine->passes);
}

/* Goes on to the next phase or pass where the present one is through. */
static void settle(swp_sim_engine *engine, int index)
{
    swp_sim_group *group = &engine->groups[index];
    while (!group->ended && (group->position == (int)steps_of(engine, index, group->phase)->count ||
                             (group->phase == SWP_KERNEL && group->pass >= engine->passes))) {
        if (group->phase == SWP_EPILOGUE)
            group->ended = true;
        else if (group->phase == SWP_KERNEL && group->pass + 1 < engine->passes &&
                 group->position > 0) {
            group->pass++;
            group->position = 0;
        } else
            enter(engine, group, group->phase + 1);
    }
}

static const swp_sim_step *next_step(const swp_sim_engine *engine, int index)
{
    const swp_sim_group *group = &engine->groups[index];
    return &steps_of(engine, index, group->phase)->items[group->position];
}

static swp_sim_event event_of(const swp_sim_engine *engine, int index)
{
    const swp_sim_group *group = &engine->groups[index];
    return (swp_sim_event){.ref = {group->phase, next_step(engine, index)->entry},
                           .pass = group->pass,
                           .group = index};
}

static void delay_until(plan *p, swp_stall_cause cause, int64_t time, const swp_sim_event *other)
{
    if (time <= p->issue)
        return;
    p->delays[p->delay_count++] =
        (swp_sim_delay){.cause = cause, .cycles = time - p->issue, .other = other};
    p->issue = time;
}

static void hold_for(plan *p, swp_stall_cause cause, const swp_sim_flight *flight)
{
    if (flight)
        delay_until(p, cause, flight->done, &flight->cause);
}

static void plan_operands(const swp_sim_engine *engine, const swp_sim_group *group, plan *p)
{
    int64_t done = 0;
    const swp_sim_flight *last = swp_simulate_operand(engine, group, p->step, &done);
    if (last)
        delay_until(p, SWP_STALL_OPERAND, done, &last->cause);
}

static void plan_access(const swp_sim_engine *engine, const swp_sim_group *group, plan *p)
{
    const int largest = swp_ir_sync_largest(engine->program->machine, p->step->object);
    swp_sim_queue queue = group->queues[p->step->object];
    plan_operands(engine, group, p);
    if (largest == 0 || engine->program->machine->counter_full == SWP_COUNTER_WRAPS)
        return;
    while (queue.first < queue.count && queue.items[queue.first].done <= p->issue)
        queue.first++;
    hold_for(p, SWP_STALL_COUNTER, swp_simulate_queue_room(&queue, p->step->accesses, largest));
}

static void plan_units(const swp_sim_engine *engine, plan *p)
{
    const swp_sim_event *last = NULL;
    const int64_t grant = swp_simulate_units_grant(engine, p->step, p->issue, &last);
    delay_until(p, SWP_STALL_UNIT, grant, last);
}

static void plan_step(const swp_sim_engine *engine, int index, plan *p)
{
    const swp_sim_group *group = &engine->groups[index];
    *p = (plan){.step = next_step(engine, index), .issue = group->ready};
    switch (p->step->kind) {
    case SWP_SIM_ACCESS:
        plan_access(engine, group, p);
        break;
    case SWP_SIM_COMPUTE:
        plan_operands(engine, group, p);
        plan_units(engine, p);
        break;
    case SWP_SIM_WAIT:
        hold_for(p, SWP_STALL_WAIT,
                 swp_simulate_queues_awaited(group->queues, engine->program->machine,
                                             p->step->waits, p->step->accesses));
        break;
    case SWP_SIM_BARRIER:
        if (engine->program->machine->barrier == SWP_BARRIER_FENCED)
            hold_for(p, SWP_STALL_FENCE, swp_simulate_queues_fenced(group->queues));
        break;
    case SWP_SIM_NOTHING:
        break;
    }
}

static swp_status tell_holds(swp_sim_engine *engine, const swp_sim_event *event, plan *p)
{
    if (!engine->listener.delay)
        return SWP_OK;
    for (int i = 0; i < p->delay_count; i++) {
        p->delays[i].at = *event;
        SWP_TRY(engine->listener.delay(engine->listener.user, &p->delays[i]));
    }
    return SWP_OK;
}

static void leave_step(swp_sim_engine *engine, const swp_sim_event *event, int64_t issued,
                       int64_t finished)
{
    swp_sim_group *group = &engine->groups[event->group];
    if (engine->listener.issue)
        engine->listener.issue(engine->listener.user, event, issued, finished);
    group->ready = issued + engine->program->machine->issue_cycles;
    if (finished > group->finished)
        group->finished = finished;
    for (int i = 0; i < SWP_SYNC_OBJECTS; i++)
        swp_simulate_queue_drop(&group->queues[i], group->ready);
    group->waits = false;
    group->issued++;
    group->position++;
    settle(engine, event->group);
}

static swp_status start_access(swp_sim_engine *engine, const swp_sim_event *event,
                               const swp_sim_step *step, int64_t done)
{
    swp_sim_group *group = &engine->groups[event->group];
    swp_sim_queue *queue = &group->queues[step->object];
    SWP_TRY(swp_simulate_queue_push(engine->ctx, queue,
                                    (swp_sim_flight){step->accesses, done, *event}));
    swp_simulate_leave_access(group, step, &queue->newest);
    return SWP_OK;
}

/* The step is granted its units. An access does so behind its issue. */
static swp_status start_step(swp_sim_engine *engine, const swp_sim_event *event, const plan *p,
                             int64_t *finished)
{
    const swp_sim_event *last = NULL;
    int64_t past = engine->groups[0].ready;
    const int64_t grant = swp_simulate_units_grant(engine, p->step, p->issue, &last);
    for (int i = 1; i < engine->program->groups; i++)
        past = engine->groups[i].ready < past ? engine->groups[i].ready : past;
    *finished = grant + p->step->latency;
    SWP_TRY(swp_simulate_units_take(engine, p->step, grant, past, event));
    if (p->step->kind == SWP_SIM_ACCESS)
        return start_access(engine, event, p->step, *finished);
    swp_simulate_leave_values(&engine->groups[event->group], p->step, p->issue, event);
    return SWP_OK;
}

/* All groups are at their barrier: the last one to arrive lets the others go. */
static swp_status cross(swp_sim_engine *engine)
{
    int last = 0;
    for (int i = 1; i < engine->program->groups; i++)
        if (engine->groups[i].arrived > engine->groups[last].arrived)
            last = i;
    const swp_sim_event keeper = event_of(engine, last);
    const int64_t meeting = engine->groups[last].arrived;
    const int64_t cost = engine->program->machine->barrier_cycles;
    for (int i = 0; i < engine->program->groups; i++) {
        const swp_sim_event event = event_of(engine, i);
        plan p = {.issue = engine->groups[i].arrived};
        delay_until(&p, SWP_STALL_BARRIER, meeting, &keeper);
        delay_until(&p, SWP_STALL_CROSSING, meeting + cost, NULL);
        SWP_TRY(tell_holds(engine, &event, &p));
        leave_step(engine, &event, p.issue, p.issue);
    }
    return SWP_OK;
}

static swp_status reach_barrier(swp_sim_engine *engine, const swp_sim_event *event, int64_t time)
{
    swp_sim_group *group = &engine->groups[event->group];
    group->arrived = time;
    group->waits = true;
    for (int i = 0; i < engine->program->groups; i++)
        if (!engine->groups[i].waits)
            return SWP_OK;
    return cross(engine);
}

static swp_status perform(swp_sim_engine *engine, int index, plan *p)
{
    const swp_sim_event event = event_of(engine, index);
    SWP_TRY(tell_holds(engine, &event, p));
    if (p->step->kind == SWP_SIM_BARRIER)
        return reach_barrier(engine, &event, p->issue);
    int64_t finished = 0;
    SWP_TRY(start_step(engine, &event, p, &finished));
    leave_step(engine, &event, p->issue, finished);
    return SWP_OK;
}

/* The earlier one; of two, who could have issued first; then who has issued less. */
static bool goes_before(const swp_sim_engine *engine, int a, const plan *of_a, int b,
                        const plan *of_b)
{
    const swp_sim_group *x = &engine->groups[a];
    const swp_sim_group *y = &engine->groups[b];
    if (of_a->issue != of_b->issue)
        return of_a->issue < of_b->issue;
    if (x->ready != y->ready)
        return x->ready < y->ready;
    return x->issued < y->issued;
}

swp_status swp_simulate_engine_step(swp_sim_engine *engine, bool *moved)
{
    int best = -1;
    plan plans[SWP_SIM_GROUPS];
    for (int i = 0; i < engine->program->groups; i++) {
        if (engine->groups[i].ended || engine->groups[i].waits)
            continue;
        plan_step(engine, i, &plans[i]);
        if (best < 0 || goes_before(engine, i, &plans[i], best, &plans[best]))
            best = i;
    }
    *moved = best >= 0;
    return best < 0 ? SWP_OK : perform(engine, best, &plans[best]);
}

bool swp_simulate_engine_ended(const swp_sim_engine *engine)
{
    for (int i = 0; i < engine->program->groups; i++)
        if (!engine->groups[i].ended)
            return false;
    return true;
}

int64_t swp_simulate_engine_end(const swp_sim_engine *engine)
{
    int64_t end = 0;
    for (int i = 0; i < engine->program->groups; i++) {
        const swp_sim_group *group = &engine->groups[i];
        const int64_t last = group->ready > group->finished ? group->ready : group->finished;
        end = last > end ? last : end;
    }
    return end;
}

swp_status swp_simulate_engine_new(swp_context *ctx, const swp_sim_program *program, int passes,
                                   swp_sim_engine *out)
{
    *out = (swp_sim_engine){.ctx = ctx, .program = program, .passes = passes};
    SWP_TRY(SWP_TAKE(ctx, program->unit_count, &out->units));
    for (int i = 0; i < program->groups; i++) {
        swp_sim_group *group = &out->groups[i];
        SWP_TRY(SWP_TAKE(ctx, program->place_count, &group->places));
        enter(out, group, SWP_PROLOGUE);
        settle(out, i);
    }
    return SWP_OK;
}
