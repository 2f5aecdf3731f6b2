/* SPDX-License-Identifier: Apache-2.0 */
/* A loop without warp roles, written as one role whose threads are its waves. */
#ifndef SWP_VERIFY_LOOP_ROLE_H
#define SWP_VERIFY_LOOP_ROLE_H

#include "base/context.h"
#include "swp/compile.h"
#include "swp/loop.h"

/*
 * The schedule as one role, in the memory of the context, with every barrier as an entry. Two groups with a lag are its
 * instances, and so are two that issue wgmmas. Others do the same, and are waves of one instance. An op that updates a shared value reads the shares
 * of all there, and writes its own.
 * @return SWP_INVALID, with a diagnostic, where an entry of some form means nothing
 */
swp_status swp_verify_loop_as_role(swp_context *ctx, const swp_schedule *schedule,
                                   swp_schedule *out);

#endif
