/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a pipeline out (docs/loops.md, "Phases"). Step k of a run, from 1 - stages on, does op o
 * for iteration k - stage(o) + stages - 1, if there is such an iteration; a kernel pass is `unroll`
 * steps.
 */
#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stages.h"

typedef struct expander {
    swp_context *ctx;
    const swp_pipeline *pipeline;
    int *order; /* the ops of a step in their order */
    int last;   /* stage */
} expander;

/* Writes steps `first` to `end` - 1, without iterations before 0 or from `iterations` on (-1: no end). */
static swp_status write_steps(expander *e, int first, int end, int iterations, swp_loop_steps *out)
{
    for (int step = first; step < end; step++)
        for (size_t i = 0; i < e->pipeline->loop->op_count; i++) {
            const int op = e->order[i];
            const int iteration = step - e->pipeline->stage[op] + e->last;
            if (iteration < 0 || (iterations >= 0 && iteration >= iterations))
                continue;
            const swp_loop_step made = {op, iteration};
            SWP_TRY(SWP_PUSH(e->ctx, out, made));
        }
    return SWP_OK;
}

/*
 * Nobody wants to read more, or to keep it in an instruction cache. The lists of all remainders
 * grow with the square of the iterations of a pass. Those below `least` grow with the square of the
 * stages.
 */
enum { MOST_UNROLL = 1024, MOST_WRITTEN = 65536, MOST_OPERANDS = 131072, MOST_NAMED = 8 };

/* A pipeline of a search that was stopped may be too long just because of that. */
static swp_status refuse(const expander *e, const char *hint, const char *why)
{
    const bool stopped = e->ctx->stopped;
    const swp_status status =
        swp_error(e->ctx, SWP_E0326, e->pipeline->loop->place,
                  stopped ? "allow more time or work: the search for a pipeline was stopped" : hint,
                  "%s", why);
    return stopped && status == SWP_INVALID ? SWP_STOPPED : status;
}

/* Lists the numbers of slots, each with one value that has it: "32 (a), 31 (b)". */
static swp_status list_slots(const expander *e, char **out)
{
    const swp_loop *loop = e->pipeline->loop;
    bool seen[SWP_MOST_SLOTS + 1] = {false};
    int named = 0;
    swp_text text = {.ctx = e->ctx};
    for (size_t v = 0; v < loop->value_count && named < MOST_NAMED; v++) {
        const int slots = e->pipeline->slots[v];
        if (slots < 2 || slots > SWP_MOST_SLOTS || seen[slots])
            continue;
        seen[slots] = true;
        swp_text_format(&text, "%s%d (%s)", named++ ? ", " : "", slots, loop->values[v].name);
    }
    return swp_text_end(&text, out, NULL);
}

/* After `*unroll` iterations every value is back in its first slot. */
static swp_status find_unroll(const expander *e, int *unroll)
{
    const swp_loop *loop = e->pipeline->loop;
    char *slots = NULL;
    char *why = NULL;
    *unroll = swp_pipeline_unroll(loop, e->pipeline->slots, MOST_UNROLL);
    if (*unroll <= MOST_UNROLL)
        return SWP_OK;
    SWP_TRY(list_slots(e, &slots));
    SWP_TRY(swp_format(e->ctx, &why,
                       "the slots of %s come back together only after more than %d iterations: %s",
                       loop->name, MOST_UNROLL, slots));
    return refuse(e, "bound `slots` of the values to powers of 2, or to divisors of one number",
                  why);
}

/* Counts the entries of all lists, and the values that they read and make, as write_steps() will write them. */
static void count_written(const expander *e, const swp_loop_phases *phases, int64_t *entries,
                          int64_t *operands)
{
    const int64_t unroll = phases->unroll;
    const int64_t least = phases->least;
    const int64_t each = unroll + unroll * (unroll - 1) / 2 + least * (least - 1) / 2;
    *entries = 0;
    *operands = 0;
    for (size_t i = 0; i < e->pipeline->loop->op_count; i++) {
        const swp_loop_op *op = &e->pipeline->loop->ops[i];
        const int64_t stage = e->pipeline->stage[i];
        const int64_t own = each + e->last - stage + unroll * stage;
        *entries += own;
        *operands += own * (int64_t)(op->read_count + op->write_count + op->update_count);
    }
}

static swp_status check_written(const expander *e, const swp_loop_phases *phases)
{
    int64_t entries = 0;
    int64_t operands = 0;
    char *slots = NULL;
    char *why = NULL;
    count_written(e, phases, &entries, &operands);
    if (entries <= MOST_WRITTEN && operands <= MOST_OPERANDS)
        return SWP_OK;
    SWP_TRY(list_slots(e, &slots));
    SWP_TRY(swp_format(e->ctx, &why,
                       "%s written out has %lld entries that read and make %lld versions, and may "
                       "have %d and %d: %d stages, and a kernel of %d iterations, with a list for "
                       "each remainder; the slots are %s",
                       e->pipeline->loop->name, (long long)entries, (long long)operands,
                       MOST_WRITTEN, MOST_OPERANDS, e->pipeline->stages, phases->unroll,
                       *slots ? slots : "1 each"));
    return refuse(e,
                  phases->unroll > phases->least
                      ? "bound `slots` of the values to powers of 2, or to divisors of one number"
                      : "bound `slots` of the values, or let the units take longer",
                  why);
}

swp_status swp_loop_expand(swp_context *ctx, const swp_pipeline *pipeline, bool rotating,
                           swp_loop_phases *out)
{
    SWP_REQUIRE(ctx, ctx && pipeline && out);
    expander e = {.ctx = ctx, .pipeline = pipeline, .last = pipeline->stages - 1};
    *out = (swp_loop_phases){.unroll = 1, .least = e.last};
    if (!rotating)
        SWP_TRY(find_unroll(&e, &out->unroll));
    SWP_TRY(check_written(&e, out));
    SWP_TRY(SWP_TAKE(ctx, pipeline->loop->op_count, &e.order));
    swp_pipeline_order_step(pipeline, e.order);
    SWP_TRY(write_steps(&e, -e.last, 0, -1, &out->prologue));
    SWP_TRY(write_steps(&e, 0, out->unroll, -1, &out->kernel));
    SWP_TRY(SWP_TAKE(ctx, (size_t)out->unroll, &out->epilogues));
    for (int rest = 0; rest < out->unroll; rest++)
        SWP_TRY(write_steps(&e, 0, rest + e.last, rest + e.last, &out->epilogues[rest]));
    SWP_TRY(SWP_TAKE(ctx, (size_t)out->least, &out->straight));
    for (int n = 0; n < out->least; n++)
        SWP_TRY(write_steps(&e, -e.last, n, n, &out->straight[n]));
    return SWP_OK;
}
