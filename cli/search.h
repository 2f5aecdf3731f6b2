/* SPDX-License-Identifier: Apache-2.0 */
/* Long searches: limits, a progress line, Ctrl-C. */
#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include "invocation.h"

/* Sets the limits that the invocation asks for; a progress line only where one search runs at a time. */
void search_limit(swp_context *ctx, const cli_invocation *invocation);

/* How many certificates of a file have been checked. */
typedef struct cli_position {
    size_t done;
    size_t count;
} cli_position;

/*
 * The same for a check, which has no time limit unless it is asked for; its progress line shows the
 * position.
 */
void search_limit_check(swp_context *ctx, const cli_invocation *invocation, cli_position *position);

/* From here on the first Ctrl-C ends searches with the best so far; a second one kills. */
void search_catch_interrupt(void);

/* Erases the progress line. */
void search_clear(void);

/*
 * Sets the limits that the invocation asks for, and catches the interrupt.
 */
void search_begin(swp_context *ctx, const cli_invocation *invocation);

/* Erases the progress line and gives Ctrl-C back. */
void search_end(void);

#endif
