/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines what sm_80 and sm_90 have alike, for kernels of cp.async, ldmatrix and mma.sync
 * (docs/cuda.md, "The machine"). Registers have 32 bits. The counts are those of a thread, and of
 * an SM or a block of threads. They are from NVIDIA, CUDA C++ programming guide, table of technical
 * specifications per compute capability. So is the shared memory of a block: 163 KiB of 8.0, 227 of
 * 9.0.
 */
#ifndef SWP_TARGET_SM_H
#define SWP_TARGET_SM_H

#include "target/figures.h"

enum {
    SWP_SM_WARP = 32,
    SWP_SM_WARP_TILE = 64, /* rows and columns of the block that a warp computes */
    SWP_SM_COPY_BYTES = 16,
    SWP_SM_SIGNAL = 20, /* cycles */
    SWP_SM_LANE_REGISTERS = 255,
    SWP_SM_REGISTER_FILE = 65536,
    SWP_SM_RESERVED_BYTES = 1024, /* of each block's shared memory, which the system has */
    SWP_SM_SHARED_GRANULE = 128,
    SWP_SM_WARPS = 64,
    SWP_SM_BLOCKS = 32
};

#define SWP_SM_FIELDS                                                                              \
    .accesses = {.wave_size = SWP_SM_WARP,                                                         \
                 .dma_bytes = SWP_SM_COPY_BYTES,                                                   \
                 .load_is_group = true,                                                            \
                 .frag_synchronous = true},                                                        \
    .barrier = SWP_BARRIER_FENCED, .registers = SWP_REGISTERS_SCOREBOARD,                          \
    .tile_shape = {{128, 256, 32}, {16, 8, 16}, 2},                                                \
    .residency = {SWP_SM_RESERVED_BYTES, SWP_SM_SHARED_GRANULE, SWP_SM_WARPS, SWP_SM_BLOCKS},      \
    .wave_tile = {SWP_SM_WARP_TILE, SWP_SM_WARP_TILE}

/*
 * PTX says under each instruction, with its "Target ISA Notes", what completes by which object.
 * cp.async.wait_group and cp.async.mbarrier.arrive are of 8.0. cp.async.bulk, its groups and its
 * mbarriers are of 9.0, and so is wgmma.wait_group, the only completion of wgmma. Scoreboards have
 * no names in PTX.
 */
#define SWP_SM_SPECIFICATIONS                                                                      \
    "manual: NVIDIA, CUDA C++ programming guide, technical specifications per compute capability"
/* Manuals do not say what synchronisation costs, so it costs nothing until a file states what was measured. */
#define SWP_SM_SYNC_FIGURES                                                                        \
    [SWP_TARGET_SYNC_WAIT] = SWP_TARGET_FIGURE(0, NULL),                                           \
    [SWP_TARGET_SYNC_ARRIVE] = SWP_TARGET_FIGURE(0, NULL),                                         \
    [SWP_TARGET_SYNC_SIGNAL] = SWP_TARGET_FIGURE(SWP_SM_SIGNAL, NULL),                             \
    [SWP_TARGET_SYNC_BARRIER] = SWP_TARGET_FIGURE(0, NULL),                                        \
    [SWP_TARGET_SYNC_FENCE] = SWP_TARGET_FIGURE(0, NULL)

#define SWP_SM_FIGURES(group_bytes)                                                                \
    [SWP_TARGET_VMCNT] = {.value = SWP_MOST_ACCESSES},                                             \
    [SWP_TARGET_LGKMCNT] = {.value = SWP_MOST_ACCESSES},                                           \
    [SWP_TARGET_GROUP_BYTES] = SWP_TARGET_FIGURE(group_bytes, SWP_SM_SPECIFICATIONS),              \
    [SWP_TARGET_LANE_REGISTERS] = SWP_TARGET_FIGURE(SWP_SM_LANE_REGISTERS, SWP_SM_SPECIFICATIONS), \
    [SWP_TARGET_REGISTER_FILE] = SWP_TARGET_FIGURE(SWP_SM_REGISTER_FILE, SWP_SM_SPECIFICATIONS)

#define SWP_SM_COUNTED "loads of registers, for which a scoreboard waits, and cp.async"

#endif
