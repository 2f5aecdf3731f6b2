/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of bodies, and all that others may use of it. A read of a body gets its tile from whoever uses the register
 * later, where one of a loop says itself what it wants. So bodies are not proven in the order of src/happens_before/
 * (docs/verification.md, "Why bodies have a proof of their own").
 */
#ifndef SWP_BODIES_H
#define SWP_BODIES_H

#include "verify/bodies/rules.h"

/* The hazards of all forms, by all rules but one; SWP_NO_RULE: by all. */
swp_status swp_bodies_verify(swp_context *ctx, const swp_schedule *schedule, swp_rule without,
                             swp_verdict *out);

/* The same of a schedule that is one form. */
swp_status swp_bodies_verify_form(swp_context *ctx, const swp_schedule *form, swp_rule without,
                                  swp_verdict *out);

#endif
