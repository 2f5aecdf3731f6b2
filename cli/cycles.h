/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the options that say how the cycles of a schedule are counted. */
#ifndef CLI_CYCLES_H
#define CLI_CYCLES_H

#include "invocation.h"

/* Returns the options of the invocation, with the figures of --target if that is a file. */
swp_status cycles_options(const cli_invocation *invocation, swp_context *ctx,
                          swp_simulate_options *out);

#endif
