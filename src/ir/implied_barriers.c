/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the barriers that published lists leave out, and leaves them out again. */
#include "ir/implied_barriers.h"

#include "base/context.h"
#include "ir/roles.h"
#include "ir/schedule.h"

/* The instances of a schedule without roles are its warp groups, two at most. */
enum { GROUP_0 = 1, GROUP_1 = 2, ALL_GROUPS = GROUP_0 | GROUP_1 };

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

/*
 * Lists of warp roles have all their barriers. A form that takes no pass is a straight list, which a kernel runs with
 * nothing before and after it.
 */
static bool implies_any(const swp_schedule *schedule)
{
    return schedule->loop.tiles_per_pass > 0 && !swp_ir_has_roles(schedule);
}

/* Loads that are placed by k offset may still be under way to the slots that the first pass reads. */
bool swp_ir_implies_loop_barrier(const swp_schedule *schedule)
{
    return schedule->loop.placement == SWP_PLACE_K_OFFSET && implies_any(schedule) &&
           !schedule->drops_loop_barrier;
}

/* --- listed --- */

static swp_status insert(swp_context *ctx, int groups, int at, swp_phase phase,
                         swp_entry_list *list)
{
    swp_entry_list longer = {.count = list->count + 1, .capacity = list->count + 1};
    swp_entry entry = {.op = swp_op_barrier(), .time_slot = -1, .phase = phase};
    entry.op.instances = groups | SWP_IR_IMPLIED;
    SWP_TRY(SWP_TAKE(ctx, longer.count, &longer.items));
    for (int i = 0; i < (int)longer.count; i++)
        longer.items[i] = i == at ? entry : list->items[i < at ? i : i - 1];
    *list = longer;
    return SWP_OK;
}

static swp_status append(swp_context *ctx, int groups, swp_phase phase, swp_entry_list *list)
{
    return insert(ctx, groups, (int)list->count, phase, list);
}

static swp_status list_loop_barrier(swp_context *ctx, swp_schedule *schedule)
{
    schedule->drops_loop_barrier = true;
    return append(ctx, ALL_GROUPS, SWP_PROLOGUE, &schedule->streams[0].prologue);
}

static bool has_lag(const swp_entry_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (swp_ir_only_group(&list->items[i].op) >= 0)
            return true;
    return false;
}

static bool implies_lag(const swp_schedule *schedule)
{
    const swp_stream *stream = &schedule->streams[0];
    return swp_ir_lags(&schedule->machine) && implies_any(schedule) &&
           !has_lag(&stream->prologue) && !has_lag(&stream->epilogue);
}

/* Group 0 makes up at the end for the barrier by which group 1 lags. */
static swp_status list_ends(swp_context *ctx, swp_stream *stream)
{
    swp_entry_list *epilogues = NULL;
    SWP_TRY(SWP_TAKE(ctx, stream->tails.epilogue_count, &epilogues));
    SWP_TRY(append(ctx, GROUP_0, SWP_EPILOGUE, &stream->epilogue));
    for (size_t i = 0; i < stream->tails.epilogue_count; i++) {
        epilogues[i] = stream->tails.epilogues[i];
        SWP_TRY(append(ctx, GROUP_0, SWP_EPILOGUE, &epilogues[i]));
    }
    stream->tails.epilogues = epilogues;
    return SWP_OK;
}

static swp_status list_lag(swp_context *ctx, swp_schedule *schedule)
{
    swp_stream *stream = &schedule->streams[0];
    const int at = swp_ir_lag_entry(schedule);
    if (at >= 0)
        SWP_TRY(insert(ctx, GROUP_1, at, SWP_PROLOGUE, &stream->prologue));
    return schedule->machine.lag_end_barrier ? list_ends(ctx, stream) : SWP_OK;
}

static swp_status list(swp_context *ctx, const swp_schedule *schedule, bool lag,
                       const swp_schedule **out)
{
    const bool loop = swp_ir_implies_loop_barrier(schedule);
    swp_schedule *listed = NULL;
    *out = schedule;
    if (!loop && !lag)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, 1, &listed));
    *listed = *schedule;
    *out = listed;
    if (loop)
        SWP_TRY(list_loop_barrier(ctx, listed));
    return lag ? list_lag(ctx, listed) : SWP_OK;
}

swp_status swp_ir_list_barriers(swp_context *ctx, const swp_schedule *schedule,
                                const swp_schedule **out)
{
    return list(ctx, schedule, implies_lag(schedule), out);
}

swp_status swp_ir_list_loop_barrier(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_schedule **out)
{
    return list(ctx, schedule, false, out);
}

/* --- hidden --- */

void swp_ir_hide_barriers(swp_schedule *schedule)
{
    swp_entry_list *prologue = &schedule->streams[0].prologue;
    if (prologue->count == 0 || !swp_ir_is_implied(&prologue->items[prologue->count - 1].op))
        return;
    prologue->count--;
    schedule->drops_loop_barrier = false;
}
