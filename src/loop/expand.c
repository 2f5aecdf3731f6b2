/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline written out (docs/loops.md, "Phases"). Step k of a run, from 1 - stages on, does op o for
 * iteration k - stage(o) + stages - 1, if there is such an iteration; a kernel pass is `unroll` steps.
 */
#include "loop/dataflow.h"

#include "base/diag.h"

typedef struct expander {
    swp_context *ctx;
    const swp_pipeline *pipeline;
    int *order; /* of the ops in a step */
    int last;   /* stage */
} expander;

static int64_t row_of(const swp_pipeline *p, int op)
{
    return p->answer.times[op] % p->answer.value;
}

/*
 * By cycle; of one cycle the older iteration first, and then the loop's own order, so that what has a
 * delay of 0 stands before what depends on it.
 */
static bool stands_before(const swp_pipeline *p, int a, int b)
{
    if (row_of(p, a) != row_of(p, b))
        return row_of(p, a) < row_of(p, b);
    if (p->stage[a] != p->stage[b])
        return p->stage[a] > p->stage[b];
    return a < b;
}

static swp_status find_order(expander *e)
{
    const int count = (int)e->pipeline->loop->op_count;
    SWP_TRY(SWP_TAKE(e->ctx, (size_t)count, &e->order));
    for (int i = 0; i < count; i++) {
        int to = i;
        for (; to > 0 && stands_before(e->pipeline, i, e->order[to - 1]); to--)
            e->order[to] = e->order[to - 1];
        e->order[to] = i;
    }
    return SWP_OK;
}

/* Steps `first` to `end` - 1, without iterations before 0 or from `iterations` on (-1: no end). */
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

static int divisor(int a, int b)
{
    while (b != 0) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* More copies of an iteration than anybody wants to read, or to keep in an instruction cache. */
enum { MOST_UNROLL = 1024 };

/* After so many iterations every value is back in its first slot. */
static swp_status find_unroll(expander *e, int *unroll)
{
    const swp_loop *loop = e->pipeline->loop;
    *unroll = 1;
    for (size_t v = 0; v < loop->value_count; v++) {
        const int slots = e->pipeline->slots[v];
        const int common = divisor(slots, *unroll);
        *unroll = *unroll / (common > 0 ? common : 1) * slots;
        if (*unroll > MOST_UNROLL)
            return swp_error(
                e->ctx, SWP_E0326, SWP_NOWHERE,
                "bound the slots of the values to powers of 2, or let them rotate",
                "the slots of %s come back together only after more than %d iterations", loop->name,
                MOST_UNROLL);
    }
    return SWP_OK;
}

swp_status swp_loop_expand(swp_context *ctx, const swp_pipeline *pipeline, bool rotating,
                           swp_loop_phases *out)
{
    expander e = {.ctx = ctx, .pipeline = pipeline, .last = pipeline->stages - 1};
    *out = (swp_loop_phases){.unroll = 1, .least = e.last};
    if (!rotating)
        SWP_TRY(find_unroll(&e, &out->unroll));
    SWP_TRY(find_order(&e));
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
