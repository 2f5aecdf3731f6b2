/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the tags of kinds without a latency, which an op of a loop has in any case, and warns of them once. */
#include "simulate/latencies.h"

#include "base/diag.h"
#include "ir/entry.h"

static bool has_tag(const swp_op_list *body, int tag)
{
    for (size_t i = 0; i < body->count; i++)
        if (body->items[i].tag == tag)
            return true;
    return false;
}

bool swp_simulate_unknown_latencies(const swp_schedule *schedule, bool tags[SWP_SCHEDULE_TAGS])
{
    bool any = false;
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        tags[tag] = false;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_op *op = &entries->items[i].op;
            if (op->tag < 0 || !swp_ir_is_work(op) || op->tag >= SWP_SCHEDULE_TAGS ||
                swp_ir_loop_op(schedule, op) || op->latency > 0 ||
                has_tag(&schedule->body, op->tag))
                continue;
            tags[op->tag] = any = true;
        }
    }
    return any;
}

swp_status swp_simulate_warn_of_latencies(swp_context *ctx, const swp_schedule *schedule)
{
    bool tags[SWP_SCHEDULE_TAGS];
    if (!swp_simulate_unknown_latencies(schedule, tags))
        return SWP_OK;
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (tags[tag])
            SWP_TRY(
                swp_warn(ctx, SWP_W0720, SWP_NOWHERE, "add it to the body, with its latency",
                         "`%s` (tag %d) is no op of the body, so its latency counts as 0 cycles",
                         swp_schedule_op_name(schedule, tag), tag));
    return SWP_OK;
}
