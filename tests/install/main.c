// SPDX-License-Identifier: Apache-2.0
// An outside program: valid C11 and C++17, built only against what was installed.
#include <stdio.h>
#include <string.h>

#include <swp/swp.h>

int main(void)
{
    printf("swp %s\n", swp_version());
    return strcmp(swp_version(), EXPECTED_VERSION) == 0 ? 0 : 1;
}
