/* SPDX-License-Identifier: Apache-2.0 */
/* Reads certificates, line by line. */
#ifndef SWP_CERTIFY_JSON_READ_H
#define SWP_CERTIFY_JSON_READ_H

#include "certify/json_values.h"
#include "swp/certify.h"

/* Reads the certificate that `rest` begins with, and moves `rest` to what follows it. */
swp_status swp_certify_take(swp_context *ctx, swp_problem_text *rest, swp_certificate *out);

/* Reads the JSON value of the next line, which the caller releases; `reader` takes its complaints. */
swp_status swp_certify_line(swp_context *ctx, swp_problem_text *rest, const char *what,
                            swp_json_reader *reader, json_t **root);

/* Reads the steps that follow. */
swp_status swp_certify_steps(swp_context *ctx, swp_problem_text *rest, int64_t count,
                             const swp_certificate_step **out);

/* Refuses a text that goes on. */
swp_status swp_certify_end(swp_context *ctx, const swp_problem_text *rest);

#endif
