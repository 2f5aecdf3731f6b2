/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a reservation table as steps: finds where a use fits first or last, adds it, and takes it away. */
#include "solve/profile.h"

#include <string.h>

/* A use folded into the interval: it takes `always` throughout, and its amount once more for `cycles`. */
typedef struct folded {
    int64_t always;
    int64_t cycles; /* less than the interval, if there is one */
} folded;

static folded fold(int64_t interval, const swp_problem_use *use)
{
    if (interval == 0)
        return (folded){0, use->cycles};
    return (folded){use->cycles / interval * use->amount, use->cycles % interval};
}

swp_status swp_solve_profile_new(swp_context *ctx, const swp_problem *problem, int64_t interval,
                                 swp_profile *out)
{
    *out = (swp_profile){.problem = problem, .interval = interval};
    SWP_TRY(SWP_TAKE(ctx, problem->resource_count, &out->steps));
    for (size_t r = 0; r < problem->resource_count; r++)
        SWP_TRY(SWP_PUSH(ctx, &out->steps[r], ((swp_profile_step){0, 0})));
    return SWP_OK;
}

void swp_solve_profile_clear(swp_profile *profile, int64_t interval)
{
    profile->interval = interval;
    for (size_t r = 0; r < profile->problem->resource_count; r++) {
        profile->steps[r].count = 1;
        profile->steps[r].items[0] = (swp_profile_step){0, 0};
    }
}

/* Returns the step that covers `time`. */
static size_t step_at(const swp_steps *steps, int64_t time)
{
    size_t low = 0;
    size_t high = steps->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (steps->items[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns where the step ends; INT64_MAX for the last one of a profile that does not repeat. */
static int64_t end_of(const swp_profile *profile, const swp_steps *steps, size_t step)
{
    if (step + 1 < steps->count)
        return steps->items[step + 1].time;
    return profile->interval ? profile->interval : INT64_MAX;
}

/*
 * Returns the cycles from `time` to the end of the last step within `cycles` that has no room, or 0
 * if all steps have room. No earlier start is any better.
 */
static int64_t blocked_for(const swp_profile *profile, const swp_steps *steps, int64_t time,
                           int64_t cycles, int64_t room)
{
    size_t step = step_at(steps, time);
    int64_t passed = 0; /* cycles before the present step's start, or `time` in the first one */
    int64_t at = time;
    int64_t blocked = 0;
    while (passed < cycles) {
        const int64_t end = end_of(profile, steps, step);
        const int64_t next = end == INT64_MAX ? cycles : passed + (end - at);
        if (steps->items[step].level > room)
            blocked = next;
        passed = next;
        step = step + 1 < steps->count ? step + 1 : 0;
        at = steps->items[step].time;
    }
    return blocked;
}

static int64_t slot_of(const swp_profile *profile, int64_t time)
{
    if (!profile->interval)
        return time;
    const int64_t slot = time % profile->interval;
    return slot < 0 ? slot + profile->interval : slot;
}

bool swp_solve_fits_alone(const swp_problem *problem, int op, int64_t interval)
{
    const swp_problem_op *o = &problem->ops[op];
    for (size_t i = 0; i < o->use_count; i++) {
        int64_t most = 0;
        for (size_t j = 0; j < o->use_count; j++) {
            if (o->uses[j].resource != o->uses[i].resource)
                continue;
            /* Where all uses begin, each also takes its part. */
            const folded part = fold(interval, &o->uses[j]);
            most += part.always + (part.cycles > 0 ? o->uses[j].amount : 0);
        }
        if (most > problem->resources[o->uses[i].resource].capacity)
            return false;
    }
    return true;
}

bool swp_solve_each_fits_alone(const swp_problem *problem, int64_t interval)
{
    for (size_t i = 0; i < problem->op_count; i++)
        if (!swp_solve_fits_alone(problem, (int)i, interval))
            return false;
    return true;
}

/*
 * Returns how much others may hold of a resource while a use of the op lasts. All uses of the op
 * begin together, so its longer ones of this resource last as long.
 */
static int64_t room_during(const swp_profile *profile, const swp_problem_op *o, int resource,
                           int64_t cycles)
{
    int64_t room = profile->problem->resources[resource].capacity;
    for (size_t j = 0; j < o->use_count; j++) {
        if (o->uses[j].resource != resource)
            continue;
        const folded part = fold(profile->interval, &o->uses[j]);
        room -= part.always;
        if (part.cycles > 0 && part.cycles >= cycles)
            room -= o->uses[j].amount;
    }
    return room;
}

/* Returns for how many cycles the op is blocked from `time` on. */
static int64_t op_blocked_for(const swp_profile *profile, const swp_problem_op *o, int64_t time)
{
    const int64_t slot = slot_of(profile, time);
    int64_t blocked = 0;
    for (size_t i = 0; i < o->use_count; i++) {
        const int resource = o->uses[i].resource;
        const swp_steps *steps = &profile->steps[resource];
        const folded part = fold(profile->interval, &o->uses[i]);
        /* An amount that is taken throughout blocks every slot or none. */
        if (part.always > 0 && blocked_for(profile, steps, 0, profile->interval,
                                           room_during(profile, o, resource, INT64_MAX)) > 0)
            return profile->interval;
        const int64_t own = blocked_for(profile, steps, slot, part.cycles,
                                        room_during(profile, o, resource, part.cycles));
        if (own > blocked)
            blocked = own;
    }
    return blocked;
}

bool swp_solve_profile_first_fit(const swp_profile *profile, int op, int64_t from, int64_t to,
                                 int64_t *time)
{
    const swp_problem_op *o = &profile->problem->ops[op];
    for (*time = from; *time <= to;) {
        const int64_t blocked = op_blocked_for(profile, o, *time);
        if (blocked == 0)
            return true;
        /* After one turn round the interval the same slots come again. */
        if (profile->interval && *time + blocked - from >= profile->interval)
            return false;
        *time += blocked;
    }
    return false;
}

/* Returns the cycles from the start of the first step without room during the op to the end of its use. */
static int64_t op_blocked_back(const swp_profile *profile, const swp_problem_op *o, int64_t time)
{
    int64_t back = 0;
    for (size_t i = 0; i < o->use_count; i++) {
        const int resource = o->uses[i].resource;
        const swp_steps *steps = &profile->steps[resource];
        const int64_t end = time + o->uses[i].cycles;
        const int64_t room = room_during(profile, o, resource, o->uses[i].cycles);
        size_t s = step_at(steps, time);
        while (s < steps->count && steps->items[s].time < end && steps->items[s].level <= room)
            s++;
        if (s < steps->count && steps->items[s].time < end && end - steps->items[s].time > back)
            back = end - steps->items[s].time;
    }
    return back;
}

bool swp_solve_profile_last_fit(const swp_profile *profile, int op, int64_t from, int64_t to,
                                int64_t *time)
{
    const swp_problem_op *o = &profile->problem->ops[op];
    for (*time = from; *time >= to;) {
        const int64_t back = op_blocked_back(profile, o, *time);
        if (back == 0)
            return true;
        *time -= back;
    }
    return false;
}

/* Makes a step begin at `time`. */
static swp_status cut(swp_context *ctx, swp_steps *steps, int64_t time, size_t *at)
{
    *at = step_at(steps, time);
    if (steps->items[*at].time == time)
        return SWP_OK;
    const swp_profile_step added = {time, steps->items[*at].level};
    SWP_TRY(SWP_PUSH(ctx, steps, added));
    (*at)++;
    memmove(&steps->items[*at + 1], &steps->items[*at],
            (steps->count - 1 - *at) * sizeof *steps->items);
    steps->items[*at] = added;
    return SWP_OK;
}

static void join(swp_steps *steps, size_t at)
{
    if (at == 0 || at >= steps->count || steps->items[at - 1].level != steps->items[at].level)
        return;
    steps->count--;
    memmove(&steps->items[at], &steps->items[at + 1], (steps->count - at) * sizeof *steps->items);
}

/* Changes the level from `from` to just before `to`. */
static swp_status change(swp_context *ctx, swp_profile *profile, swp_steps *steps, int64_t from,
                         int64_t to, int64_t amount)
{
    size_t first = 0;
    size_t last = 0;
    if (from == to)
        return SWP_OK;
    SWP_TRY(cut(ctx, steps, from, &first));
    last = steps->count;
    if (!profile->interval || to < profile->interval)
        SWP_TRY(cut(ctx, steps, to, &last));
    for (size_t i = first; i < last; i++)
        steps->items[i].level += amount;
    join(steps, last);
    join(steps, first);
    return SWP_OK;
}

static swp_status change_use(swp_context *ctx, swp_profile *profile, const swp_problem_use *use,
                             int64_t time, int64_t amount)
{
    swp_steps *steps = &profile->steps[use->resource];
    if (!profile->interval)
        return change(ctx, profile, steps, time, time + use->cycles, amount);
    const folded part = fold(profile->interval, use);
    const int64_t slot = slot_of(profile, time);
    const int64_t end = slot + part.cycles;
    const int64_t turns = use->cycles / profile->interval;
    if (turns > 0)
        SWP_TRY(change(ctx, profile, steps, 0, profile->interval, turns * amount));
    if (end <= profile->interval)
        return change(ctx, profile, steps, slot, end, amount);
    SWP_TRY(change(ctx, profile, steps, slot, profile->interval, amount));
    return change(ctx, profile, steps, 0, end - profile->interval, amount);
}

swp_status swp_solve_profile_add(swp_context *ctx, swp_profile *profile, int op, int64_t time)
{
    const swp_problem_op *o = &profile->problem->ops[op];
    for (size_t i = 0; i < o->use_count; i++)
        SWP_TRY(change_use(ctx, profile, &o->uses[i], time, o->uses[i].amount));
    return SWP_OK;
}

swp_status swp_solve_profile_remove(swp_context *ctx, swp_profile *profile, int op, int64_t time)
{
    const swp_problem_op *o = &profile->problem->ops[op];
    for (size_t i = 0; i < o->use_count; i++)
        SWP_TRY(change_use(ctx, profile, &o->uses[i], time, -o->uses[i].amount));
    return SWP_OK;
}
