/* SPDX-License-Identifier: Apache-2.0 */
/* From a loop to a schedule: what it takes, its pipeline, and the schedule of that whose waits cost least. */
#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/loop_clocks.h"
#include "ir/loop_copy.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_rates.h"
#include "ir/loop_resident.h"
#include "ir/loop_warnings.h"
#include "ir/roles.h"
#include "lower/kept_search.h"
#include "lower/loop_schedule.h"
#include "lower/roles.h"
#include "pipeline/choose.h"
#include "pipeline/least_interval.h"
#include "swp/simulate.h"
#include "swp/target.h"
#include "target/loop_role.h"

static int64_t longest_of(const swp_loop_op *op)
{
    int64_t longest = op->latency > op->read_cycles ? op->latency : op->read_cycles;
    longest = op->issue > longest ? op->issue : longest;
    for (size_t u = 0; u < op->use_count; u++)
        longest = op->uses[u].cycles > longest ? op->uses[u].cycles : longest;
    return longest;
}

/* What takes longer fits neither the entries of a schedule nor the sums over its passes. */
static swp_status check_cycles(swp_context *ctx, const swp_loop *loop)
{
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++)
        if (longest_of(op) > SWP_MOST_STEP_CYCLES)
            return swp_error(ctx, SWP_E0327, op->place, "swp_pipeline_loop() takes more",
                             "op %s takes %lld cycles, and one of a schedule %lld at most",
                             op->name, (long long)longest_of(op), (long long)SWP_MOST_STEP_CYCLES);
    if (loop->signal <= SWP_MOST_STEP_CYCLES)
        return SWP_OK;
    return swp_error(ctx, SWP_E0327, loop->place, "swp_pipeline_loop() takes more",
                     "a signal takes %lld cycles, and one of a schedule %lld at most",
                     (long long)loop->signal, (long long)SWP_MOST_STEP_CYCLES);
}

swp_status swp_lower_keep_roles(swp_context *ctx, const swp_loop *loop, swp_pipeline *pipeline,
                                swp_loop_and_pipeline *out)
{
    const swp_loop *passes = pipeline->loop;
    swp_loop *whole = NULL;
    swp_loop_op *ops = NULL;
    *out = (swp_loop_and_pipeline){.loop = passes, .pipeline = pipeline};
    if (!loop->output_tiles)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, 1, &whole));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    for (size_t i = 0; i < loop->op_count; i++)
        ops[i] = loop->ops[i];
    for (size_t i = 0; i < passes->op_count; i++)
        ops[(size_t)swp_ir_loop_first_of_passes(loop) + i] = passes->ops[i];
    *whole = *loop;
    whole->ops = ops;
    out->loop = whole;
    return SWP_OK;
}

static swp_status keep_all(swp_context *ctx, const swp_loop *loop, swp_pipeline_list *list,
                           const swp_loop_and_pipeline **out, size_t *count)
{
    swp_loop_and_pipeline *kept = NULL;
    SWP_TRY(SWP_TAKE(ctx, list->count, &kept));
    for (size_t i = 0; i < list->count; i++)
        SWP_TRY(swp_lower_keep_roles(ctx, loop, &list->items[i], &kept[i]));
    *out = kept;
    *count = list->count;
    return SWP_OK;
}

static swp_status check(swp_context *ctx, const swp_loop_options *options, swp_loop *loop)
{
    const swp_target *named = options->target ? swp_target_find(options->target) : NULL;
    const swp_target *target = options->limits ? options->limits : named;
    if (loop->op_count > SWP_MOST_SCHEDULE_OPS)
        return swp_error(ctx, SWP_E0327, SWP_NOWHERE, "swp_pipeline_loop() takes more",
                         "%zu ops are more than the %d that a schedule takes", loop->op_count,
                         SWP_MOST_SCHEDULE_OPS);
    SWP_TRY(swp_check_loop(ctx, loop));
    if (target)
        SWP_TRY(swp_target_give_role(ctx, target, &options->machine, loop));
    if (loop->cluster > 1 && !swp_ir_loop_has_roles(loop))
        return swp_error(ctx, SWP_E0327, loop->place, "give the loop warp roles",
                         "the loop has a cluster of %d work groups, and no warp roles",
                         loop->cluster);
    if (swp_ir_loop_has_rates(loop) && !swp_ir_loop_has_roles(loop))
        return swp_error(ctx, SWP_E0327, loop->place,
                         "give the loop warp roles, or let the unit be a number",
                         "a unit of the loop is a rate, and the loop has no warp roles");
    SWP_TRY(check_cycles(ctx, loop));
    SWP_TRY(swp_ir_check_loop_clocks(ctx, loop));
    SWP_TRY(swp_ir_loop_has_roles(loop) ? swp_lower_role_completions(ctx, loop)
                                        : swp_ir_check_store_groups(ctx, loop));
    SWP_TRY(target ? swp_loop_limit(ctx, target, &options->machine, loop)
                   : swp_ir_loop_share_units(ctx, swp_ir_least_resident(loop), loop));
    SWP_TRY(check_cycles(ctx, loop));
    return swp_ir_warn_of_loop(ctx, loop, &options->machine);
}

/*
 * Iterations are counted on from one output tile to the next, so that no literal names the slot of a value that takes
 * turns, and registers cannot be indexed. Those whose slots the user leaves open take turns only for a lesser interval.
 */
static swp_status hold_registers(swp_context *ctx, const swp_pipeline *found, swp_loop *loop,
                                 bool *any)
{
    swp_loop_value *values = NULL;
    *any = false;
    if (!loop->output_tiles || loop->objectives_stated)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &values));
    for (size_t v = 0; v < loop->value_count; v++) {
        values[v] = loop->values[v];
        if (values[v].space != SWP_SPACE_REGISTERS || values[v].least_slots > 1 ||
            swp_ir_loop_stated_most(loop, (int)v) != 0)
            continue;
        *any = *any || found->slots[v] > 1;
        values[v].most_slots = 1;
    }
    loop->values = values;
    return SWP_OK;
}

/* The pipeline of a loop, with registers that take no turns where another one has no lesser interval. */
static swp_status find(swp_context *ctx, const swp_loop **loop, swp_pipeline *pipeline,
                       swp_pipeline_list *others, swp_pipeline_list *longer, bool *cut)
{
    enum { DIAGS = 4 };
    swp_diag items[DIAGS];
    swp_diags unsaid = {.items = items, .capacity = DIAGS, .arena = ctx->arena};
    swp_context own = *ctx;
    swp_pipeline *other = NULL;
    swp_loop *held = NULL;
    swp_pipeline_list its = {0};
    swp_pipeline_list its_longer = {0};
    bool is_cut = false;
    bool any = false;
    SWP_TRY(swp_pipeline_find(ctx, *loop, pipeline, others, longer, cut));
    SWP_TRY(swp_ir_loop_copy(ctx, *loop, &held));
    SWP_TRY(hold_registers(ctx, pipeline, held, &any));
    if (!any)
        return SWP_OK;
    own.diags = &unsaid;
    SWP_TRY(SWP_TAKE(ctx, 1, &other));
    const swp_status status = swp_pipeline_find(&own, held, other, &its, &its_longer, &is_cut);
    if (status == SWP_OUT_OF_MEMORY)
        return swp_out_of_memory(ctx);
    if (status != SWP_OK || other->answer.value > pipeline->answer.value)
        return SWP_OK;
    *pipeline = *other;
    *others = its;
    *longer = its_longer;
    *loop = held;
    *cut = is_cut;
    return SWP_OK;
}

static swp_status search(swp_context *ctx, const swp_loop_options *options, const swp_loop *loop,
                         swp_candidate *out)
{
    swp_pipeline *pipeline = NULL;
    swp_pipeline_list others = {0};
    swp_pipeline_list longer = {0};
    swp_loop_and_pipeline found;
    swp_pipeline_choice choice = {
        .options = options, .found = &found, .write = swp_lower_loop_schedule};
    SWP_TRY(SWP_TAKE(ctx, 1, &pipeline));
    SWP_TRY(find(ctx, &loop, pipeline, &others, &longer, &choice.cut));
    SWP_TRY(swp_lower_keep_roles(ctx, loop, pipeline, &found));
    SWP_TRY(keep_all(ctx, loop, &others, &choice.others, &choice.other_count));
    SWP_TRY(keep_all(ctx, loop, &longer, &choice.longer, &choice.longer_count));
    return swp_pipeline_choose(ctx, &choice, out);
}

/* What was kept goes to where it lives as long as the context, and not as the schedule. */
static swp_status move_kept(swp_context *ctx)
{
    swp_kept_search *kept = ctx->kept;
    return kept && kept->now ? swp_copy_text(ctx, kept->now, kept->now_length, &kept->now) : SWP_OK;
}

/* The search where so many work groups share a multiprocessor. What it says is told if it is the best one. */
typedef struct shared_search {
    swp_context own;
    swp_diags said;
    swp_search_start start;
    swp_loop *loop;
    swp_schedule *taken; /* of a search that was kept */
    swp_candidate chosen;
    swp_status status;
} shared_search;

static swp_status open_search(swp_context *ctx, const swp_loop_options *options,
                              const swp_loop *given, int work_groups, shared_search *s)
{
    enum { FIRST_DIAGS = 8 };
    *s = (shared_search){.own = *ctx, .said = {.arena = ctx->arena, .capacity = FIRST_DIAGS}};
    SWP_TRY(SWP_TAKE(ctx, FIRST_DIAGS, &s->said.items));
    SWP_TRY(swp_ir_loop_copy(ctx, given, &s->loop));
    s->own.diags = &s->said;
    if (given->least_resident > 0) {
        s->loop->least_resident = work_groups;
        s->loop->most_resident = work_groups;
    }
    s->status = check(&s->own, options, s->loop);
    if (s->status != SWP_OK)
        return SWP_OK;
    s->start = swp_lower_start_search(&s->own, options, s->loop);
    return swp_lower_take_search(&s->own, &s->start, &s->taken);
}

/* The best of all searches that found a schedule; else the first, whose errors are told. */
static swp_status best_of(swp_context *ctx, shared_search *all, int count, shared_search **best)
{
    swp_candidate *found = NULL;
    const swp_candidate *chosen = NULL;
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &found));
    for (int i = 0; i < count; i++) {
        found[i] = all[i].chosen;
        found[i].status = all[i].status;
    }
    if (!all->loop->objectives_stated)
        chosen = swp_pipeline_leanest(found, (size_t)count);
    for (int i = 0; all->loop->objectives_stated && i < count; i++)
        if (swp_pipeline_is_schedule(&found[i]) &&
            (!chosen || swp_pipeline_is_better(&found[i], chosen)))
            chosen = &found[i];
    *best = chosen ? &all[chosen - found] : all;
    return SWP_OK;
}

static swp_status tell(swp_context *ctx, const shared_search *s, swp_status status)
{
    for (size_t i = 0; i < s->said.count; i++)
        SWP_TRY(swp_context_report(ctx, &s->said.items[i]));
    ctx->stopped = ctx->stopped || s->own.stopped;
    return status;
}

/* What a search says that ended all work. */
static swp_status go_on(swp_context *ctx, const shared_search *s, swp_status status)
{
    return status == SWP_OK ? SWP_OK : tell(ctx, s, status);
}

/* Each of several searches has its share of the seconds. */
static swp_status run_search(swp_context *ctx, const swp_loop_options *options, int searches,
                             shared_search *s)
{
    if (s->status != SWP_OK)
        return SWP_OK;
    if (searches > 1) {
        s->own.limits.seconds /= searches;
        s->own.began = swp_search_clock(ctx);
    }
    s->status = search(&s->own, options, s->loop, &s->chosen);
    return swp_ends_work(s->status) ? s->status : SWP_OK;
}

/* What a search with fewer work groups found is handed out, with a moment to complete it. */
static swp_status end_searches(swp_context *ctx, const shared_search *at)
{
    swp_give_grace(ctx);
    ctx->stopped = true;
    return swp_warn(
        ctx, SWP_W0401, SWP_NOWHERE, "allow more time",
        "the search with %d work groups that share a multiprocessor came to no end: the "
        "best with fewer of them is handed out",
        at->loop->least_resident);
}

/* Each has its time, and the time for all work may end before the last. */
static swp_status run_searches(swp_context *ctx, const swp_loop_options *options,
                               shared_search *all, int count)
{
    bool found = false;
    for (int i = 0; i < count; i++) {
        const swp_status status = run_search(ctx, options, count, &all[i]);
        if (status == SWP_STOPPED && found)
            return end_searches(ctx, &all[i]);
        SWP_TRY(go_on(ctx, &all[i], status));
        found = found || all[i].status == SWP_OK;
    }
    return SWP_OK;
}

static swp_status compile(swp_context *ctx, const swp_loop_options *options, const swp_loop *given,
                          swp_schedule **out)
{
    const int least = swp_ir_least_resident(given);
    const int count = given->most_resident > least ? given->most_resident - least + 1 : 1;
    shared_search *all = NULL;
    shared_search *best = NULL;
    SWP_TRY(swp_check_loop(ctx, given));
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &all));
    for (int i = 0; i < count && !best; i++) {
        SWP_TRY(go_on(ctx, &all[i], open_search(ctx, options, given, least + i, &all[i])));
        best = all[i].taken ? &all[i] : NULL;
    }
    if (best) {
        *out = best->taken;
        return tell(ctx, best, SWP_OK);
    }
    SWP_TRY(run_searches(ctx, options, all, count));
    SWP_TRY(best_of(ctx, all, count, &best));
    *out = best->chosen.schedule;
    const swp_status status = best->status == SWP_OK
                                  ? swp_lower_keep_search(&best->own, &best->start, &best->chosen)
                                  : best->status;
    return tell(ctx, best, status);
}

swp_status swp_compile_loop(swp_context *ctx, const swp_loop *loop, const swp_loop_options *options,
                            swp_schedule **out)
{
    if (out)
        *out = NULL;
    SWP_REQUIRE(ctx, ctx && loop && out);
    static const swp_loop_options none = {0};
    swp_loop_options chosen = options ? *options : none;
    swp_context inner;
    if (!options)
        chosen.machine = swp_machine_default();
    SWP_TRY(swp_scope_open(ctx, &inner));
    inner.stopped = false;
    inner.began = swp_search_clock(ctx);
    swp_schedule *schedule = NULL;
    swp_status status = compile(&inner, &chosen, loop, &schedule);
    if (status == SWP_OK)
        status = move_kept(ctx);
    if (status == SWP_OK)
        *out = schedule;
    else
        swp_scope_close(&inner);
    return status;
}
