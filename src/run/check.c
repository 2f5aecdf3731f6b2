/* SPDX-License-Identifier: Apache-2.0 */
/* What a schedule must be to be executed. */
#include "run/steps.h"

#include "base/diag.h"
#include "ir/roles.h"
#include "swp/loop.h"

/* So that a run of any schedule ends. */
enum { MOST_TILES = 4096, MOST_SUBTILES = 1024 };

static swp_status refuse(swp_context *ctx, const swp_schedule *schedule, const swp_entry *entry,
                         size_t index, const char *why)
{
    return swp_error(ctx, SWP_E0710, SWP_NOWHERE, "take the entry out, or correct it",
                     "%s entry %zu (%s): %s", swp_phase_name(entry->phase), index,
                     swp_schedule_op_name(schedule, entry->op.tag), why);
}

static const char *what_is_wrong_with_sync(const swp_op *op)
{
    if (op->tag != SWP_TAG_BARRIER && op->tag != SWP_TAG_WAIT_VM && op->tag != SWP_TAG_WAIT_LGKM)
        return "its kind is sync, but it is neither a barrier nor a wait";
    return op->wait_value < 0 ? "it waits for less than no access" : NULL;
}

static const char *what_is_wrong_with_compute(const swp_loop_shape *loop, const swp_op *op)
{
    if (loop->placement == SWP_PLACE_NEXT_TILE)
        return NULL;
    return op->stage >= loop->m_mmas || op->subtile >= loop->n_mmas
               ? "its row and column are outside the loop's grid of MMAs"
               : NULL;
}

static const char *what_is_wrong_with_iteration(const swp_op *op)
{
    return op->iteration < -MOST_TILES || op->iteration > MOST_TILES
               ? "its iteration is beyond what is executed"
               : NULL;
}

/* What a dataflow says of an op is checked with the dataflow. */
static const char *what_is_wrong_with_op(const swp_loop_dataflow *dataflow, const swp_op *op)
{
    if (op->role == SWP_SYNC)
        return what_is_wrong_with_sync(op);
    if (swp_infrastructure_name(op->tag))
        return op->role == SWP_FENCE ? NULL : "it is neither an op of the dataflow nor a fence";
    if (op->tag < 0 || (size_t)swp_loop_op_of_tag(op->tag) >= dataflow->loop->op_count)
        return "its tag is no op of the dataflow";
    return what_is_wrong_with_iteration(op);
}

static const char *what_is_wrong_with_kind(const swp_loop_shape *loop, const swp_op *op)
{
    const bool single_buffer = loop->placement == SWP_PLACE_NEXT_TILE;
    if (op->stage < 0 || op->subtile < 0 || op->vm_cost < 0 || op->lgkm_cost < 0)
        return "it has a negative slot, subtile or number of accesses";
    switch (op->role) {
    case SWP_SYNC:
        return what_is_wrong_with_sync(op);
    case SWP_FENCE:
        return NULL;
    case SWP_COMPUTE:
        if (single_buffer && op->subtile >= MOST_SUBTILES)
            return "its subtile is beyond what the executor takes";
        return what_is_wrong_with_compute(loop, op);
    case SWP_SHARED_STORE:
        return single_buffer ? NULL : "loads by k offset write LDS, so nothing is there to store";
    case SWP_GLOBAL_LOAD:
    case SWP_FRAGMENT_LOAD:
        if (single_buffer)
            return op->subtile < MOST_SUBTILES ? NULL : "its subtile is beyond what is executed";
        return op->channel == 0 || op->channel == 1 ? NULL : "its channel is neither A nor B";
    case SWP_VALU_COMPUTE:
    case SWP_ROLE_NONE:
        break;
    }
    return "no kernel has an op of this kind";
}

/* What else an entry on objects has to be was checked with the warp roles. */
static const char *what_is_wrong(const swp_schedule *schedule, const swp_op *op)
{
    if (swp_run_manner_of(schedule)->keeps_rules)
        return what_is_wrong_with_iteration(op);
    return schedule->dataflow ? what_is_wrong_with_op(schedule->dataflow, op)
                              : what_is_wrong_with_kind(&schedule->loop, op);
}

static swp_status check_entries(swp_context *ctx, const swp_schedule *schedule,
                                const swp_entry_list *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        const char *wrong = what_is_wrong(schedule, &entries->items[i].op);
        if (wrong)
            return refuse(ctx, schedule, &entries->items[i], i, wrong);
    }
    return SWP_OK;
}

static swp_status check_streams(swp_context *ctx, const swp_schedule *schedule)
{
    for (size_t i = 0; i < schedule->stream_count; i++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= swp_ir_last_list(schedule); phase++)
            SWP_TRY(check_entries(ctx, schedule, swp_stream_phase(&schedule->streams[i], phase)));
    return SWP_OK;
}

static swp_status check_slots(swp_context *ctx, const swp_loop_dataflow *dataflow)
{
    SWP_TRY(swp_check_loop(ctx, dataflow->loop));
    for (size_t value = 0; value < dataflow->loop->value_count; value++)
        if (dataflow->slots[value] < 1 || dataflow->slots[value] > SWP_MOST_SLOTS)
            return swp_error(ctx, SWP_E0710, SWP_NOWHERE, "from 1 to 64", "value %s has %d slots",
                             dataflow->loop->values[value].name, dataflow->slots[value]);
    return SWP_OK;
}

swp_status swp_run_check(swp_context *ctx, const swp_schedule *schedule, int n)
{
    const swp_loop_shape *loop = &schedule->loop;
    if (schedule->dataflow)
        SWP_TRY(check_slots(ctx, schedule->dataflow));
    SWP_TRY(check_streams(ctx, schedule));
    if (n > MOST_TILES)
        return swp_error(ctx, SWP_E0711, SWP_NOWHERE, "a few passes show all that there is to see",
                         "%d tiles are more than the %d that are executed", n, MOST_TILES);
    if (!swp_loop_shape_takes(loop, n))
        return swp_error(ctx, SWP_E0711, SWP_NOWHERE, NULL,
                         "the loop does not take %d tiles: it takes %d at least, a multiple of %d, "
                         "and %d more with each pass",
                         n, loop->min_tiles, loop->multiple, loop->tiles_per_pass);
    return SWP_OK;
}

swp_status swp_run_check_tiles(swp_context *ctx, const swp_schedule *schedule,
                               const swp_run_extent *extent)
{
    SWP_TRY(check_slots(ctx, schedule->dataflow));
    SWP_TRY(check_streams(ctx, schedule));
    for (int tile = 0; tile < extent->tile_count; tile++) {
        const int form = swp_schedule_form_of(schedule, extent->tiles[tile]);
        const swp_schedule of_tile = form < 0 ? *schedule : swp_schedule_form(schedule, form);
        SWP_TRY(swp_run_check(ctx, &of_tile, extent->tiles[tile]));
    }
    if (extent->n <= MOST_TILES && extent->tile_count <= MOST_TILES)
        return SWP_OK;
    return swp_error(ctx, SWP_E0711, SWP_NOWHERE, "a few passes show all that there is to see",
                     "%d output tiles of %d iterations are more than the %d that are executed",
                     extent->tile_count, extent->n, MOST_TILES);
}
