/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the barriers that published lists leave out, and leaves them out again. */
#include "ir/implied_barriers.h"

#include "base/context.h"
#include "ir/roles.h"
#include "ir/schedule.h"

#include <string.h>

/* The instances of a schedule without roles are its warp groups, two at most. */
enum { ALL_GROUPS = 3 };

int swp_ir_published_count(const swp_entry_list *list)
{
    int count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += !swp_ir_is_implied(&list->items[i].op);
    return count;
}

int swp_ir_lag_entry(const swp_schedule *schedule)
{
    const int index = schedule->machine.lag_prologue_index;
    const int end = swp_ir_published_count(swp_schedule_phase(schedule, SWP_PROLOGUE));
    return swp_ir_lags(&schedule->machine) && index <= end ? index : -1;
}

/* Loads that are placed by k offset may still be under way to the slots that the first pass reads. */
bool swp_ir_implies_loop_barrier(const swp_schedule *schedule)
{
    return schedule->loop.placement == SWP_PLACE_K_OFFSET && !schedule->drops_loop_barrier &&
           !swp_ir_has_roles(schedule);
}

static swp_entry barrier_of(swp_phase phase, int groups)
{
    swp_entry entry = {.op = swp_op_barrier(), .time_slot = -1, .phase = phase};
    entry.op.instances = groups | SWP_IR_IMPLIED;
    return entry;
}

/* The list with one entry more, which leaves the original as it is. */
static swp_status append(swp_context *ctx, swp_entry entry, swp_entry_list *list)
{
    swp_entry_list longer = {.count = list->count + 1, .capacity = list->count + 1};
    SWP_TRY(SWP_TAKE(ctx, longer.count, &longer.items));
    if (list->count > 0)
        memcpy(longer.items, list->items, list->count * sizeof *list->items);
    longer.items[list->count] = entry;
    *list = longer;
    return SWP_OK;
}

swp_status swp_ir_list_barriers(swp_context *ctx, const swp_schedule *schedule,
                                const swp_schedule **out)
{
    swp_schedule *listed = NULL;
    *out = schedule;
    if (!swp_ir_implies_loop_barrier(schedule))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, 1, &listed));
    *listed = *schedule;
    listed->drops_loop_barrier = true;
    *out = listed;
    return append(ctx, barrier_of(SWP_PROLOGUE, ALL_GROUPS), &listed->streams[0].prologue);
}

void swp_ir_hide_barriers(swp_schedule *schedule)
{
    swp_entry_list *prologue = &schedule->streams[0].prologue;
    if (prologue->count == 0 || !swp_ir_is_implied(&prologue->items[prologue->count - 1].op))
        return;
    prologue->count--;
    schedule->drops_loop_barrier = false;
}
