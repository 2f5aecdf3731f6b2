/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation validation: what became of the entries, whether that is safe, and what it costs, in this
 * order.
 */
#include "audit/match/schedule.h"

#include "audit/flow/findings.h"
#include "audit/match/compare.h"
#include "audit/match/validation.h"
#include "ir/implied_barriers.h"

static const swp_insn *insn_at(const swp_validation *v, int index)
{
    return &v->path->flow->code->insns.items[index];
}

swp_status swp_match_obstacle(const swp_validation *validation, int insn, const char *what)
{
    const char *why = NULL;
    SWP_TRY(swp_code_copy_printable_name(validation->ctx, what, &why));
    return swp_flow_add_note(validation->ctx, insn < 0 ? NULL : insn_at(validation, insn), why,
                             &validation->out->obstacles);
}

const swp_lag *swp_match_lag(const swp_validation *validation)
{
    return &validation->lags->items[validation->path->flow->loops[validation->path->loop].header];
}

static swp_status take_obstacles(const swp_validation *v, const swp_attribution *from)
{
    for (size_t i = 0; i < from->obstacles.count; i++)
        SWP_TRY(
            swp_match_obstacle(v, from->obstacles.items[i].insn, from->obstacles.items[i].what));
    return SWP_OK;
}

/* Reads the code as one so many of whose iterations are a pass of the schedule. */
static swp_status attribute_as(swp_validation *v, int iterations, const swp_attribution *like,
                               int passes, swp_walk *walk, swp_attribution *out)
{
    SWP_TRY(swp_match_walk_take(v->ctx, v->path, iterations, passes, walk));
    return swp_match_attribute(v->ctx, &v->effects, walk, like, out);
}

/* A compiler may have rolled the halves of a pass into one iteration of the loop. */
static swp_status attribute(swp_validation *v)
{
    enum { MOST_ITERATIONS = 8 };
    swp_attribution shortest;
    int iterations = 1;
    SWP_TRY(attribute_as(v, iterations, NULL, SWP_WALKED_PASSES, &v->walk, &v->attribution));
    swp_walk *walk = NULL;
    SWP_TRY(SWP_TAKE(v->ctx, 1, &walk));
    for (int more = 2; v->attribution.obstacles.count && more <= MOST_ITERATIONS; more++) {
        swp_attribution other;
        SWP_TRY(attribute_as(v, more, NULL, SWP_WALKED_PASSES, walk, &other));
        if (other.obstacles.count)
            continue;
        iterations = more;
        v->walk = *walk;
        v->attribution = other;
        v->attribution.walk = &v->walk;
    }
    SWP_TRY(take_obstacles(v, &v->attribution));
    if (v->attribution.obstacles.count)
        return SWP_OK;
    SWP_TRY(attribute_as(v, iterations, &v->attribution, 0, &v->shortest, &shortest));
    return take_obstacles(v, &shortest);
}

static swp_status validate(swp_validation *v)
{
    const int unknown = swp_match_lag(v)->unknown;
    if (unknown >= 0)
        return swp_match_obstacle(v, unknown, "may lead waves past different barriers");
    SWP_TRY(swp_match_prove(v));
    SWP_TRY(swp_match_count_cycles(v));
    return take_obstacles(v, &v->attribution);
}

/*
 * Where every access is an entry's, the proof says more of LDS than what is known of instructions: it
 * knows which reads anybody looks at.
 */
static void drop_findings_in_lds(const swp_validation *v)
{
    const swp_function *function = v->path->flow->function;
    const int first = insn_at(v, function->first)->line;
    const int last = insn_at(v, function->end - 1)->line;
    swp_audit_finding_list *list = &v->out->findings;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == SWP_REGISTER_NOT_READY || list->items[i].at.line < first ||
            list->items[i].at.line > last)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

swp_status swp_match_schedule(swp_context *ctx, const swp_path *path, const swp_lags *lags,
                              const swp_schedule *schedule, swp_audit_report *out)
{
    swp_validation *v = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &v));
    *v = (swp_validation){.ctx = ctx, .schedule = schedule, .path = path, .lags = lags, .out = out};
    if (path->problem)
        return swp_match_obstacle(v, path->problem_at, path->problem);
    if (schedule->dataflow)
        return swp_match_obstacle(v, -1, "schedules of loops are not compared with code yet");
    if (schedule->loop.placement != SWP_PLACE_K_OFFSET)
        return swp_match_obstacle(
            v, -1,
            "the schedule's loads are staged in registers; only loops that load to "
            "LDS are compared with their schedules");
    SWP_TRY(swp_ir_list_loop_barrier(ctx, schedule, &v->schedule));
    SWP_TRY(swp_ir_effects(ctx, v->schedule, &v->effects));
    SWP_TRY(attribute(v));
    if (out->obstacles.count)
        return SWP_OK;
    SWP_TRY(swp_match_compare(&v->attribution, &out->changes));
    SWP_TRY(validate(v));
    if (!out->obstacles.count)
        drop_findings_in_lds(v);
    if (v->attribution.by_order)
        return swp_match_obstacle(
            v, -1,
            "LDS addresses cannot be told: accesses were taken in the order of "
            "the entries");
    return SWP_OK;
}
