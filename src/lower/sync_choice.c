/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronises a body in each way that its settings leave open, and takes the one with the fewest cycles by figures. */
#include "lower/sync_choice.h"

#include "lower/accesses.h"
#include "simulate/body_figures.h"
#include "swp/simulate.h"
#include "swp/sync.h"

/* The schedule in one of the ways, and what is to be said of it if it is the one that is handed out. */
typedef struct synchronised {
    swp_schedule schedule;
    swp_diags diags;
    swp_status status;
    bool stopped;
    bool safe;
    swp_counted_cycles counted;
} synchronised;

enum { FIRST_DIAGS = 4 };

/* Replaces the published waits and barriers, where the config says so. */
static swp_status derive(swp_context *ctx, swp_schedule *schedule)
{
    if (schedule->schedule.sync != SWP_SYNC_DERIVED)
        return SWP_OK;
    SWP_TRY(swp_derive_sync(ctx, schedule, schedule->schedule.sync_goal,
                            schedule->schedule.sync_pace, &schedule->sync));
    /* A block structure no longer describes the phases. */
    schedule->program = (swp_program){0};
    schedule->metrics.wait_lgkm_first = -1;
    schedule->metrics.wait_vm_last = -1;
    swp_lower_state_accesses(schedule);
    return SWP_OK;
}

/* A context whose diagnostics are its own. */
static swp_status apart(swp_context *ctx, swp_diags *diags, swp_context *own)
{
    *diags = (swp_diags){.arena = ctx->arena, .capacity = FIRST_DIAGS};
    SWP_TRY(SWP_TAKE(ctx, FIRST_DIAGS, &diags->items));
    *own = *ctx;
    own->diags = diags;
    return SWP_OK;
}

/* What does not come to an end, or of which nothing is proven, is not what anybody should run. */
static swp_status judge(swp_context *ctx, const swp_target *figures, synchronised *c)
{
    const swp_simulate_options options = {.target = figures};
    swp_simulation simulation = {0};
    swp_verdict verdict = {0};
    swp_diags unsaid;
    swp_context own;
    SWP_TRY(apart(ctx, &unsaid, &own));
    swp_status status = swp_simulate(&own, &c->schedule, &options, &simulation);
    if (status == SWP_OK) {
        c->counted = (swp_counted_cycles){simulation.cycles, simulation.passes};
        if (simulation.by_figures)
            c->schedule.by_figures = c->counted;
        status = swp_verify(&own, &c->schedule, NULL, 0, &verdict);
        c->safe = status == SWP_OK && verdict.safe;
    }
    return status == SWP_OUT_OF_MEMORY ? swp_out_of_memory(ctx) : SWP_OK;
}

static swp_status try_way(swp_context *ctx, const swp_target *figures,
                          const swp_schedule *published, const swp_schedule_config *way,
                          synchronised *c)
{
    swp_context own;
    *c = (synchronised){.schedule = *published};
    c->schedule.schedule = *way;
    SWP_TRY(apart(ctx, &c->diags, &own));
    c->status = derive(&own, &c->schedule);
    c->stopped = own.stopped;
    if (c->status == SWP_OUT_OF_MEMORY)
        return swp_out_of_memory(ctx);
    return c->status == SWP_OK ? judge(ctx, figures, c) : SWP_OK;
}

static bool is_better(const synchronised *a, const synchronised *b)
{
    const swp_counted_cycles of_a = a->counted;
    const swp_counted_cycles of_b = b->counted;
    if (a->status != SWP_OK || of_a.passes == 0)
        return false;
    if (b->status != SWP_OK || a->safe != b->safe)
        return a->safe;
    return of_b.passes == 0 || of_a.cycles * of_b.passes < of_b.cycles * of_a.passes;
}

static swp_status hand_out(swp_context *ctx, const synchronised *best, swp_schedule *schedule)
{
    for (size_t i = 0; i < best->diags.count; i++)
        SWP_TRY(swp_context_report(ctx, &best->diags.items[i]));
    ctx->stopped = ctx->stopped || best->stopped;
    *schedule = best->schedule;
    return best->status;
}

/* Each way has groups of as many waves, so it is said once, of the schedule that is handed out. */
static swp_status warn_of_groups(swp_context *ctx, const swp_target *figures,
                                 const swp_schedule *schedule)
{
    const swp_simulate_options options = {.target = figures};
    return swp_simulate_warn_of_groups(ctx, schedule, &options);
}

/* The config with what these bits change of it; false: that is not open, or no other schedule. */
static bool vary(const swp_sync_freedom *freedom, unsigned bits, swp_schedule_config *way)
{
    enum { SYNC = 1, GOAL = 2, PACE = 4 };
    const unsigned open =
        (freedom->sync ? SYNC : 0) | (freedom->goal ? GOAL : 0) | (freedom->pace ? PACE : 0);
    if (bits & SYNC)
        way->sync = way->sync == SWP_SYNC_DERIVED ? SWP_SYNC_TEMPLATE : SWP_SYNC_DERIVED;
    if (bits & GOAL)
        way->sync_goal = way->sync_goal == SWP_SYNC_CYCLES ? SWP_SYNC_BARRIERS : SWP_SYNC_CYCLES;
    if (bits & PACE)
        way->sync_pace = !way->sync_pace;
    return !(bits & ~open) && (way->sync == SWP_SYNC_DERIVED || !(bits & (GOAL | PACE)));
}

swp_status swp_lower_choose_sync(swp_context *ctx, const swp_sync_freedom *freedom,
                                 swp_schedule *schedule)
{
    enum { WAYS = 8 };
    if (!freedom || !freedom->figures)
        return derive(ctx, schedule);
    const swp_schedule published = *schedule;
    synchronised best;
    SWP_TRY(try_way(ctx, freedom->figures, &published, &schedule->schedule, &best));
    for (unsigned bits = 1; bits < WAYS; bits++) {
        swp_schedule_config way = published.schedule;
        synchronised other;
        if (!vary(freedom, bits, &way))
            continue;
        SWP_TRY(try_way(ctx, freedom->figures, &published, &way, &other));
        if (is_better(&other, &best))
            best = other;
    }
    SWP_TRY(hand_out(ctx, &best, schedule));
    return warn_of_groups(ctx, freedom->figures, schedule);
}
