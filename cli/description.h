/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the description that an argument stands for, with what the command line says of it. */
#ifndef CLI_DESCRIPTION_H
#define CLI_DESCRIPTION_H

#include "invocation.h"

#include "swp/describe.h"

/*
 * Reads the text of a file, or takes the built-in of that name if there is no text; then applies
 * --set and --target.
 */
swp_status description_open(const cli_invocation *invocation, int argument, swp_context *ctx,
                            const cli_source *text, swp_description **out);

#endif
