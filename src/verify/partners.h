/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom at the sync objects of warp roles. */
#ifndef SWP_VERIFY_PARTNERS_H
#define SWP_VERIFY_PARTNERS_H

#include "base/context.h"
#include "swp/explain.h"

/* Who meets an entry of a kernel of warp roles at its object; nobody for all others. */
swp_status swp_verify_list_partners(swp_context *ctx, const swp_schedule *schedule,
                                    swp_explanation *explanation);

#endif
