/* SPDX-License-Identifier: Apache-2.0 */
/* Writes certificates of pipelines, as docs/certificates.md defines them. */
#include "base/require.h"
#include "ir/loop_assignments.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "pipeline/shifts.h"
#include "proofs/problem_certificate.h"
#include "proofs/steps.h"
#include "swp/certificate.h"

#include <limits.h>

/* No proof needs a bound above the interval plus one, and one below the pipeline's bound is of no use. */
static int64_t needed_bound(const swp_pipeline *p, const swp_loop_refutation *r)
{
    if (r->bound < p->answer.bound)
        return 0;
    if (r->bound > p->answer.value)
        return p->answer.value + 1;
    return r->stages == 0 ? p->answer.bound : 0;
}

/* Returns whether `a` refutes all that `b` refutes. Lists of roles count as one for each assignment. */
static bool contains(const swp_pipeline *p, const swp_loop_refutation *a,
                     const swp_loop_refutation *b)
{
    const bool stages = a->stages == 0 || (b->stages > 0 && b->stages <= a->stages);
    if (!stages || a->roles != b->roles || needed_bound(p, a) < needed_bound(p, b))
        return false;
    for (size_t v = 0; v < p->loop->value_count; v++)
        if (a->slots[v] != 0 && (b->slots[v] == 0 || b->slots[v] > a->slots[v]))
            return false;
    return true;
}

/* If two refutations contain each other, the first one is needed. */
static bool is_needed(const swp_pipeline *p, size_t index)
{
    const swp_loop_refutation *r = &p->refutations[index];
    for (size_t i = 0; i < p->refutation_count; i++)
        if (i != index && contains(p, &p->refutations[i], r) &&
            (i < index || !contains(p, r, &p->refutations[i])))
            return false;
    return needed_bound(p, r) > 0;
}

static json_t *slots_of(const swp_pipeline *p, const swp_loop_refutation *r)
{
    json_t *array = json_array();
    for (size_t v = 0; v < p->loop->value_count; v++)
        if (json_array_append_new(array,
                                  r->slots[v] > 0 ? json_integer(r->slots[v]) : json_null()) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *shifts_value(const swp_pipeline *p, const int64_t *shifts)
{
    json_t *array = json_array();
    for (int i = 0; i < swp_ir_loop_shifts(p->loop); i++)
        if (json_array_append_new(array, json_integer((json_int_t)shifts[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *roles_value(const swp_pipeline *p, const int *roles)
{
    json_t *array = json_array();
    for (size_t i = 0; i < p->loop->op_count; i++)
        if (json_array_append_new(array, json_integer(roles[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* Makes the line of a part. `shifts` are those for which it holds; NULL: all. */
static json_t *part_value(const swp_pipeline *p, const swp_loop_refutation *r,
                          const int64_t *shifts)
{
    json_t *part = json_pack("{s:o, s:o, s:I}", "slots", slots_of(p, r), "stages",
                             r->stages > 0 ? json_integer(r->stages) : json_null(), "bound",
                             (json_int_t)needed_bound(p, r));
    int failed = 0;
    if (part && r->roles)
        failed |= json_object_set_new(part, "roles", roles_value(p, r->roles));
    if (part && shifts)
        failed |= json_object_set_new(part, "shifts", shifts_value(p, shifts));
    if (failed == 0)
        return part;
    json_decref(part);
    return NULL;
}

static swp_status put_part(swp_context *ctx, const swp_pipeline *p, const swp_loop_refutation *r,
                           const int64_t *shifts, FILE *stream)
{
    swp_loop_problem problem;
    swp_loop loop = *p->loop;
    if (r->roles)
        SWP_TRY(swp_ir_loop_assign(ctx, p->loop, r->roles, &loop));
    SWP_TRY(swp_ir_loop_build_problem(ctx, &loop, r->slots, r->stages, &problem));
    if (shifts)
        SWP_TRY(swp_ir_loop_tie(ctx, &loop, shifts, &problem.problem));
    return swp_proofs_prove(ctx, &problem.problem, needed_bound(p, r), part_value(p, r, shifts),
                            stream);
}

/* Formulas are large, so each part has memory of its own. */
static swp_status put_part_apart(swp_context *ctx, const swp_pipeline *p,
                                 const swp_loop_refutation *r, const int64_t *shifts, FILE *stream)
{
    swp_context scope;
    SWP_TRY(swp_scope_open(ctx, &scope));
    const swp_status status = put_part(&scope, p, r, shifts, stream);
    swp_scope_close(&scope);
    return status;
}

/* Shifts count up to the last interval that is refuted. */
static int64_t shifts_end(const swp_pipeline *p, const swp_loop_refutation *r)
{
    return needed_bound(p, r) - 1;
}

/* Returns how many parts a refutation makes. */
static json_int_t count_parts(const swp_pipeline *p, const swp_loop_refutation *r)
{
    return r->by_shift ? (json_int_t)swp_pipeline_count_shifts(p->loop, shifts_end(p, r), INT_MAX)
                       : 1;
}

static swp_status put_parts(swp_context *ctx, const swp_pipeline *p, const swp_loop_refutation *r,
                            FILE *stream)
{
    int64_t *shifts = NULL;
    if (!r->by_shift)
        return put_part_apart(ctx, p, r, NULL, stream);
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_shifts(p->loop), &shifts));
    do
        SWP_TRY(put_part_apart(ctx, p, r, shifts, stream));
    while (swp_pipeline_next_shifts(p->loop, shifts_end(p, r), shifts));
    return SWP_OK;
}

swp_status swp_loop_certificate_write(swp_context *ctx, const swp_pipeline *pipeline, FILE *stream)
{
    SWP_REQUIRE(ctx, ctx && pipeline && stream);
    bool *needed = NULL;
    json_int_t parts = 0;
    SWP_TRY(SWP_TAKE(ctx, pipeline->refutation_count, &needed));
    for (size_t i = 0; i < pipeline->refutation_count; i++) {
        needed[i] = is_needed(pipeline, i);
        parts += needed[i] ? count_parts(pipeline, &pipeline->refutations[i]) : 0;
    }
    SWP_TRY(
        swp_proofs_put_json_line(ctx, stream,
                                 json_pack("{s:i, s:s, s:s, s:I, s:I}", "swp", 1, "certificate",
                                           pipeline->loop->name, "problem", "loop", "interval",
                                           (json_int_t)pipeline->answer.value, "parts", parts)));
    for (size_t i = 0; i < pipeline->refutation_count; i++)
        if (needed[i])
            SWP_TRY(put_parts(ctx, pipeline, &pipeline->refutations[i], stream));
    return SWP_OK;
}
