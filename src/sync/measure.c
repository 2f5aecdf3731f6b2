/* SPDX-License-Identifier: Apache-2.0 */
/* Prices a placement by its barriers and its simulated cycles, where the largest cycle ratio leaves a chance. */
#include "sync/measure.h"

#include "base/budget.h"
#include "swp/simulate.h"
#include "sync/phases.h"

int swp_sync_cost_compare(swp_sync_cost a, swp_sync_cost b)
{
    const int cycles = swp_solve_ratio_compare(a.cycles, b.cycles);
    return cycles ? cycles : (a.barriers > b.barriers) - (a.barriers < b.barriers);
}

/* Whether some wait is for more than one object. */
static bool mixes_objects(const swp_dataflow *flow)
{
    swp_sync_object first[] = {
        [SWP_WAIT_FOR_VM] = SWP_NO_OBJECT, [SWP_WAIT_FOR_LGKM] = SWP_NO_OBJECT};
    for (int i = 0; i < flow->count; i++) {
        const swp_sync_object object = flow->ops[i].object;
        if (object == SWP_NO_OBJECT)
            continue;
        swp_sync_object *other = &first[swp_ir_sync_object_row(object)->wait];
        if (*other != SWP_NO_OBJECT && *other != object)
            return true;
        *other = object;
    }
    return false;
}

swp_status swp_sync_meter_new(swp_context *ctx, const swp_dataflow *flow, swp_sync_meter *out)
{
    *out = (swp_sync_meter){.flow = flow,
                            .busiest = {swp_sync_busiest_unit(flow), 1},
                            .mixes_objects = mixes_objects(flow)};
    SWP_TRY(swp_sync_find_retired(ctx, flow, &out->retired));
    SWP_TRY(swp_sync_timing_new(ctx, flow, 1, &out->alone));
    return swp_sync_timing_new(ctx, flow, flow->schedule->machine.groups, &out->whole);
}

/* Fewer barriers win at equal cycles, so these must then not be more. */
static swp_ratio_test test_for(int barriers, swp_sync_cost best)
{
    return barriers < best.barriers ? SWP_ABOVE : SWP_NOT_BELOW;
}

static int sum_of(const swp_dataflow *flow, const int *gaps)
{
    int sum = 0;
    for (int i = 0; i < flow->count; i++)
        sum += gaps[i];
    return sum;
}

/* The events of the placements with the barriers of `gaps`; NULL if there are none. */
static swp_status set_bound(swp_context *ctx, swp_sync_meter *meter, const int *gaps, int decided,
                            swp_sync_timing **out)
{
    /* Which barriers of two groups meet is known once all are there. */
    swp_sync_timing *timing = decided == meter->flow->count ? &meter->whole : &meter->alone;
    const swp_sync_plan plan = {gaps, NULL, &meter->requirements};
    bool possible = false;
    SWP_TRY(swp_sync_find_wait_requirements(ctx, meter->flow, &meter->retired, gaps, decided,
                                            &meter->requirements, &possible));
    *out = possible ? timing : NULL;
    return possible ? swp_sync_timing_set(ctx, timing, &plan) : SWP_OK;
}

swp_status swp_sync_can_beat(swp_context *ctx, swp_sync_meter *meter, const int *gaps, int decided,
                             swp_sync_cost best, bool *can)
{
    const swp_ratio_test test = test_for(sum_of(meter->flow, gaps), best);
    const int busy = swp_solve_ratio_compare(meter->busiest, best.cycles);
    swp_sync_timing *timing = NULL;
    bool exceeds = true;
    *can = false;
    if (busy > 0 || (busy == 0 && test == SWP_NOT_BELOW))
        return SWP_OK;
    SWP_TRY(set_bound(ctx, meter, gaps, decided, &timing));
    if (timing)
        SWP_TRY(swp_sync_timing_exceeds(ctx, timing, best.cycles, test, &exceeds));
    *can = !exceeds;
    return SWP_OK;
}

swp_status swp_sync_bound_cycles(swp_context *ctx, swp_sync_meter *meter, const int *gaps,
                                 int decided, swp_ratio *out)
{
    swp_sync_timing *timing = NULL;
    SWP_TRY(set_bound(ctx, meter, gaps, decided, &timing));
    return timing ? swp_sync_timing_ratio(ctx, timing, meter->busiest, out) : SWP_OK;
}

static bool stands_before(const swp_sync_wait *a, const swp_sync_wait *b)
{
    if (a->gap != b->gap)
        return a->gap < b->gap;
    if (a->index != b->index)
        return a->index < b->index;
    /* The longer latency last: its wait then hides the other. */
    return swp_ir_sync_object_row(a->object)->wait == SWP_WAIT_FOR_LGKM &&
           swp_ir_sync_object_row(b->object)->wait == SWP_WAIT_FOR_VM;
}

static swp_status insert_wait(swp_context *ctx, swp_sync_wait_list *list, swp_sync_wait wait)
{
    SWP_TRY(SWP_PUSH(ctx, list, wait));
    for (size_t i = list->count - 1; i > 0 && stands_before(&wait, &list->items[i - 1]); i--) {
        list->items[i] = list->items[i - 1];
        list->items[i - 1] = wait;
    }
    return SWP_OK;
}

/* A wait for each need, where it is needed. */
static swp_status wait_late(swp_context *ctx, swp_sync_meter *meter)
{
    const uint64_t needs = meter->requirements.count;
    SWP_TRY(swp_keep_on(ctx, needs * needs));
    swp_sync_drop_covered_requirements(meter->flow, &meter->requirements);
    meter->waits.count = 0;
    for (size_t i = 0; i < meter->requirements.count; i++) {
        const swp_wait_requirement *requirement = &meter->requirements.items[i];
        SWP_TRY(insert_wait(ctx, &meter->waits,
                            (swp_sync_wait){requirement->object, requirement->target,
                                            requirement->gap, requirement->index}));
    }
    return SWP_OK;
}

static swp_status simulate_in(swp_context *ctx, const swp_dataflow *flow, const swp_sync_plan *plan,
                              swp_ratio *out)
{
    swp_schedule trial = *flow->schedule;
    swp_simulation simulation = {0};
    trial.streams[0].prologue = trial.streams[0].epilogue = (swp_entry_list){0};
    trial.machine.lag_prologue_index = 0;
    SWP_TRY(swp_sync_write_kernel(ctx, flow, plan, &trial.streams[0].kernel));
    SWP_TRY(swp_simulate(ctx, &trial, NULL, &simulation));
    *out = (swp_ratio){simulation.cycles, simulation.passes};
    return SWP_OK;
}

/* Trials leave much behind, so each has memory of its own. */
static swp_status simulate(swp_context *ctx, const swp_dataflow *flow, const swp_sync_plan *plan,
                           swp_ratio *out)
{
    swp_context scratch;
    SWP_TRY(swp_scope_open(ctx, &scratch));
    const swp_status status = simulate_in(&scratch, flow, plan, out);
    swp_scope_close(&scratch);
    return status;
}

/* Whether each wait retires no more than it must. */
static bool are_tight(const swp_wait_requirement_list *requirements)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (requirements->items[i].least != requirements->items[i].target)
            return false;
    return true;
}

swp_status swp_sync_measure_waits(swp_context *ctx, swp_sync_meter *meter, const int *gaps,
                                  const swp_sync_wait_list *waits, swp_ratio *out)
{
    const swp_sync_plan plan = {gaps, waits, NULL};
    SWP_TRY(swp_sync_timing_set(ctx, &meter->whole, &plan));
    return meter->whole.exact ? swp_sync_timing_ratio(ctx, &meter->whole, (swp_ratio){0, 1}, out)
                              : simulate(ctx, meter->flow, &plan, out);
}

swp_status swp_sync_measure(swp_context *ctx, swp_sync_meter *meter, const int *gaps,
                            swp_sync_cost best, bool *less, swp_sync_cost *out)
{
    const swp_sync_plan plan = {gaps, &meter->waits, NULL};
    bool exceeds = false;
    out->barriers = sum_of(meter->flow, gaps);
    *less = false;
    SWP_TRY(swp_sync_find_wait_requirements(ctx, meter->flow, &meter->retired, gaps,
                                            meter->flow->count, &meter->requirements, less));
    if (!*less)
        return SWP_OK;
    SWP_TRY(wait_late(ctx, meter));
    SWP_TRY(swp_sync_timing_set(ctx, &meter->whole, &plan));
    meter->exact = meter->whole.exact && !meter->mixes_objects && are_tight(&meter->requirements);
    SWP_TRY(swp_sync_timing_exceeds(ctx, &meter->whole, best.cycles, test_for(out->barriers, best),
                                    &exceeds));
    *less = !exceeds;
    if (exceeds)
        return SWP_OK;
    if (meter->whole.exact)
        SWP_TRY(swp_sync_timing_ratio(ctx, &meter->whole, (swp_ratio){0, 1}, &out->cycles));
    else
        SWP_TRY(simulate(ctx, meter->flow, &plan, &out->cycles));
    *less = swp_sync_cost_compare(*out, best) < 0;
    return SWP_OK;
}
