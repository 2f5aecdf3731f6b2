/* SPDX-License-Identifier: Apache-2.0 */
/* What an entry that reads and writes does to the state. */
#ifndef SWP_BODIES_OP_H
#define SWP_BODIES_OP_H

#include "verify/bodies/step.h"

swp_status swp_bodies_follow_op(swp_followed_run *run, const swp_bodies_event *event,
                                const swp_effect *effect);

#endif
