/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills the structs of settings with the defaults of their tables, and computes the figures that
 * follow from them.
 */
#include "swp/config.h"
#include "base/require.h"
#include "swp/reference.h"

/* Each table has one function, which returns a struct with its defaults. */
#define DEFAULT(kind, name, value, ...) .name = value,

swp_block_sizing swp_block_sizing_default(void)
{
    return (swp_block_sizing){SWP_BLOCK_SIZING_FIELDS(DEFAULT)};
}

swp_pipeline_config swp_pipeline_config_default(void)
{
    return (swp_pipeline_config){SWP_PIPELINE_CONFIG_FIELDS(DEFAULT).block_sizing =
                                     swp_block_sizing_default()};
}

swp_schedule_config swp_schedule_config_default(void)
{
    return (swp_schedule_config){SWP_SCHEDULE_CONFIG_FIELDS(DEFAULT)};
}

swp_barrier_strategy swp_barrier_strategy_default(void)
{
    return (swp_barrier_strategy){SWP_BARRIER_STRATEGY_FIELDS(DEFAULT)};
}

swp_wait_strategy swp_wait_strategy_default(void)
{
    return (swp_wait_strategy){SWP_WAIT_STRATEGY_FIELDS(DEFAULT)};
}

swp_load_strategy swp_load_strategy_default(void)
{
    return (swp_load_strategy){SWP_LOAD_STRATEGY_FIELDS(DEFAULT)};
}

swp_machine swp_machine_default(void)
{
    return (swp_machine){SWP_MACHINE_FIELDS(DEFAULT)};
}

swp_mma_hints swp_mma_hints_default(void)
{
    return (swp_mma_hints){SWP_MMA_HINTS_FIELDS(DEFAULT)};
}

swp_loop_settings swp_loop_settings_default(void)
{
    return (swp_loop_settings){SWP_LOOP_SETTINGS_FIELDS(DEFAULT)};
}

swp_block_sizing swp_block_sizing_uniform(int slots)
{
    return (swp_block_sizing){.heavy = slots, .light = slots, .max_globals = 0};
}

swp_loop_carried swp_loop_carried_fragment_zero(void)
{
    return (swp_loop_carried){SWP_FRAGMENT_LOAD, 0};
}

swp_loop_carried swp_loop_carried_none(void)
{
    return SWP_DEFAULT_LOOP_CARRIED;
}

swp_warp_stagger swp_warp_stagger_none(void)
{
    return SWP_DEFAULT_STAGGER;
}

swp_warp_stagger swp_warp_stagger_auto(void)
{
    return (swp_warp_stagger){SWP_STAGGER_AUTO, 0};
}

swp_warp_stagger swp_warp_stagger_fixed(int amount)
{
    return (swp_warp_stagger){SWP_STAGGER_FIXED, amount};
}

swp_barrier_strategy swp_barrier_strategy_minimal_no_set_prio(uint64_t sched_barrier_mask)
{
    swp_barrier_strategy barrier = swp_barrier_strategy_default();
    barrier.sched_barrier_mask = sched_barrier_mask;
    barrier.minimal_barriers = true;
    barrier.omit_mma_set_prio = true;
    return barrier;
}

swp_wait_strategy swp_wait_strategy_auto_with_inter_block_drain(void)
{
    swp_wait_strategy wait = swp_wait_strategy_default();
    wait.auto_waits = true;
    wait.inter_block_lgkm_drain = true;
    return wait;
}

swp_schedule_config swp_schedule_config_from_strategies(swp_strategy scheduling,
                                                        const swp_barrier_strategy *barrier,
                                                        const swp_wait_strategy *wait,
                                                        const swp_load_strategy *load)
{
    SWP_REQUIRE_OR((swp_schedule_config){0}, barrier && wait && load);
    swp_schedule_config config = swp_schedule_config_default();
    config.scheduling = scheduling;
#define FROM_BARRIER(kind, name, ...) config.name = barrier->name;
#define FROM_WAIT(kind, name, ...) config.name = wait->name;
#define FROM_LOAD(kind, name, ...) config.name = load->name;
    SWP_BARRIER_STRATEGY_FIELDS(FROM_BARRIER)
    SWP_WAIT_STRATEGY_FIELDS(FROM_WAIT)
    SWP_LOAD_STRATEGY_FIELDS(FROM_LOAD)
    return config;
}

int swp_mmas_per_partition(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    return config->m_mmas * config->n_mmas;
}

int swp_globals_per_partition(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    return config->m_mmas + config->n_mmas;
}

int swp_frags_per_partition(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    return config->m_mmas + config->n_mmas;
}

int swp_ops_per_partition(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    return swp_mmas_per_partition(config) + swp_globals_per_partition(config) +
           swp_frags_per_partition(config);
}

int swp_total_ops(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    return config->num_partitions * swp_ops_per_partition(config);
}

int swp_blocks_per_partition(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    return swp_mmas_per_partition(config);
}

int swp_total_blocks(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    return config->num_partitions * swp_blocks_per_partition(config);
}

int swp_total_edges(const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(0, config);
    const int h = config->num_partitions;
    const int mn = swp_mmas_per_partition(config);
    const int g = swp_globals_per_partition(config);
    return h * 2 * mn + 2 * mn + 2 * h * g + 2 * (2 * g - 1);
}

int swp_compute_match_key(const swp_pipeline_config *config, const swp_op *op, int channel)
{
    SWP_REQUIRE_OR(0, config && op);
    const int field = channel == 0 ? config->ch0_match_field : config->ch1_match_field;
    return field == 0 ? op->stage : op->subtile;
}

bool swp_is_loop_carried(const swp_pipeline_config *config, const swp_op *op)
{
    SWP_REQUIRE_OR(false, config && op);
    return config->loop_carried.role != SWP_ROLE_NONE &&
           op->subtile == config->loop_carried.selector;
}

int swp_vm_per_channel(const swp_pipeline_config *config, int channel)
{
    SWP_REQUIRE_OR(0, config);
    return channel == 0 ? config->vm_per_load_a : config->vm_per_load_b;
}

int swp_lgkm_per_channel(const swp_pipeline_config *config, int channel)
{
    SWP_REQUIRE_OR(0, config);
    return channel == 0 ? config->lgkm_per_load_a : config->lgkm_per_load_b;
}
