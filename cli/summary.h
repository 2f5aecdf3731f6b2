/* SPDX-License-Identifier: Apache-2.0 */
/* What `swp compile` prints where nothing else is asked for. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "proof.h"

/*
 * The schedule in a few lines, its cycles among them, and what to do next; the caller frees the text. Prints
 * diagnostics; returns an exit status.
 */
int summary_text(const cli_invocation *invocation, const cli_schedule *opened,
                 const cli_proof *proof, char **text, size_t *length);

#endif
