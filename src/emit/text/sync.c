/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says what derived synchronisation costs, whether that is proven, and what goes by the figures of
 * a target file.
 */
#include "emit/text/sync.h"

#include "swp/loop.h"

#include <inttypes.h>

void swp_emit_quotient_add(swp_text *text, int64_t cycles, int64_t count)
{
    if (cycles % count == 0)
        swp_text_format(text, "%" PRId64, cycles / count);
    else
        swp_text_format(text, "%.2f", (double)cycles / (double)count);
}

/* Returns whether a file states the waits and barriers. Then nothing is proven of them. */
static bool is_read(const swp_schedule *schedule)
{
    return schedule->dataflow && !schedule->pipeline;
}

/* No bound is known for the orders of warp roles, whose barriers meet only some. */
static bool has_bound(const swp_schedule *schedule)
{
    return schedule->sync.bound > 0;
}

bool swp_emit_sync_is_least(const swp_schedule *schedule)
{
    const swp_sync_result *sync = &schedule->sync;
    return sync->passes > 0 && !is_read(schedule) && has_bound(schedule) &&
           sync->cycles <= sync->bound;
}

bool swp_emit_share_add(swp_text *text, const swp_schedule *schedule, int64_t cycles, int passes)
{
    const int64_t interval = schedule->pipeline ? schedule->pipeline->answer.value : 0;
    if (interval <= 0)
        return false;
    const double share = (double)cycles / passes / schedule->loop.tiles_per_pass / (double)interval;
    if (share < 1)
        swp_text_format(text, ": less than the interval (iterations need not be alike)");
    else
        swp_text_format(text, ": %.3f of the interval", share);
    return true;
}

static void add_proof(swp_text *text, const swp_schedule *schedule, int64_t count)
{
    const swp_sync_result *sync = &schedule->sync;
    if (sync->optimal) {
        swp_text_format(text, ": proven optimal for this order\n");
    } else if (swp_emit_sync_is_least(schedule)) {
        swp_text_format(text, ": proven; whether fewer barriers do is not\n");
    } else {
        swp_text_format(text, ": gap ");
        swp_emit_quotient_add(text, sync->cycles - sync->bound, count);
        swp_text_format(text, ", not proven optimal\n");
    }
}

static void add_bound(swp_text *text, const swp_schedule *schedule, int64_t count)
{
    const swp_sync_result *sync = &schedule->sync;
    if (has_bound(schedule)) {
        swp_text_format(text, ", lower bound ");
        swp_emit_quotient_add(text, sync->bound, count);
    }
    if (is_read(schedule))
        swp_text_format(text, ", says the file\n");
    else if (has_bound(schedule))
        add_proof(text, schedule, count);
    else
        swp_text_format(text, "\n");
}

/* Sets the cycles of a pass, waits and barriers included, beside the interval, which has none of these. */
static void add_shares(swp_text *text, const swp_schedule *schedule)
{
    const swp_sync_result *sync = &schedule->sync;
    const int tiles = schedule->loop.tiles_per_pass;
    swp_text_format(text, "           ");
    swp_emit_quotient_add(text, sync->cycles, sync->passes);
    swp_text_format(text, " a pass of %d iteration%s", tiles, tiles == 1 ? "" : "s");
    (void)swp_emit_share_add(text, schedule, sync->cycles, sync->passes);
    swp_text_format(text, "\n");
}

/* Says what would have to change for fewer cycles. */
static void add_order_bound(swp_text *text, const swp_pipeline *p)
{
    const swp_loop_order_bound *b = &p->order_bound;
    if (b->refuted == 0)
        return;
    swp_text_format(text, "           no order takes %" PRId64 " or less, held by%s\n", b->refuted,
                    b->queue_count + b->value_count == 0 ? " what waits and barriers take" : "");
    for (size_t i = 0; i < b->queue_count; i++)
        swp_text_format(text, "             %s, whose accesses end in order\n", b->queues[i]);
    for (size_t i = 0; i < b->value_count; i++)
        swp_text_format(text, "             %s in %d slot%s\n", p->loop->values[b->values[i]].name,
                        b->slots[i], b->slots[i] == 1 ? "" : "s");
}

void swp_emit_counted_add(swp_text *text, const swp_schedule *schedule)
{
    const swp_counted_cycles counted = schedule->by_figures;
    if (counted.passes == 0)
        return;
    swp_text_format(text, "by figures ");
    swp_emit_quotient_add(text, counted.cycles, counted.passes);
    swp_text_format(
        text, " cycles a pass, in the steady state, with its waits and barriers\n"
              "           the target file's; what stands above goes by the costs of the body\n");
}

void swp_emit_sync_add(swp_text *text, const swp_schedule *schedule)
{
    const swp_sync_result *sync = &schedule->sync;
    const bool is_loop = schedule->pipeline || schedule->dataflow;
    const int tiles = is_loop ? schedule->loop.tiles_per_pass : 1;
    if (sync->passes == 0)
        return;
    const int64_t count = (int64_t)sync->passes * tiles;
    swp_text_format(text, "sync       ");
    swp_emit_quotient_add(text, sync->cycles, count);
    swp_text_format(text, " cycles %s", is_loop ? "an iteration" : "a pass");
    add_bound(text, schedule, count);
    swp_text_format(text, "           in the steady state, with its waits and barriers\n");
    if (schedule->pipeline)
        add_shares(text, schedule);
    if (!has_bound(schedule))
        return;
    if (schedule->pipeline)
        add_order_bound(text, schedule->pipeline);
    swp_text_format(text, "           %d barrier%s a pass, at least %d needed\n", sync->barriers,
                    sync->barriers == 1 ? "" : "s", sync->least_barriers);
}
