/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the certificate of a loop for `swp check-certificate`. */
#ifndef CLI_CHECK_LOOP_H
#define CLI_CHECK_LOOP_H

#include "invocation.h"

/*
 * Checks the schedule and the certificate of a loop: of the built-in that the first argument names, if
 * `description` has no text. Returns an exit status.
 */
int check_loop(cli_invocation *invocation, const cli_source *description,
               const cli_source *schedule, const cli_source *certificate);

#endif
