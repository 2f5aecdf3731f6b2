/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a loop and all that it points to into one context. */
#include "ir/loop_copy.h"

#include <string.h>

static swp_status copy_bytes(swp_context *ctx, const void *from, size_t count, size_t size,
                             void **out)
{
    SWP_TRY(swp_take(ctx, count, size, out));
    if (count > 0)
        memcpy(*out, from, count * size);
    return SWP_OK;
}

#define COPY(ctx, list, count, out)                                                                \
    copy_bytes((ctx), (list), (count), sizeof *(list), (void **)(out))

swp_status swp_ir_loop_copy_name(swp_context *ctx, const char **name)
{
    char *copy = NULL;
    SWP_TRY(swp_copy_text(ctx, *name ? *name : "", *name ? strlen(*name) : 0, &copy));
    *name = copy;
    return SWP_OK;
}

static swp_status copy_op(swp_context *ctx, swp_loop_op *op)
{
    SWP_TRY(swp_ir_loop_copy_name(ctx, &op->name));
    SWP_TRY(COPY(ctx, op->roles, op->role_count, &op->roles));
    SWP_TRY(COPY(ctx, op->uses, op->use_count, &op->uses));
    SWP_TRY(COPY(ctx, op->reads, op->read_count, &op->reads));
    SWP_TRY(COPY(ctx, op->writes, op->write_count, &op->writes));
    SWP_TRY(COPY(ctx, op->updates, op->update_count, &op->updates));
    return op->update_latencies
               ? COPY(ctx, op->update_latencies, op->update_count, &op->update_latencies)
               : SWP_OK;
}

swp_status swp_ir_loop_copy(swp_context *ctx, const swp_loop *from, swp_loop **out)
{
    swp_problem_resource *units = NULL;
    swp_loop_value *values = NULL;
    swp_loop_op *ops = NULL;
    swp_loop_role *roles = NULL;
    bool *rates = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, out));
    **out = *from;
    SWP_TRY(swp_ir_loop_copy_name(ctx, &(*out)->name));
    SWP_TRY(COPY(ctx, from->units, from->unit_count, &units));
    SWP_TRY(COPY(ctx, from->values, from->value_count, &values));
    SWP_TRY(COPY(ctx, from->ops, from->op_count, &ops));
    SWP_TRY(COPY(ctx, from->roles, from->role_count, &roles));
    for (size_t i = 0; i < from->unit_count; i++)
        SWP_TRY(swp_ir_loop_copy_name(ctx, &units[i].name));
    for (size_t i = 0; i < from->value_count; i++)
        SWP_TRY(swp_ir_loop_copy_name(ctx, &values[i].name));
    for (size_t i = 0; i < from->op_count; i++)
        SWP_TRY(copy_op(ctx, &ops[i]));
    for (size_t i = 0; i < from->role_count; i++)
        SWP_TRY(swp_ir_loop_copy_name(ctx, &roles[i].name));
    if (from->rates)
        SWP_TRY(COPY(ctx, from->rates, from->unit_count, &rates));
    (*out)->units = units;
    (*out)->rates = rates;
    (*out)->values = values;
    (*out)->ops = ops;
    (*out)->roles = roles;
    return SWP_OK;
}
