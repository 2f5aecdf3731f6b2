/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include "diagnostics.h"

/* Runs swp-tune with these words, the first of which is its name; returns, with an exit status, only if it cannot. */
int tune_hand_over(const cli_diagnostics *to, char **words);

#endif
