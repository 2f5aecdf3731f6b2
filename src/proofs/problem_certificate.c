/* SPDX-License-Identifier: Apache-2.0 */
/* Writes certificates of answers, as docs/certificates.md defines them. */
#include "swp/certificate.h"

#include "base/diag.h"
#include "base/require.h"
#include "proofs/problem_certificate.h"
#include "proofs/steps.h"
#include "solve/formula.h"

typedef struct certifier {
    swp_context *ctx;
    swp_problem_graph graph;
    const swp_answer *answer;
    swp_json_steps steps;
} certifier;

/* Only an interruption ends the work: limits that allowed the whole answer are enough for its certificate. */
static swp_context context_for(const swp_context *ctx, swp_answer_status status)
{
    swp_context own = *ctx;
    if (status == SWP_ANSWER_OPTIMAL || status == SWP_ANSWER_INFEASIBLE) {
        own.limits.seconds = 0;
        own.limits.work = 0;
    }
    return own;
}

static json_t *header_of(const swp_problem *p, const swp_answer *answer)
{
    const bool optimal = answer->status == SWP_ANSWER_OPTIMAL;
    return json_pack("{s:i, s:s, s:s, s:s, s:o}", "swp", 1, "certificate", p->name ? p->name : "",
                     "problem", p->kind == SWP_PROBLEM_MODULO ? "modulo" : "makespan", "status",
                     swp_answer_status_name(answer->status), "value",
                     optimal ? json_integer(answer->value) : json_null());
}

static swp_status certify_optimum(certifier *c)
{
    swp_budget budget = swp_budget_start(c->ctx, 0);
    bool proven = false;
    SWP_TRY(swp_proofs_put_steps_to(&c->steps, c->answer->value, &budget, &proven));
    return proven ? SWP_OK : swp_proofs_none(c->ctx, c->graph.problem);
}

/*
 * The search for a bound gets as much as the search that a limit ended, since a smaller bound is
 * better than none.
 */
static swp_status certify_bound(certifier *c)
{
    swp_budget budget = swp_budget_start(c->ctx, 0);
    bool proven = false;
    return swp_proofs_put_steps_to(&c->steps, c->answer->bound, &budget, &proven);
}

/* The answer does not say which component was refuted, so the first such one is looked for again. */
static swp_status refuted_component(const certifier *c, const swp_problem_graph *graph,
                                    swp_encoding *out)
{
    swp_budget budget = swp_budget_start(c->ctx, 0);
    for (int i = 0; i < graph->component_count; i++) {
        swp_encoding_state state;
        swp_sat_result result = SWP_SAT_GAVE_UP;
        swp_formula formula;
        if (graph->member_first[i + 1] - graph->member_first[i] == 1)
            continue;
        SWP_TRY(swp_solve_encode_component(c->ctx, graph, i, out, &state));
        if (state == SWP_ENCODING_READY)
            SWP_TRY(swp_solve_formula_decide(c->ctx, out, &budget, NULL, NULL, &formula, &result));
        if (result == SWP_SAT_REFUTED)
            return SWP_OK;
        if (result == SWP_SAT_GAVE_UP)
            break;
    }
    return swp_proofs_none(c->ctx, c->graph.problem);
}

static swp_status certify_infeasible(certifier *c)
{
    swp_problem_graph graph;
    swp_encoding encoding;
    swp_budget budget = swp_budget_start(c->ctx, 0);
    bool refuted = false;
    SWP_TRY(swp_problem_graph_new(c->ctx, c->graph.problem, 0, &graph));
    SWP_TRY(refuted_component(c, &graph, &encoding));
    SWP_TRY(swp_proofs_put_refutation(&c->steps, c->ctx, &encoding, &budget, &refuted));
    return refuted ? SWP_OK : swp_proofs_none(c->ctx, c->graph.problem);
}

static swp_status certify(certifier *c)
{
    switch (c->answer->status) {
    case SWP_ANSWER_OPTIMAL:
        return certify_optimum(c);
    case SWP_ANSWER_INFEASIBLE:
        return certify_infeasible(c);
    case SWP_ANSWER_FEASIBLE:
    case SWP_ANSWER_UNKNOWN:
        break;
    }
    return certify_bound(c);
}

swp_status swp_certificate_write(swp_context *ctx, const swp_problem *problem,
                                 const swp_answer *answer, FILE *stream)
{
    SWP_REQUIRE(ctx, ctx && problem && answer && stream);
    swp_context own = context_for(ctx, answer->status);
    certifier c = {.ctx = &own, .answer = answer};
    SWP_TRY(swp_problem_check(&own, problem));
    SWP_TRY(swp_problem_graph_new(&own, problem, INT64_MAX, &c.graph));
    SWP_TRY(swp_proofs_steps_begin(&own, &c.graph, &c.steps));
    return swp_proofs_steps_end(&c.steps, certify(&c), header_of(problem, answer), stream);
}

swp_status swp_proofs_prove(swp_context *ctx, const swp_problem *problem, int64_t bound,
                            json_t *header, FILE *stream)
{
    const swp_answer aim = {.status = SWP_ANSWER_OPTIMAL, .value = bound};
    swp_context own = context_for(ctx, aim.status);
    certifier c = {.ctx = &own, .answer = &aim};
    swp_status status = swp_problem_graph_new(&own, problem, INT64_MAX, &c.graph);
    if (status == SWP_OK)
        status = swp_proofs_steps_begin(&own, &c.graph, &c.steps);
    if (status == SWP_OK)
        return swp_proofs_steps_end(&c.steps, certify(&c), header, stream);
    json_decref(header);
    return status;
}
