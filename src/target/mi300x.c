/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes MI300X (gfx942). A lane moves 4 bytes to LDS at once where MI355X moves 16. A bf16 MFMA
 * is half as deep, and LDS has 64 KiB, which bounds the block. No latencies are published for the
 * kernels on it, so MI355X's stand in.
 */
#include "target/builtin.h"

#include "target/figures.h"
#include "target/gfx9.h"

enum { DMA_BYTES = 4 };

const swp_target swp_target_mi300x = {
    .name = "mi300x",
    .meaning = "AMD Instinct MI300X (gfx942), with MI355X's latencies",
    .accesses = {.wave_size = 64, .dma_bytes = DMA_BYTES},
    .barrier = SWP_BARRIER_RAW,
    .residency = {0, SWP_GFX942_LDS_GRANULE, SWP_GFX9_WAVES, SWP_GFX9_WORK_GROUPS},
    .tile_shape = {{128, 128, 64}, {16, 16, 16}, 2},
    .single_buffer = swp_mi355x_single_buffer_target,
    .double_buffer = swp_mi355x_target,
    .completions = SWP_GFX9_COMPLETIONS,
    .figures = {SWP_GFX9_FIGURES, [SWP_TARGET_GROUP_BYTES] =
                                      SWP_TARGET_FIGURE(INT64_C(1024) * 64, NULL)}};
