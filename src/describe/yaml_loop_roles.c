/* SPDX-License-Identifier: Apache-2.0 */
/* Reads `roles:` of a loop: names, or mappings that say who an instance is. */
#include "describe/yaml_loop.h"

#include "ir/roles.h"

#include <string.h>

/* A role on its way, and the loop that it is of. */
typedef struct yaml_role {
    swp_yaml_loop *loop;
    swp_loop_role role;
} yaml_role;

bool swp_describe_yaml_is_any_role(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE &&
           strcmp((const char *)node->data.scalar.value, "any") == 0;
}

static swp_status read_name(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    yaml_role *p = into;
    if (swp_describe_yaml_is_any_role(item->value))
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, item->value),
            "`any` stands for all roles under the `role` of an op", "no role can be named `any`");
    return swp_describe_yaml_new_name(reader, item->value, "role", &p->loop->role_names,
                                      &p->role.name);
}

static swp_status read_warps(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_MOST_ROLE_WARPS, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((yaml_role *)into)->role.warps);
}

static swp_status read_instances(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_MOST_INSTANCES, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((yaml_role *)into)->role.instances);
}

static swp_status read_registers(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {SWP_LEAST_ROLE_REGISTERS, SWP_MOST_ROLE_REGISTERS, SWP_E0105};
    int registers = 0;
    SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, range, &registers));
    ((yaml_role *)into)->role.registers = registers;
    if (registers % SWP_ROLE_REGISTERS_STEP == 0)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0105, swp_describe_yaml_place(reader, item->value),
                                    "the hardware hands them out by eights",
                                    "`registers` is %d, which is no multiple of %d", registers,
                                    SWP_ROLE_REGISTERS_STEP);
}

static const swp_yaml_key role_keys[] = {
    {"role", read_name, true},
    {"warps", read_warps, false},
    {"instances", read_instances, false},
    {"registers", read_registers, false},
};

static swp_status read_role(swp_yaml_reader *reader, yaml_node_t *node, void *into)
{
    yaml_role p = {.loop = into};
    swp_yaml_item found[SWP_COUNT_OF(role_keys)];
    const size_t errors = reader->errors;
    if (node->type == YAML_SCALAR_NODE) {
        const swp_yaml_item name = {"role", NULL, node};
        SWP_TRY(read_name(reader, &name, &p));
        return p.role.name ? SWP_PUSH(reader->ctx, &p.loop->roles, p.role) : SWP_OK;
    }
    SWP_TRY(
        swp_describe_yaml_find(reader, node, "a role", role_keys, SWP_COUNT_OF(role_keys), found));
    SWP_TRY(swp_describe_yaml_read_found(reader, role_keys, SWP_COUNT_OF(role_keys), found, &p));
    if (reader->errors != errors)
        p.loop->sound = false;
    return p.role.name ? SWP_PUSH(reader->ctx, &p.loop->roles, p.role) : SWP_OK;
}

swp_status swp_describe_yaml_read_loop_roles(swp_yaml_reader *reader, const swp_yaml_item *item,
                                             void *into)
{
    return swp_describe_yaml_each(reader, item, "a list of names", SWP_MOST_LOOP_ROLES, read_role,
                                  into);
}
