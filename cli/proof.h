/* SPDX-License-Identifier: Apache-2.0 */
/* What `swp compile` has to say of the safety of what it made. */
#ifndef CLI_PROOF_H
#define CLI_PROOF_H

#include "schedule.h"

#include "swp/report.h"

typedef struct cli_proof {
    swp_context *ctx; /* which has the verdict */
    bool stopped;     /* a limit ended the proof */
    bool judged;      /* there is a verdict */
    swp_verdict verdict;
} cli_proof;

/*
 * What `swp compile` says of the schedule's safety: a warning, or with --require-proof an error.
 * Returns EXIT_DONE, EXIT_NO if the proof that is required is not there, or EXIT_STOPPED if it did not
 * come to its end. `out` is to be freed whatever the status.
 */
int proof_check(const cli_invocation *invocation, const cli_schedule *opened, cli_proof *out);
void proof_free(cli_proof *proof);

/* Whether hazards are left that nobody has accepted. */
bool proof_is_refuted(const cli_proof *proof);

/* A summary of it, without cycles. */
swp_summary proof_summary(const cli_proof *proof);

#endif
