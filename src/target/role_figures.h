/* SPDX-License-Identifier: Apache-2.0 */
/* Sets what ops of warp roles take by the figures of a target, whatever their loop says. */
#ifndef SWP_TARGET_ROLE_FIGURES_H
#define SWP_TARGET_ROLE_FIGURES_H

#include "base/context.h"
#include "swp/loop.h"
#include "swp/target.h"

bool swp_target_has_role_figures(const swp_target *target);

/* Writes them into a loop that is the caller's own. If the loop has some already, they are replaced. */
swp_status swp_target_set_role_figures(swp_context *ctx, const swp_target *target, swp_loop *loop);

#endif
