/* SPDX-License-Identifier: Apache-2.0 */
/*
 * At a ratio r, constraint (from, to, cycles, passes) asks for time(to) >= time(from) + cycles - r * passes.
 * Such times exist exactly when no cyclic chain adds up to more than 0, that is when none is above r.
 * Bellman and Ford's longest paths find them, or such a chain.
 */
#include "sync/max_cycle_ratio.h"

int swp_sync_ratio_compare(swp_ratio a, swp_ratio b)
{
    const int64_t left = a.cycles * b.passes;
    const int64_t right = b.cycles * a.passes;
    return (left > right) - (left < right);
}

/*
 * A time, and the passes of the path that gave it: with these as a second digit, a cyclic chain of
 * exactly the ratio adds up to more than 0 too.
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

/* One round of Bellman and Ford. Returns whether anything moved. */
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

/* An event on a cycle of last constraints, or -1. */
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

int64_t swp_sync_event_time(const swp_ratio_solver *solver, int event)
{
    return solver->times[event].time;
}

swp_status swp_sync_ratio_exceeds(swp_context *ctx, swp_ratio_solver *solver,
                                  const swp_timing_constraint_list *constraints, int events,
                                  swp_ratio ratio, swp_ratio_test test, bool *exceeds,
                                  swp_ratio *chain)
{
    *exceeds = false;
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

swp_status swp_sync_max_cycle_ratio(swp_context *ctx, swp_ratio_solver *solver,
                                    const swp_timing_constraint_list *constraints, int events,
                                    swp_ratio least, swp_ratio *out)
{
    bool exceeds = true;
    *out = least;
    while (exceeds)
        SWP_TRY(swp_sync_ratio_exceeds(ctx, solver, constraints, events, *out, SWP_ABOVE, &exceeds,
                                       out));
    return SWP_OK;
}
