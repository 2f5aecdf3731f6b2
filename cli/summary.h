/* SPDX-License-Identifier: Apache-2.0 */
/* Makes what `swp compile` prints if no format is asked for. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "proof.h"

/*
 * Writes the schedule in a few lines, with its cycles and what to do next; the caller frees the
 * text. Prints diagnostics; returns an exit status.
 */
int summary_text(const cli_invocation *invocation, const cli_schedule *opened,
                 const cli_proof *proof, char **text, size_t *length);

#endif
