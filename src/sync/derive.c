/* SPDX-License-Identifier: Apache-2.0 */
/* derive_sync: barriers and waits of the kernel phase by search, the other phases by the proof. */
#include "base/budget.h"
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/schedule.h"
#include "swp/simulate.h"
#include "swp/verify.h"
#include "sync/arcs.h"
#include "sync/ends.h"
#include "sync/phases.h"
#include "sync/search.h"

static swp_status check_order(swp_context *ctx, const swp_dataflow *flow)
{
    if (flow->count > 0)
        return SWP_OK;
    return swp_error(ctx, SWP_E0730, swp_ir_place_of_op(flow->schedule, ""),
                     "give the kernel phase its operations",
                     "there are no data operations to synchronise");
}

static swp_status check_loop(swp_context *ctx, const swp_schedule *schedule)
{
    SWP_TRY(swp_ir_check_one_stream(ctx, schedule));
    if (schedule->loop.tiles_per_pass >= 1)
        return SWP_OK;
    return swp_error(ctx, SWP_E0701, SWP_NOWHERE, "a pass handles at least one tile",
                     "tiles_per_pass %d describes no loop", schedule->loop.tiles_per_pass);
}

/* An entry in conflict with itself: some waves already write what others of them still read. */
static bool is_alone(const swp_hazard *h)
{
    return h->has_other && h->other.phase == h->at.phase && h->other.entry == h->at.entry &&
           h->passes_before == 0;
}

static swp_status report_order(swp_context *ctx, const swp_schedule *schedule,
                               const swp_verdict *verdict)
{
    const swp_hazard *first = &verdict->hazards.items[0];
    return swp_error(
        ctx, SWP_E0730, swp_ir_place_of_op(schedule, first->name),
        is_alone(first) ? "each wave reads what it updates there while others change it: let the "
                          "op write a value of its own; in place, threads update their own share "
                          "alone, which ops of a warp role of sm_90 do"
                        : "change the order of the data operations",
        "no synchronisation makes this order right: even with all of it, %s at %s "
        "(%s), %s",
        swp_hazard_name(first->kind), swp_phase_name(first->at.phase), first->name, first->detail);
}

/* If the proof refuses what was derived, it must refuse every other synchronisation too. */
static swp_status check_start(swp_context *ctx, const swp_dataflow *flow,
                              const swp_schedule *schedule)
{
    swp_verdict verdict = {0};
    swp_schedule strongest = *schedule;
    SWP_TRY(swp_verify(ctx, schedule, NULL, 0, &verdict));
    if (verdict.safe)
        return SWP_OK;
    const swp_hazard first = verdict.hazards.items[0];
    SWP_TRY(swp_sync_write_strongest_kernel(ctx, flow, &strongest.streams[0].kernel));
    SWP_TRY(swp_verify(ctx, &strongest, NULL, 0, &verdict));
    if (!verdict.safe)
        return report_order(ctx, schedule, &verdict);
    return swp_error(ctx, SWP_E0731, swp_ir_place_of_op(schedule, first.name),
                     "please report this schedule",
                     "derived synchronisation is not safe: %s at %s entry %d (%s), %s",
                     swp_hazard_name(first.kind), swp_phase_name(first.at.phase), first.at.entry,
                     first.name, first.detail);
}

/* As many as the kernel phase has now, or as any placement needs. */
static int most_barriers(const swp_dataflow *flow, int least)
{
    int barriers = 0;
    for (int i = 0; i < flow->count; i++)
        barriers += flow->given[i];
    return barriers > least ? barriers : least;
}

static swp_status place(swp_sync_search *s, swp_sync_goal goal, bool pace, swp_sync_result *result)
{
    SWP_TRY(swp_sync_barrier_placer_new(s->ctx, s->flow, pace, &s->placer));
    SWP_TRY(SWP_TAKE(s->ctx, (size_t)s->flow->count, &s->gaps));
    SWP_TRY(swp_sync_place_barriers(s->ctx, &s->placer, s->gaps, &result->least_barriers));
    s->most_barriers = result->least_barriers;
    if (goal == SWP_SYNC_CYCLES)
        s->most_barriers = most_barriers(s->flow, result->least_barriers);
    return swp_sync_search_best(s);
}

/* Half of the time that is left: what stands around the kernel is weakened in the other half. */
static swp_limits limits_of_kernel(const swp_context *ctx, const swp_budget *budget)
{
    swp_limits limits = ctx->limits;
    const double spent = swp_search_clock(ctx) - budget->began;
    if (limits.work == 0 && limits.seconds > spent)
        limits.seconds = (spent + limits.seconds) / 2;
    return limits;
}

/* Whether a limit cut the search of the kernel phase says `cut`. */
static swp_status place_in_time(swp_sync_search *s, swp_sync_goal goal, bool pace,
                                swp_sync_result *result, bool *cut)
{
    const swp_limits limits = limits_of_kernel(s->ctx, s->budget);
    s->budget->limits = &limits;
    const swp_status status = place(s, goal, pace, result);
    s->budget->limits = &s->ctx->limits;
    *cut = s->budget->stopped;
    s->budget->stopped = false; /* what is over for good stops the next step, too */
    return status;
}

/* For any number of tiles, the lists of the other forms (swp_tails). */
static swp_status write_tails(swp_context *ctx, const swp_dataflow *flow, swp_schedule *schedule)
{
    swp_tails *tails = &schedule->streams[0].tails;
    const int least = schedule->loop.min_tiles;
    if (schedule->loop.multiple == schedule->loop.tiles_per_pass && tails->straight_count == 0)
        return SWP_OK;
    for (size_t i = 0; i < tails->epilogue_count; i++)
        SWP_TRY(swp_sync_write_epilogue(ctx, flow, least + 1 + (int)i, &tails->epilogues[i]));
    for (size_t n = 0; n < tails->straight_count; n++)
        SWP_TRY(swp_sync_write_straight(ctx, flow, (int)n, &tails->straight[n]));
    return SWP_OK;
}

/* The lists before and after the kernel from its data operations. */
static swp_status write_ends(swp_context *ctx, const swp_dataflow *flow, swp_schedule *schedule)
{
    swp_stream *stream = &schedule->streams[0];
    SWP_TRY(swp_sync_write_prologue(ctx, flow, &stream->prologue));
    SWP_TRY(swp_sync_write_epilogue(ctx, flow, schedule->loop.min_tiles, &stream->epilogue));
    return write_tails(ctx, flow, schedule);
}

/* Those of a loop are there, without synchronisation. */
static swp_status rewrite_ends(swp_context *ctx, swp_schedule *schedule)
{
    swp_stream *stream = &schedule->streams[0];
    swp_tails *tails = &stream->tails;
    SWP_TRY(swp_sync_write_given(ctx, &schedule->machine, &stream->prologue, NULL, SWP_PROLOGUE,
                                 &stream->prologue));
    SWP_TRY(swp_sync_write_given(ctx, &schedule->machine, &stream->epilogue, NULL, SWP_EPILOGUE,
                                 &stream->epilogue));
    for (size_t i = 0; i < tails->epilogue_count; i++)
        SWP_TRY(swp_sync_write_given(ctx, &schedule->machine, &tails->epilogues[i], NULL,
                                     SWP_EPILOGUE, &tails->epilogues[i]));
    for (size_t i = 0; i < tails->straight_count; i++)
        SWP_TRY(swp_sync_write_given(ctx, &schedule->machine, &tails->straight[i], NULL,
                                     SWP_EPILOGUE, &tails->straight[i]));
    return SWP_OK;
}

static swp_status write_phases(swp_context *ctx, const swp_sync_search *s, swp_schedule *schedule)
{
    const swp_sync_plan plan = {s->gaps, &s->waits, NULL};
    SWP_TRY(swp_sync_write_kernel(ctx, s->flow, &plan, &schedule->streams[0].kernel));
    SWP_TRY(schedule->dataflow ? rewrite_ends(ctx, schedule) : write_ends(ctx, s->flow, schedule));
    /* Group 1 falls behind before anything else, so that all of the prologue is lagged alike. */
    if (swp_ir_lags(&schedule->machine))
        schedule->machine.lag_prologue_index = 0;
    schedule->kernel_deps = (swp_edge_list){0};
    return SWP_OK;
}

/* What takes longer nobody can add up. */
static swp_status check_cycles(swp_context *ctx, const swp_dataflow *flow)
{
    for (int i = 0; i < flow->count; i++) {
        const swp_effect *effect = flow->ops[i].effect;
        int64_t longest =
            effect->latency > effect->read_cycles ? effect->latency : effect->read_cycles;
        for (size_t u = 0; u < effect->use_count; u++)
            longest = effect->uses[u].cycles > longest ? effect->uses[u].cycles : longest;
        if (longest > SWP_MOST_STEP_CYCLES)
            return swp_error(ctx, SWP_E0722, SWP_NOWHERE, "check its latency and what it uses",
                             "%s of the kernel takes %lld cycles, more than %lld",
                             swp_schedule_op_name(flow->schedule, flow->ops[i].op.tag),
                             (long long)longest, (long long)SWP_MOST_STEP_CYCLES);
    }
    return SWP_OK;
}

swp_status swp_sync_derive_kernel(swp_context *ctx, swp_schedule *schedule, swp_sync_goal goal,
                                  bool pace, swp_kernel_sync *kernel, swp_sync_result *result)
{
    const swp_schedule given = *schedule;
    swp_dataflow flow = {0};
    swp_budget budget = swp_budget_start(ctx, 0);
    swp_sync_search s = {.ctx = ctx, .flow = &flow, .budget = &budget};
    *kernel = (swp_kernel_sync){0};
    *result = (swp_sync_result){0};
    SWP_TRY(check_loop(ctx, schedule));
    SWP_TRY(swp_sync_dataflow_build(ctx, &given, &flow));
    SWP_TRY(check_order(ctx, &flow));
    SWP_TRY(check_cycles(ctx, &flow));
    SWP_TRY(swp_sync_find_arcs(ctx, &flow));
    SWP_TRY(place_in_time(&s, goal, pace, result, &kernel->cut));
    SWP_TRY(write_phases(ctx, &s, schedule));
    swp_sync_place_stagger(schedule);
    const double began = swp_search_clock(ctx);
    SWP_TRY(check_start(ctx, &flow, schedule));
    kernel->proof_seconds = swp_search_clock(ctx) - began;
    kernel->cycles = s.best.cycles;
    kernel->bound = s.bound;
    kernel->exact = s.exact;
    kernel->optimal = s.optimal;
    result->barriers = s.best.barriers;
    result->work = budget.work;
    return swp_sync_count_cycles(ctx, schedule, kernel, result);
}

swp_status swp_derive_sync(swp_context *ctx, swp_schedule *schedule, swp_sync_goal goal, bool pace,
                           swp_sync_result *result)
{
    SWP_REQUIRE(ctx, ctx && schedule && result);
    swp_kernel_sync kernel;
    SWP_TRY(swp_sync_derive_kernel(ctx, schedule, goal, pace, &kernel, result));
    return swp_sync_drop_ends(ctx, schedule, &kernel, result);
}
