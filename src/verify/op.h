/* SPDX-License-Identifier: Apache-2.0 */
/* What an entry that reads and writes does to the state. */
#ifndef SWP_VERIFY_OP_H
#define SWP_VERIFY_OP_H

#include "verify/step.h"

swp_status swp_verify_follow_op(swp_followed_run *run, const swp_verify_event *event,
                                const swp_effect *effect);

#endif
