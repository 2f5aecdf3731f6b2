/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a search came to as numbers, reads it back, and makes its schedule of it again. */
#include "lower/kept_search.h"

#include "base/budget.h"
#include "base/numbers.h"
#include "base/require.h"
#include "ir/loop_assignments.h"
#include "ir/loop_clocks.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_resident.h"
#include "lower/loop_schedule.h"
#include "pipeline/shifts.h"
#include "pipeline/stages.h"

#include <limits.h>
#include <string.h>

/* What is kept of a search, but for what follows from the loop. */
typedef struct kept {
    int resident;     /* work groups that share a multiprocessor */
    const int *roles; /* of each op of passes */
    size_t role_count;
    size_t time_count;
    size_t slot_count;
    size_t bound_slot_count; /* 0: it has no problem */
    int part;
    int waits;
    int64_t steps; /* of the nominal clock, from the begin to the writing of what was chosen */
    bool stopped;
    swp_pipeline p;
    swp_diag *said;
    size_t said_count;
} kept;

/* --- The text --- */

static swp_status put_weights(swp_number_text *n, swp_amount_weights *w)
{
    swp_amount_weight *read = NULL;
    swp_numbers_count(n, &w->count);
    swp_numbers_of(n, &w->most, 0, INT64_MAX);
    if (n->at)
        SWP_TRY(SWP_TAKE(n->ctx, w->count, &read));
    for (size_t i = 0; i < w->count; i++) {
        swp_amount_weight item = {0};
        if (!n->at)
            item = w->items[i];
        swp_numbers_of(n, &item.amount, 0, INT64_MAX);
        swp_numbers_of(n, &item.weight, 0, INT64_MAX);
        if (read)
            read[i] = item;
    }
    w->items = n->at ? read : w->items;
    return SWP_OK;
}

static swp_status put_bound(swp_number_text *n, kept *k)
{
    swp_answer *b = &k->p.bound_answer;
    int status = (int)b->status;
    int kind = (int)b->bound_kind;
    swp_numbers_int(n, &status, 0, SWP_ANSWER_UNKNOWN);
    swp_numbers_int(n, &kind, 0, SWP_BOUND_SHIFTS);
    b->status = (swp_answer_status)status;
    b->bound_kind = (swp_bound_kind)kind;
    swp_numbers_of(n, &b->value, INT64_MIN, INT64_MAX);
    swp_numbers_of(n, &b->bound, INT64_MIN, INT64_MAX);
    swp_numbers_int(n, &b->bound_resource, INT_MIN, INT_MAX);
    SWP_TRY(put_weights(n, &b->bound_weights));
    SWP_TRY(swp_numbers_ints(n, &b->bound_edges, &b->bound_edge_count, 0, INT_MAX));
    return swp_numbers_ints(n, &k->p.bound_slots, &k->bound_slot_count, 0, SWP_MOST_SLOTS);
}

static swp_status put_core(swp_number_text *n, swp_loop_core *core)
{
    swp_loop_use *read = NULL;
    swp_numbers_count(n, &core->use_count);
    if (n->at)
        SWP_TRY(SWP_TAKE(n->ctx, core->use_count, &read));
    for (size_t i = 0; i < core->use_count; i++) {
        swp_loop_use use = {0};
        if (!n->at)
            use = core->uses[i];
        swp_numbers_int(n, &use.op, 0, INT_MAX);
        swp_numbers_int(n, &use.use, 0, INT_MAX);
        if (read)
            read[i] = use;
    }
    core->uses = n->at ? read : core->uses;
    SWP_TRY(swp_numbers_ints(n, &core->edges, &core->edge_count, 0, INT_MAX));
    SWP_TRY(swp_numbers_ints(n, &core->values, &core->value_count, 0, INT_MAX));
    swp_numbers_flag(n, &core->minimal);
    return SWP_OK;
}

static swp_status put_order_bound(swp_number_text *n, swp_loop_order_bound *b)
{
    const char **read = NULL;
    swp_numbers_of(n, &b->refuted, 0, INT64_MAX);
    swp_numbers_count(n, &b->queue_count);
    if (n->at)
        SWP_TRY(SWP_TAKE(n->ctx, b->queue_count, &read));
    for (size_t i = 0; i < b->queue_count; i++) {
        const char *queue = n->at ? "" : b->queues[i];
        SWP_TRY(swp_numbers_text(n, &queue));
        if (read)
            read[i] = queue;
    }
    b->queues = n->at ? read : b->queues;
    SWP_TRY(swp_numbers_ints(n, &b->values, &b->value_count, 0, INT_MAX));
    size_t slots = b->value_count;
    SWP_TRY(swp_numbers_ints(n, &b->slots, &slots, 0, INT_MAX));
    n->bad = n->bad || slots != b->value_count;
    return SWP_OK;
}

/* Places are of the loop's file. */
static swp_status put_said(swp_number_text *n, kept *k)
{
    swp_numbers_count(n, &k->said_count);
    if (n->at)
        SWP_TRY(SWP_TAKE(n->ctx, k->said_count, &k->said));
    for (size_t i = 0; i < k->said_count; i++) {
        swp_diag *d = &k->said[i];
        int severity = (int)d->severity;
        swp_numbers_int(n, &severity, 0, SWP_ERROR);
        d->severity = (swp_severity)severity;
        SWP_TRY(swp_numbers_text(n, &d->code));
        SWP_TRY(swp_numbers_text(n, &d->message));
        SWP_TRY(swp_numbers_text(n, &d->hint));
        SWP_TRY(swp_numbers_text(n, &d->subject));
        swp_numbers_int(n, &d->place.line, 0, INT_MAX);
        swp_numbers_int(n, &d->place.column, 0, INT_MAX);
    }
    return SWP_OK;
}

static swp_status put_pipeline(swp_number_text *n, kept *k)
{
    swp_pipeline *p = &k->p;
    int64_t work = (int64_t)p->work;
    swp_numbers_of(n, &p->answer.value, 1, INT64_MAX);
    SWP_TRY(swp_numbers_times(n, &p->answer.times, &k->time_count));
    SWP_TRY(swp_numbers_ints(n, &p->slots, &k->slot_count, 1, INT_MAX));
    swp_numbers_of(n, &p->any_interval, INT64_MIN, INT64_MAX);
    swp_numbers_flag(n, &p->interval_proven);
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        swp_numbers_flag(n, &p->proven[i]);
    swp_numbers_real(n, &p->fewest_cycles);
    swp_numbers_of(n, &work, 0, INT64_MAX);
    swp_numbers_int(n, &p->solved, 0, INT_MAX);
    p->work = (uint64_t)work;
    SWP_TRY(put_bound(n, k));
    SWP_TRY(put_core(n, &p->bound_core));
    return put_order_bound(n, &p->order_bound);
}

static swp_status put(swp_number_text *n, kept *k)
{
    swp_numbers_int(n, &k->resident, 1, SWP_MOST_RESIDENT);
    SWP_TRY(swp_numbers_ints(n, &k->roles, &k->role_count, INT_MIN, INT_MAX));
    swp_numbers_int(n, &k->part, 0, SWP_LOOP_ORDERS);
    swp_numbers_int(n, &k->waits, 0, SWP_ALL_WAITS_UNPROVEN);
    swp_numbers_of(n, &k->steps, 0, INT64_MAX);
    swp_numbers_flag(n, &k->stopped);
    SWP_TRY(put_pipeline(n, k));
    return put_said(n, k);
}

/* --- What it rests on --- */

static swp_loop passes_of(const swp_loop *loop)
{
    return loop->output_tiles ? swp_ir_loop_of_passes(loop) : *loop;
}

/* The bound's problem follows from its slots. */
static swp_status build_bound(swp_context *ctx, const kept *k, const swp_loop *passes,
                              swp_loop_problem *out)
{
    *out = (swp_loop_problem){.edges = NULL};
    return k->p.bound_slots ? swp_ir_loop_build_problem(ctx, passes, k->p.bound_slots, 0, out)
                            : SWP_OK;
}

/* With roles to be found, the bound may be another assignment's. */
static bool is_same_problem(const swp_problem *a, const swp_problem *b)
{
    bool same = a->op_count == b->op_count && a->edge_count == b->edge_count &&
                a->resource_count == b->resource_count;
    for (size_t i = 0; same && i < a->op_count; i++)
        same = strcmp(a->ops[i].name, b->ops[i].name) == 0;
    for (size_t i = 0; same && i < a->edge_count; i++)
        same = a->edges[i].producer == b->edges[i].producer &&
               a->edges[i].consumer == b->edges[i].consumer &&
               a->edges[i].delay == b->edges[i].delay &&
               a->edges[i].distance == b->edges[i].distance;
    return same;
}

static bool are_within(const int *items, size_t count, size_t most)
{
    for (size_t i = 0; i < count; i++)
        if ((size_t)items[i] >= most)
            return false;
    return true;
}

/* Whether what the bound names is there. */
static bool is_bound_of(const kept *k, const swp_loop *passes, const swp_problem *problem)
{
    const swp_answer *b = &k->p.bound_answer;
    const swp_loop_core *core = &k->p.bound_core;
    const swp_loop_order_bound *orders = &k->p.order_bound;
    bool fits = are_within(b->bound_edges, b->bound_edge_count, problem->edge_count) &&
                are_within(core->edges, core->edge_count, problem->edge_count) &&
                are_within(core->values, core->value_count, passes->value_count) &&
                are_within(orders->values, orders->value_count, passes->value_count);
    if (b->bound_kind == SWP_BOUND_RESOURCE)
        fits =
            fits && b->bound_resource >= 0 && (size_t)b->bound_resource < problem->resource_count;
    for (size_t i = 0; fits && core->uses && i < core->use_count; i++)
        fits = problem->ops && (size_t)core->uses[i].op < problem->op_count &&
               (size_t)core->uses[i].use < problem->ops[core->uses[i].op].use_count;
    return fits;
}

/* --- Keeping --- */

swp_search_start swp_lower_start_search(const swp_context *ctx, const swp_loop_options *options,
                                        const swp_loop *loop)
{
    return (swp_search_start){.options = options,
                              .loop = loop,
                              .steps = ctx->deadline ? ctx->deadline->work : 0,
                              .said = ctx->diags->count};
}

static swp_status describe(swp_context *ctx, const swp_search_start *start,
                           const swp_candidate *chosen, kept *k)
{
    const swp_pipeline *p = chosen->of->pipeline;
    int *roles = NULL;
    SWP_TRY(SWP_TAKE(ctx, p->loop->op_count, &roles));
    for (size_t i = 0; i < p->loop->op_count; i++)
        roles[i] = p->loop->ops[i].role;
    *k = (kept){.resident = swp_ir_loop_resident(p->loop),
                .roles = roles,
                .role_count = p->loop->op_count,
                .time_count = (size_t)swp_ir_loop_problem_ops(p->loop),
                .slot_count = p->loop->value_count,
                .bound_slot_count = p->bound_slots ? p->loop->value_count : 0,
                .part = (int)chosen->part,
                .waits = (int)chosen->of->waits,
                .steps = (int64_t)(chosen->began - start->steps),
                .stopped = ctx->stopped,
                .p = *p,
                .said = ctx->diags->items + start->said,
                .said_count = ctx->diags->count - start->said};
    return SWP_OK;
}

swp_status swp_lower_keep_search(swp_context *ctx, const swp_search_start *start,
                                 const swp_candidate *chosen)
{
    kept k;
    swp_loop_problem problem;
    swp_number_text n = {.ctx = ctx, .out = {.ctx = ctx}};
    if (!ctx->kept || !swp_pipeline_is_schedule(chosen))
        return SWP_OK;
    SWP_TRY(describe(ctx, start, chosen, &k));
    SWP_TRY(build_bound(ctx, &k, k.p.loop, &problem));
    if (k.p.bound_slots && !is_same_problem(&problem.problem, &k.p.bound_problem.problem))
        return SWP_OK;
    SWP_TRY(put(&n, &k));
    return swp_text_end(&n.out, &ctx->kept->now, &ctx->kept->now_length);
}

/* --- Taking --- */

static bool is_of_loop(const kept *k, const swp_loop *passes, const swp_number_text *n)
{
    bool fits = !n->bad && n->at == n->end && k->resident == swp_ir_loop_resident(passes) &&
                k->role_count == passes->op_count && k->slot_count == passes->value_count &&
                (k->bound_slot_count == 0 || k->bound_slot_count == passes->value_count);
    for (size_t i = 0; fits && i < passes->op_count; i++)
        fits = k->roles[i] == passes->ops[i].role || swp_ir_loop_has_choice(passes);
    return fits;
}

/* The pipeline of what was read; `*fits`: it is one of this loop. */
static swp_status rebuild(swp_context *ctx, const swp_loop *passes, const kept *k,
                          swp_pipeline *out, bool *fits)
{
    swp_pipeline given = k->p;
    bool proven[SWP_OBJECTIVE_COUNT];
    *fits = k->time_count == (size_t)swp_ir_loop_problem_ops(passes);
    if (!*fits)
        return SWP_OK;
    memcpy(proven, k->p.proven, sizeof proven);
    given.loop = passes;
    given.bound_slots = k->bound_slot_count > 0 ? k->p.bound_slots : NULL;
    given.answer.time_count = k->time_count;
    given.answer.bound = given.bound_answer.bound;
    given.answer.status =
        given.answer.bound == given.answer.value ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_FEASIBLE;
    SWP_TRY(build_bound(ctx, k, passes, &given.bound_problem));
    *fits = is_bound_of(k, passes, &given.bound_problem.problem);
    if (!*fits)
        return SWP_OK;
    SWP_TRY(
        swp_pipeline_retime(ctx, &given, k->p.slots, given.answer.value, given.answer.times, out));
    memcpy(out->proven, proven, sizeof proven);
    return swp_pipeline_fill_shifts(ctx, out);
}

/* As long after the begin of all as it was written the first time, so that limits end its derivation where they did. */
static void wait_for(swp_context *ctx, const swp_search_start *start, int64_t steps)
{
    swp_deadline *deadline = ctx->deadline;
    if (deadline && deadline->work < start->steps + (uint64_t)steps)
        deadline->work = start->steps + (uint64_t)steps;
}

static swp_status say(swp_context *ctx, const swp_loop *loop, const kept *k)
{
    for (size_t i = 0; i < k->said_count; i++) {
        swp_diag said = k->said[i];
        said.place.file = said.place.line > 0 ? loop->place.file : NULL;
        SWP_TRY(swp_context_report(ctx, &said));
    }
    ctx->stopped = ctx->stopped || k->stopped;
    return SWP_OK;
}

static swp_status find_passes(swp_context *ctx, const swp_loop *loop, const kept *k, swp_loop *out)
{
    const swp_loop passes = passes_of(loop);
    *out = passes;
    return swp_ir_loop_has_choice(&passes) ? swp_ir_loop_assign(ctx, &passes, k->roles, out)
                                           : SWP_OK;
}

static swp_status write_again(swp_context *ctx, const swp_search_start *start, const kept *k,
                              swp_schedule **out)
{
    swp_loop *passes = NULL;
    swp_pipeline *pipeline = NULL;
    swp_loop_and_pipeline *of = NULL;
    bool fits = false;
    SWP_TRY(SWP_TAKE(ctx, 1, &passes));
    SWP_TRY(SWP_TAKE(ctx, 1, &pipeline));
    SWP_TRY(SWP_TAKE(ctx, 1, &of));
    SWP_TRY(find_passes(ctx, start->loop, k, passes));
    SWP_TRY(rebuild(ctx, passes, k, pipeline, &fits));
    if (!fits)
        return SWP_OK;
    swp_candidate c = {.of = of};
    SWP_TRY(swp_lower_keep_roles(ctx, start->loop, pipeline, of));
    of->waits = (swp_loop_waits)k->waits;
    wait_for(ctx, start, k->steps);
    const swp_status status = swp_pipeline_write_candidate(
        ctx, start->options, swp_lower_loop_schedule, (swp_loop_part)k->part, &c);
    if (status != SWP_OK) /* what the candidate says is not told */
        return swp_pass_on(ctx, status);
    if (!swp_pipeline_is_schedule(&c))
        return SWP_OK;
    SWP_TRY(say(ctx, start->loop, k));
    c.schedule->metrics.stopped = ctx->stopped;
    *out = c.schedule;
    return SWP_OK;
}

swp_status swp_lower_take_search(swp_context *ctx, const swp_search_start *start,
                                 swp_schedule **out)
{
    const swp_kept_search *before = ctx->kept;
    const swp_loop passes = passes_of(start->loop);
    kept k = {0};
    if (!before || !before->before)
        return SWP_OK;
    swp_number_text n = {
        .ctx = ctx, .at = before->before, .end = before->before + before->before_length};
    SWP_TRY(put(&n, &k));
    if (!is_of_loop(&k, &passes, &n))
        return SWP_OK;
    const uint64_t steps = ctx->deadline ? ctx->deadline->work : 0;
    const size_t said = ctx->diags->count;
    const swp_status status = write_again(ctx, start, &k, out);
    if (status == SWP_OK && *out)
        return SWP_OK;
    if (swp_ends_work(status))
        return status;
    ctx->diags->count = said; /* it was not of this loop, and is searched for */
    if (ctx->deadline)
        ctx->deadline->work = steps;
    return SWP_OK;
}

/* --- The context --- */

swp_status swp_context_keep_search(swp_context *ctx, const char *text, size_t length)
{
    char *copy = NULL;
    SWP_REQUIRE(ctx, ctx);
    SWP_TRY(SWP_TAKE(ctx, 1, &ctx->kept));
    if (!text)
        return SWP_OK;
    SWP_TRY(swp_copy_text(ctx, text, length, &copy));
    ctx->kept->before = copy;
    ctx->kept->before_length = length;
    return SWP_OK;
}

bool swp_context_kept_search(const swp_context *ctx, const char **text, size_t *length)
{
    SWP_REQUIRE_OR(false, ctx && text && length);
    if (!ctx->kept || !ctx->kept->now)
        return false;
    *text = ctx->kept->now;
    *length = ctx->kept->now_length;
    return true;
}
