/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the first time at which a unit has room beside its reservations, and adds one. */
#include "simulate/units.h"

static bool is_needed(const swp_sim_step *step, int unit)
{
    for (size_t i = 0; i < step->use_count; i++)
        if (step->uses[i].unit == unit)
            return true;
    return false;
}

static int64_t amount_of(const swp_sim_step *step, int unit)
{
    int64_t amount = 0;
    for (size_t i = 0; i < step->use_count; i++)
        if (step->uses[i].unit == unit)
            amount += step->uses[i].amount;
    return amount;
}

/* Everybody there has been granted it by now, so that only ends matter. */
static int64_t held_at(const swp_sim_unit_state *unit, int64_t time)
{
    int64_t amount = 0;
    for (size_t i = 0; i < unit->count; i++)
        amount += unit->items[i].until > time ? unit->items[i].amount : 0;
    return amount;
}

/* The next end after a time. There must be one. */
static const swp_sim_occupant *next_end(const swp_sim_unit_state *unit, int64_t time)
{
    const swp_sim_occupant *next = NULL;
    for (size_t i = 0; i < unit->count; i++)
        if (unit->items[i].until > time && (!next || unit->items[i].until < next->until))
            next = &unit->items[i];
    return next;
}

static int64_t work_of(const swp_sim_engine *engine, const swp_sim_step *step, int unit)
{
    const int64_t capacity = engine->program->units[unit].capacity;
    int64_t work = 0;
    for (size_t i = 0; i < step->use_count; i++)
        if (step->uses[i].unit == unit)
            work += step->uses[i].amount * step->uses[i].cycles;
    return work / capacity + (work % capacity != 0);
}

/*
 * A rate serves all at once. The largest op begins when all before is done, and less comes between: what that takes is
 * paid by the next large one, so no more is done than the rate allows.
 */
static int64_t shared_from(const swp_sim_engine *engine, const swp_sim_step *step, int index,
                           int64_t time, const swp_sim_event **last)
{
    const swp_sim_unit_state *unit = &engine->units[index];
    const int64_t first =
        unit->drained + work_of(engine, step, index) - engine->program->rates[index];
    if (first <= time)
        return time;
    *last = unit->count > 0 ? &unit->items[unit->count - 1].event : *last;
    return first;
}

static int64_t granted_at(const swp_sim_engine *engine, int index, int64_t amount, int64_t time,
                          const swp_sim_event **last)
{
    const swp_sim_unit_state *unit = &engine->units[index];
    if (unit->newest > time) {
        time = unit->newest;
        *last = &unit->items[unit->count - 1].event;
    }
    while (held_at(unit, time) + amount > engine->program->units[index].capacity) {
        const swp_sim_occupant *occupant = next_end(unit, time);
        time = occupant->until;
        *last = &occupant->event;
    }
    return time;
}

int64_t swp_simulate_units_grant(const swp_sim_engine *engine, const swp_sim_step *step,
                                 int64_t time, const swp_sim_event **last)
{
    /* Each pass over the units only moves on, and ends at a time that suits all. */
    for (int64_t before = time - 1; before < time;) {
        before = time;
        for (int unit = 0; unit < (int)engine->program->unit_count; unit++)
            if (is_needed(step, unit))
                time = engine->program->rates[unit] > 0
                           ? shared_from(engine, step, unit, time, last)
                           : granted_at(engine, unit, amount_of(step, unit), time, last);
    }
    return time;
}

static void forget(swp_sim_unit_state *unit, int64_t past)
{
    size_t kept = 0;
    for (size_t i = 0; i < unit->count; i++)
        if (unit->items[i].until > past)
            unit->items[kept++] = unit->items[i];
    unit->count = kept;
}

swp_status swp_simulate_units_take(swp_sim_engine *engine, const swp_sim_step *step, int64_t grant,
                                   const swp_sim_event *event)
{
    for (int u = 0; u < (int)engine->program->unit_count; u++)
        if (engine->program->rates[u] > 0 && is_needed(step, u)) {
            swp_sim_unit_state *unit = &engine->units[u];
            unit->drained =
                (unit->drained > grant ? unit->drained : grant) + work_of(engine, step, u);
        }
    for (size_t i = 0; i < step->use_count; i++) {
        const swp_sim_use *use = &step->uses[i];
        swp_sim_unit_state *unit = &engine->units[use->unit];
        const swp_sim_occupant occupant = {grant + use->cycles, use->amount, *event};
        if (use->cycles == 0)
            continue;
        forget(unit, grant);
        SWP_TRY(SWP_PUSH(engine->ctx, unit, occupant));
        unit->newest = grant;
        engine->groups[event->group].busy[use->unit] += use->amount * use->cycles;
    }
    return SWP_OK;
}
