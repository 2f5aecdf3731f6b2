/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the rows of the table of built-ins, and what their definitions share. */
#ifndef SWP_KERNELS_BUILTIN_H
#define SWP_KERNELS_BUILTIN_H

#include "swp/kernels.h"

extern const swp_builtin swp_kernels_single_buffer_builtin;
extern const swp_builtin swp_kernels_pingpong_builtin;
extern const swp_builtin swp_kernels_fourwave_builtin;
extern const swp_builtin swp_kernels_gemm_tile_builtin;
extern const swp_builtin swp_kernels_gemm_fragments_builtin;
extern const swp_builtin swp_kernels_attention_fwd_builtin;
extern const swp_builtin swp_kernels_stencil_builtin;
extern const swp_builtin swp_kernels_gemm_ws_builtin;
extern const swp_builtin swp_kernels_attention_ws_builtin;

/* These are parts of schedule definitions whose self begins with swp_kernel_options. */
swp_status swp_kernels_config(const void *self, swp_context *ctx, swp_pipeline_config *out);
swp_status swp_kernels_schedule_config(const void *self, swp_context *ctx,
                                       swp_schedule_config *out);
swp_status swp_kernels_machine(const void *self, swp_context *ctx, swp_machine *out);

/* Returns the options that settings ask for, with the cost model of a target's profile. */
swp_kernel_options swp_kernels_options_from(const swp_target_profile *profile,
                                            const swp_settings *settings);

/* Names the tags that both double-buffered kernels share. */
const char *swp_kernels_double_buffer_op_name(const void *user, int tag);

#endif
