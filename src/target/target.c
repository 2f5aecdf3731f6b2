/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the targets in a table: a new one is a file and a row. */
#include "swp/target.h"

#include "base/diag.h"
#include "base/require.h"
#include "target/builtin.h"
#include "target/names.h"

#include <strings.h>

swp_op_cost swp_op_cost_none(void)
{
    return (swp_op_cost){.resource = SWP_RESOURCE_NONE, .role = SWP_ROLE_NONE};
}

swp_cost_model swp_cost_model_none(void)
{
    swp_cost_model model;
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        model.costs[tag] = swp_op_cost_none();
    return model;
}

static const swp_target *const targets[] = {&swp_target_mi355x, &swp_target_mi300x,
                                            &swp_target_sm_80, &swp_target_sm_90};

const swp_target *const *swp_targets(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = sizeof targets / sizeof targets[0];
    return targets;
}

/* Other names of a target's machines: those of the product, or of the compiler. */
static const struct {
    const char *alias;
    const swp_target *target;
} aliases[] = {
    {"gfx950", &swp_target_mi355x}, {"mi350x", &swp_target_mi355x}, {"gfx942", &swp_target_mi300x},
    {"mi300", &swp_target_mi300x},  {"mi300a", &swp_target_mi300x}, {"mi325x", &swp_target_mi300x},
    {"a100", &swp_target_sm_80},    {"sm80", &swp_target_sm_80},    {"h100", &swp_target_sm_90},
    {"h200", &swp_target_sm_90},    {"gh200", &swp_target_sm_90},   {"sm90", &swp_target_sm_90},
    {"sm_90a", &swp_target_sm_90},  {"sm90a", &swp_target_sm_90},
};

const swp_target *swp_target_find(const char *name)
{
    SWP_REQUIRE_OR(NULL, name);
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcasecmp(targets[i]->name, name) == 0)
            return targets[i];
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcasecmp(aliases[i].alias, name) == 0)
            return aliases[i].target;
    return NULL;
}

const char *swp_target_proper_name(const char *name)
{
    const swp_target *target = swp_target_find(name);
    return target ? target->name : name;
}

swp_register_mode swp_target_registers(const swp_target *target, swp_register_mode asked)
{
    return target && asked == SWP_REGISTERS_MANAGED ? target->registers : asked;
}

static swp_status divide(swp_context *ctx, const char *what, int block, int wave, int *waves)
{
    if (wave < 1 || block < wave || block % wave != 0)
        return swp_error_about(ctx, SWP_E0601, "geometry.block",
                               "choose a block that the waves' tiles fill",
                               "%s = %d is not a multiple of a wave's %d", what, block, wave);
    *waves = block / wave;
    return SWP_OK;
}

swp_status swp_target_layout(swp_context *ctx, const swp_target *target,
                             const swp_tile_shape *shape, swp_wave_layout own, swp_wave_layout *out)
{
    SWP_REQUIRE(ctx, ctx && target && shape && out);
    *out = own;
    if (target->wave_tile[0] == 0)
        return SWP_OK;
    SWP_TRY(divide(ctx, "BM", shape->block[0], target->wave_tile[0], &out->warps_m));
    return divide(ctx, "BN", shape->block[1], target->wave_tile[1], &out->warps_n);
}
