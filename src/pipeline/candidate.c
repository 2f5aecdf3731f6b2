/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a pipeline out as a schedule, and compares such schedules by their cycles with waits, their room and their pass. */
#include "pipeline/candidate.h"

#include "base/budget.h"
#include "ir/loop_instances.h"
#include "ir/loop_resident.h"
#include "pipeline/short_pass.h"
#include "pipeline/stages.h"

#include <math.h>

enum { FIRST_DIAGS = 8 };

bool swp_pipeline_is_same(const swp_loop_and_pipeline *a, const swp_loop_and_pipeline *b)
{
    const swp_pipeline *p = a->pipeline;
    const swp_pipeline *q = b->pipeline;
    bool same = p->answer.value == q->answer.value;
    for (size_t i = 0; i < p->loop->op_count && same; i++)
        same = p->answer.times[i] == q->answer.times[i] &&
               p->loop->ops[i].role == q->loop->ops[i].role;
    for (size_t v = 0; v < p->loop->value_count && same; v++)
        same = p->slots[v] == q->slots[v];
    for (int i = 0; i < swp_ir_loop_shifts(p->loop) && same; i++)
        same = p->shifts[i] == q->shifts[i];
    return same;
}

bool swp_pipeline_is_schedule(const swp_candidate *c)
{
    return c->status == SWP_OK && c->schedule;
}

swp_status swp_pipeline_enter(swp_context *ctx, swp_candidate *c, swp_loop_part part,
                              swp_context *own)
{
    c->diags = (swp_diags){.arena = ctx->arena, .capacity = FIRST_DIAGS};
    SWP_TRY(SWP_TAKE(ctx, FIRST_DIAGS, &c->diags.items));
    *own = *ctx;
    own->diags = &c->diags;
    own->limits.seconds = swp_pipeline_seconds_of(&ctx->limits, part);
    return SWP_OK;
}

swp_status swp_pipeline_write_candidate(swp_context *ctx, const swp_loop_options *options,
                                        swp_pipeline_write write, swp_loop_part part,
                                        swp_candidate *c)
{
    swp_context own;
    c->part = part;
    c->began = ctx->deadline ? ctx->deadline->work : 0;
    SWP_TRY(swp_pipeline_enter(ctx, c, part, &own));
    SWP_TRY(SWP_TAKE(ctx, 1, &c->schedule));
    *c->schedule = (swp_schedule){.stream_count = 1, .arena = ctx->arena};
    c->status = write(&own, options, c->of, c->schedule, &c->written);
    c->stopped = own.stopped;
    return c->status == SWP_OUT_OF_MEMORY ? swp_out_of_memory(ctx) : SWP_OK;
}

double swp_pipeline_cycles_of(const swp_candidate *c)
{
    const swp_sync_result *sync = &c->schedule->sync;
    if (sync->passes == 0)
        return INFINITY;
    return (double)sync->cycles / ((double)sync->passes * c->schedule->loop.tiles_per_pass);
}

double swp_pipeline_late_cycles_of(const swp_candidate *c)
{
    if (c->written.late.passes == 0)
        return 0;
    return (double)c->written.late.cycles /
           ((double)c->written.late.passes * c->schedule->loop.tiles_per_pass);
}

/* Where several work groups share a multiprocessor, an iteration of each ends in the cycles of one. */
static double weighed(const swp_candidate *c, double cycles)
{
    return cycles / swp_ir_loop_resident(c->of->loop);
}

int swp_pipeline_long_pass_of(const swp_candidate *c)
{
    const swp_pipeline *p = c->of->pipeline;
    return swp_pipeline_long_pass(c->schedule->loop.tiles_per_pass, p->slots, p->loop->value_count);
}

/* Below 0: the first has less of what is stated first. */
static int compare_by_objectives(const swp_pipeline *p, const swp_pipeline *q)
{
    const int64_t interval = p->answer.value * swp_ir_loop_resident(q->loop);
    const int64_t other_interval = q->answer.value * swp_ir_loop_resident(p->loop);
    if (!p->loop->objectives_stated)
        return 0;
    if (interval != other_interval)
        return interval < other_interval ? -1 : 1;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const int64_t amount = swp_pipeline_amount_of(p, p->loop->objectives[i]);
        const int64_t other = swp_pipeline_amount_of(q, p->loop->objectives[i]);
        if (amount != other)
            return amount < other ? -1 : 1;
    }
    return 0;
}

/*
 * Cycles aside: no pass that is long for its slots, or the shorter one, then less shared memory, fewer registers, more work groups of a
 * multiprocessor, the shorter pass, fewer stages, the lesser interval, no waits that a limit kept.
 */
static bool takes_less(const swp_candidate *a, const swp_candidate *b)
{
    const swp_pipeline *p = a->of->pipeline;
    const swp_pipeline *q = b->of->pipeline;
    const int64_t figures[][2] = {
        {swp_pipeline_long_pass_of(a), swp_pipeline_long_pass_of(b)},
        {p->bytes[SWP_SPACE_SHARED], q->bytes[SWP_SPACE_SHARED]},
        {p->bytes[SWP_SPACE_REGISTERS], q->bytes[SWP_SPACE_REGISTERS]},
        {-swp_ir_loop_resident(a->of->loop), -swp_ir_loop_resident(b->of->loop)},
        {a->schedule->loop.tiles_per_pass, b->schedule->loop.tiles_per_pass},
        {p->stages, q->stages},
        {p->answer.value, q->answer.value},
        {a->stopped, b->stopped},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i][0] != figures[i][1])
            return figures[i][0] < figures[i][1];
    return false;
}

bool swp_pipeline_is_better(const swp_candidate *a, const swp_candidate *b)
{
    const double cycles = weighed(a, swp_pipeline_cycles_of(a));
    const double others = weighed(b, swp_pipeline_cycles_of(b));
    const int wished = compare_by_objectives(a->of->pipeline, b->of->pipeline);
    if (wished != 0)
        return wished < 0;
    if (cycles != others)
        return cycles < others;
    const double late = weighed(a, swp_pipeline_late_cycles_of(a));
    const double others_late = weighed(b, swp_pipeline_late_cycles_of(b));
    return late == others_late ? takes_less(a, b) : late < others_late;
}

static bool is_as_fast(const swp_candidate *c, double cycles)
{
    return swp_pipeline_is_schedule(c) &&
           weighed(c, swp_pipeline_cycles_of(c)) <= cycles * SWP_PIPELINE_HARDLY_MORE;
}

const swp_candidate *swp_pipeline_leanest(const swp_candidate *items, size_t count)
{
    const swp_candidate *leanest = NULL;
    double cycles = INFINITY;
    double late = INFINITY;
    for (const swp_candidate *c = items; c < items + count; c++)
        if (swp_pipeline_is_schedule(c) && weighed(c, swp_pipeline_cycles_of(c)) < cycles)
            cycles = weighed(c, swp_pipeline_cycles_of(c));
    for (const swp_candidate *c = items; c < items + count; c++)
        if (is_as_fast(c, cycles) && weighed(c, swp_pipeline_late_cycles_of(c)) < late)
            late = weighed(c, swp_pipeline_late_cycles_of(c));
    for (const swp_candidate *c = items; c < items + count; c++)
        if (is_as_fast(c, cycles) &&
            weighed(c, swp_pipeline_late_cycles_of(c)) <= late * SWP_PIPELINE_HARDLY_MORE &&
            (!leanest || takes_less(c, leanest)))
            leanest = c;
    return leanest;
}
