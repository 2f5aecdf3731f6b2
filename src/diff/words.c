/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers entries by what they do, so that an alignment compares numbers. */
#include "diff/words.h"
#include "ir/entry.h"

#include <string.h>

int *swp_diff_cost_of(swp_op *op, const swp_diff_cost *cost)
{
    return (int *)((char *)op + cost->offset);
}

/*
 * A name tells ops apart. A tag does not, since files number them freely. Registers are left out,
 * since they only concern the order.
 */
static swp_diff_word read_word(const swp_schedule *schedule, const swp_entry *entry,
                               const swp_diff_cost_list *costs)
{
    swp_diff_word word = {.name = swp_schedule_op_name(schedule, entry->op.tag), .op = entry->op};
    word.op.vgpr_def = word.op.vgpr_kill = 0;
    if (swp_ir_is_work(&word.op))
        word.op.tag = 0;
    for (size_t i = 0; i < costs->count; i++)
        if (!strcmp(costs->items[i].name, word.name))
            *swp_diff_cost_of(&word.op, &costs->items[i]) = 0;
    return word;
}

bool swp_diff_is_work(const swp_diff_word *word)
{
    return swp_ir_is_work(&word->op);
}

bool swp_diff_same_op(const swp_diff_word *a, const swp_diff_word *b)
{
    return a->op.tag == b->op.tag && a->op.role == b->op.role && a->op.channel == b->op.channel &&
           !strcmp(a->name, b->name);
}

static bool same_word(const swp_diff_word *a, const swp_diff_word *b)
{
    const swp_op *x = &a->op;
    const swp_op *y = &b->op;
    return x->stage == y->stage && x->subtile == y->subtile && x->k_offset == y->k_offset &&
           x->wait_value == y->wait_value && x->iteration == y->iteration &&
           x->vm_cost == y->vm_cost && x->lgkm_cost == y->lgkm_cost && x->latency == y->latency &&
           x->resource == y->resource && x->object == y->object && x->slot == y->slot &&
           x->slot_step == y->slot_step && x->bytes == y->bytes && x->by == y->by &&
           x->instances == y->instances && x->to == y->to && swp_diff_same_op(a, b);
}

const swp_entry_list *swp_diff_list(const swp_schedule *schedule, int stream, swp_phase phase)
{
    static const swp_entry_list nothing = {0};
    return stream < 0 ? &nothing : swp_stream_phase(&schedule->streams[stream], phase);
}

/* `object_of` gives the numbers of its objects among those of both; NULL: they stay as they are. */
static swp_status read_list(swp_context *ctx, const swp_schedule *schedule,
                            const swp_entry_list *entries, const swp_diff_cost_list *costs,
                            const int *object_of, swp_diff_words *words, int *out)
{
    for (size_t i = 0; i < entries->count; i++) {
        swp_diff_word word = read_word(schedule, &entries->items[i], costs);
        size_t at = 0;
        if (object_of && word.op.object >= 0)
            word.op.object = object_of[word.op.object];
        while (at < words->count && !same_word(&words->items[at], &word))
            at++;
        if (at == words->count)
            SWP_TRY(SWP_PUSH(ctx, words, word));
        out[i] = (int)at;
    }
    return SWP_OK;
}

swp_status swp_diff_read_words(swp_context *ctx, const swp_diff_lists *lists,
                               const swp_diff_cost_list *costs, const swp_diff_objects *objects,
                               swp_diff_words *out)
{
    const bool has_roles = lists->b->object_count > 0;
    *out = (swp_diff_words){.a_count = lists->in_a->count, .b_count = lists->in_b->count};
    SWP_TRY(SWP_TAKE(ctx, out->a_count, &out->a));
    SWP_TRY(SWP_TAKE(ctx, out->b_count, &out->b));
    SWP_TRY(read_list(ctx, lists->a, lists->in_a, costs, NULL, out, out->a));
    SWP_TRY(read_list(ctx, lists->b, lists->in_b, costs, has_roles ? objects->of_b : NULL, out,
                      out->b));
    for (size_t i = 0; i < out->a_count; i++)
        out->items[out->a[i]].in_a++;
    for (size_t i = 0; i < out->b_count; i++)
        out->items[out->b[i]].in_b++;
    return SWP_OK;
}
