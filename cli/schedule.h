/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule that an argument stands for: a file or a built-in. */
#ifndef CLI_SCHEDULE_H
#define CLI_SCHEDULE_H

#include "invocation.h"

#include "swp/emit.h"

/* A schedule with what it was read from, and the context that holds its diagnostics. */
typedef struct cli_schedule {
    swp_context *ctx;
    cli_source text;
    swp_schedule *schedule; /* NULL: there is none */
} cli_schedule;

/*
 * Compiles or reads the schedule and prints the diagnostics; returns an exit status. There may be a
 * schedule only if that is EXIT_DONE or EXIT_STOPPED. To be closed whatever the status.
 */
int schedule_open(cli_invocation *invocation, const char *name, cli_schedule *out);
void schedule_close(cli_schedule *opened);

/* The exit status for a status of the library. */
int exit_status_of(swp_status status);

/*
 * Compiles or reads the schedule and writes it in the format; returns an exit status. `check`, if not
 * NULL, judges the schedule first: with an exit status other than EXIT_DONE nothing is written.
 */
int schedule_write(cli_invocation *invocation, const swp_emit_format *format,
                   int (*check)(const cli_invocation *invocation, const cli_schedule *opened));

/* The format that the invocation asks for, or NULL after a diagnostic. */
const swp_emit_format *schedule_format(const cli_invocation *invocation);

/*
 * Whether a report is to be JSON instead of text; `*status` is EXIT_BAD after a diagnostic if the
 * format is neither.
 */
bool report_as_json(const cli_invocation *invocation, int *status);

#endif
