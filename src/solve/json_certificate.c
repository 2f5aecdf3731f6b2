/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates of answers, as certificates.md defines them. */
#include "swp/certificate.h"

#include "base/diag.h"
#include "solve/bounds.h"
#include "solve/clauses.h"
#include "solve/formula.h"
#include "solve/monotone.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

typedef struct certifier {
    swp_context *ctx;
    swp_problem_graph graph;
    const swp_answer *answer;
    FILE *stream;
} certifier;

/* But for the interruption: what an answer took is enough for its certificate. */
static swp_context without_limits(const swp_context *ctx)
{
    swp_context unlimited = *ctx;
    unlimited.limits.seconds = 0;
    unlimited.limits.work = 0;
    return unlimited;
}

/* Takes the object. */
static swp_status put_line(const certifier *c, json_t *object)
{
    const bool done = object && json_dumpf(object, c->stream, JSON_COMPACT) == 0;
    json_decref(object);
    if (!done && !ferror(c->stream))
        return swp_out_of_memory(c->ctx);
    (void)fputc('\n', c->stream);
    return SWP_OK;
}

static json_t *numbers(const int *items, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_integer(items[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *number_lists(const swp_group_list *lists)
{
    json_t *array = json_array();
    for (size_t i = 0; i < lists->count; i++)
        if (json_array_append_new(array, numbers(lists->items[i].items, lists->items[i].count)) !=
            0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *groups_of(const swp_encoding *e)
{
    json_t *array = json_array();
    for (size_t r = 0; r < e->graph->problem->resource_count; r++)
        if (json_array_append_new(array, number_lists(&e->groups[r])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static swp_status put_header(const certifier *c, json_int_t steps)
{
    const swp_problem *p = c->graph.problem;
    const bool optimal = c->answer->status == SWP_ANSWER_OPTIMAL;
    return put_line(c, json_pack("{s:i, s:s, s:s, s:s, s:o, s:I}", "swp", 1, "certificate",
                                 p->name ? p->name : "", "problem",
                                 p->kind == SWP_PROBLEM_MODULO ? "modulo" : "makespan", "status",
                                 swp_answer_status_name(c->answer->status), "value",
                                 optimal ? json_integer(c->answer->value) : json_null(), "steps",
                                 steps));
}

/* The op of the longest latency: a path without edges does not name its op. */
static int longest_op(const swp_problem *p)
{
    int longest = 0;
    for (size_t i = 1; i < p->op_count; i++)
        if (p->ops[i].latency > p->ops[longest].latency)
            longest = (int)i;
    return longest;
}

static swp_status put_bound(const certifier *c, const swp_answer *bound)
{
    const swp_problem *p = c->graph.problem;
    if (bound->bound_kind == SWP_BOUND_RESOURCE)
        return put_line(
            c, json_pack("{s:s, s:i}", "step", "resource", "resource", bound->bound_resource));
    json_t *edges = numbers(bound->bound_edges, bound->bound_edge_count);
    if (bound->bound_kind == SWP_BOUND_CYCLE)
        return put_line(c, json_pack("{s:s, s:o}", "step", "cycle", "edges", edges));
    return put_line(c,
                    json_pack("{s:s, s:i, s:o}", "step", "path", "op",
                              bound->bound_edge_count > 0 ? p->edges[bound->bound_edges[0]].producer
                                                          : longest_op(p),
                              "edges", edges));
}

static swp_status gave_up(const certifier *c)
{
    const swp_status status = swp_error(
        c->ctx, SWP_E0827, c->graph.problem->place,
        "let it run to its end, give it more memory, or solve without a certificate",
        "no certificate for `%s`: the search for its refutation was stopped, or ran out of memory",
        c->graph.problem->name);
    return status == SWP_OUT_OF_MEMORY ? status : SWP_STOPPED;
}

static bool put_clause(void *user, const int *literals, int count)
{
    for (int i = 0; i < count; i++)
        (void)fprintf(user, "%d ", literals[i]);
    (void)fputs("0\n", user);
    return true;
}

/* Copies the lines up to the empty clause, or counts them if `to` is NULL. */
static json_int_t copy_proof(FILE *proof, FILE *to)
{
    json_int_t lines = 0;
    bool at_start = true;
    bool ends = false;
    int first = EOF;
    rewind(proof);
    for (int byte = getc(proof); byte != EOF && !ends; byte = getc(proof)) {
        if (at_start)
            first = byte; /* 0 begins the empty clause only */
        if (to)
            (void)putc(byte, to);
        at_start = byte == '\n';
        lines += at_start;
        ends = at_start && first == '0';
    }
    if (ends)
        return lines;
    /* A formula that propagation refutes needs no other line. */
    if (to)
        (void)fputs("0\n", to);
    return lines + 1;
}

static swp_status put_refutation(const certifier *c, swp_context *scope, const swp_encoding *e,
                                 const swp_formula *formula, FILE *proof)
{
    swp_formula again;
    SWP_TRY(put_line(c, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:I, s:I}", "step",
                                  "refutation", "scope", e->of_component ? "component" : "value",
                                  "value", e->of_component ? json_null() : json_integer(e->value),
                                  "references", numbers(e->references.items, e->references.count),
                                  "fixed", e->fixed < 0 ? json_null() : json_integer(e->fixed),
                                  "alike", number_lists(&e->alike), "groups", groups_of(e),
                                  "variables", formula->variables, "clauses",
                                  (json_int_t)formula->clauses, "lines", copy_proof(proof, NULL))));
    SWP_TRY(swp_write_clauses(scope, e, put_clause, c->stream, &again));
    (void)copy_proof(proof, c->stream);
    return SWP_OK;
}

static swp_status refute_with(const certifier *c, swp_context *scope, const swp_encoding *e,
                              FILE *proof)
{
    swp_context unlimited = without_limits(scope);
    swp_budget budget = swp_budget_start(&unlimited, 0);
    swp_formula formula;
    swp_sat_result result = SWP_SAT_GAVE_UP;
    SWP_TRY(swp_formula_decide(scope, e, &budget, 0, proof, NULL, &formula, &result));
    if (result != SWP_SAT_REFUTED)
        return gave_up(c);
    return put_refutation(c, scope, e, &formula, proof);
}

static swp_status refute(const certifier *c, swp_context *scope, const swp_encoding *e)
{
    FILE *proof = tmpfile();
    if (!proof)
        return gave_up(c);
    const swp_status status = refute_with(c, scope, e, proof);
    (void)fclose(proof);
    return status;
}

static swp_status refute_value(const certifier *c, swp_context *scope, int64_t value)
{
    const bool modulo = c->graph.problem->kind == SWP_PROBLEM_MODULO;
    swp_encoding encoding;
    swp_encoding_state state;
    SWP_TRY((modulo ? swp_encode_modulo : swp_encode_makespan)(scope, &c->graph, value, &encoding,
                                                               &state));
    return state == SWP_ENCODING_READY ? refute(c, scope, &encoding) : gave_up(c);
}

/* Formulas are large: each has memory of its own. */
static swp_status put_value_step(const certifier *c, int64_t value)
{
    swp_context scope = *c->ctx;
    scope.arena = swp_arena_new(&c->ctx->arena->allocator);
    if (!scope.arena)
        return swp_out_of_memory(c->ctx);
    const swp_status status = refute_value(c, &scope, value);
    swp_arena_free(scope.arena);
    return status;
}

static swp_status certify_optimum(const certifier *c)
{
    swp_answer own = {0};
    swp_context unlimited = without_limits(c->ctx);
    swp_budget budget = swp_budget_start(&unlimited, 0);
    SWP_TRY(swp_problem_bounds(c->ctx, &c->graph, &budget, &own));
    const int64_t value = c->answer->value;
    const bool monotone = swp_values_are_monotone(&c->graph);
    const bool bounded = own.bound >= value || !monotone;
    const int64_t first = own.bound >= value ? value : monotone ? value - 1 : own.bound;
    const bool has_bound = bounded && own.bound_kind != SWP_BOUND_NONE;
    SWP_TRY(put_header(c, value - first + has_bound));
    if (has_bound)
        SWP_TRY(put_bound(c, &own));
    for (int64_t v = first; v < value; v++)
        SWP_TRY(put_value_step(c, v));
    return SWP_OK;
}

/* The refuted component is not part of the answer: the first one is looked for again. */
static swp_status refuted_component(const certifier *c, swp_context *scope,
                                    const swp_problem_graph *graph, swp_encoding *out)
{
    swp_budget budget = swp_budget_start(scope, 0);
    for (int i = 0; i < graph->component_count; i++) {
        swp_encoding_state state;
        swp_sat_result result = SWP_SAT_GAVE_UP;
        swp_formula formula;
        if (graph->member_first[i + 1] - graph->member_first[i] == 1)
            continue;
        SWP_TRY(swp_encode_component(scope, graph, i, out, &state));
        if (state == SWP_ENCODING_READY)
            SWP_TRY(swp_formula_decide(scope, out, &budget, 0, NULL, NULL, &formula, &result));
        if (result == SWP_SAT_REFUTED)
            return SWP_OK;
        if (result == SWP_SAT_GAVE_UP)
            break;
    }
    return gave_up(c);
}

static swp_status certify_infeasible(const certifier *c)
{
    swp_problem_graph graph;
    swp_encoding encoding;
    swp_context scope = without_limits(c->ctx);
    SWP_TRY(swp_problem_graph_new(c->ctx, c->graph.problem, 0, &graph));
    SWP_TRY(refuted_component(c, &scope, &graph, &encoding));
    SWP_TRY(put_header(c, 1));
    return refute(c, &scope, &encoding);
}

swp_status swp_certificate_write(swp_context *ctx, const swp_problem *problem,
                                 const swp_answer *answer, FILE *stream)
{
    certifier c = {.ctx = ctx, .answer = answer, .stream = stream};
    SWP_TRY(swp_problem_check(ctx, problem));
    SWP_TRY(swp_problem_graph_new(ctx, problem, INT64_MAX, &c.graph));
    if (answer->status == SWP_ANSWER_OPTIMAL)
        return certify_optimum(&c);
    if (answer->status == SWP_ANSWER_INFEASIBLE)
        return certify_infeasible(&c);
    return put_header(&c, 0);
}
