/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the limits of what the library does for the command, and shows its progress. */
#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include "invocation.h"

/*
 * Sets the limits that the invocation asks for, less the time that has passed: --time-limit for a
 * search that can end with its best so far, and twice that for all. Without --time-limit a search
 * has work to spend, and all else is limited by Ctrl-C alone. There is a progress line only if one
 * search runs at a time.
 */
void search_limit(swp_context *ctx, const cli_invocation *invocation);

/* Does the same for work that has no limit unless one is asked for. */
void search_limit_runs(swp_context *ctx, const cli_invocation *invocation);

/* Does the same for one of several problems, each of which has all the time. */
void search_limit_each(swp_context *ctx, const cli_invocation *invocation);

/* Counts the certificates of a file that have been checked. */
typedef struct cli_position {
    size_t done;
    size_t count;
} cli_position;

/* Does the same for a check, which has a default of its own; its progress line shows the position. */
void search_limit_check(swp_context *ctx, const cli_invocation *invocation, cli_position *position);

#endif
