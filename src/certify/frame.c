/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the shape of a refutation, and finds the windows of its ops by longest paths. */
#include "certify/frame.h"

#include "certify/alike.h"
#include "certify/arcs.h"
#include "certify/bounds.h"

/* The edges of a problem whose distance is within a limit, and the components that they form. */
typedef struct whole {
    swp_arcs forwards;
    swp_arcs backwards;
    int *component;
} whole;

static swp_status open_whole(swp_context *ctx, const swp_problem *problem, int64_t most_distance,
                             whole *out)
{
    SWP_TRY(swp_certify_arcs_new(ctx, problem, most_distance, SWP_FORWARDS, &out->forwards));
    SWP_TRY(swp_certify_arcs_new(ctx, problem, most_distance, SWP_BACKWARDS, &out->backwards));
    return swp_certify_components(ctx, &out->forwards, &out->backwards, &out->component);
}

swp_status swp_certify_refutes_all_below(swp_context *ctx, const swp_problem *problem, bool *yes)
{
    whole w;
    *yes = true;
    if (problem->kind == SWP_PROBLEM_MAKESPAN)
        return SWP_OK;
    SWP_TRY(open_whole(ctx, problem, INT64_MAX, &w));
    for (size_t i = 0; i < problem->edge_count && *yes; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        *yes = edge->delay >= 0 || w.component[edge->producer] != w.component[edge->consumer];
    }
    return SWP_OK;
}

static swp_status refuse_windows(swp_judgement *judgement, const swp_frame *frame,
                                 const swp_certificate_step *step)
{
    for (size_t o = 0; o < frame->problem->op_count; o++)
        if (frame->encoded[o] && frame->low[o] > frame->high[o])
            return swp_certify_refuse(
                judgement, step->place,
                "op %zu (`%s`) could start from %lld to %lld only: a path or a cycle "
                "refutes %lld without a formula",
                o, frame->problem->ops[o].name, (long long)frame->low[o], (long long)frame->high[o],
                (long long)step->value);
    return SWP_OK;
}

/* An edge from an op to itself orders nothing. */
static swp_status add_arc(swp_context *ctx, swp_frame *frame, const swp_problem_edge *edge)
{
    if (edge->producer == edge->consumer)
        return SWP_OK;
    const swp_frame_arc arc = {edge->producer, edge->consumer,
                               edge->delay - frame->period * edge->distance};
    return SWP_PUSH(ctx, &frame->arcs, arc);
}

static swp_status frame_makespan(swp_context *ctx, swp_judgement *judgement,
                                 const swp_certificate_step *step, swp_frame *frame)
{
    const swp_problem *problem = frame->problem;
    SWP_TRY(swp_certify_heads_and_tails(ctx, judgement, problem, &frame->low, &frame->high));
    for (size_t o = 0; o < problem->op_count; o++) {
        frame->encoded[o] = true;
        frame->high[o] = step->value - frame->high[o];
    }
    for (size_t i = 0; i < problem->edge_count; i++)
        SWP_TRY(add_arc(ctx, frame, &problem->edges[i]));
    return SWP_OK;
}

/* Finds the longest paths from and to each reference, within its component. */
static swp_status open_windows(swp_context *ctx, swp_judgement *judgement, const whole *w,
                               const swp_certificate_step *step, swp_frame *frame)
{
    const size_t ops = frame->problem->op_count;
    bool endless = false;
    for (size_t o = 0; o < ops; o++)
        frame->low[o] = frame->high[o] = SWP_NO_PATH;
    for (size_t i = 0; i < step->references.count; i++)
        frame->low[step->references.items[i]] = frame->high[step->references.items[i]] = 0;
    SWP_TRY(swp_certify_longest_paths(ctx, judgement, &w->forwards, w->component, frame->period,
                                      frame->low, &endless));
    if (!endless)
        SWP_TRY(swp_certify_longest_paths(ctx, judgement, &w->backwards, w->component,
                                          frame->period, frame->high, &endless));
    if (endless)
        return swp_certify_refuse(
            judgement, step->place,
            "the delays of a cycle are too long for %lld: a cycle step proves that",
            (long long)step->value);
    for (size_t o = 0; o < ops; o++)
        frame->encoded[o] = frame->low[o] != SWP_NO_PATH;
    return SWP_OK;
}

/* The fixed reference holds its component to one place; other references may be in any slot. */
static void close_windows(const whole *w, const swp_certificate_step *step, swp_frame *frame)
{
    const int fixed = step->fixed < 0 ? -1 : w->component[step->fixed];
    for (size_t o = 0; o < frame->problem->op_count; o++) {
        if (!frame->encoded[o])
            continue;
        const bool free = frame->period > 0 && w->component[o] != fixed;
        frame->high[o] = (free ? frame->period - 1 : 0) - frame->high[o];
    }
}

static swp_status add_inner_arcs(swp_context *ctx, const whole *w, int64_t most_distance,
                                 swp_frame *frame)
{
    for (size_t i = 0; i < frame->problem->edge_count; i++) {
        const swp_problem_edge *edge = &frame->problem->edges[i];
        if (edge->distance <= most_distance && frame->encoded[edge->producer] &&
            w->component[edge->producer] == w->component[edge->consumer])
            SWP_TRY(add_arc(ctx, frame, edge));
    }
    return SWP_OK;
}

/* Refuses references of which two are in one component, and a `fixed` op that is none of them. */
static swp_status judge_references(swp_context *ctx, swp_judgement *judgement, const whole *w,
                                   const swp_certificate_step *step, size_t ops)
{
    bool *taken = NULL; /* by component */
    bool has_fixed = step->fixed < 0;
    SWP_TRY(SWP_TAKE(ctx, ops, &taken));
    for (size_t i = 0; i < step->references.count; i++) {
        const int op = step->references.items[i];
        if (op < 0 || (size_t)op >= ops)
            return swp_certify_refuse(judgement, step->place,
                                      "`references` has op %d, but there are %zu ops", op, ops);
        if (taken[w->component[op]])
            return swp_certify_refuse(judgement, step->place,
                                      "`references` has op %d and another op of its component", op);
        taken[w->component[op]] = true;
        has_fixed = has_fixed || op == step->fixed;
    }
    return has_fixed ? SWP_OK
                     : swp_certify_refuse(judgement, step->place, "`fixed`, op %d, is no reference",
                                          step->fixed);
}

static swp_status frame_components(swp_context *ctx, swp_judgement *judgement,
                                   const swp_certificate_step *step, int64_t most_distance,
                                   swp_frame *frame)
{
    whole w;
    SWP_TRY(open_whole(ctx, frame->problem, most_distance, &w));
    SWP_TRY(judge_references(ctx, judgement, &w, step, frame->problem->op_count));
    SWP_TRY(SWP_TAKE(ctx, frame->problem->op_count, &frame->low));
    SWP_TRY(SWP_TAKE(ctx, frame->problem->op_count, &frame->high));
    SWP_TRY(open_windows(ctx, judgement, &w, step, frame));
    close_windows(&w, step, frame);
    SWP_TRY(add_inner_arcs(ctx, &w, most_distance, frame));
    return swp_certify_add_alike(ctx, judgement, w.component, step, frame);
}

/* Sets the range of slots that anything may hold. */
static void set_slots(swp_frame *frame)
{
    frame->first_slot = frame->period > 0 ? 0 : INT64_MAX;
    frame->last_slot = frame->period > 0 ? frame->period - 1 : INT64_MIN;
    for (size_t o = 0; o < frame->problem->op_count && frame->period == 0; o++) {
        const swp_problem_op *op = &frame->problem->ops[o];
        for (size_t u = 0; u < op->use_count && frame->encoded[o]; u++) {
            if (op->uses[u].cycles == 0)
                continue;
            const int64_t last = frame->high[o] + op->uses[u].cycles - 1;
            frame->last_slot = last > frame->last_slot ? last : frame->last_slot;
            frame->first_slot =
                frame->low[o] < frame->first_slot ? frame->low[o] : frame->first_slot;
        }
    }
}

static swp_status judge_shape(swp_judgement *judgement, const swp_problem *problem,
                              const swp_certificate_step *step)
{
    const bool component = step->scope == SWP_REFUTED_COMPONENT;
    const bool makespan = problem->kind == SWP_PROBLEM_MAKESPAN;
    const int64_t most = swp_problem_reach(problem);
    if (!component && (step->value < (makespan ? 0 : 1) || step->value > most))
        return swp_certify_refuse(judgement, step->place,
                                  "%lld is no value to be refuted: values are from %d to %lld",
                                  (long long)step->value, makespan ? 0 : 1, (long long)most);
    if (component && (step->references.count != 1 || step->fixed != step->references.items[0]))
        return swp_certify_refuse(judgement, step->place,
                                  "a refuted component has one reference, which is fixed");
    if ((component || makespan) && step->alike.count > 0)
        return swp_certify_refuse(judgement, step->place, "no ops may be alike in this scope");
    if (!component && makespan && (step->references.count > 0 || step->fixed >= 0))
        return swp_certify_refuse(judgement, step->place, "a makespan has no references");
    return SWP_OK;
}

swp_status swp_certify_frame_new(swp_context *ctx, swp_judgement *judgement,
                                 const swp_problem *problem, const swp_certificate_step *step,
                                 swp_frame *out)
{
    *out = (swp_frame){.problem = problem};
    SWP_TRY(judge_shape(judgement, problem, step));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &out->encoded));
    if (step->scope == SWP_REFUTED_COMPONENT) {
        SWP_TRY(frame_components(ctx, judgement, step, 0, out));
    } else if (problem->kind == SWP_PROBLEM_MODULO) {
        out->period = step->value;
        SWP_TRY(frame_components(ctx, judgement, step, INT64_MAX, out));
    } else {
        SWP_TRY(frame_makespan(ctx, judgement, step, out));
    }
    SWP_TRY(refuse_windows(judgement, out, step));
    set_slots(out);
    return SWP_OK;
}
