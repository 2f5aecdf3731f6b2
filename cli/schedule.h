/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule that a subcommand's first argument stands for. */
#ifndef CLI_SCHEDULE_H
#define CLI_SCHEDULE_H

#include "invocation.h"

#include "swp/emit.h"

/* Compiles or reads the schedule and writes it in the format; returns an exit status. */
int schedule_write(cli_invocation *invocation, const swp_emit_format *format);

/* The format that the invocation asks for, or NULL after a diagnostic. */
const swp_emit_format *schedule_format(const cli_invocation *invocation);

#endif
