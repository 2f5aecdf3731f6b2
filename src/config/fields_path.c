/* SPDX-License-Identifier: Apache-2.0 */
/* Composes the path by which a field is called from outside. */
#include "base/require.h"
#include "swp/fields.h"

#include <stdio.h>

const char *swp_field_path(const swp_field *field, char path[SWP_FIELD_PATH_SIZE])
{
    SWP_REQUIRE_OR("", field && path);
    const char *section = swp_section_name(field->section);
    (void)snprintf(path, SWP_FIELD_PATH_SIZE, "%s%s%s", section, *section ? "." : "", field->name);
    return path;
}
