/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the words of certificates and of what their check finds. */
#ifndef SWP_CERTIFY_NAMES_H
#define SWP_CERTIFY_NAMES_H

#include "base/names.h"
#include "swp/certify.h"
#include "swp/loop.h"

extern const swp_name_table swp_certify_step_names;
extern const swp_name_table swp_certify_refutation_scope_names;

/* Names what a pipeline saves, by swp_objective. */
const char *swp_certify_claim_name(swp_objective objective);

#endif
