/* SPDX-License-Identifier: Apache-2.0 */
/* Opens inputs that may be larger than memory: proofs. */
#ifndef CLI_MAPPED_H
#define CLI_MAPPED_H

#include "diagnostics.h"

typedef struct cli_mapped {
    cli_source source;
    bool mapped; /* false: it was read, or is empty */
} cli_mapped;

/*
 * Maps a file, or reads what cannot be mapped, as input_read() does; returns an exit status. It
 * must be unmapped whatever the status. Diagnostics do not show its lines.
 */
int input_map(cli_diagnostics *to, const char *path, const char *if_absent, cli_mapped *out);

void input_unmap(cli_mapped *mapped);

#endif
