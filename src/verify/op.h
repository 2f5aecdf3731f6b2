/* SPDX-License-Identifier: Apache-2.0 */
/* An op of a loop, which lists what it reads and writes. */
#ifndef SWP_VERIFY_OP_H
#define SWP_VERIFY_OP_H

#include "verify/step.h"

swp_status swp_verify_follow_op(swp_followed_run *run, const swp_verify_event *event,
                                const swp_effect *effect);

#endif
