/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the row of one of the command's own codes. */
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
