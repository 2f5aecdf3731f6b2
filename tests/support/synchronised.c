/* SPDX-License-Identifier: Apache-2.0 */
#include "synchronised.h"

#include "fixture.h"

static void push(swp_context *ctx, swp_entry_list *list, swp_phase phase, swp_op op)
{
    const swp_entry entry = {.op = op, .phase = phase};
    assert_ok(ctx, swp_entry_list_push(ctx, list, entry));
}

static void push_sync(swp_context *ctx, swp_entry_list *list, swp_phase phase)
{
    push(ctx, list, phase, swp_op_wait_vm(0));
    push(ctx, list, phase, swp_op_wait_lgkm(0));
    push(ctx, list, phase, swp_op_barrier());
}

swp_entry_list synchronised_but(swp_context *ctx, const swp_entry_list *entries, int first,
                                int last)
{
    swp_entry_list out = {0};
    for (int i = 0; i < (int)entries->count; i++) {
        const swp_entry *entry = &entries->items[i];
        if (i <= first || i > last)
            push_sync(ctx, &out, entry->phase);
        push(ctx, &out, entry->phase, entry->op);
        if (i < first || i >= last)
            push_sync(ctx, &out, entry->phase);
    }
    return out;
}

static swp_entry_list *all_synchronised(swp_context *ctx, const swp_entry_list *lists, size_t count)
{
    swp_entry_list *out = swp_context_take(ctx, (count + 1) * sizeof *out);
    assert_non_null(out);
    for (size_t i = 0; i < count; i++)
        out[i] = synchronised_but(ctx, &lists[i], -1, -1);
    return out;
}

swp_schedule synchronised(swp_context *ctx, const swp_schedule *schedule)
{
    swp_schedule out = *schedule;
    out.streams[0].prologue = synchronised_but(ctx, &schedule->streams[0].prologue, -1, -1);
    out.streams[0].kernel = synchronised_but(ctx, &schedule->streams[0].kernel, -1, -1);
    out.streams[0].epilogue = synchronised_but(ctx, &schedule->streams[0].epilogue, -1, -1);
    out.streams[0].tails.epilogues = all_synchronised(ctx, schedule->streams[0].tails.epilogues,
                                                      schedule->streams[0].tails.epilogue_count);
    out.streams[0].tails.straight = all_synchronised(ctx, schedule->streams[0].tails.straight,
                                                     schedule->streams[0].tails.straight_count);
    return out;
}
