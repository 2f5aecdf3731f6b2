/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that outlives the caller's. */
#ifndef SWP_IR_LOOP_COPY_H
#define SWP_IR_LOOP_COPY_H

#include "base/context.h"
#include "swp/loop.h"

swp_status swp_ir_loop_copy(swp_context *ctx, const swp_loop *from, swp_loop **out);

/* Replaces a name by a copy of it; NULL by "". */
swp_status swp_ir_loop_copy_name(swp_context *ctx, const char **name);

#endif
