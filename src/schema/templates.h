/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declares the schemas as they are written. A word that begins with `@` stands where a table has
 * the rest (keywords.h).
 */
#ifndef SWP_SCHEMA_TEMPLATES_H
#define SWP_SCHEMA_TEMPLATES_H

#include <stddef.h>

typedef struct swp_schema_template {
    const char *name;
    const char *const *lines;
    size_t count;
} swp_schema_template;

const swp_schema_template *swp_schema_templates(size_t *count);

#endif
