/* SPDX-License-Identifier: Apache-2.0 */
/* Drops what is not needed around a kernel phase whose synchronisation is derived. */
#include "sync/ends.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/divisor.h"
#include "ir/schedule.h"
#include "solve/max_cycle_ratio.h"
#include "swp/simulate.h"
#include "sync/relax.h"
#include "sync/shorten.h"

#include <string.h>

static swp_status find_cycles(swp_context *ctx, const swp_schedule *schedule,
                              const swp_kernel_sync *kernel, swp_ratio *out)
{
    swp_simulation simulation = {0};
    *out = kernel->cycles;
    if (kernel->exact)
        return SWP_OK;
    /* How groups settle that take turns by chance depends on the prologue too. */
    SWP_TRY(swp_simulate(ctx, schedule, NULL, &simulation));
    *out = (swp_ratio){simulation.cycles, simulation.passes};
    return SWP_OK;
}

swp_status swp_sync_count_cycles(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_kernel_sync *kernel, swp_sync_result *result)
{
    swp_ratio cycles;
    SWP_TRY(find_cycles(ctx, schedule, kernel, &cycles));
    const int64_t divisor = swp_common_divisor(cycles.cycles, cycles.passes);
    const int64_t passes = cycles.passes / divisor;
    result->cycles = cycles.cycles / divisor;
    result->passes = (int)passes;
    result->bound = kernel->bound.cycles * passes / kernel->bound.passes;
    const bool is_bound = swp_solve_ratio_compare(cycles, kernel->bound) <= 0;
    result->optimal = is_bound && (kernel->optimal || result->barriers == result->least_barriers);
    return SWP_OK;
}

void swp_sync_place_stagger(swp_schedule *schedule)
{
    schedule->warp_stagger_index = swp_ir_lags(&schedule->machine)
                                       ? 0
                                       : (int)swp_schedule_phase(schedule, SWP_PROLOGUE)->count + 1;
}

/* Dropping changes lists where they are. */
static swp_status copy_list(swp_context *ctx, swp_entry_list *list)
{
    const swp_entry_list given = *list;
    *list = (swp_entry_list){0};
    for (size_t i = 0; i < given.count; i++)
        SWP_TRY(SWP_PUSH(ctx, list, given.items[i]));
    return SWP_OK;
}

static swp_status copy_lists(swp_context *ctx, swp_entry_list **lists, size_t count)
{
    swp_entry_list *copy = NULL;
    SWP_TRY(SWP_TAKE(ctx, count, &copy));
    for (size_t i = 0; i < count; i++) {
        copy[i] = (*lists)[i];
        SWP_TRY(copy_list(ctx, &copy[i]));
    }
    *lists = copy;
    return SWP_OK;
}

static swp_status copy_stream(swp_context *ctx, swp_stream *stream)
{
    SWP_TRY(copy_list(ctx, &stream->prologue));
    SWP_TRY(copy_list(ctx, &stream->kernel));
    SWP_TRY(copy_list(ctx, &stream->epilogue));
    SWP_TRY(copy_lists(ctx, &stream->tails.epilogues, stream->tails.epilogue_count));
    return copy_lists(ctx, &stream->tails.straight, stream->tails.straight_count);
}

static swp_status warn_of_stop(swp_context *ctx, uint64_t work)
{
    const char *plural = work == 1 ? "" : "s";
    ctx->stopped = true;
    return swp_warn(ctx, SWP_W0401, SWP_NOWHERE, "allow more time or work for fewer waits",
                    "derived synchronisation was stopped after %llu placement%s and proof%s: it is "
                    "safe, but may wait more than it needs",
                    (unsigned long long)work, plural, plural);
}

/* Whether there is time for a proof that takes so many seconds before all work has to end; twice that, to be sure. */
static bool has_time_for(const swp_context *ctx, double seconds)
{
    const swp_limits *limits = &ctx->limits;
    const double ends = ctx->deadline ? ctx->deadline->ends : 0;
    return !swp_is_interrupted(limits) && (ends <= 0 || swp_search_clock(ctx) + 2 * seconds < ends);
}

swp_status swp_sync_drop_ends(swp_context *ctx, swp_schedule *schedule,
                              const swp_kernel_sync *kernel, swp_sync_result *result)
{
    swp_budget budget = swp_budget_start(ctx, 0);
    budget.work = result->work;
    SWP_TRY(copy_stream(ctx, &schedule->streams[0]));
    SWP_TRY(swp_sync_relax(ctx, schedule, &budget));
    if (budget.stopped && has_time_for(ctx, kernel->proof_seconds))
        SWP_TRY(swp_sync_shorten_ends(ctx, schedule));
    swp_sync_place_stagger(schedule);
    SWP_TRY(swp_sync_count_cycles(ctx, schedule, kernel, result));
    result->work = budget.work;
    /* Of a pass that is proven best, more time would find no better one, but fewer waits around it. */
    const bool is_best = result->optimal && !swp_sync_can_relax(schedule);
    return (kernel->cut || budget.stopped) && !is_best ? warn_of_stop(ctx, budget.work) : SWP_OK;
}
