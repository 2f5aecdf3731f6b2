/* SPDX-License-Identifier: Apache-2.0 */
/* What the order of warp roles tells of loops without them. */
#ifndef TEST_ANSWERS_ONE_ROLE_H
#define TEST_ANSWERS_ONE_ROLE_H

#include "swp/verify.h"

/* Judges a loop as one role. */
swp_status answers_one_role(swp_context *ctx, const swp_schedule *loop, swp_verdict *out);

#endif
