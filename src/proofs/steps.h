/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the steps of a certificate (docs/certificates.md): bounds, and formulas with their refutations. */
#ifndef SWP_PROOFS_STEPS_H
#define SWP_PROOFS_STEPS_H

#include "base/budget.h"
#include "problem/graph.h"
#include "solve/encoding.h"

#include <jansson.h>
#include <stdio.h>

/* Gathers steps in a file of their own, because their number stands in the line before them. */
typedef struct swp_json_steps {
    swp_context *ctx;
    const swp_problem_graph *graph; /* with all edges */
    FILE *stream;
    int64_t count;
} swp_json_steps;

/* Begins to gather steps. Unless it fails, swp_proofs_steps_end() must follow, whatever happens. */
swp_status swp_proofs_steps_begin(swp_context *ctx, const swp_problem_graph *graph,
                                  swp_json_steps *out);

/*
 * Writes the header, to which it adds the number of `steps`, and then the steps. If `status` says
 * that they failed, it writes nothing and returns `status`. Takes over the header; NULL means that
 * there was no memory for it.
 */
swp_status swp_proofs_steps_end(swp_json_steps *steps, swp_status status, json_t *header, FILE *to);

/* Adds what shows that no schedule has a value below `bound`; `*proven` is false if the budget ended first. */
swp_status swp_proofs_put_steps_to(swp_json_steps *steps, int64_t bound, swp_budget *budget,
                                   bool *proven);

/* Adds a refutation step, or none if the budget ends first. `scope` has the memory for it. */
swp_status swp_proofs_put_refutation(swp_json_steps *steps, swp_context *scope,
                                     const swp_encoding *encoding, swp_budget *budget,
                                     bool *refuted);

/* Writes the object in one line, and takes it over; NULL means that there was no memory for it. */
swp_status swp_proofs_put_json_line(swp_context *ctx, FILE *stream, json_t *object);

/* Returns SWP_STOPPED, after a diagnostic. */
swp_status swp_proofs_none(swp_context *ctx, const swp_problem *problem);

#endif
