/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a command line: what it reads, and what it writes. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "invocation.h"

/*
 * Refuses, before anything is read, an output that cannot be written, one that would replace an input or
 * another output, and standard input for two inputs. Files are told apart by what they are, not by how
 * they are spelt. Returns an exit status.
 */
int files_check(const cli_invocation *invocation);

#endif
