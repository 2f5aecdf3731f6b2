/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/cycles.h"

#include "swp/simulate.h"
#include "swp/verify.h"
#include "sync/phases.h"
#include "sync/relax.h"

/* Cycles a pass, as a fraction; barriers break ties. */
typedef struct cost {
    int64_t cycles; /* -1: not safe */
    int64_t passes;
    int barriers;
} cost;

static bool is_less(cost a, cost b)
{
    if (a.cycles < 0 || b.cycles < 0)
        return b.cycles < 0 && a.cycles >= 0;
    if (a.cycles * b.passes != b.cycles * a.passes)
        return a.cycles * b.passes < b.cycles * a.passes;
    return a.barriers < b.barriers;
}

static swp_status measure_safe(swp_context *ctx, swp_schedule *trial, swp_budget *budget, cost *out)
{
    swp_simulation simulation = {0};
    /* The waits for raw registers are at their strongest until they are relaxed. */
    if (trial->machine.registers == SWP_REGISTERS_RAW)
        SWP_TRY(swp_relax_kernel(ctx, trial, budget));
    SWP_TRY(swp_simulate(ctx, trial, NULL, &simulation));
    out->cycles = simulation.cycles;
    out->passes = simulation.passes;
    return SWP_OK;
}

static swp_status measure_in(swp_context *ctx, const swp_dataflow *flow, const int *gaps,
                             swp_budget *budget, cost *out)
{
    swp_schedule trial = *flow->schedule;
    swp_verdict verdict = {0};
    *out = (cost){.cycles = -1, .passes = 1};
    for (int i = 0; i < flow->count; i++)
        out->barriers += gaps[i];
    SWP_TRY(swp_write_phases(ctx, flow, gaps, &trial));
    if (trial.machine.groups == 2 && trial.machine.lag == 1)
        trial.machine.lag_prologue_index = 0;
    SWP_TRY(swp_verify(ctx, &trial, NULL, 0, &verdict));
    return verdict.safe ? measure_safe(ctx, &trial, budget, out) : SWP_OK;
}

/* Trials leave much behind, so each has memory of its own. */
static swp_status measure(swp_context *ctx, const swp_dataflow *flow, const int *gaps,
                          swp_budget *budget, cost *out)
{
    swp_context scratch = *ctx;
    scratch.arena = swp_arena_new(&ctx->arena->allocator);
    if (!scratch.arena)
        return swp_out_of_memory(ctx);
    const swp_status status = measure_in(&scratch, flow, gaps, budget, out);
    swp_arena_free(scratch.arena);
    return status;
}

/* What a trial must keep to. */
typedef struct limits {
    bool pace;
    int most_barriers;
    swp_budget *budget;
} limits;

static bool keeps_pace(const swp_dataflow *flow, const int *gaps)
{
    for (int i = 0; i < flow->count; i++) {
        const swp_op *before = &flow->ops[(i + flow->count - 1) % flow->count].op;
        if (gaps[i] == 0 && (flow->ops[i].op.role == SWP_COMPUTE || before->role == SWP_COMPUTE))
            return false;
    }
    return true;
}

static bool within(const swp_dataflow *flow, const limits *keep, const int *gaps)
{
    int sum = 0;
    for (int i = 0; i < flow->count; i++)
        sum += gaps[i];
    return sum <= keep->most_barriers && (!keep->pace || keeps_pace(flow, gaps));
}

/* The best placement with a barrier of `from` at another gap, or one more where `from` is -1. */
static swp_status try_moves(swp_context *ctx, const swp_dataflow *flow, const limits *keep,
                            int from, int *gaps, cost *best, int *best_from, int *best_to)
{
    for (int to = 0; to < flow->count; to++) {
        cost trial = {.cycles = -1, .passes = 1};
        if (to == from)
            continue;
        if (from >= 0)
            gaps[from]--;
        gaps[to]++;
        const swp_status status = within(flow, keep, gaps) && swp_budget_poll(keep->budget)
                                      ? measure(ctx, flow, gaps, keep->budget, &trial)
                                      : SWP_OK;
        gaps[to]--;
        if (from >= 0)
            gaps[from]++;
        SWP_TRY(status);
        if (!is_less(trial, *best))
            continue;
        *best = trial;
        *best_from = from;
        *best_to = to;
    }
    return SWP_OK;
}

swp_status swp_save_cycles(swp_context *ctx, const swp_dataflow *flow, bool pace, int most_barriers,
                           swp_budget *budget, int *gaps, int *sum)
{
    const limits keep = {pace, most_barriers, budget};
    cost best = {0};
    SWP_TRY(measure(ctx, flow, gaps, budget, &best));
    for (;;) {
        const cost before = best;
        int from = -1;
        int to = -1;
        for (int gap = -1; gap < flow->count; gap++)
            if (gap < 0 || gaps[gap] > 0)
                SWP_TRY(try_moves(ctx, flow, &keep, gap, gaps, &best, &from, &to));
        if (!is_less(best, before))
            break;
        if (from >= 0)
            gaps[from]--;
        gaps[to]++;
    }
    *sum = best.barriers;
    return SWP_OK;
}
