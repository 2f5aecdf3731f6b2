/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Provides the parts that keywords of schemas are made of. They return false, or NULL, if memory
 * ran out, or if a value is NULL for that reason.
 */
#ifndef SWP_SCHEMA_PARTS_H
#define SWP_SCHEMA_PARTS_H

#include "base/names.h"

#include <jansson.h>

#define SWP_SCHEMA_EXPRESSION "#/$defs/expression"

/* These two take over the value. */
bool swp_schema_put(json_t *out, const char *key, json_t *value);
bool swp_schema_append(json_t *out, json_t *value);

/* Puts "anyOf": the value, which it takes over, or an expression over the variables of a description. */
bool swp_schema_put_value(json_t *out, json_t *value);

json_t *swp_schema_names_of(const swp_name_table *table);
json_t *swp_schema_integer_between(json_int_t least, json_int_t most);

/* Expands a keyword (keywords.h): `argument` stands after it, and `node` is the object that has it. */
typedef bool swp_schema_keyword(json_t *out, const json_t *argument, const json_t *node);
swp_schema_keyword swp_schema_put_section, swp_schema_put_written, swp_schema_put_setting,
    swp_schema_put_object, swp_schema_put_members, swp_schema_put_figures;

#endif
