/* SPDX-License-Identifier: Apache-2.0 */
/* Writes bounds as edges or a resource, and refutations as the solver's formula with its DRAT proof. */
#include "proofs/steps.h"

#include "base/diag.h"
#include "base/print.h"
#include "solve/bounds.h"
#include "solve/clauses.h"
#include "solve/formula.h"
#include "solve/monotone.h"

#include <errno.h>

enum { BLOCK = 1 << 14 };

static int put_escaped(const char *bytes, size_t length, void *stream)
{
    char shown[SWP_JSON_SHOWN_SIZE];
    for (size_t at = 0; at < length;) {
        at += swp_escape_json(bytes + at, length - at, shown);
        (void)fputs(shown, stream);
    }
    return ferror(stream) ? -1 : 0;
}

swp_status swp_proofs_put_json_line(swp_context *ctx, FILE *stream, json_t *object)
{
    const bool done = object && json_dump_callback(object, put_escaped, stream, JSON_COMPACT) == 0;
    json_decref(object);
    if (!done && !ferror(stream))
        return swp_out_of_memory(ctx);
    (void)fputc('\n', stream);
    return SWP_OK;
}

swp_status swp_proofs_none(swp_context *ctx, const swp_problem *problem)
{
    const swp_status status = swp_error(
        ctx, SWP_E0827, problem->place,
        "let it run to its end, give it more memory, or solve without a certificate",
        "no certificate for `%s`: the search for its refutation was stopped, or ran out of memory",
        problem->name);
    return swp_ends_work(status) ? status : SWP_STOPPED;
}

static swp_status no_file(swp_context *ctx, const swp_problem *problem)
{
    return errno == ENOMEM ? swp_out_of_memory(ctx) : swp_proofs_none(ctx, problem);
}

static swp_status put_step(swp_json_steps *s, json_t *object)
{
    s->count++;
    return swp_proofs_put_json_line(s->ctx, s->stream, object);
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

/* Returns the op of the longest latency, since a path without edges does not name its op. */
static int longest_op(const swp_problem *p)
{
    int longest = 0;
    for (size_t i = 1; i < p->op_count; i++)
        if (p->ops[i].latency > p->ops[longest].latency)
            longest = (int)i;
    return longest;
}

static json_t *weight_pairs(const swp_amount_weights *weights)
{
    json_t *array = json_array();
    for (size_t i = 0; i < weights->count; i++)
        if (json_array_append_new(array, json_pack("[I, I]", (json_int_t)weights->items[i].amount,
                                                   (json_int_t)weights->items[i].weight)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static swp_status put_resource(swp_json_steps *s, const swp_answer *bound)
{
    const swp_amount_weights *weights = &bound->bound_weights;
    if (weights->count == 0)
        return put_step(
            s, json_pack("{s:s, s:i}", "step", "resource", "resource", bound->bound_resource));
    return put_step(s, json_pack("{s:s, s:i, s:o, s:I}", "step", "resource", "resource",
                                 bound->bound_resource, "weights", weight_pairs(weights), "most",
                                 (json_int_t)weights->most));
}

static swp_status put_bound(swp_json_steps *s, const swp_answer *bound)
{
    const swp_problem *p = s->graph->problem;
    if (bound->bound_kind == SWP_BOUND_RESOURCE)
        return put_resource(s, bound);
    json_t *edges = numbers(bound->bound_edges, bound->bound_edge_count);
    if (bound->bound_kind == SWP_BOUND_CYCLE)
        return put_step(s, json_pack("{s:s, s:o}", "step", "cycle", "edges", edges));
    return put_step(s,
                    json_pack("{s:s, s:i, s:o}", "step", "path", "op",
                              bound->bound_edge_count > 0 ? p->edges[bound->bound_edges[0]].producer
                                                          : longest_op(p),
                              "edges", edges));
}

static bool put_clause(void *user, const int *literals, int count)
{
    for (int i = 0; i < count; i++)
        (void)fprintf(user, "%d ", literals[i]);
    (void)fputs("0\n", user);
    return true;
}

/* Copies the lines up to the empty clause, or only counts them if `to` is NULL. */
static json_int_t copy_proof(FILE *proof, FILE *to)
{
    json_int_t lines = 0;
    bool at_start = true;
    bool ends = false;
    int first = EOF;
    rewind(proof);
    for (int byte = getc(proof); byte != EOF && !ends; byte = getc(proof)) {
        if (at_start)
            first = byte; /* only the empty clause begins with 0 */
        if (to)
            (void)putc(byte, to);
        at_start = byte == '\n';
        lines += at_start;
        ends = at_start && first == '0';
    }
    if (ends)
        return lines;
    /* If propagation refutes the formula, no other line is needed. */
    if (to)
        (void)fputs("0\n", to);
    return lines + 1;
}

static swp_status put_refutation(swp_json_steps *s, const swp_context *scope, const swp_encoding *e,
                                 const swp_formula *formula, FILE *proof)
{
    swp_formula again;
    /* The problem has been refuted, so a limit must not cut the proof short now. */
    swp_context patient = *scope;
    patient.limits.seconds = 0;
    SWP_TRY(put_step(s, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:I, s:I}", "step",
                                  "refutation", "scope", e->of_component ? "component" : "value",
                                  "value", e->of_component ? json_null() : json_integer(e->value),
                                  "references", numbers(e->references.items, e->references.count),
                                  "fixed", e->fixed < 0 ? json_null() : json_integer(e->fixed),
                                  "alike", number_lists(&e->alike), "groups", groups_of(e),
                                  "variables", formula->variables, "clauses",
                                  (json_int_t)formula->clauses, "lines", copy_proof(proof, NULL))));
    SWP_TRY(swp_solve_write_clauses(&patient, e, put_clause, s->stream, &again));
    if (!again.complete)
        return swp_proofs_none(s->ctx, s->graph->problem);
    (void)copy_proof(proof, s->stream);
    return SWP_OK;
}

swp_status swp_proofs_put_refutation(swp_json_steps *s, swp_context *scope, const swp_encoding *e,
                                     swp_budget *budget, bool *refuted)
{
    swp_formula formula;
    swp_sat_result result = SWP_SAT_GAVE_UP;
    FILE *proof = tmpfile();
    *refuted = false;
    if (!proof)
        return no_file(s->ctx, s->graph->problem);
    swp_status status = swp_solve_formula_decide(scope, e, budget, proof, NULL, &formula, &result);
    if (status == SWP_OK && result == SWP_SAT_REFUTED) {
        *refuted = true;
        status = put_refutation(s, scope, e, &formula, proof);
    }
    (void)fclose(proof);
    return status;
}

static swp_status refute_value(swp_json_steps *s, swp_context *scope, int64_t value,
                               swp_budget *budget, bool *refuted)
{
    swp_encoding encoding;
    swp_encoding_state state;
    *refuted = false;
    SWP_TRY(swp_solve_encode_value(scope, s->graph, value, &encoding, &state));
    return state == SWP_ENCODING_READY
               ? swp_proofs_put_refutation(s, scope, &encoding, budget, refuted)
               : SWP_OK;
}

/* Formulas are large, so each has memory of its own. */
static swp_status put_value_step(swp_json_steps *s, int64_t value, swp_budget *budget,
                                 bool *refuted)
{
    swp_context scope;
    SWP_TRY(swp_scope_open(s->ctx, &scope));
    const swp_status status = refute_value(s, &scope, value, budget, refuted);
    swp_scope_close(&scope);
    return status;
}

swp_status swp_proofs_put_steps_to(swp_json_steps *s, int64_t bound, swp_budget *budget,
                                   bool *proven)
{
    swp_answer own = {0};
    const bool monotone = swp_solve_values_are_monotone(s->graph);
    SWP_TRY(swp_solve_bounds(s->ctx, s->graph, budget, &own));
    *proven = own.bound >= bound;
    if ((*proven || !monotone) && own.bound_kind != SWP_BOUND_NONE)
        SWP_TRY(put_bound(s, &own));
    bool refuted = !*proven;
    for (int64_t v = monotone ? bound - 1 : own.bound; refuted && v < bound; v++)
        SWP_TRY(put_value_step(s, v, budget, &refuted));
    *proven = *proven || refuted;
    /* If there is no refutation, a bound that needs none is better than nothing. */
    if (!*proven && monotone && own.bound_kind != SWP_BOUND_NONE)
        SWP_TRY(put_bound(s, &own));
    return SWP_OK;
}

swp_status swp_proofs_steps_begin(swp_context *ctx, const swp_problem_graph *graph,
                                  swp_json_steps *out)
{
    *out = (swp_json_steps){.ctx = ctx, .graph = graph, .stream = tmpfile()};
    return out->stream ? SWP_OK : no_file(ctx, graph->problem);
}

static void copy_steps(FILE *from, FILE *to)
{
    char block[BLOCK];
    rewind(from);
    for (size_t got = fread(block, 1, sizeof block, from); got > 0;
         got = fread(block, 1, sizeof block, from))
        (void)fwrite(block, 1, got, to);
}

swp_status swp_proofs_steps_end(swp_json_steps *s, swp_status status, json_t *header, FILE *to)
{
    const bool whole = fflush(s->stream) == 0 && !ferror(s->stream);
    if (status == SWP_OK && !whole)
        status = no_file(s->ctx, s->graph->problem);
    if (header && status == SWP_OK && json_object_set_new(header, "steps", json_integer(s->count)))
        status = swp_out_of_memory(s->ctx);
    if (status == SWP_OK)
        status = swp_proofs_put_json_line(s->ctx, to, header);
    else
        json_decref(header);
    if (status == SWP_OK)
        copy_steps(s->stream, to);
    (void)fclose(s->stream);
    return status;
}
