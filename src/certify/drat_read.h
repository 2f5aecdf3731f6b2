/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the steps of a DRAT proof, as text or binary (Wetzler, Heule and Hunt, SAT 2014). */
#ifndef SWP_CERTIFY_DRAT_READ_H
#define SWP_CERTIFY_DRAT_READ_H

#include "certify/formula.h"

typedef enum swp_drat_format { SWP_DRAT_TEXT, SWP_DRAT_BINARY } swp_drat_format;

typedef struct swp_drat_proof {
    const char *bytes;
    size_t length;
    swp_drat_format format;
    swp_place place; /* where the proof begins in its file; in a text its line counts on */
} swp_drat_proof;

typedef struct swp_drat_step {
    bool deletion;
    swp_literal_list literals; /* as they stand in the proof: the first is the pivot */
    size_t number;             /* from 1 */
    int line;                  /* of a text, in its file */
} swp_drat_step;

typedef struct swp_drat_reader {
    const swp_drat_proof *proof;
    size_t at;
    size_t steps;
    int line;
} swp_drat_reader;

swp_drat_reader swp_certify_drat_read_from(const swp_drat_proof *proof);

/*
 * Reads the next step into `step`, and uses its list again. `*more` is false at the end. Reports a
 * malformed proof (E0831), and a variable above `most`.
 */
swp_status swp_certify_drat_read_step(swp_context *ctx, swp_drat_reader *reader, int most,
                                      swp_drat_step *step, bool *more);

#endif
