/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constraint (from, to, cycles, passes) asks at a ratio r for time(to) >= time(from) + cycles - r *
 * passes. Such times exist exactly if no cyclic chain adds up to more than 0, that is if no chain's
 * ratio is above r. Bellman and Ford's longest paths find the times, or such a chain.
 */
#include "solve/max_cycle_ratio.h"

#include "base/diag.h"

/*
 * Compares the whole cycles first. The remainders are smaller than the passes, so their products
 * fit 64 bits.
 */
static int compare_parts(swp_ratio a, swp_ratio b)
{
    const int64_t whole_a = a.passes > 0 ? a.cycles / a.passes : INT64_MAX;
    const int64_t whole_b = b.passes > 0 ? b.cycles / b.passes : INT64_MAX;
    if (whole_a != whole_b || a.passes == 0 || b.passes == 0)
        return (whole_a > whole_b) - (whole_a < whole_b);
    const int64_t left = a.cycles % a.passes * b.passes;
    const int64_t right = b.cycles % b.passes * a.passes;
    return (left > right) - (left < right);
}

int swp_solve_ratio_compare(swp_ratio a, swp_ratio b)
{
    int64_t left = 0;
    int64_t right = 0;
    if (__builtin_mul_overflow(a.cycles, b.passes, &left) ||
        __builtin_mul_overflow(b.cycles, a.passes, &right))
        return compare_parts(a, b);
    return (left > right) - (left < right);
}

/*
 * A time, and the passes of the path that gave it. The passes are a second digit: with it a cyclic
 * chain of exactly the ratio adds up to more than 0, too.
 */
typedef struct swp_event_time {
    int64_t time;
    int64_t passes;
} event_time;

static bool is_later(event_time a, event_time b)
{
    return a.time != b.time ? a.time > b.time : a.passes > b.passes;
}

static swp_status prepare(swp_context *ctx, swp_ratio_solver *solver, int events)
{
    const size_t count = (size_t)events;
    if (count > solver->capacity) {
        SWP_TRY(SWP_TAKE(ctx, count, &solver->times));
        SWP_TRY(SWP_TAKE(ctx, count, &solver->last_constraint));
        SWP_TRY(SWP_TAKE(ctx, count, &solver->seen));
        solver->capacity = count;
    }
    for (size_t i = 0; i < count; i++) {
        solver->times[i] = (event_time){0, 0};
        solver->last_constraint[i] = -1;
    }
    return SWP_OK;
}

swp_status swp_solve_constrain(swp_context *ctx, swp_timing_constraint_list *list,
                               swp_timing_constraint constraint)
{
    const int64_t passes = constraint.passes < 0 ? -(int64_t)constraint.passes : constraint.passes;
    if (constraint.cycles > list->most_cycles)
        list->most_cycles = constraint.cycles;
    if (passes > list->most_passes)
        list->most_passes = passes;
    return SWP_PUSH(ctx, list, constraint);
}

/*
 * Returns whether the time of every path fits 64 bits. Until a chain is found, a path visits each
 * event at most once.
 */
static bool fits(const swp_timing_constraint_list *constraints, int events, swp_ratio ratio)
{
    int64_t ahead = 0;
    int64_t back = 0;
    int64_t all = 0;
    return !__builtin_mul_overflow(constraints->most_cycles, ratio.passes, &ahead) &&
           !__builtin_mul_overflow(constraints->most_passes, ratio.cycles, &back) &&
           !__builtin_add_overflow(ahead, back, &all) &&
           !__builtin_mul_overflow(all, 2 * ((int64_t)events + 1), &all);
}

static swp_status report_unfit(swp_context *ctx)
{
    return swp_error(ctx, SWP_E0722, SWP_NOWHERE, "let its ops take fewer cycles",
                     "what a pass takes comes to more than 64 bits on the way");
}

/* Does one round of Bellman and Ford, and returns whether an event moved. */
static bool relax(swp_ratio_solver *solver, const swp_timing_constraint_list *constraints,
                  swp_ratio ratio, swp_ratio_test test)
{
    bool moved = false;
    for (size_t i = 0; i < constraints->count; i++) {
        const swp_timing_constraint *constraint = &constraints->items[i];
        const event_time from = solver->times[constraint->from];
        const event_time to = {from.time + constraint->cycles * ratio.passes -
                                   constraint->passes * ratio.cycles,
                               test == SWP_NOT_BELOW ? from.passes + constraint->passes : 0};
        if (!is_later(to, solver->times[constraint->to]))
            continue;
        solver->times[constraint->to] = to;
        solver->last_constraint[constraint->to] = (int)i;
        moved = true;
    }
    return moved;
}

/* Returns an event on a cycle of last constraints, or -1. */
static int find_cycle(swp_ratio_solver *solver, const swp_timing_constraint_list *constraints,
                      int events)
{
    for (int i = 0; i < events; i++)
        solver->seen[i] = -1;
    for (int start = 0; start < events; start++) {
        int at = start;
        while (at >= 0 && solver->seen[at] < 0) {
            solver->seen[at] = start;
            at = solver->last_constraint[at] < 0
                     ? -1
                     : constraints->items[solver->last_constraint[at]].from;
        }
        if (at >= 0 && solver->seen[at] == start)
            return at;
    }
    return -1;
}

static swp_ratio ratio_of_cycle(const swp_ratio_solver *solver,
                                const swp_timing_constraint_list *constraints, int on)
{
    swp_ratio out = {0, 0};
    int at = on;
    do {
        const swp_timing_constraint *constraint = &constraints->items[solver->last_constraint[at]];
        out.cycles += constraint->cycles;
        out.passes += constraint->passes;
        at = constraint->from;
    } while (at != on);
    return out;
}

int64_t swp_solve_event_time(const swp_ratio_solver *solver, int event)
{
    return solver->times[event].time;
}

swp_status swp_solve_ratio_exceeds(swp_context *ctx, swp_ratio_solver *solver,
                                   const swp_timing_constraint_list *constraints, int events,
                                   swp_ratio ratio, swp_ratio_test test, bool *exceeds,
                                   swp_ratio *chain)
{
    *exceeds = false;
    if (!fits(constraints, events, ratio))
        return report_unfit(ctx);
    SWP_TRY(prepare(ctx, solver, events));
    while (relax(solver, constraints, ratio, test)) {
        const int on = find_cycle(solver, constraints, events);
        if (on < 0)
            continue;
        *exceeds = true;
        solver->on = on;
        *chain = ratio_of_cycle(solver, constraints, on);
        return SWP_OK;
    }
    return SWP_OK;
}

swp_status swp_solve_max_cycle_ratio(swp_context *ctx, swp_ratio_solver *solver,
                                     const swp_timing_constraint_list *constraints, int events,
                                     swp_ratio least, swp_ratio *out)
{
    bool exceeds = true;
    *out = least;
    while (exceeds)
        SWP_TRY(swp_solve_ratio_exceeds(ctx, solver, constraints, events, *out, SWP_ABOVE, &exceeds,
                                        out));
    return SWP_OK;
}
