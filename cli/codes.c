/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the table of the command's own codes, and maps a status of the library to an exit status. */
#include "codes.h"

static const swp_diag_code rows[] = {
#define ROW(code, meaning) {#code, meaning},
    CLI_CODES(ROW)
#undef ROW
};

const swp_diag_code *cli_code_row(cli_code code)
{
    return &rows[code];
}

int exit_status_of(swp_status status)
{
    switch (status) {
    case SWP_OK:
        return EXIT_DONE;
    case SWP_INFEASIBLE:
        return EXIT_NO;
    case SWP_STOPPED:
        return EXIT_STOPPED;
    case SWP_INVALID:
    case SWP_OUT_OF_MEMORY:
        break;
    }
    return EXIT_BAD;
}
