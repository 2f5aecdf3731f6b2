/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the schedule that an argument stands for: a file or a built-in. */
#ifndef CLI_SCHEDULE_H
#define CLI_SCHEDULE_H

#include "invocation.h"

#include "swp/describe.h"
#include "swp/emit.h"

/* A schedule with what it was read from, and the context that holds its diagnostics. */
typedef struct cli_schedule {
    swp_context *ctx;
    cli_source text;
    swp_schedule *schedule; /* NULL: there is none */
    bool
        compiled; /* it was compiled from a description or built-in, for the target of the invocation */
} cli_schedule;

/*
 * Compiles or reads the schedule of this argument, and prints the diagnostics; returns an exit
 * status. There may be a schedule only if that is EXIT_DONE or EXIT_STOPPED. It must be closed
 * whatever the status.
 */
int schedule_open(cli_invocation *invocation, int argument, cli_schedule *out);

/* Returns the file that an argument names, as diagnostics call it; NULL: it is a built-in. */
const char *schedule_file(const cli_invocation *invocation, int argument);

void schedule_close(cli_schedule *opened);

/*
 * Opens the schedule of the first argument, gives it to `use`, and closes it. Returns the exit
 * status of `use`; if that is EXIT_DONE, returns that of opening.
 */
int schedule_use(cli_invocation *invocation,
                 int (*use)(cli_invocation *invocation, const cli_schedule *opened));

/* Writes the schedule in --format, which exists; returns an exit status. */
int schedule_emit(cli_invocation *invocation, const cli_schedule *opened);

/*
 * Prints the arguments with which another subcommand gets the same schedule and judges it alike, and its options alone.
 * `user` is the invocation.
 */
void schedule_print_arguments(FILE *stream, const void *user);
void schedule_print_options(FILE *stream, const cli_invocation *invocation);

/* Returns the format that the invocation asks for, or NULL after a diagnostic. */
const swp_emit_format *schedule_format(const cli_invocation *invocation);

#endif
