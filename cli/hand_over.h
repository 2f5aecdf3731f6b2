/* SPDX-License-Identifier: Apache-2.0 */
/* Hands subcommands over to programs of their own. */
#ifndef CLI_HAND_OVER_H
#define CLI_HAND_OVER_H

#include "diagnostics.h"

/* Returns whether the subcommand NAME is a program of its own, swp-NAME. */
bool hand_over_is_due(const char *subcommand);

/* Runs it with these words, the first of which is NAME; returns, with an exit status, only if it cannot. */
int hand_over(const cli_diagnostics *to, char **words);

#endif
