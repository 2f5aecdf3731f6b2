/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the objects of the JSON of a schedule into its schema. */
#include "schema/parts.h"

#include "emit/json/members.h"

#include <string.h>

typedef struct object_row {
    const char *name;
    const swp_json_object *object;
} object_row;

static const object_row object_rows[] = {
    {"body_op", &swp_json_body_op},
    {"entry", &swp_json_entry},
    {"labelled_entry", &swp_json_labelled_entry},
    {"cluster_role_entry", &swp_json_cluster_role_entry},
    {"tile_role_object", &swp_json_tile_role_object},
    {"role", &swp_json_role},
    {"role_counts", &swp_json_role_counts},
    {"edge", &swp_json_edge},
    {"loop", &swp_json_loop},
    {"geometry", &swp_json_geometry},
    {"metrics", &swp_json_metrics},
    {"sync", &swp_json_sync},
    {"counted", &swp_json_counted},
};

static const swp_json_object *object_of(const json_t *name)
{
    size_t i = 0;
    while (strcmp(object_rows[i].name, json_string_value(name)) != 0)
        i++;
    return object_rows[i].object;
}

static json_t *member_schema(const swp_json_member *member)
{
    switch (member->kind) {
    case SWP_JSON_INT:
        return swp_schema_integer_between(member->least, member->most);
    case SWP_JSON_BOOL:
        return json_pack("{ss}", "type", "boolean");
    case SWP_JSON_TEXT:
        return json_pack("{ss}", "type", "string");
    case SWP_JSON_WORD:
        return json_pack("{so}", "enum", swp_schema_names_of(member->words));
    case SWP_JSON_FIGURE:
    case SWP_JSON_WAIT:
        return json_pack("{s[ss] si}", "type", "integer", "null", "minimum", 0);
    case SWP_JSON_WORK:
        break;
    }
    return json_pack("{ss si}", "type", "integer", "minimum", 0);
}

bool swp_schema_put_members(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    const swp_json_object *object = object_of(argument);
    bool good = true;
    for (size_t i = 0; good && i < object->count; i++)
        good = swp_schema_put(out, object->members[i].key, member_schema(&object->members[i]));
    return good;
}

static bool is_listed(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), word) == 0)
            return true;
    return false;
}

bool swp_schema_put_object(json_t *out, const json_t *argument, const json_t *node)
{
    const swp_json_object *object = object_of(argument);
    const json_t *optional = json_object_get(node, "@optional");
    json_t *required = json_array();
    json_t *properties = json_object();
    bool good = swp_schema_put(out, "type", json_string("object")) &&
                swp_schema_put(out, "required", required) &&
                swp_schema_put(out, "additionalProperties", json_false()) &&
                swp_schema_put(out, "properties", properties) &&
                swp_schema_put_members(properties, argument, node);
    for (size_t i = 0; good && i < object->count; i++)
        if (!is_listed(optional, object->members[i].key))
            good = swp_schema_append(required, json_string(object->members[i].key));
    return good;
}
