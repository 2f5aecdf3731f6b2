/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a certificate (docs/certificates.md): bounds, and formulas with their refutations. */
#ifndef SWP_PROOFS_STEPS_H
#define SWP_PROOFS_STEPS_H

#include "base/budget.h"
#include "problem/graph.h"
#include "solve/encoding.h"

#include <jansson.h>
#include <stdio.h>

/* Steps on their way. They are gathered apart, because their number stands in the line before them. */
typedef struct swp_json_steps {
    swp_context *ctx;
    const swp_problem_graph *graph; /* with all edges */
    FILE *stream;
    int64_t count;
} swp_json_steps;

/* To be ended, whatever happens, unless it fails. */
swp_status swp_proofs_steps_begin(swp_context *ctx, const swp_problem_graph *graph,
                                  swp_json_steps *out);

/*
 * Writes the header, to which it adds the number of `steps`, and the steps; nothing if `status`, which it
 * returns, says that they failed. Takes the header; NULL means that there was no memory for it.
 */
swp_status swp_proofs_steps_end(swp_json_steps *steps, swp_status status, json_t *header, FILE *to);

/* What shows that no schedule has a value below `bound`; `*proven` is false where the budget ended first. */
swp_status swp_proofs_put_steps_to(swp_json_steps *steps, int64_t bound, swp_budget *budget,
                                   bool *proven);

/* A refutation step, or none if the budget ends first. `scope` has the memory for it. */
swp_status swp_proofs_put_refutation(swp_json_steps *steps, swp_context *scope,
                                     const swp_encoding *encoding, swp_budget *budget,
                                     bool *refuted);

/* Writes the object in one line, and takes it; NULL means that there was no memory for it. */
swp_status swp_proofs_put_json_line(swp_context *ctx, FILE *stream, json_t *object);

/* SWP_STOPPED, after a diagnostic. */
swp_status swp_proofs_none(swp_context *ctx, const swp_problem *problem);

#endif
