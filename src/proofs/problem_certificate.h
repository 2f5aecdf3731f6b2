/* SPDX-License-Identifier: Apache-2.0 */
/* Writes certificates of bounds, also for proofs that consist of many problems. */
#ifndef SWP_PROOFS_PROBLEM_CERTIFICATE_H
#define SWP_PROOFS_PROBLEM_CERTIFICATE_H

#include "swp/problem.h"

#include <jansson.h>
#include <stdio.h>

/*
 * Writes the header, with the number of its steps, and steps which prove that no schedule has a
 * value below `bound`. Takes over the header; NULL means that there was no memory for it. Returns
 * SWP_STOPPED, with a diagnostic, if an interruption or a lack of memory ended the search for the
 * steps.
 */
swp_status swp_proofs_prove(swp_context *ctx, const swp_problem *problem, int64_t bound,
                            json_t *header, FILE *stream);

#endif
