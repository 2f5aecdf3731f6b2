/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of a loop that is one, but cannot be meant as it stands. */
#ifndef SWP_IR_LOOP_WARNINGS_H
#define SWP_IR_LOOP_WARNINGS_H

#include "base/context.h"
#include "swp/config.h"
#include "swp/loop.h"

/* One diagnostic a mistake, however many ops or values share it. The loop is one that swp_check_loop() takes. */
swp_status swp_ir_warn_of_loop(swp_context *ctx, const swp_loop *loop, const swp_machine *machine);

#endif
