/* SPDX-License-Identifier: Apache-2.0 */
/* Says for `swp compile` whether what it made is safe. */
#ifndef CLI_PROOF_H
#define CLI_PROOF_H

#include "schedule.h"

#include "swp/report.h"

typedef struct cli_proof {
    swp_context *ctx; /* owns the verdict */
    bool stopped;     /* a limit ended the proof */
    bool judged;      /* there is a verdict */
    swp_verdict verdict;
} cli_proof;

/*
 * Reports the schedule's safety for `swp compile`: as a warning, or with --require-proof as an
 * error. Returns EXIT_DONE, EXIT_NO if a required proof is not there, or EXIT_STOPPED if a limit
 * ended it. `out` must be freed whatever the status.
 */
int proof_check(const cli_invocation *invocation, const cli_schedule *opened, cli_proof *out);
void proof_free(cli_proof *proof);

/* Returns whether hazards are left that nobody has accepted. */
bool proof_is_refuted(const cli_proof *proof);

/* Returns a summary of it, without cycles. */
swp_summary proof_summary(const cli_proof *proof);

#endif
