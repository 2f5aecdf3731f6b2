/* SPDX-License-Identifier: Apache-2.0 */
/* Raises the slots of one value after the other, within all limits, as long as a pass stays short. */
#include "lower/more_slots.h"

#include "ir/loop_dataflow.h"
#include "pipeline/slot_choices.h"

/* Iterations of a pass that more slots may come to. */
enum { MOST_UNROLL = 12 };

bool swp_lower_is_short(const swp_loop *loop, const int *slots)
{
    return swp_pipeline_unroll(loop, slots, MOST_UNROLL) <= MOST_UNROLL;
}

static bool has_room(const swp_loop *loop, const int *slots)
{
    const int64_t most[] = {[SWP_SPACE_SHARED] = loop->shared_budget,
                            [SWP_SPACE_REGISTERS] = swp_ir_loop_register_bytes(loop)};
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        if (most[space] > 0 && swp_pipeline_bytes(loop, slots, (swp_space)space) > most[space])
            return false;
    return true;
}

bool swp_lower_raise_slots(const swp_loop *loop, int *slots, int value)
{
    const int before = slots[value];
    const int most = swp_ir_loop_most_slots(loop, value);
    while (slots[value] < most) {
        slots[value]++;
        if (!has_room(loop, slots))
            break;
        if (swp_lower_is_short(loop, slots))
            return true;
    }
    slots[value] = before;
    return false;
}

void swp_lower_raise_all_slots(const swp_loop *loop, int *slots)
{
    bool raised = true;
    while (raised) {
        raised = false;
        for (int v = 0; v < (int)loop->value_count; v++)
            raised = swp_lower_raise_slots(loop, slots, v) || raised;
    }
}
