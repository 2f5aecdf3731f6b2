/* SPDX-License-Identifier: Apache-2.0 */
/* `space:` of values, and those in global memory: they have no slots, but tell what an op's accesses touch. */
#include "describe/spaces.h"
#include "describe/yaml_loop.h"

#include "base/names.h"

/* The first three are the format's; the others are what the machines' manuals call them. */
static const swp_name spaces[] = {
    {SWP_SPACE_SHARED, "shared", NULL},   {SWP_SPACE_REGISTERS, "registers", NULL},
    {SWP_YAML_GLOBAL, "global", NULL},    {SWP_SPACE_SHARED, "lds", NULL},
    {SWP_SPACE_SHARED, "smem", NULL},     {SWP_SPACE_REGISTERS, "register", NULL},
    {SWP_SPACE_REGISTERS, "regs", NULL},  {SWP_SPACE_REGISTERS, "vgpr", NULL},
    {SWP_SPACE_REGISTERS, "vgprs", NULL}, {SWP_SPACE_REGISTERS, "agpr", NULL},
    {SWP_SPACE_REGISTERS, "agprs", NULL}, {SWP_YAML_GLOBAL, "gmem", NULL},
    {SWP_YAML_GLOBAL, "hbm", NULL},
};
const swp_name_table swp_describe_space_names = SWP_NAME_TABLE(spaces);

swp_status swp_describe_yaml_space(swp_yaml_reader *reader, const swp_yaml_item *item, int *space)
{
    *space = SWP_SPACE_SHARED;
    return swp_describe_yaml_word(reader, item->value, item->name, &swp_describe_space_names,
                                  space);
}

swp_status swp_describe_yaml_add_global(swp_yaml_reader *reader, swp_yaml_loop *loop,
                                        swp_place place)
{
    const swp_yaml_global unused = {-1, -1, place};
    return SWP_PUSH(reader->ctx, &loop->globals, unused);
}

swp_status swp_describe_yaml_warn_of_globals(swp_yaml_reader *reader, const swp_yaml_loop *loop)
{
    for (size_t i = 0; i < loop->globals.count; i++) {
        const swp_yaml_global *global = &loop->globals.items[i];
        if (global->reader < 0 && global->writer < 0)
            SWP_TRY(swp_warn(reader->ctx, SWP_W0322, global->place,
                             "name it under `reads` or `writes` of the ops that access it",
                             "value %s in global memory is neither written nor read by any op",
                             loop->global_names.items[i]));
    }
    return SWP_OK;
}

static const char *name_of_op(const swp_yaml_loop *loop, int op)
{
    return (size_t)op < loop->ops.count ? loop->ops.items[op].name : "it";
}

static swp_status refuse_order(swp_yaml_reader *reader, const yaml_node_t *node,
                               const swp_yaml_loop *loop, const char *name, int other, bool writes)
{
    return swp_describe_yaml_report(
        reader, SWP_E0323, swp_describe_yaml_place(reader, node),
        "keep it in shared memory or registers, or give what is read and what is written a value "
        "each",
        "this op %s %s in global memory, which op %s %s: nothing orders the two",
        writes ? "writes" : "reads", name, name_of_op(loop, other), writes ? "reads" : "writes");
}

swp_status swp_describe_yaml_access_global(swp_yaml_reader *reader, const yaml_node_t *node,
                                           swp_yaml_loop *loop, swp_loop_op *op, bool reads,
                                           bool writes, bool *is_global)
{
    const char *name = node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
    const int at = swp_name_list_find(&loop->global_names, name);
    const int self = (int)loop->ops.count;
    *is_global = at >= 0;
    if (at < 0)
        return SWP_OK;
    swp_yaml_global *global = &loop->globals.items[at];
    op->reads_global |= reads;
    op->writes_global |= writes;
    if (writes && global->reader >= 0 && global->reader != self)
        return refuse_order(reader, node, loop, name, global->reader, true);
    if (reads && global->writer >= 0 && global->writer != self)
        return refuse_order(reader, node, loop, name, global->writer, false);
    global->reader = reads ? self : global->reader;
    global->writer = writes ? self : global->writer;
    return SWP_OK;
}
