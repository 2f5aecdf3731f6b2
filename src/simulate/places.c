/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/places.h"

enum { LGKMCNT = 1 };

static bool is_raw(const swp_sim_engine *engine)
{
    return engine->program->machine->registers == SWP_REGISTERS_RAW;
}

static const swp_sim_flight *later(const swp_sim_flight *a, const swp_sim_flight *b)
{
    return !a || b->done > a->done ? b : a;
}

/* With raw registers nothing waits for an access, and LDS operations of a wave take effect in order. */
static bool waits_for_maker(const swp_sim_engine *engine, const swp_sim_step *step,
                            const swp_sim_touch *touch, const swp_sim_place_state *place)
{
    const bool accumulates = place->in_order && touch->updates && touch->reads && touch->makes &&
                             step->kind == SWP_SIM_ACCESS && step->counter == LGKMCNT;
    return !place->by_access || !(accumulates || is_raw(engine));
}

const swp_sim_flight *swp_sim_operand(const swp_sim_engine *engine, const swp_sim_group *group,
                                      const swp_sim_step *step)
{
    const swp_sim_flight *last = NULL;
    for (size_t i = 0; i < step->touch_count; i++) {
        const swp_sim_touch *touch = &step->touches[i];
        const swp_sim_place_state *place = &group->places[touch->place];
        if (waits_for_maker(engine, step, touch, place) &&
            (touch->reads || engine->program->is_loop))
            last = later(last, &place->made);
        if (touch->makes)
            last = later(last, &place->read);
    }
    return last;
}

void swp_sim_leave_access(const swp_sim_engine *engine, swp_sim_group *group,
                          const swp_sim_step *step, const swp_sim_flight *flight)
{
    const bool is_awaited = engine->program->is_loop && !is_raw(engine);
    for (size_t i = 0; i < step->touch_count; i++) {
        const swp_sim_touch *touch = &step->touches[i];
        swp_sim_place_state *place = &group->places[touch->place];
        if (touch->is_shared)
            continue;
        if (touch->makes) {
            place->made = *flight;
            place->by_access = true;
            place->in_order = step->counter == LGKMCNT;
        } else if (is_awaited && flight->done > place->read.done) {
            place->read = *flight;
        }
    }
}

void swp_sim_leave_values(const swp_sim_engine *engine, swp_sim_group *group,
                          const swp_sim_step *step, int64_t issue, const swp_sim_event *event)
{
    for (size_t i = 0; i < step->touch_count && engine->program->is_loop; i++) {
        const swp_sim_touch *touch = &step->touches[i];
        swp_sim_place_state *place = &group->places[touch->place];
        if (touch->makes) {
            place->made = (swp_sim_flight){.done = issue + step->latency, .cause = *event};
            place->by_access = false;
        }
        if (touch->reads && issue + step->read_cycles > place->read.done)
            place->read = (swp_sim_flight){.done = issue + step->read_cycles, .cause = *event};
    }
}
