/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branch and bound again: each requirement in turn is served by a wait that is there, perhaps made
 * stronger, or by a new one anywhere between what it retires and where it is needed. Needs that have
 * no wait yet hold their element all the same, so that a partial set of waits bounds what comes of it.
 */
#include "sync/fit.h"

#include "sync/phases.h"

typedef struct fitter {
    swp_sync_search *search;
    const int *gaps;
    int barriers;
    const swp_wait_requirement_list *requirements;
    swp_sync_wait_list *waits;
} fitter;

/* Passes from the last time that a wait stands before a requirement's element, or at it, to the requirement. */
static int passes_before(const swp_sync_wait *wait, const swp_wait_requirement *requirement)
{
    return wait->gap > requirement->gap ||
           (wait->gap == requirement->gap && wait->index > requirement->index);
}

static bool serves(const swp_dataflow *flow, const swp_sync_wait *wait,
                   const swp_wait_requirement *requirement)
{
    const int retired =
        swp_sync_retired_by_wait(flow, wait->object, wait->target, wait->gap, requirement->object);
    return retired != SWP_NO_POSITION &&
           retired - passes_before(wait, requirement) * flow->count >= requirement->target;
}

static swp_status fit_from(fitter *f, size_t next);

/* What comes of the waits so far, if they leave a chance. */
static swp_status go_on(fitter *f, size_t next)
{
    swp_sync_search *s = f->search;
    const swp_sync_plan plan = {f->gaps, f->waits, f->requirements};
    const swp_ratio_test test = f->barriers < s->target.barriers ? SWP_ABOVE : SWP_NOT_BELOW;
    bool exceeds = false;
    if (!swp_sync_search_step(s))
        return SWP_OK;
    SWP_TRY(swp_sync_timing_set(s->ctx, &s->meter.whole, &plan));
    SWP_TRY(swp_sync_timing_exceeds(s->ctx, &s->meter.whole, s->target.cycles, test, &exceeds));
    if (exceeds)
        return SWP_OK;
    if (next < f->requirements->count)
        return fit_from(f, next);
    swp_sync_cost cost = {.barriers = f->barriers};
    SWP_TRY(swp_sync_timing_ratio(s->ctx, &s->meter.whole, s->meter.busiest, &cost.cycles));
    s->target = cost;
    return swp_sync_search_keep(s, f->gaps, f->waits, cost);
}

/* A wait of the counter that is there already serves the requirement when it is made stronger. */
static swp_status try_wait(fitter *f, size_t next, size_t index)
{
    const swp_wait_requirement *requirement = &f->requirements->items[next];
    const swp_sync_wait wait = f->waits->items[index];
    const int earlier = passes_before(&wait, requirement) * f->search->flow->count;
    if (wait.gap - earlier <= requirement->target)
        return SWP_OK;
    f->waits->items[index].target = requirement->target + earlier;
    SWP_TRY(go_on(f, next + 1));
    f->waits->items[index].target = wait.target;
    return SWP_OK;
}

static swp_status try_waits(fitter *f, size_t next, bool *served)
{
    const swp_wait_requirement *requirement = &f->requirements->items[next];
    *served = false;
    for (size_t i = 0; i < f->waits->count; i++)
        *served |= serves(f->search->flow, &f->waits->items[i], requirement);
    if (*served)
        return go_on(f, next + 1);
    for (size_t i = 0; i < f->waits->count; i++)
        if (f->waits->items[i].object == requirement->object)
            SWP_TRY(try_wait(f, next, i));
    return SWP_OK;
}

static bool stands_before(const swp_sync_wait *a, const swp_sync_wait *b)
{
    return a->gap != b->gap ? a->gap < b->gap : a->index < b->index;
}

static void move_wait(swp_sync_wait_list *waits, size_t from, size_t to)
{
    const swp_sync_wait wait = waits->items[from];
    for (; from > to; from--)
        waits->items[from] = waits->items[from - 1];
    for (; from < to; from++)
        waits->items[from] = waits->items[from + 1];
    waits->items[to] = wait;
}

/* A new wait, in every order with the others that stand there. */
static swp_status try_new_wait(fitter *f, size_t next, swp_sync_wait wait)
{
    size_t at = 0;
    while (at < f->waits->count && stands_before(&f->waits->items[at], &wait))
        at++;
    for (bool more = true; more; at++) {
        SWP_TRY(SWP_PUSH(f->search->ctx, f->waits, wait));
        move_wait(f->waits, f->waits->count - 1, at);
        SWP_TRY(go_on(f, next + 1));
        move_wait(f->waits, at, f->waits->count - 1);
        f->waits->count--;
        more = at < f->waits->count && !stands_before(&wait, &f->waits->items[at]);
    }
    return SWP_OK;
}

/* Serves requirement `next` and those after it. */
static swp_status fit_from(fitter *f, size_t next)
{
    const swp_dataflow *flow = f->search->flow;
    const swp_wait_requirement requirement = f->requirements->items[next];
    bool served = false;
    SWP_TRY(try_waits(f, next, &served));
    for (int gap = requirement.gap; gap > requirement.target && !served; gap--) {
        const int passes = swp_sync_pass_of(flow, gap);
        const int in_pass = gap - passes * flow->count;
        const int last = gap == requirement.gap ? requirement.index : f->gaps[in_pass];
        for (int index = last; index >= 0; index--) {
            const swp_sync_wait wait = {requirement.object,
                                        requirement.target - passes * flow->count, in_pass, index};
            SWP_TRY(try_new_wait(f, next, wait));
        }
    }
    return SWP_OK;
}

swp_status swp_sync_fit_waits(swp_sync_search *search, const int *gaps)
{
    fitter f = {.search = search,
                .gaps = gaps,
                .requirements = &search->meter.requirements,
                .waits = &search->fitted};
    for (int i = 0; i < search->flow->count; i++)
        f.barriers += gaps[i];
    search->fitted.count = 0;
    return go_on(&f, 0);
}

/* What a wait must retire because no other one does, or SWP_NO_POSITION. What it retires of other objects it leaves. */
static int target_needed(const swp_dataflow *flow, const swp_wait_requirement_list *requirements,
                         const swp_sync_wait_list *waits, size_t index)
{
    const swp_sync_wait *wait = &waits->items[index];
    int target = SWP_NO_POSITION;
    for (size_t i = 0; i < requirements->count; i++) {
        const swp_wait_requirement *requirement = &requirements->items[i];
        bool other = false;
        for (size_t j = 0; j < waits->count; j++)
            other |= j != index && serves(flow, &waits->items[j], requirement);
        const int here = requirement->object == wait->object
                             ? requirement->target + passes_before(wait, requirement) * flow->count
                             : wait->target;
        if (!other && serves(flow, wait, requirement) && here > target)
            target = here;
    }
    return target;
}

void swp_sync_weaken_waits(const swp_dataflow *flow, const swp_wait_requirement_list *requirements,
                           swp_sync_wait_list *waits)
{
    for (size_t i = 0; i < waits->count;) {
        const int target = target_needed(flow, requirements, waits, i);
        if (target == SWP_NO_POSITION) {
            move_wait(waits, i, waits->count - 1);
            waits->count--;
        } else {
            waits->items[i++].target = target;
        }
    }
}

/* The newest access on an object that a wait before `gap` retires which leaves so many of them. */
static int retired_by_count(const swp_dataflow *flow, swp_sync_object object, int left, int gap)
{
    int64_t sum = 0;
    for (int at = gap - 1; at >= gap - 2 * flow->count; at--) {
        const swp_data_op *op = swp_sync_op_at(flow, at);
        sum += op->object == object ? op->accesses : 0;
        if (op->object == object && sum > left)
            return at;
    }
    return SWP_NO_POSITION;
}

/* A wait of the kernel phase as it was given, for each object that it is for and of which something is required. */
static swp_status add_given_wait(swp_sync_search *s, const swp_effect *effect, int gap, int index)
{
    const swp_wait_requirement_list *requirements = &s->meter.requirements;
    for (int object = 0; object < SWP_SYNC_OBJECTS; object++) {
        bool required = false;
        for (size_t i = 0; i < requirements->count; i++)
            required |= requirements->items[i].object == (swp_sync_object)object;
        if (!required || swp_ir_sync_object_row((swp_sync_object)object)->wait != effect->waits)
            continue;
        const swp_sync_wait wait = {
            (swp_sync_object)object,
            retired_by_count(s->flow, (swp_sync_object)object, effect->wait, gap), gap, index};
        if (wait.target != SWP_NO_POSITION)
            SWP_TRY(SWP_PUSH(s->ctx, &s->fitted, wait));
    }
    return SWP_OK;
}

/* Into `fitted`. What stands behind the last op is before the first one of the next pass. */
static swp_status list_given_waits(swp_sync_search *s)
{
    const swp_dataflow *flow = s->flow;
    const swp_entry_list *kernel = swp_schedule_phase(flow->schedule, SWP_KERNEL);
    int gap = 0;
    int index = 0;
    s->fitted.count = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        const swp_effect *effect = &flow->effects.entries[SWP_KERNEL][i];
        if (effect->kind == SWP_EFFECT_BARRIER)
            index++;
        else if (effect->kind == SWP_EFFECT_WAIT && gap > 0 && gap < flow->count)
            SWP_TRY(add_given_wait(s, effect, gap, index));
        else if (effect->kind == SWP_EFFECT_WORK || effect->unstated) {
            gap++;
            index = 0;
        }
    }
    return SWP_OK;
}

static bool all_are_served(const swp_sync_search *s, const swp_sync_wait_list *waits)
{
    const swp_wait_requirement_list *requirements = &s->meter.requirements;
    for (size_t i = 0; i < requirements->count; i++) {
        bool served = false;
        for (size_t j = 0; j < waits->count; j++)
            served |= serves(s->flow, &waits->items[j], &requirements->items[i]);
        if (!served)
            return false;
    }
    return true;
}

swp_status swp_sync_take_given_waits(swp_sync_search *search)
{
    const swp_sync_wait_list before = search->waits;
    swp_ratio cycles = {0};
    for (int i = 0; i < search->flow->count; i++)
        if (search->gaps[i] != search->flow->given[i])
            return SWP_OK;
    SWP_TRY(list_given_waits(search));
    if (search->fitted.count >= before.count || !all_are_served(search, &search->fitted))
        return SWP_OK;
    swp_sync_weaken_waits(search->flow, &search->meter.requirements, &search->fitted);
    SWP_TRY(swp_sync_measure_waits(search->ctx, &search->meter, search->gaps, &search->fitted,
                                   &cycles));
    if (swp_solve_ratio_compare(cycles, search->best.cycles) > 0)
        return SWP_OK;
    search->waits = search->fitted;
    search->fitted = before;
    return SWP_OK;
}
