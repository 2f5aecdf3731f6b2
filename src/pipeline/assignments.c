/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which role does each op: it finds pipelines for all assignments, except those that bounds
 * show to be no better. The proofs about each of them together prove that the best one is.
 */
#include "pipeline/assignments.h"

#include "base/budget.h"
#include "base/diag.h"
#include "ir/loop_assignments.h"
#include "ir/roles.h"

typedef struct assignment {
    int *roles;    /* of each op */
    swp_loop loop; /* the loop with these roles */
    swp_pipeline pipeline;
    swp_status status;
    swp_diags diags;
} assignment;

typedef struct finder {
    swp_context *ctx;
    const swp_loop *loop;
    struct {
        assignment *items;
        size_t count;
        size_t capacity;
    } all;
    const assignment *best;
    double began;
    uint64_t work;
    int solved;
    bool cut; /* a limit left something open for one of them */
} finder;

static swp_status note(finder *f, const int *choice)
{
    assignment a = {0};
    SWP_TRY(SWP_TAKE(f->ctx, f->loop->op_count, &a.roles));
    for (int i = 0; i < (int)f->loop->op_count; i++)
        a.roles[i] = swp_ir_loop_choice(f->loop, i, choice[i]);
    SWP_TRY(swp_ir_loop_assign(f->ctx, f->loop, a.roles, &a.loop));
    return SWP_PUSH(f->ctx, &f->all, a);
}

static swp_status refuse(const finder *f)
{
    char *hint = NULL;
    SWP_TRY(swp_format(f->ctx, &hint,
                       "let ops that touch the same registers be of one role, and wgmmas of one of "
                       "%d warps",
                       SWP_IR_GROUP_WARPS));
    return swp_error(f->ctx, SWP_E0333, f->loop->place, hint,
                     "%s: no roles of its ops keep the registers of each value in one role",
                     f->loop->name);
}

static swp_status list_assignments(finder *f)
{
    int *choice = NULL;
    SWP_TRY(SWP_TAKE(f->ctx, f->loop->op_count, &choice));
    for (size_t i = 0; i < f->loop->op_count; i++)
        choice[i] = -1;
    while (f->all.count <= SWP_MOST_ASSIGNMENTS && swp_ir_loop_next_assignment(f->loop, choice))
        SWP_TRY(note(f, choice));
    if (f->all.count == 0)
        return refuse(f);
    if (f->all.count > SWP_MOST_ASSIGNMENTS)
        return swp_error(
            f->ctx, SWP_E0333, f->loop->place, "say the roles of more ops",
            "%s: its ops can be given to roles in more than the %d ways that are tried",
            f->loop->name, SWP_MOST_ASSIGNMENTS);
    return SWP_OK;
}

/* Splits what is left of the limits equally among the remaining assignments. */
static void share_limits(const finder *f, size_t left, swp_context *own)
{
    const swp_limits *limits = &f->ctx->limits;
    const double passed = swp_search_clock(f->ctx) - f->began;
    own->began = swp_search_clock(f->ctx);
    if (limits->seconds > 0)
        own->limits.seconds =
            passed < limits->seconds ? (limits->seconds - passed) / (double)left : 1e-9;
    if (limits->work > 0)
        own->limits.work = f->work + left < limits->work ? (limits->work - f->work) / left : 1;
}

/* Returns how much of an objective a pipeline has. */
static int64_t cost(const swp_pipeline *p, swp_objective objective)
{
    if (objective == SWP_LEAST_STAGES)
        return p->stages;
    return p->bytes[objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS];
}

static bool has_times(const assignment *a)
{
    return a->status == SWP_OK && a->pipeline.answer.times;
}

static bool is_better(const swp_pipeline *p, const swp_pipeline *than)
{
    if (p->answer.value != than->answer.value)
        return p->answer.value < than->answer.value;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = p->loop->objectives[i];
        if (cost(p, objective) != cost(than, objective))
            return cost(p, objective) < cost(than, objective);
    }
    return false;
}

/* An assignment keeps its diagnostics to itself; they are reported only if it is the one that is returned. */
static swp_status try_assignment(finder *f, assignment *a, size_t left)
{
    enum { FIRST_DIAGS = 8 };
    swp_context own = *f->ctx;
    a->diags = (swp_diags){.arena = f->ctx->arena, .capacity = FIRST_DIAGS};
    SWP_TRY(SWP_TAKE(f->ctx, FIRST_DIAGS, &a->diags.items));
    own.diags = &a->diags;
    share_limits(f, left, &own);
    const int64_t most = f->best ? f->best->pipeline.answer.value : 0;
    bool cut = false;
    a->status = swp_pipeline_of_roles(&own, &a->loop, most, &a->pipeline, NULL, &cut);
    f->cut = f->cut || cut || a->status == SWP_STOPPED;
    f->work += a->pipeline.work;
    f->solved += a->pipeline.solved;
    if (has_times(a) && (!f->best || is_better(&a->pipeline, &f->best->pipeline)))
        f->best = a;
    return a->status == SWP_OUT_OF_MEMORY ? swp_pass_on(f->ctx, a->status) : SWP_OK;
}

/*
 * Returns the bound of an assignment: the lowest one if a limit left it open, the highest if it has
 * no pipeline.
 */
static int64_t bound_of(const assignment *a)
{
    if (a->status == SWP_INFEASIBLE)
        return INT64_MAX;
    return a->status == SWP_OK ? a->pipeline.bound_answer.bound : 1;
}

/*
 * The lowest bound of any assignment bounds all of them. If that of `meant` is as low, it stands
 * with its reason.
 */
static void take_bound(const finder *f, const assignment *meant, swp_pipeline *out)
{
    const assignment *lowest = meant;
    for (size_t i = 0; i < f->all.count; i++)
        if (bound_of(&f->all.items[i]) < bound_of(lowest))
            lowest = &f->all.items[i];
    if (lowest != meant && lowest->status == SWP_OK) {
        out->bound_problem = lowest->pipeline.bound_problem;
        out->bound_answer = lowest->pipeline.bound_answer;
        out->bound_slots = lowest->pipeline.bound_slots;
        out->bound_core = lowest->pipeline.bound_core;
    } else if (lowest != meant) {
        out->bound_answer.bound = 1;
        out->bound_answer.bound_kind = SWP_BOUND_NONE;
    }
    out->answer.bound = out->bound_answer.bound;
    out->interval_proven = out->answer.bound >= out->answer.value;
    out->answer.status = out->interval_proven ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_FEASIBLE;
}

/* Returns whether an assignment is proven to have no better pipeline, by the first so many objectives. */
static bool is_settled(const assignment *a, const swp_pipeline *best, int objectives)
{
    const swp_pipeline *p = &a->pipeline;
    if (bound_of(a) > best->answer.value)
        return true;
    if (!has_times(a) || p->answer.value != best->answer.value)
        return false;
    for (int i = 0; i < objectives; i++) {
        const swp_objective objective = best->loop->objectives[i];
        if (!p->proven[objective])
            return false;
        if (cost(p, objective) > cost(best, objective))
            return true;
    }
    return true;
}

static void take_proofs(const finder *f, swp_pipeline *out)
{
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        bool *proven = &out->proven[f->loop->objectives[i]];
        for (size_t a = 0; a < f->all.count; a++)
            *proven = *proven && is_settled(&f->all.items[a], &f->best->pipeline, i + 1);
    }
}

static swp_status join_refutations(const finder *f, swp_pipeline *out)
{
    swp_loop_refutation *all = NULL;
    size_t count = 0;
    for (size_t i = 0; i < f->all.count; i++)
        count += f->all.items[i].pipeline.refutation_count;
    SWP_TRY(SWP_TAKE(f->ctx, count, &all));
    out->refutations = all;
    out->refutation_count = count;
    for (size_t i = 0; i < f->all.count; i++) {
        const assignment *a = &f->all.items[i];
        for (size_t r = 0; r < a->pipeline.refutation_count; r++) {
            *all = a->pipeline.refutations[r];
            (all++)->roles = a->roles;
        }
    }
    return SWP_OK;
}

static swp_status say(finder *f, const assignment *a)
{
    for (size_t i = 0; i < a->diags.count; i++)
        SWP_TRY(swp_context_report(f->ctx, &a->diags.items[i]));
    return SWP_OK;
}

/* If no assignment has a pipeline, one that was stopped comes first, since it might have had one. */
static const assignment *choose_failure(const finder *f)
{
    for (size_t i = 0; i < f->all.count; i++)
        if (f->all.items[i].status == SWP_STOPPED)
            return &f->all.items[i];
    return &f->all.items[0];
}

static swp_status hand_out(finder *f, swp_pipeline *out)
{
    if (!f->best) {
        const assignment *failure = choose_failure(f);
        SWP_TRY(say(f, failure));
        return failure->status;
    }
    SWP_TRY(say(f, f->best));
    *out = f->best->pipeline;
    take_bound(f, f->best, out);
    take_proofs(f, out);
    for (size_t i = 0; i < f->all.count; i++)
        if (has_times(&f->all.items[i]) &&
            f->all.items[i].pipeline.any_interval < out->any_interval)
            out->any_interval = f->all.items[i].pipeline.any_interval;
    out->work = f->work;
    out->solved = f->solved;
    return join_refutations(f, out);
}

/* The best pipeline's proofs hold for another one, too, up to the first objective of which that has more. */
static void take_lesser_proofs(const finder *f, const swp_pipeline *best, swp_pipeline *out)
{
    bool is_as_good = true;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = f->loop->objectives[i];
        is_as_good = is_as_good && cost(out, objective) == cost(best, objective);
        out->proven[objective] = is_as_good && best->proven[objective];
    }
}

static swp_status list_others(const finder *f, const swp_pipeline *best, swp_pipeline_list *others)
{
    for (size_t i = 0; i < f->all.count; i++) {
        const assignment *a = &f->all.items[i];
        if (a == f->best || !has_times(a) || a->pipeline.answer.value != best->answer.value)
            continue;
        swp_pipeline other = a->pipeline;
        take_bound(f, a, &other);
        take_lesser_proofs(f, best, &other);
        other.any_interval = best->any_interval;
        other.work = best->work;
        other.solved = best->solved;
        other.refutations = best->refutations;
        other.refutation_count = best->refutation_count;
        SWP_TRY(SWP_PUSH(f->ctx, others, other));
    }
    return SWP_OK;
}

swp_status swp_pipeline_find_roles(swp_context *ctx, const swp_loop *loop, swp_pipeline *out,
                                   swp_pipeline_list *others, bool *cut)
{
    finder f = {.ctx = ctx, .loop = loop, .began = swp_search_began(ctx)};
    SWP_TRY(swp_check_loop(ctx, loop));
    SWP_TRY(list_assignments(&f));
    for (size_t i = 0; i < f.all.count; i++)
        SWP_TRY(try_assignment(&f, &f.all.items[i], f.all.count - i));
    SWP_TRY(hand_out(&f, out));
    if (others)
        SWP_TRY(list_others(&f, out, others));
    *cut = f.cut && swp_pipeline_is_open(out);
    return SWP_OK;
}
