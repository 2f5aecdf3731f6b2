/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file kernels.h  The built-in schedules (docs/descriptions.md, "Built-ins").
 *
 * Each kernel is a struct of its parameters, an _init() with the published defaults, and a function
 * that gives the schedule definition; the struct must outlive the definition.
 */
#ifndef SWP_KERNELS_H
#define SWP_KERNELS_H

#include "swp/compile.h"
#include "swp/fields.h"
#include "swp/loop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tags of the double-buffered kernels, and of the single-buffered one. */
#define SWP_DOUBLE_BUFFER_TAGS(X)                                                                  \
    X(SWP_LOAD_A, 0, "LOAD_A")                                                                     \
    X(SWP_LOAD_B, 1, "LOAD_B")                                                                     \
    X(SWP_COMPUTE_TILE, 2, "COMPUTE")                                                              \
    X(SWP_MMA_LOAD_A, 3, "MMA_LOAD_A")                                                             \
    X(SWP_MMA_LOAD_B, 4, "MMA_LOAD_B")                                                             \
    X(SWP_MMA, 5, "MMA")

#define SWP_SINGLE_BUFFER_TAGS(X)                                                                  \
    X(SWP_LOAD_DRAM, 0, "LOAD_DRAM")                                                               \
    X(SWP_STORE_SMEM, 1, "STORE_SMEM")                                                             \
    X(SWP_LOAD_FRAG, 2, "LOAD_FRAG")                                                               \
    X(SWP_COMPUTE_FRAG, 3, "COMPUTE")

enum { SWP_DOUBLE_BUFFER_TAGS(SWP_NUMBERED) SWP_DOUBLE_BUFFER_TAG_END };
enum { SWP_SINGLE_BUFFER_TAGS(SWP_NUMBERED) SWP_SINGLE_BUFFER_TAG_END };

/** What every built-in takes; the first member of each kernel's struct. */
typedef struct swp_kernel_options {
    swp_target_profile target;
    swp_schedule_config schedule;
    swp_machine machine;
} swp_kernel_options;

/** Single-buffered matmul: registers, one LDS buffer, fenced barriers. */
typedef struct swp_single_buffer {
    swp_kernel_options options;
    int num_k_tiles; /**< fragments a tile, 1..1024 */
    swp_mma_hints hints;
} swp_single_buffer;

SWP_API void swp_single_buffer_init(swp_single_buffer *kernel, int num_k_tiles);
SWP_API swp_pipeline_schedule swp_single_buffer_schedule(const swp_single_buffer *kernel);

/** Ping-pong: two warp groups of four waves, one computing while the other loads. */
typedef struct swp_pingpong {
    swp_kernel_options options;
} swp_pingpong;

SWP_API void swp_pingpong_init(swp_pingpong *kernel);
SWP_API swp_pipeline_schedule swp_pingpong_schedule(const swp_pingpong *kernel);

/** 4-wave with cross-stage register rotation (Pipeline4Wave). */
typedef struct swp_pipeline_4wave {
    swp_kernel_options options;
} swp_pipeline_4wave;

/** Pipeline4Wave._default_schedule_config: returns the common defaults with the rotation's invariants. */
SWP_API swp_schedule_config swp_pipeline_4wave_default_schedule_config(void);

/**
 * Fills a kernel with its settings.
 * @param geometry  its lgkm counts are used; the vm counts come from the target
 * @param schedule  NULL: the default; the rotation's invariants are set again, with a warning
 * @param target    NULL: MI355X, vm 4 and 4, max_globals 1
 */
SWP_API swp_status swp_pipeline_4wave_init(swp_context *ctx, swp_pipeline_4wave *kernel,
                                           const swp_kernel_geometry *geometry,
                                           const swp_schedule_config *schedule,
                                           const swp_target_profile *target);
SWP_API swp_pipeline_schedule swp_pipeline_4wave_schedule(const swp_pipeline_4wave *kernel);

/** declare_ops: lists the 24 logical ops in mini-iteration order. */
SWP_API swp_status swp_pipeline_4wave_declare_ops(swp_context *ctx, swp_op_list *ops);

/** A built-in: how a description makes its definition. */
typedef struct swp_builtin {
    const char *name;
    const char *meaning;
    const char *target;              /**< that it is for where none is stated; NULL: the default */
    int depth;                       /**< slots in LDS */
    swp_wave_layout (*layout)(void); /**< how waves divide the block; NULL: it takes no geometry */
    bool default_geometry;           /**< counts come from the default shape if none is given */
    /** Sets the kernel's own defaults over those of the tables, the machine included. */
    void (*defaults)(const swp_target *target, swp_settings *settings);
    /**
     * Makes a definition with these settings, whose pipeline section has the vm and lgkm counts.
     * What it needs lives in the context.
     */
    swp_status (*define)(swp_context *ctx, const swp_target *target, const swp_settings *settings,
                         swp_pipeline_schedule *out);
    /** Makes the logical iteration of a built-in loop, instead of the two above; NULL: it is no loop. */
    swp_status (*loop)(swp_context *ctx, const swp_target *target, const swp_settings *settings,
                       swp_loop *out);
} swp_builtin;

/** Returns the table of built-ins: `count` pointers. */
SWP_API const swp_builtin *const *swp_builtins(size_t *count);
SWP_API const swp_builtin *swp_builtin_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
