/* SPDX-License-Identifier: Apache-2.0 */
/* What the command itself can report; the library's own codes are below E0900. */
#ifndef CLI_CODES_H
#define CLI_CODES_H

#include "swp/context.h"

/* clang-format off */
#define CLI_CODES(X) \
    X(E0901, "no subcommand, or an unknown one") \
    X(E0902, "an unknown option, or one that the subcommand does not take") \
    X(E0903, "an option lacks its value, or has one that it does not take") \
    X(E0904, "an argument is missing") \
    X(E0905, "an argument too many, or one without a meaning here") \
    X(E0906, "a file cannot be read") \
    X(E0907, "an input is larger than the command reads") \
    X(E0908, "the output cannot be written") \
    X(E0909, "an option that changes a description, but the input is a compiled schedule") \
    X(E0910, "assembly where a schedule is wanted") \
    X(E0911, "a certificate is asked for of a schedule that is not compiled from a loop") \
    X(E0912, "what `swp tune` or `swp calibrate` cannot use: a space, a log, a measurement") \
    X(E0918, "the time limit or Ctrl-C came while a file was read or written")
/* clang-format on */

#define CLI_ENUMERATOR(code, meaning) CLI_##code,
typedef enum cli_code { CLI_CODES(CLI_ENUMERATOR) CLI_CODE_COUNT } cli_code;
#undef CLI_ENUMERATOR

/* Returns the row of a code. */
const swp_diag_code *cli_code_row(cli_code code);

/* Lists the exit statuses of every subcommand. */
#define EXIT_STATUSES(X)                                                                           \
    X(EXIT_DONE, 0, "done")                                                                        \
    X(EXIT_NO, 1, "the answer is no: unsafe, not proven, refused, or none within a budget")        \
    X(EXIT_BAD, 2, "bad usage, input or setting, unreadable or unwritable file, out of memory")    \
    X(EXIT_STOPPED, 3,                                                                             \
      "stopped: a limit came before there was an answer, or Ctrl-C, with the best so far if "      \
      "there is one")

#define CLI_ENUMERATOR(constant, number, meaning) constant = (number),
typedef enum exit_status { EXIT_STATUSES(CLI_ENUMERATOR) } exit_status;
#undef CLI_ENUMERATOR

/* Returns the exit status for a status of the library. */
int exit_status_of(swp_status status);

#endif
