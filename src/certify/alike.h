/* SPDX-License-Identifier: Apache-2.0 */
/* Judges which ops may change places. */
#ifndef SWP_CERTIFY_ALIKE_H
#define SWP_CERTIFY_ALIKE_H

#include "certify/frame.h"

/*
 * Adds an arc from each op of a list of `alike` to the next. Refuses ops that may not change
 * places. Each has to be a reference, not the fixed one, alone in its component, and in one list
 * only. It has to use what the others of its list use.
 */
swp_status swp_certify_add_alike(swp_context *ctx, swp_judgement *judgement, const int *component,
                                 const swp_certificate_step *step, swp_frame *frame);

#endif
