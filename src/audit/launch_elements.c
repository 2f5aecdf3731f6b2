/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the elements of tensor maps, by the names that people give them. */
#include "swp/audit.h"

#include "base/names.h"

#include <string.h>

int swp_audit_element_bits(const char *name)
{
    static const struct {
        const char *name;
        int bits;
    } rows[] = {
#define ROW(name, bits) {name, bits},
        SWP_AUDIT_ELEMENTS(ROW)
#undef ROW
    };
    for (size_t i = 0; name && i < SWP_COUNT_OF(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].bits;
    return 0;
}
