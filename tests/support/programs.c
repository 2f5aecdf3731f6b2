/* SPDX-License-Identifier: Apache-2.0 */
#include "programs.h"

#include "fixture.h"

swp_pipeline_config row_config(int columns)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.m_mmas = 1;
    config.n_mmas = columns;
    return config;
}

swp_program row_program(swp_context *ctx, swp_op_list ordered, int columns,
                        const swp_schedule_config *sched)
{
    const swp_pipeline_config config = row_config(columns);
    swp_program program;
    assert_ok(
        ctx, swp_construct_mma_blocks(ctx, ordered.items, ordered.count, &config, sched, &program));
    return program;
}
