/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps until when registers and values are written and read, and by what. */
#include "simulate/places.h"

static bool is_raw(const swp_sim_engine *engine)
{
    return engine->program->machine->registers == SWP_REGISTERS_RAW;
}

/* What has to be done last, and when. */
typedef struct last_flight {
    const swp_sim_flight *flight;
    int64_t done;
} last_flight;

static void keep_later(last_flight *last, const swp_sim_flight *flight, int64_t early)
{
    if (!last->flight || flight->done - early > last->done)
        *last = (last_flight){flight, flight->done - early};
}

/* Nobody waits for an access where he overwrites what it makes. */
static bool waits_for_maker(const swp_sim_engine *engine, const swp_sim_operand *operand,
                            const swp_sim_place_state *place)
{
    if (!place->by_access)
        return true;
    return operand->reads && place->is_awaited && !is_raw(engine);
}

/* By how many slots an operand has turned. */
static int64_t turned(const swp_sim_engine *engine, const swp_sim_group *group,
                      const swp_sim_operand *operand, int slots)
{
    const int64_t length = swp_simulate_tile_length(engine);
    switch (operand->turning) {
    case SWP_SIM_BY_TILES:
        return group->tile;
    case SWP_SIM_BEFORE_TILE:
        return group->tile * length + slots - 1;
    case SWP_SIM_END_OF_TILE:
        return (group->tile + 1) * length + slots - 1;
    default:
        return swp_simulate_base(engine, group, SWP_PASS_CLOCK);
    }
}

/* Slots turn with the iterations, or with output tiles. */
static swp_sim_place_state *place_of(const swp_sim_engine *engine, const swp_sim_group *group,
                                     const swp_sim_operand *operand)
{
    const swp_sim_slots *slots = &engine->program->slots[operand->place];
    const int64_t slot =
        operand->place - slots->first + turned(engine, group, operand, slots->count);
    return &group->places[slots->first + (int)(slot % slots->count)];
}

const swp_sim_flight *swp_simulate_operand(const swp_sim_engine *engine, const swp_sim_group *group,
                                           const swp_sim_step *step, int64_t *done)
{
    last_flight last = {NULL, 0};
    for (size_t i = 0; i < step->operand_count; i++) {
        const swp_sim_operand *operand = &step->operands[i];
        const swp_sim_place_state *place = place_of(engine, group, operand);
        if (waits_for_maker(engine, operand, place))
            keep_later(&last, &place->made, operand->early);
        if (operand->makes)
            keep_later(&last, &place->read, 0);
    }
    *done = last.done;
    return last.flight;
}

const swp_sim_flight *swp_simulate_chained(const swp_sim_engine *engine, const swp_sim_group *group,
                                           const swp_sim_step *step, int64_t *done)
{
    last_flight last = {NULL, 0};
    for (size_t i = 0; i < step->operand_count; i++) {
        const swp_sim_operand *operand = &step->operands[i];
        if (operand->is_chained)
            keep_later(&last, &place_of(engine, group, operand)->made, operand->early);
    }
    *done = last.done;
    return last.flight;
}

void swp_simulate_leave_access(const swp_sim_engine *engine, const swp_sim_group *group,
                               const swp_sim_step *step, const swp_sim_flight *flight)
{
    for (size_t i = 0; i < step->operand_count; i++) {
        const swp_sim_operand *operand = &step->operands[i];
        swp_sim_place_state *place = place_of(engine, group, operand);
        if (operand->is_shared || !operand->makes)
            continue;
        place->made = *flight;
        place->by_access = true;
        place->is_awaited = step->is_awaited;
    }
}

void swp_simulate_leave_values(const swp_sim_engine *engine, const swp_sim_group *group,
                               const swp_sim_step *step, int64_t issue, const swp_sim_event *event)
{
    for (size_t i = 0; i < step->operand_count; i++) {
        const swp_sim_operand *operand = &step->operands[i];
        swp_sim_place_state *place = place_of(engine, group, operand);
        if (operand->makes) {
            place->made = (swp_sim_flight){.done = issue + step->latency, .cause = *event};
            place->by_access = false;
        }
        if (operand->reads && issue + step->read_cycles > place->read.done)
            place->read = (swp_sim_flight){.done = issue + step->read_cycles, .cause = *event};
    }
}
