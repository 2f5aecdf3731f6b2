/* SPDX-License-Identifier: Apache-2.0 */
/* What `swp compile` has to say of the safety of what it made. */
#ifndef CLI_PROOF_H
#define CLI_PROOF_H

#include "schedule.h"

/*
 * What `swp compile` says of the schedule's safety: a warning, or with --require-proof an error.
 * Returns EXIT_DONE, EXIT_NO if the proof that is required is not there, or EXIT_STOPPED if it did not
 * come to its end.
 */
int proof_check(const cli_invocation *invocation, const cli_schedule *opened);

#endif
