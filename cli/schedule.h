/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule that a subcommand's first argument stands for. */
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
int schedule_open(cli_invocation *invocation, cli_schedule *out);
void schedule_close(cli_schedule *opened);

/*
 * Prints the arguments with which another subcommand gets the same schedule, and its options alone.
 * `user` is the invocation.
 */
void schedule_print_arguments(FILE *stream, const void *user);
void schedule_print_options(FILE *stream, const cli_invocation *invocation);

/* The exit status for a status of the library. */
int exit_status_of(swp_status status);

/* The text of a schedule, in the memory of its context. */
typedef swp_status (*schedule_text)(const cli_invocation *invocation, const cli_schedule *opened,
                                    char **text, size_t *length);

/* In the format of the invocation, which schedule_format() took. */
swp_status schedule_formatted(const cli_invocation *invocation, const cli_schedule *opened,
                              char **text, size_t *length);

/*
 * Compiles or reads the schedule and writes its text; returns an exit status. `check`, if not NULL,
 * judges the schedule first: with an exit status other than EXIT_DONE nothing is written.
 */
int schedule_write(cli_invocation *invocation, schedule_text text_of,
                   int (*check)(const cli_invocation *invocation, const cli_schedule *opened));

/* The format that the invocation asks for, or NULL after a diagnostic. */
const swp_emit_format *schedule_format(const cli_invocation *invocation);

/*
 * Whether a report is to be JSON instead of text; `*status` is EXIT_BAD after a diagnostic if the
 * format is neither.
 */
bool report_as_json(const cli_invocation *invocation, int *status);

#endif
