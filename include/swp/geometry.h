/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file geometry.h  Derives counted accesses from tile shapes (KernelGeometry;
 * docs/descriptions.md, "geometry").
 */
#ifndef SWP_GEOMETRY_H
#define SWP_GEOMETRY_H

#include "swp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a user states of a kernel's tiles. Sizes in elements. */
typedef struct swp_tile_shape {
    int block[3];   /**< BM, BN, BK of the work group; 1..65536 */
    int mma[3];     /**< MMA_M, MMA_N, MMA_K of one instruction; 1..65536 */
    int elem_bytes; /**< 1 (fp8), 2, 4, 8 or 16 */
} swp_tile_shape;

/** How waves divide the block: warps_m * warps_n waves, the block in 2x2 quadrants. */
typedef struct swp_wave_layout {
    int warps_m;
    int warps_n;
} swp_wave_layout;

/** What a target counts of a load to LDS and of a fragment load. */
typedef struct swp_access_rules {
    int wave_size;         /**< lanes of a wave: 64, or 32 */
    int dma_bytes;         /**< what one lane's load to LDS moves: 16, or 4 on gfx942 */
    bool load_is_group;    /**< a load counts as one, however many accesses it takes (cp.async) */
    bool frag_synchronous; /**< fragment loads are not counted (ldmatrix) */
} swp_access_rules;

/** A tile shape and what follows from it. Counts are accesses of one wave. */
typedef struct swp_kernel_geometry {
    int BM, BN, BK;
    int MMA_M, MMA_N, MMA_K;
    int elem_bytes;
    int simd_width; /**< elements in 16 bytes */
    bool is_fp8;
    int half_BM, half_BN; /**< a quadrant */
    int loads_per_row;    /**< 16-byte loads of a row of BK */
    int rows_per_iter;    /**< whole rows that all threads load at once */
    int num_k_mmas;       /**< MMAs along K */
    int num_m_mmas;       /**< of a wave; half of them in a quadrant */
    int num_n_mmas;
    int frag_w;   /**< elements a lane holds of one MMA operand */
    int lds_w;    /**< elements that one LDS load brings */
    int k_loads;  /**< LDS loads for an operand */
    int ds_reads; /**< instructions for an LDS load */
    int vm_per_load_a, vm_per_load_b;
    int lgkm_per_load_a, lgkm_per_load_b; /**< 0 where fragment loads are not counted */
} swp_kernel_geometry;

/** Returns the default shape of MI355X: block 256x256x64, MMA 16x16x32, 2 bytes. */
SWP_API swp_tile_shape swp_tile_shape_default(void);

/** Return 4 waves in 2x2 (4-wave kernel), and 8 waves, 2 in M by 4 in N (ping-pong kernel). */
SWP_API swp_wave_layout swp_wave_layout_four_wave(void);
SWP_API swp_wave_layout swp_wave_layout_ping_pong(void);

/** Returns how MI355X counts: waves of 64, every access of 16 bytes. */
SWP_API swp_access_rules swp_access_rules_default(void);

/**
 * Derives the geometry of a shape.
 * @param layout  1 to 64 waves each way
 * @param rules   how the target counts: it may count in groups, or leave fragment loads uncounted
 * @return SWP_INVALID, with the two numbers, if a quotient is not exact or a count is 0.
 */
SWP_API swp_status swp_kernel_geometry_derive(swp_context *ctx, const swp_tile_shape *shape,
                                              swp_wave_layout layout, const swp_access_rules *rules,
                                              swp_kernel_geometry *out);

#ifdef __cplusplus
}
#endif
#endif
