/* SPDX-License-Identifier: Apache-2.0 */
/* Shares what the subcommands that judge a schedule have in common: --format text or json, and the end. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "invocation.h"

/* Reads --format into `as_json`; returns an exit status, EXIT_BAD for neither text nor json. */
int report_format(cli_invocation *invocation);

/* Chooses whether texts that are written under this context for the result have colour. */
void report_color(swp_context *ctx, const cli_invocation *invocation);

/*
 * Prints the context's diagnostics and, if `status` is SWP_OK, the text: to -o, or to standard
 * output if the answer is no. Returns an exit status.
 */
int report_end(const cli_invocation *invocation, swp_context *ctx, swp_status status, bool yes,
               const char *text, size_t length);

#endif
