/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_COUNTEREXAMPLE_H
#define CLI_COUNTEREXAMPLE_H

#include "schedule.h"

#include "swp/verify.h"

/*
 * Writes an execution that shows the first hazard that is not accepted to the file that
 * --counterexample names; without the option, or without such a hazard, nothing. Returns an exit
 * status.
 */
int counterexample_write(const cli_invocation *invocation, const cli_schedule *opened,
                         const swp_verdict *verdict);

#endif
