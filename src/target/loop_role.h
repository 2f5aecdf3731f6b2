/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a loop that names no warp roles is one role, since its copies complete on mbarriers. */
#ifndef SWP_TARGET_LOOP_ROLE_H
#define SWP_TARGET_LOOP_ROLE_H

#include "swp/loop.h"
#include "swp/target.h"

/* Makes the loop one role of all of its waves, where it is one (docs/loops.md, "Mbarriers without roles"). */
swp_status swp_target_give_role(swp_context *ctx, const swp_target *target,
                                const swp_machine *machine, swp_loop *loop);

#endif
