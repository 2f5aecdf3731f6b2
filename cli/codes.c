/* SPDX-License-Identifier: Apache-2.0 */
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
