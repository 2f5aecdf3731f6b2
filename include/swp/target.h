/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file target.h  Cost models and targets (page 1, sections 1 and 8).
 */
#ifndef SWP_TARGET_H
#define SWP_TARGET_H

#include "swp/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What one kind of op costs (OpCost). */
typedef struct swp_op_cost {
    swp_resource resource;
    int latency; /**< cycles */
    swp_role role;
    int vgpr_def;
    int vgpr_kill;
} swp_op_cost;

/** Resource and role "none", all else 0. */
SWP_API swp_op_cost swp_op_cost_none(void);

#define SWP_KERNEL_TAGS 128

/** A cost for each kernel tag (TargetCostModel). */
typedef struct swp_cost_model {
    swp_op_cost costs[SWP_KERNEL_TAGS];
} swp_cost_model;

/** Every tag costs "none". */
SWP_API swp_cost_model swp_cost_model_none(void);

/** Stamps a cost on an op: resource, latency, role and registers. */
SWP_API void swp_op_stamp(swp_op *op, const swp_op_cost *cost);

/** annotate_ops: stamps resource, latency, role and registers on ops with a kernel tag. */
SWP_API void swp_annotate_ops(swp_op *ops, size_t count, const swp_cost_model *model);

/** A cost model and the pipeline it is made for (TargetProfile). */
typedef struct swp_target_profile {
    swp_cost_model cost_model;
    swp_pipeline_config pipeline;
} swp_target_profile;

/** A machine by name: its profiles for both buffer depths and its limits. */
typedef struct swp_target {
    const char *name;
    const char *meaning;
    int dma_bytes; /**< bytes that a lane moves to LDS at once */
    int vm_max;    /**< largest value of vmcnt */
    int lgkm_max;  /**< largest value of lgkmcnt */
    swp_target_profile (*single_buffer)(void);
    swp_target_profile (*double_buffer)(int vm_per_load_a, int vm_per_load_b, int max_globals);
} swp_target;

/** The built-in targets. */
SWP_API const swp_target *swp_targets(size_t *count);

/** The target of a name, or NULL. */
SWP_API const swp_target *swp_target_find(const char *name);

/** MI355X (gfx950): the published round latencies, not measurements. */
SWP_API swp_cost_model swp_mi355x_cost_model(void);
SWP_API swp_cost_model swp_mi355x_single_buffer_cost_model(void);
SWP_API swp_pipeline_config swp_mi355x_double_buffer(int vm_per_load_a, int vm_per_load_b,
                                                     int max_globals);
SWP_API swp_pipeline_config swp_mi355x_single_buffer(void);
/** Both joined; published defaults 4, 4, 1. */
SWP_API swp_target_profile swp_mi355x_target(int vm_per_load_a, int vm_per_load_b, int max_globals);
SWP_API swp_target_profile swp_mi355x_single_buffer_target(void);

#ifdef __cplusplus
}
#endif
#endif
