/* SPDX-License-Identifier: Apache-2.0 */
/* The options by which the cycles of a schedule are counted. */
#ifndef CLI_CYCLES_H
#define CLI_CYCLES_H

#include "invocation.h"

/* The options of the invocation, with the figures of --target where that is a file. */
swp_status cycles_options(const cli_invocation *invocation, swp_context *ctx,
                          swp_simulate_options *out);

#endif
