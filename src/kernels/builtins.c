/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the built-in schedules in a table: a new one is a file and a row. */
#include "base/require.h"
#include "kernels/builtin.h"

#include <string.h>

const char *swp_kernels_double_buffer_op_name(const void *user, int tag)
{
    (void)user;
    switch (tag) {
#define NAME(constant, number, name)                                                               \
    case number:                                                                                   \
        return name;
        SWP_DOUBLE_BUFFER_TAGS(NAME)
#undef NAME
    default:
        return NULL;
    }
}

swp_status swp_kernels_config(const void *self, swp_context *ctx, swp_pipeline_config *out)
{
    const swp_kernel_options *options = self;
    (void)ctx;
    *out = options->target.pipeline;
    return SWP_OK;
}

swp_status swp_kernels_schedule_config(const void *self, swp_context *ctx, swp_schedule_config *out)
{
    const swp_kernel_options *options = self;
    (void)ctx;
    *out = options->schedule;
    return SWP_OK;
}

swp_status swp_kernels_machine(const void *self, swp_context *ctx, swp_machine *out)
{
    const swp_kernel_options *options = self;
    (void)ctx;
    *out = options->machine;
    return SWP_OK;
}

swp_kernel_options swp_kernels_options_from(const swp_target_profile *profile,
                                            const swp_settings *settings)
{
    return (swp_kernel_options){
        .target = {.cost_model = profile->cost_model, .pipeline = settings->pipeline},
        .schedule = settings->schedule,
        .machine = settings->machine};
}

static const swp_builtin *const builtins[] = {
    &swp_kernels_single_buffer_builtin,  &swp_kernels_pingpong_builtin,
    &swp_kernels_fourwave_builtin,       &swp_kernels_gemm_tile_builtin,
    &swp_kernels_gemm_fragments_builtin, &swp_kernels_attention_fwd_builtin,
    &swp_kernels_stencil_builtin,        &swp_kernels_gemm_ws_builtin,
    &swp_kernels_attention_ws_builtin};

const swp_builtin *const *swp_builtins(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = sizeof builtins / sizeof builtins[0];
    return builtins;
}

const swp_builtin *swp_builtin_find(const char *name)
{
    SWP_REQUIRE_OR(NULL, name);
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
        if (strcmp(builtins[i]->name, name) == 0)
            return builtins[i];
    return NULL;
}
