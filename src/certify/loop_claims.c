/* SPDX-License-Identifier: Apache-2.0 */
/* Judges what a pipeline says to be least: the interval, then each objective, given those before it. */
#include "certify/loop_check.h"

#include "base/text.h"
#include "certify/names.h"

static const swp_place nowhere = {NULL, 0, 0};

int64_t swp_certify_budget_of(const swp_loop *loop, swp_space space)
{
    const int64_t registers = (int64_t)loop->lane_registers * 4 * loop->lanes;
    const int64_t bytes = space == SWP_SPACE_SHARED ? loop->shared_budget : registers;
    return bytes > 0 ? bytes : -1;
}

static swp_status describe_way(swp_loop_check *c, const int *slots, const int *roles, char **out)
{
    swp_text text = {.ctx = c->ctx};
    for (size_t o = 0; roles && o < c->given->op_count; o++)
        if (c->given->ops[o].role_count > 0)
            swp_text_format(&text, "with `%s` in `%s`, ", c->given->ops[o].name,
                            c->given->roles[roles[o]].name);
    for (size_t v = 0; v < c->loop->value_count; v++)
        swp_text_format(&text, "%s%d slot%s of `%s`", v == 0 ? "with " : ", ", slots[v],
                        slots[v] == 1 ? "" : "s", c->loop->values[v].name);
    return swp_text_end(&text, out, NULL);
}

static swp_place place_of(const swp_loop_check *c)
{
    return c->certificate ? c->certificate->place : nowhere;
}

/*
 * A bound below the interval only leaves the answer unproven. An interval that is said to be least
 * must be proven.
 */
static swp_status judge_interval(swp_loop_check *c, const swp_loop_question *q)
{
    const int *open = NULL;
    int *roles = NULL;
    char *way = NULL;
    SWP_TRY(swp_certify_find_open(c, q, &open, &roles));
    if (!open) {
        c->report->proven = q->bound;
        return SWP_OK;
    }
    SWP_TRY(describe_way(c, open, roles, &way));
    if (q->bound == c->answer->interval)
        return swp_certify_refuse(&c->judgement, place_of(c),
                                  "the interval is said to be least, but nothing refutes %lld %s",
                                  (long long)q->bound - 1, way);
    c->report->verdict = SWP_CERTIFICATE_UNPROVEN;
    return swp_format(c->ctx, (char **)&c->report->why,
                      "the bound is %lld, but nothing refutes %lld %s", (long long)q->bound,
                      (long long)q->bound - 1, way);
}

/* Asks for one less of an objective than the pipeline has; returns false if there cannot be less. */
static bool ask_for_less(swp_loop_question *q, swp_objective objective, int64_t cost)
{
    const int64_t none = objective == SWP_LEAST_STAGES ? 1 : 0;
    if (cost == none)
        return false;
    if (objective == SWP_LEAST_STAGES)
        q->stages = cost - 1;
    else
        q->space.bytes[objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS] =
            cost - 1;
    return true;
}

/* Later objectives are asked only of pipelines that are no worse in this one. */
static void settle(swp_loop_question *q, swp_objective objective, int64_t cost)
{
    if (objective == SWP_LEAST_STAGES)
        q->stages = cost;
    else
        q->space.bytes[objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS] =
            cost;
}

static swp_status judge_objective(swp_loop_check *c, const swp_loop_question *before,
                                  swp_objective objective)
{
    swp_loop_question q = *before;
    const int *open = NULL;
    int *roles = NULL;
    char *way = NULL;
    if (!c->answer->least[objective] || !ask_for_less(&q, objective, c->answer->costs[objective]))
        return SWP_OK;
    SWP_TRY(swp_certify_find_open(c, &q, &open, &roles));
    if (!open)
        return SWP_OK;
    SWP_TRY(describe_way(c, open, roles, &way));
    return swp_certify_refuse(
        &c->judgement, place_of(c),
        "`%s` %lld is said to be least, but nothing refutes the interval %lld %s%s",
        swp_certify_claim_name(objective), (long long)c->answer->costs[objective],
        (long long)c->answer->interval, way,
        objective == SWP_LEAST_STAGES ? " and a stage less" : "");
}

swp_status swp_certify_judge_claims(swp_loop_check *c)
{
    swp_certificate_claim *claims = NULL;
    swp_loop_question q = {.space = {c->loop, c->least, c->most, {-1, -1}},
                           .bound = c->answer->bound};
    for (swp_space space = SWP_SPACE_SHARED; space <= SWP_SPACE_REGISTERS; space++)
        q.space.bytes[space] = swp_certify_budget_of(c->loop, space);
    SWP_TRY(judge_interval(c, &q));
    q.bound = c->answer->interval + 1;
    SWP_TRY(SWP_TAKE(c->ctx, SWP_OBJECTIVE_COUNT, &claims));
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = c->loop->objectives[i];
        const int64_t cost = c->answer->costs[objective];
        SWP_TRY(judge_objective(c, &q, objective));
        settle(&q, objective, cost);
        claims[i] = (swp_certificate_claim){swp_certify_claim_name(objective), cost,
                                            c->answer->least[objective]};
    }
    c->report->claims = claims;
    c->report->claim_count = SWP_OBJECTIVE_COUNT;
    return SWP_OK;
}
