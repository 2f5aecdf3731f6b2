/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the figures of targets into their schema, a section for each group of them. */
#include "schema/parts.h"

#include "target/figures.h"

/* Accepts a number, or a number with its source. */
static json_t *figure_schema(const swp_figure_row *row)
{
    json_t *number = swp_schema_integer_between(row->least, SWP_MOST_FIGURE);
    json_t *sourced = json_pack("{ss s[s] sb s{sO* s{ss}}}", "type", "object", "required", "value",
                                "additionalProperties", 0, "properties", "value", number, "source",
                                "$ref", "#/$defs/text");
    return json_pack("{ss s[o o]}", "description", row->meaning, "anyOf", number, sourced);
}

/* Returns the properties of a section, which it adds if it is not there yet. */
static json_t *properties_of(json_t *out, const char *section)
{
    json_t *known = json_object_get(out, section);
    if (!known) {
        known = json_pack("{ss sb s{}}", "type", "object", "additionalProperties", 0, "properties");
        if (!swp_schema_put(out, section, known))
            return NULL;
    }
    return json_object_get(known, "properties");
}

bool swp_schema_put_figures(json_t *out, const json_t *argument, const json_t *node)
{
    (void)argument;
    (void)node;
    bool good = true;
    for (swp_target_figure f = 0; good && f < SWP_TARGET_FIGURE_COUNT; f++) {
        const swp_figure_row *row = swp_target_figure_row(f);
        json_t *properties = properties_of(out, row->section);
        good = properties && swp_schema_put(properties, row->key, figure_schema(row));
    }
    return good;
}
