/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and writes what --counterexample asks for: an execution that goes wrong. */
#ifndef CLI_COUNTEREXAMPLE_H
#define CLI_COUNTEREXAMPLE_H

#include "schedule.h"

#include "swp/verify.h"

/* The content of the file of --counterexample, in the memory of the schedule's context; NULL: none. */
typedef struct cli_counterexample {
    char *text;
    size_t length;
} cli_counterexample;

/*
 * Finds an execution that shows the first hazard that is not accepted. Without the option, or
 * without such a hazard, it finds nothing. Returns an exit status.
 */
int counterexample_find(const cli_invocation *invocation, const cli_schedule *opened,
                        const swp_verdict *verdict, cli_counterexample *out);

/* Writes the file. Returns an exit status. */
int counterexample_write(const cli_invocation *invocation, const cli_counterexample *found);

#endif
