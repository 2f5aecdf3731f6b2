/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates of bounds, for those that consist of many problems. */
#ifndef SWP_PROOFS_PROBLEM_CERTIFICATE_H
#define SWP_PROOFS_PROBLEM_CERTIFICATE_H

#include "swp/problem.h"

#include <jansson.h>
#include <stdio.h>

/*
 * Writes the header, with the number of its steps, and steps which prove that no schedule has a value below
 * `bound`. Takes the header; NULL means that there was no memory for it. SWP_STOPPED, with a diagnostic, if the
 * interruption or memory ended the search for them.
 */
swp_status swp_proofs_prove(swp_context *ctx, const swp_problem *problem, int64_t bound,
                            json_t *header, FILE *stream);

#endif
