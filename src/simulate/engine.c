/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop of the cycle model: of the next entries of all groups it performs the one that goes first. */
#include "simulate/engine.h"

#include "simulate/mbarriers.h"
#include "simulate/meetings.h"
#include "simulate/plan.h"
#include "simulate/queue.h"
#include "simulate/start.h"

int64_t swp_simulate_tile_length(const swp_sim_engine *engine)
{
    const swp_loop_shape *loop = &engine->program->schedule->loop;
    return loop->min_tiles + (int64_t)engine->passes * loop->tiles_per_pass;
}

int64_t swp_simulate_base(const swp_sim_engine *engine, const swp_sim_group *group,
                          swp_role_clock clock)
{
    const int64_t length = swp_simulate_tile_length(engine);
    if (clock == SWP_TILE_CLOCK)
        return group->tile;
    switch (group->phase) {
    case SWP_KERNEL:
    case SWP_EPILOGUE:
        return group->tile * length +
               (int64_t)group->pass * engine->program->schedule->loop.tiles_per_pass;
    case SWP_END:
        return (group->tile + 1) * length;
    default:
        return group->tile * length;
    }
}

static const swp_sim_step_list *steps_of(const swp_sim_engine *engine, int group, swp_phase phase)
{
    return &engine->program->groups[group].steps[phase];
}

static int first_pass(swp_phase phase, int passes)
{
    return phase == SWP_KERNEL ? 0 : phase == SWP_PROLOGUE || phase == SWP_BEGIN ? -1 : passes;
}

static void enter(const swp_sim_engine *engine, swp_sim_group *group, swp_phase phase)
{
    group->phase = phase;
    group->position = 0;
    group->pass = first_pass(phase, engine->passes);
}

static void begin_tile(const swp_sim_engine *engine, swp_sim_group *group)
{
    enter(engine, group, group->tile < engine->tiles ? SWP_BEGIN : SWP_DRAIN);
}

static void leave_phase(const swp_sim_engine *engine, swp_sim_group *group)
{
    switch (group->phase) {
    case SWP_BEGIN:
        enter(engine, group, SWP_PROLOGUE);
        break;
    case SWP_PROLOGUE:
        enter(engine, group, SWP_KERNEL);
        break;
    case SWP_KERNEL:
        enter(engine, group, SWP_EPILOGUE);
        break;
    case SWP_EPILOGUE:
        group->ended = engine->tiles == 0;
        if (!group->ended)
            enter(engine, group, SWP_END);
        break;
    case SWP_END:
        group->tile++;
        begin_tile(engine, group);
        break;
    case SWP_DRAIN:
        group->ended = true;
        break;
    }
}

/* Goes on to the next phase or pass where the present one is through. */
static void settle(swp_sim_engine *engine, int index)
{
    swp_sim_group *group = &engine->groups[index];
    while (!group->ended && (group->position == (int)steps_of(engine, index, group->phase)->count ||
                             (group->phase == SWP_KERNEL && group->pass >= engine->passes))) {
        if (group->phase == SWP_KERNEL && group->pass + 1 < engine->passes && group->position > 0) {
            group->pass++;
            group->position = 0;
        } else
            leave_phase(engine, group);
    }
}

const swp_sim_step *swp_simulate_next_step(const swp_sim_engine *engine, int index)
{
    const swp_sim_group *group = &engine->groups[index];
    return &steps_of(engine, index, group->phase)->items[group->position];
}

static swp_sim_event event_of(const swp_sim_engine *engine, int index)
{
    const swp_sim_group *group = &engine->groups[index];
    return (swp_sim_event){.ref = {group->phase, swp_simulate_next_step(engine, index)->entry},
                           .pass = group->pass,
                           .group = index};
}

static swp_status tell_stalls(swp_sim_engine *engine, const swp_sim_event *event, swp_sim_plan *p)
{
    for (int i = 0; i < p->delay_count; i++) {
        p->delays[i].at = *event;
        engine->groups[event->group].held += p->delays[i].cycles;
        if (engine->listener.delay)
            SWP_TRY(engine->listener.delay(engine->listener.user, &p->delays[i]));
    }
    return SWP_OK;
}

int64_t swp_simulate_leaves(const swp_sim_engine *engine, const swp_sim_step *step, int64_t issued)
{
    const int64_t least = engine->program->machine->issue_cycles;
    return issued + (step->issue > least ? step->issue : least);
}

static void leave_step(swp_sim_engine *engine, const swp_sim_event *event, int64_t issued,
                       int64_t finished)
{
    swp_sim_group *group = &engine->groups[event->group];
    if (engine->listener.issue)
        engine->listener.issue(engine->listener.user, event, issued, finished);
    group->ready =
        swp_simulate_leaves(engine, swp_simulate_next_step(engine, event->group), issued);
    if (finished > group->finished)
        group->finished = finished;
    for (int i = 0; i < SWP_SIM_QUEUES; i++)
        swp_simulate_queue_drop(&group->queues[i], group->ready);
    group->waits = false;
    group->issued++;
    group->position++;
    settle(engine, event->group);
}

/* All participants have come: the last one lets those that wait go. */
static swp_status cross(swp_sim_engine *engine, int meeting)
{
    const int64_t cost = engine->program->machine->barrier_cycles;
    for (int i = 0; i < engine->program->group_count; i++) {
        if (!engine->groups[i].waits || engine->groups[i].meeting != meeting)
            continue;
        int64_t opened = 0;
        const int last = swp_simulate_meeting_last(engine, meeting, i, &opened);
        const swp_sim_event event = event_of(engine, i);
        const swp_sim_event keeper = engine->meetings[meeting].parts[last].event;
        swp_sim_plan p = {.step = swp_simulate_next_step(engine, i),
                          .issue = engine->groups[i].arrived};
        swp_simulate_delay_until(&p, SWP_STALL_BARRIER, opened, &keeper);
        swp_simulate_delay_until(&p, SWP_STALL_CROSSING, p.issue + cost, NULL);
        SWP_TRY(tell_stalls(engine, &event, &p));
        leave_step(engine, &event, p.issue, p.issue);
    }
    return SWP_OK;
}

static swp_status come_to_barrier(swp_sim_engine *engine, const swp_sim_event *event,
                                  const swp_sim_plan *p)
{
    swp_sim_group *group = &engine->groups[event->group];
    const int64_t came = p->issue;
    const int meeting = p->step->meeting;
    if (p->step->kind == SWP_SIM_BARRIER) {
        group->arrived = p->issue;
        group->waits = true;
        group->meeting = meeting;
    } else {
        leave_step(engine, event, p->issue, p->issue);
    }
    return swp_simulate_meeting_come(engine, meeting, event, came) ? cross(engine, meeting)
                                                                   : SWP_OK;
}

static swp_status perform(swp_sim_engine *engine, int index, swp_sim_plan *p)
{
    const swp_sim_event event = event_of(engine, index);
    int64_t finished = p->issue;
    SWP_TRY(tell_stalls(engine, &event, p));
    switch (p->step->kind) {
    case SWP_SIM_BARRIER:
    case SWP_SIM_MEET:
        return come_to_barrier(engine, &event, p);
    case SWP_SIM_ARRIVE: {
        const swp_sim_flight part = swp_simulate_part(engine, &event, p->issue);
        SWP_TRY(swp_simulate_mbarrier_add(engine, p->step, index, &part));
        break;
    }
    case SWP_SIM_COMMIT:
        SWP_TRY(swp_simulate_commit(engine, &event, p->step));
        break;
    default:
        SWP_TRY(swp_simulate_start(engine, &event, p->step, p->issue, &finished));
        break;
    }
    leave_step(engine, &event, p->issue, finished);
    return SWP_OK;
}

/* The earlier one; of two, who could have issued first; then who has issued less. */
static bool goes_before(const swp_sim_engine *engine, int a, const swp_sim_plan *of_a, int b,
                        const swp_sim_plan *of_b)
{
    const swp_sim_group *x = &engine->groups[a];
    const swp_sim_group *y = &engine->groups[b];
    if (of_a->issue != of_b->issue)
        return of_a->issue < of_b->issue;
    if (x->ready != y->ready)
        return x->ready < y->ready;
    /* Lists of roles are no more alike than their lengths. */
    return !engine->program->has_roles && x->issued < y->issued;
}

swp_status swp_simulate_engine_step(swp_sim_engine *engine, bool *moved)
{
    int best = -1;
    swp_sim_plan first;
    for (int i = 0; i < engine->program->group_count; i++) {
        swp_sim_plan p;
        if (engine->groups[i].ended || engine->groups[i].waits)
            continue;
        swp_simulate_plan_step(engine, i, &p);
        if (p.is_stuck || (best >= 0 && !goes_before(engine, i, &p, best, &first)))
            continue;
        best = i;
        first = p;
    }
    *moved = best >= 0;
    return best < 0 ? SWP_OK : perform(engine, best, &first);
}

bool swp_simulate_engine_ended(const swp_sim_engine *engine)
{
    for (int i = 0; i < engine->program->group_count; i++)
        if (!engine->groups[i].ended)
            return false;
    return true;
}

int64_t swp_simulate_engine_end(const swp_sim_engine *engine)
{
    int64_t end = 0;
    for (int i = 0; i < engine->program->group_count; i++) {
        const swp_sim_group *group = &engine->groups[i];
        const int64_t last = group->ready > group->finished ? group->ready : group->finished;
        end = last > end ? last : end;
    }
    return end;
}

swp_status swp_simulate_engine_new(swp_context *ctx, const swp_sim_program *program, int passes,
                                   int tiles, swp_sim_engine *out)
{
    *out = (swp_sim_engine){.ctx = ctx, .program = program, .passes = passes, .tiles = tiles};
    SWP_TRY(SWP_TAKE(ctx, program->unit_count, &out->units));
    SWP_TRY(SWP_TAKE(ctx, (size_t)program->group_count, &out->groups));
    SWP_TRY(swp_simulate_mbarriers_new(out));
    SWP_TRY(swp_simulate_meetings_new(out));
    for (int i = 0; i < program->group_count; i++) {
        swp_sim_group *group = &out->groups[i];
        SWP_TRY(SWP_TAKE(ctx, program->place_count, &group->places));
        SWP_TRY(SWP_TAKE(ctx, program->unit_count, &group->busy));
        if (tiles > 0)
            begin_tile(out, group);
        else
            enter(out, group, SWP_PROLOGUE);
        settle(out, i);
    }
    return SWP_OK;
}
