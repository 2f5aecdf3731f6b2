/* SPDX-License-Identifier: Apache-2.0 */
/* What the option --counterexample writes: an execution that goes wrong. */
#ifndef CLI_COUNTEREXAMPLE_H
#define CLI_COUNTEREXAMPLE_H

#include "schedule.h"

#include "swp/verify.h"

/* What the file of --counterexample is to hold, of the schedule's context; NULL: nothing. */
typedef struct cli_counterexample {
    char *text;
    size_t length;
} cli_counterexample;

/*
 * An execution that shows the first hazard that is not accepted; without the option, or without such a hazard,
 * nothing. Returns an exit status.
 */
int counterexample_find(const cli_invocation *invocation, const cli_schedule *opened,
                        const swp_verdict *verdict, cli_counterexample *out);

/* Writes the file. Returns an exit status. */
int counterexample_write(const cli_invocation *invocation, const cli_counterexample *found);

#endif
