/* SPDX-License-Identifier: Apache-2.0 */
/* Code against a schedule: which loop, what became of the entries, and whether that is safe. */
#include "audit/match/schedule.h"

#include "audit/flow/findings.h"
#include "audit/match/compare.h"
#include "audit/match/trial.h"

static const swp_insn *insn_at(const swp_trial *t, int index)
{
    return &t->path->flow->code->insns.items[index];
}

swp_status swp_match_obstacle(const swp_trial *trial, int insn, const char *what)
{
    const char *why = NULL;
    SWP_TRY(swp_code_copy_printable_name(trial->ctx, what, &why));
    return swp_flow_add_unscheduled(trial->ctx, insn < 0 ? NULL : insn_at(trial, insn), why,
                                    &trial->out->obstacles);
}

const swp_lag *swp_match_lag(const swp_trial *trial)
{
    return &trial->lags->items[trial->path->flow->loops[trial->path->loop].header];
}

static swp_status take_obstacles(const swp_trial *t, const swp_attribution *from)
{
    for (size_t i = 0; i < from->obstacles.count; i++)
        SWP_TRY(
            swp_match_obstacle(t, from->obstacles.items[i].insn, from->obstacles.items[i].what));
    return SWP_OK;
}

/* Reads the code as one whose loop goes round so often in a pass of the schedule. */
static swp_status attribute_as(swp_trial *t, int turns, const swp_attribution *like, int passes,
                               swp_walk *walk, swp_attribution *out)
{
    SWP_TRY(swp_match_walk_take(t->ctx, t->path, turns, passes, walk));
    return swp_match_attribute(t->ctx, t->schedule, walk, like, out);
}

/* A compiler may have rolled the halves of a pass into one turn of the loop. */
static swp_status attribute(swp_trial *t)
{
    enum { MOST_TURNS = 8 };
    swp_attribution shortest;
    int turns = 1;
    SWP_TRY(attribute_as(t, turns, NULL, SWP_WALKED_PASSES, &t->walk, &t->attribution));
    swp_walk *walk = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &walk));
    for (int more = 2; t->attribution.obstacles.count && more <= MOST_TURNS; more++) {
        swp_attribution other;
        SWP_TRY(attribute_as(t, more, NULL, SWP_WALKED_PASSES, walk, &other));
        if (other.obstacles.count)
            continue;
        turns = more;
        t->walk = *walk;
        t->attribution = other;
        t->attribution.walk = &t->walk;
    }
    SWP_TRY(take_obstacles(t, &t->attribution));
    if (t->attribution.obstacles.count)
        return SWP_OK;
    SWP_TRY(attribute_as(t, turns, &t->attribution, 0, &t->shortest, &shortest));
    return take_obstacles(t, &shortest);
}

static swp_status judge(swp_trial *t)
{
    const int unknown = swp_match_lag(t)->unknown;
    if (unknown >= 0)
        return swp_match_obstacle(t, unknown, "may lead waves past different barriers");
    SWP_TRY(swp_match_prove(t));
    SWP_TRY(swp_match_count_cycles(t));
    return take_obstacles(t, &t->attribution);
}

/*
 * Where every access is an entry's, the proof says more of LDS than what is known of instructions: it
 * knows which reads anybody looks at.
 */
static void drop_findings_in_lds(const swp_trial *t)
{
    const swp_function *function = t->path->flow->function;
    const int first = insn_at(t, function->first)->line;
    const int last = insn_at(t, function->end - 1)->line;
    swp_audit_finding_list *list = &t->out->findings;
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
    swp_trial *t = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &t));
    *t = (swp_trial){.ctx = ctx, .schedule = schedule, .path = path, .lags = lags, .out = out};
    if (path->problem)
        return swp_match_obstacle(t, path->problem_at, path->problem);
    if (schedule->loop.placement != SWP_PLACE_K_OFFSET)
        return swp_match_obstacle(
            t, -1,
            "the schedule's loads are staged in registers; only loops that load to "
            "LDS are compared with their schedules");
    SWP_TRY(attribute(t));
    if (out->obstacles.count)
        return SWP_OK;
    SWP_TRY(swp_match_compare(&t->attribution, &out->changes));
    SWP_TRY(judge(t));
    if (!out->obstacles.count)
        drop_findings_in_lds(t);
    if (t->attribution.by_order)
        return swp_match_obstacle(
            t, -1,
            "LDS addresses cannot be told: accesses were taken in the order of "
            "the entries");
    return SWP_OK;
}
