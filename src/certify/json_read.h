/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWP_CERTIFY_JSON_READ_H
#define SWP_CERTIFY_JSON_READ_H

#include "swp/certify.h"

/* Reads the certificate that `rest` begins with, and moves `rest` to what follows it. */
swp_status swp_certificate_take(swp_context *ctx, swp_problem_text *rest, swp_certificate *out);

#endif
