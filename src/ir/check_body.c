/* SPDX-License-Identifier: Apache-2.0 */
/* Refusing bodies that no pipeline can take. */
#include "ir/check_body.h"

#include "base/diag.h"
#include "ir/entry.h"
#include "ir/op_meaning.h"

static swp_status check_numbers(swp_context *ctx, const swp_op *op, size_t index, const char *name)
{
    const struct {
        const char *what;
        int value;
    } counts[] = {{"stage", op->stage},         {"subtile", op->subtile},
                  {"latency", op->latency},     {"vgpr_def", op->vgpr_def},
                  {"vgpr_kill", op->vgpr_kill}, {"vm_cost", op->vm_cost},
                  {"lgkm_cost", op->lgkm_cost}, {"wait_value", op->wait_value}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].value < 0)
            return swp_error(ctx, SWP_E0301, SWP_NOWHERE, "use 0 or more",
                             "`%s` of op %zu (%s) is %d", counts[i].what, index, name,
                             counts[i].value);
    if (op->channel < -1 || op->channel > 1)
        return swp_error(ctx, SWP_E0301, SWP_NOWHERE, "use 0 for A, 1 for B, -1 for none",
                         "`channel` of op %zu (%s) is %d", index, name, op->channel);
    return SWP_OK;
}

/* A slot in LDS exists only up to the depth. */
static swp_status check_stage(swp_context *ctx, const swp_op *op, size_t index, const char *name,
                              const swp_pipeline_config *config)
{
    if (!swp_role_has_stage(op->role) || op->stage < config->depth)
        return SWP_OK;
    return swp_error(ctx, SWP_E0301, SWP_NOWHERE, "slots count from 0",
                     "op %zu (%s) uses slot %d of LDS, but depth %d has %d", index, name, op->stage,
                     config->depth, config->depth);
}

static swp_status check_op(swp_context *ctx, const swp_op *op, size_t index,
                           const swp_pipeline_config *config)
{
    char buffer[SWP_OP_NAME_SIZE];
    const char *name = swp_op_name(&ctx->op_namer, op->tag, buffer);
    if (op->tag < 0 || op->tag >= SWP_FIRST_ROLE_TAG)
        return swp_error(ctx, SWP_E0301, SWP_NOWHERE,
                         "a kernel's tags are 0 to 127; the framework owns 128 and above",
                         "op %zu has tag %d", index, op->tag);
    SWP_TRY(check_numbers(ctx, op, index, name));
    return check_stage(ctx, op, index, name, config);
}

swp_status swp_ir_check_body(swp_context *ctx, const swp_op *body, size_t count,
                             const swp_pipeline_config *config)
{
    size_t computes = 0;
    for (size_t i = 0; i < count; i++) {
        SWP_TRY(check_op(ctx, &body[i], i, config));
        computes += body[i].role == SWP_COMPUTE;
    }
    if (computes == 0)
        return swp_error(ctx, SWP_E0306, SWP_NOWHERE, "give at least one op `role: compute`",
                         "none of the %zu ops of the body is a COMPUTE", count);
    if (count % (size_t)config->num_partitions != 0)
        return swp_error(
            ctx, SWP_E0307, SWP_NOWHERE, "the halves of a body have the same number of ops",
            "%d partitions do not divide a body of %zu ops", config->num_partitions, count);
    return SWP_OK;
}

static swp_status check_role(swp_context *ctx, const swp_op *op, size_t index, const char *name)
{
    if (swp_ir_op_role_fits_tag(op))
        return SWP_OK;
    return swp_error(
        ctx, SWP_E0301, SWP_NOWHERE,
        "waits, barriers and hints are the framework's ops; give a kernel's another kind",
        "op %zu (%s) has tag %d and kind %s", index, name, op->tag, swp_role_name(op->role));
}

static swp_status check_idle_member(swp_context *ctx, const swp_op *op, size_t index,
                                    const char *name, swp_placement placement)
{
    swp_idle_member idle;
    if (!swp_ir_op_idle_member(op, placement, &idle))
        return SWP_OK;
    return swp_error(ctx, SWP_E0301, SWP_NOWHERE,
                     idle.of_placement
                         ? "leave it out: there is one LDS place, and each load takes the next tile"
                         : "leave it out",
                     "`%s` of op %zu (%s) is %s, which means nothing to a %s%s", idle.name, index,
                     name, idle.value, swp_role_name(op->role),
                     idle.of_placement ? " of a single buffer" : "");
}

static swp_status check_operands(swp_context *ctx, const swp_op *op, size_t index, const char *name,
                                 const swp_pipeline_config *config, swp_placement placement)
{
    if (swp_ir_op_needs_channel(op, placement) && op->channel < 0)
        return swp_error(ctx, SWP_E0301, SWP_NOWHERE, "channel 0 is A, 1 is B",
                         "op %zu (%s) has no channel, so it does not say what it loads", index,
                         name);
    if (placement == SWP_PLACE_K_OFFSET && op->role == SWP_COMPUTE &&
        (op->stage >= config->m_mmas || op->subtile >= config->n_mmas))
        return swp_error(ctx, SWP_E0301, SWP_NOWHERE,
                         "pipeline.m_mmas and .n_mmas are the grid; rows and columns count from 0",
                         "op %zu (%s) is row %d, column %d of a grid of %dx%d", index, name,
                         op->stage, op->subtile, config->m_mmas, config->n_mmas);
    return SWP_OK;
}

swp_status swp_ir_check_meaning(swp_context *ctx, const swp_op *body, size_t count,
                                const swp_pipeline_config *config)
{
    const swp_placement placement = config->depth == 1 ? SWP_PLACE_NEXT_TILE : SWP_PLACE_K_OFFSET;
    for (size_t i = 0; i < count; i++) {
        char buffer[SWP_OP_NAME_SIZE];
        const char *name = swp_op_name(&ctx->op_namer, body[i].tag, buffer);
        SWP_TRY(check_role(ctx, &body[i], i, name));
        SWP_TRY(check_idle_member(ctx, &body[i], i, name, placement));
        SWP_TRY(check_operands(ctx, &body[i], i, name, config, placement));
    }
    return SWP_OK;
}
