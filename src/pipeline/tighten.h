/* SPDX-License-Identifier: Apache-2.0 */
/* The least interval of an order of issue (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_TIGHTEN_H
#define SWP_PIPELINE_TIGHTEN_H

#include "base/context.h"
#include "swp/config.h"
#include "swp/loop.h"

/*
 * The pipeline with the least interval at which its ops can be issued in its order, if that is less than it has. What
 * its objectives come to is then not proven least. Diagnostics are of no concern. `out` may be `given`.
 * @param in_order  otherwise the order of each unit is kept alone, and that of issue may be another one
 */
swp_status swp_pipeline_tighten(swp_context *ctx, const swp_machine *machine,
                                const swp_pipeline *given, bool in_order, swp_pipeline *out,
                                bool *found);

#endif
