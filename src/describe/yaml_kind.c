/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the kinds of files in YAML by keys that only one of them has. */
#include "describe/yaml_kind.h"

#include <string.h>

static const struct {
    swp_yaml_file file;
    const char *key; /* that it has at the top */
    const char *name;
    const char *taker;
} rows[] = {
    {SWP_YAML_DESCRIPTION, "kernel", "a description", "`swp compile FILE` takes it"},
    {SWP_YAML_DESCRIPTION, "loop", "a description", "`swp compile FILE` takes it"},
    {SWP_YAML_DESCRIPTION, "body", "a description", "`swp compile FILE` takes it"},
    {SWP_YAML_TARGET, "like", "a target", "`swp compile DESCRIPTION --target FILE` takes it"},
    {SWP_YAML_SPACE, "description", "a space of variants", "`swp tune FILE` takes it"},
};

const yaml_node_t *swp_describe_yaml_member(swp_yaml_reader *reader, const yaml_node_t *mapping,
                                            const char *key)
{
    if (mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = swp_describe_yaml_node(reader, pair->key);
        if (name->type == YAML_SCALAR_NODE &&
            strcmp((const char *)name->data.scalar.value, key) == 0)
            return swp_describe_yaml_node(reader, pair->value);
    }
    return NULL;
}

static const char *name_of(swp_yaml_file file)
{
    size_t row = 0;
    while (rows[row].file != file)
        row++;
    return rows[row].name;
}

swp_status swp_describe_yaml_check_file(swp_yaml_reader *reader, const yaml_node_t *root,
                                        swp_yaml_file wanted, bool *is_other)
{
    size_t row = 0;
    while (row < SWP_COUNT_OF(rows) && !swp_describe_yaml_member(reader, root, rows[row].key))
        row++;
    *is_other = row < SWP_COUNT_OF(rows) && rows[row].file != wanted;
    if (!*is_other)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0107, swp_describe_yaml_place(reader, root),
                                    rows[row].taker, "this is %s, not %s", rows[row].name,
                                    name_of(wanted));
}
