/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a target has what a loop's ops complete by. */
#ifndef SWP_TARGET_COMPLETIONS_H
#define SWP_TARGET_COMPLETIONS_H

#include "swp/target.h"

/* Refuses ops that complete by an object that the target does not have, each object once. */
swp_status swp_target_check_completions(swp_context *ctx, const swp_target *target,
                                        const swp_loop *loop);

#endif
