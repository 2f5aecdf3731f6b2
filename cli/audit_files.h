/* SPDX-License-Identifier: Apache-2.0 */
/* Audits of files that are judged by themselves, several at a time. */
#ifndef CLI_AUDIT_FILES_H
#define CLI_AUDIT_FILES_H

#include "invocation.h"

/* Judges all files of the command line; returns an exit status. */
int audit_files(cli_invocation *invocation);

#endif
