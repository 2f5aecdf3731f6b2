/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/loop_dataflow.h"
#include "simulate/program.h"

typedef struct toucher {
    swp_context *ctx;
    const swp_loop_dataflow *dataflow;
    swp_sim_place_list *places;
    swp_sim_step *step;
} toucher;

/* An op that reads and makes one place touches it once. */
static swp_status touch(toucher *t, int value, int version, bool reads, bool makes)
{
    const int slots = t->dataflow->slots[value];
    const swp_sim_place place = {value, (version % slots + slots) % slots};
    int number = 0;
    size_t i = 0;
    SWP_TRY(swp_simulate_place_number(t->ctx, t->places, place, &number));
    while (i < t->step->touch_count && t->step->touches[i].place != number)
        i++;
    if (i == t->step->touch_count)
        t->step->touches[t->step->touch_count++] = (swp_sim_touch){
            .place = number,
            .is_shared = t->dataflow->loop->values[value].space == SWP_SPACE_SHARED};
    t->step->touches[i].reads |= reads;
    t->step->touches[i].makes |= makes;
    return SWP_OK;
}

static swp_status touch_update(toucher *t, const swp_op *op, int value)
{
    const bool is_first = swp_ir_loop_first_maker(t->dataflow->loop, value) == op->tag;
    SWP_TRY(touch(t, value, op->iteration - is_first, true, false));
    return touch(t, value, op->iteration, false, true);
}

static swp_status touch_all(toucher *t, const swp_op *op)
{
    const swp_loop_op *o = &t->dataflow->loop->ops[op->tag];
    const size_t most = o->read_count + o->write_count + 2 * o->update_count;
    SWP_TRY(SWP_TAKE(t->ctx, most, &t->step->touches));
    for (size_t i = 0; i < o->read_count; i++)
        SWP_TRY(touch(t, o->reads[i].value, op->iteration - o->reads[i].distance, true, false));
    for (size_t i = 0; i < o->update_count; i++)
        SWP_TRY(touch_update(t, op, o->updates[i]));
    for (size_t i = 0; i < o->write_count; i++)
        SWP_TRY(touch(t, o->writes[i], op->iteration, false, true));
    return SWP_OK;
}

swp_status swp_simulate_build_loop_op(swp_context *ctx, const swp_schedule *schedule,
                                      const swp_op *op, swp_sim_place_list *places,
                                      swp_sim_step *step)
{
    const swp_loop_op *o = &schedule->dataflow->loop->ops[op->tag];
    toucher t = {ctx, schedule->dataflow, places, step};
    SWP_TRY(touch_all(&t, op));
    const swp_loop_counter counter = swp_ir_loop_counter_of(t.dataflow->loop, o);
    step->kind = counter == SWP_LOOP_SYNCHRONOUS ? SWP_SIM_COMPUTE : SWP_SIM_ACCESS;
    step->latency = o->latency;
    step->read_cycles = o->read_cycles;
    step->counter = counter == SWP_LOOP_LGKMCNT;
    step->accesses = o->accesses;
    step->is_awaited = swp_ir_loop_is_awaited(t.dataflow->loop, o);
    SWP_TRY(SWP_TAKE(ctx, o->use_count, &step->uses));
    for (size_t i = 0; i < o->use_count; i++)
        if (o->uses[i].cycles > 0)
            step->uses[step->use_count++] =
                (swp_sim_use){o->uses[i].resource, o->uses[i].amount, o->uses[i].cycles};
    return SWP_OK;
}
