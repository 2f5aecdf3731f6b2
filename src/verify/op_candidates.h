/* SPDX-License-Identifier: Apache-2.0 */
/* The edits of a loop's ops that may remove a hazard, beside waits and barriers. */
#ifndef SWP_VERIFY_OP_CANDIDATES_H
#define SWP_VERIFY_OP_CANDIDATES_H

#include "verify/finder.h"

/* Another iteration of an entry's op; none for one that synchronises. */
swp_status swp_verify_offer_iterations(swp_context *ctx, const swp_schedule *schedule,
                                       swp_entry_ref at, swp_edit_list *out);

/* For a version that is not there: other iterations of what makes the value, or one more of it. */
swp_status swp_verify_offer_makers(swp_finder *f);

/* For work that is left out: the op, anywhere. */
swp_status swp_verify_offer_missing_op(swp_finder *f);

#endif
