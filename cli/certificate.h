/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the files of --certificate. `swp solve` fills them while several threads solve problems,
 * in any order.
 */
#ifndef CLI_CERTIFICATE_H
#define CLI_CERTIFICATE_H

#include "schedule.h"

#include "swp/certificate.h"

/* Says where one certificate lies until all exist. */
typedef struct cli_certificate {
    FILE *stream;
    long begin;
    long end;
} cli_certificate;

/* Appends the certificate of an answer to a worker's stream. */
swp_status certificate_add(swp_context *ctx, const swp_problem *problem, const swp_answer *answer,
                           FILE *stream, cli_certificate *out);

/* Writes certificates in their order to `path`, whole or not at all; returns an exit status. */
int certificates_write(const cli_diagnostics *to, const char *path,
                       const cli_certificate *certificates, size_t count);

/*
 * Writes the text of a loop's schedule, and the certificate of its pipeline to --certificate;
 * returns an exit status. If the search for the certificate is stopped, it writes the text alone.
 */
int certificate_emit(const cli_invocation *invocation, const cli_schedule *opened, const char *text,
                     size_t length);

#endif
