/* SPDX-License-Identifier: Apache-2.0 */
/* Puts settings into schemas, as descriptions and the JSON of schedules have them. */
#include "schema/parts.h"

#include "swp/fields.h"

#include <stdio.h>
#include <string.h>

/* Returns the words of a setting's domain, such as "identity|greedy|csp". */
static json_t *domain_words(const swp_field *field)
{
    char domain[SWP_FIELD_TEXT_SIZE];
    swp_field_domain(field, domain);
    json_t *words = json_array();
    char *rest = domain;
    for (char *end = rest; words && end; rest = end + 1) {
        end = strchr(rest, '|');
        const size_t length = end ? (size_t)(end - rest) : strlen(rest);
        if (!swp_schema_append(words, json_stringn(rest, length))) {
            json_decref(words);
            return NULL;
        }
        if (!end)
            break;
    }
    return json_pack("{so}", "enum", words);
}

static json_t *text_like(const char *pattern)
{
    return json_pack("{ss ss}", "type", "string", "pattern", pattern);
}

/* Says what a value may be if it is no expression. */
static json_t *field_value(const swp_field *field, bool written)
{
    static const char mask[] = "^(0x[0-9a-fA-F]+|0b[01]+|[0-9]+)$";
    switch (field->kind) {
    case SWP_FIELD_INT:
        return swp_schema_integer_between(field->least, field->most);
    case SWP_FIELD_BOOL:
        return json_pack("{ss}", "type", "boolean");
    case SWP_FIELD_MASK:
        return written ? text_like(mask)
                       : json_pack("{s[o o]}", "anyOf", text_like(mask),
                                   json_pack("{ss si}", "type", "integer", "minimum", 0));
    case SWP_FIELD_LOOP_CARRIED:
        return text_like("^(none|fragment_zero|fragment_load:[0-9]+)$");
    case SWP_FIELD_STAGGER:
        return text_like("^(none|auto|fixed\\([0-9]+\\))$");
    case SWP_FIELD_TRIPLE:
        return json_pack("{ss si si so}", "type", "array", "minItems", 3, "maxItems", 3, "items",
                         json_pack("{s[o {ss}]}", "anyOf",
                                   swp_schema_integer_between(field->least, field->most), "$ref",
                                   SWP_SCHEMA_EXPRESSION));
    default:
        return domain_words(field);
    }
}

static json_t *field_schema(const swp_field *field, bool written)
{
    char meaning[256];
    (void)snprintf(meaning, sizeof meaning, "%s%s%s", field->meaning, *field->unit ? "; " : "",
                   field->unit);
    json_t *value = field_value(field, written);
    json_t *schema = written ? value : json_object();
    if (schema && (written || swp_schema_put_value(schema, value)) &&
        swp_schema_put(schema, "description", json_string(meaning)))
        return schema;
    json_decref(schema);
    return NULL;
}

static bool put_fields(json_t *out, const char *section, bool written)
{
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    json_t *properties = json_object();
    bool good = properties && swp_schema_put(out, "properties", properties);
    for (size_t i = 0; good && i < count; i++)
        if (strcmp(swp_section_name(fields[i].section), section) == 0)
            good = swp_schema_put(properties, fields[i].name, field_schema(&fields[i], written));
    return good && swp_schema_put(out, "additionalProperties", json_false());
}

/* A section may be empty, if it has only comments. */
bool swp_schema_put_section(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    return swp_schema_put(out, "type", json_pack("[ss]", "object", "null")) &&
           put_fields(out, json_string_value(argument), false);
}

bool swp_schema_put_written(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    return swp_schema_put(out, "type", json_string("object")) &&
           put_fields(out, json_string_value(argument), true);
}

bool swp_schema_put_setting(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    json_t *schema = field_schema(swp_field_find(json_string_value(argument)), false);
    const bool good = schema && json_object_update(out, schema) == 0;
    json_decref(schema);
    return good;
}
