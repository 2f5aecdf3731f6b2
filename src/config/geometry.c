/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes loads, fragments and counted accesses from the tiles of a work group and an MMA
 * (docs/descriptions.md, "geometry").
 */
#include "swp/geometry.h"

#include "base/diag.h"
#include "base/require.h"

enum { WIDEST_ACCESS_BYTES = 16, MOST_WAVES = 64 };

swp_tile_shape swp_tile_shape_default(void)
{
    return (swp_tile_shape){.block = {256, 256, 64}, .mma = {16, 16, 32}, .elem_bytes = 2};
}

swp_access_rules swp_access_rules_default(void)
{
    return (swp_access_rules){.wave_size = 64, .dma_bytes = WIDEST_ACCESS_BYTES};
}

swp_wave_layout swp_wave_layout_four_wave(void)
{
    return (swp_wave_layout){.warps_m = 2, .warps_n = 2};
}

swp_wave_layout swp_wave_layout_ping_pong(void)
{
    return (swp_wave_layout){.warps_m = 2, .warps_n = 4};
}

/* A dimension by name, for messages that state both numbers of a quotient. */
typedef struct extent {
    const char *name;
    int value;
    const char *setting; /* the setting that states it; "": none does */
} extent;

#define BLOCK "geometry.block"
#define MMA "geometry.mma"
#define ELEM_BYTES "geometry.elem_bytes"

static swp_status divide(swp_context *ctx, extent dividend, extent divisor, int *quotient)
{
    const char *subject = *divisor.setting ? divisor.setting : dividend.setting;
    if (dividend.value % divisor.value != 0 || dividend.value < divisor.value)
        return swp_error_about(
            ctx, SWP_E0601, subject,
            "choose a tile shape in which this division leaves no remainder and at "
            "least 1",
            "%s = %d is not a multiple of %s = %d", dividend.name, dividend.value, divisor.name,
            divisor.value);
    *quotient = dividend.value / divisor.value;
    return SWP_OK;
}

static int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

static swp_status check_extents(swp_context *ctx, const swp_tile_shape *shape)
{
    const extent extents[] = {{"BM", shape->block[0], BLOCK},
                              {"BN", shape->block[1], BLOCK},
                              {"BK", shape->block[2], BLOCK},
                              {"MMA_M", shape->mma[0], MMA},
                              {"MMA_N", shape->mma[1], MMA},
                              {"MMA_K", shape->mma[2], MMA},
                              {"elem_bytes", shape->elem_bytes, ELEM_BYTES}};
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++)
        if (extents[i].value < 1 || extents[i].value > 65536)
            return swp_error_about(ctx, SWP_E0601, extents[i].setting, "",
                                   "%s = %d, but must be 1 to 65536", extents[i].name,
                                   extents[i].value);
    return SWP_OK;
}

static swp_status check_machine(swp_context *ctx, swp_wave_layout layout,
                                const swp_access_rules *rules)
{
    const int dma_bytes = rules->dma_bytes;
    if (rules->wave_size < 1)
        return swp_error(ctx, SWP_E0601, SWP_NOWHERE, "",
                         "a wave has %d lanes, but must have 1 or more", rules->wave_size);
    if (dma_bytes < 1 || WIDEST_ACCESS_BYTES % dma_bytes != 0)
        return swp_error(ctx, SWP_E0601, SWP_NOWHERE, "use 16, 8, 4, 2 or 1",
                         "a load to LDS of %d bytes a lane does not divide %d bytes", dma_bytes,
                         WIDEST_ACCESS_BYTES);
    if (layout.warps_m < 1 || layout.warps_n < 1 || layout.warps_m > MOST_WAVES ||
        layout.warps_n > MOST_WAVES)
        return swp_error(ctx, SWP_E0601, SWP_NOWHERE, "",
                         "the block has %d x %d waves, but each number must be 1 to %d",
                         layout.warps_m, layout.warps_n, MOST_WAVES);
    return SWP_OK;
}

/* Computes how an operand of one MMA is read from LDS (docs/descriptions.md, "geometry"). */
static swp_status set_fragment(swp_context *ctx, const swp_tile_shape *shape, int wave_size,
                               swp_kernel_geometry *out)
{
    SWP_TRY(divide(ctx, (extent){"MMA_M * MMA_K", shape->mma[0] * shape->mma[2], MMA},
                   (extent){"the wave size", wave_size, ""}, &out->frag_w));
    const bool split = out->is_fp8 && shape->mma[0] == 16 && shape->mma[2] == 128;
    out->lds_w = split ? 16 : out->frag_w;
    out->k_loads = out->frag_w / out->lds_w;
    out->ds_reads = divide_up(out->lds_w * shape->elem_bytes, WIDEST_ACCESS_BYTES);
    return SWP_OK;
}

/* Computes how many rows all threads load at once; threads beyond the last whole row idle. */
static swp_status whole_rows(swp_context *ctx, int threads, int loads_per_row, int *rows)
{
    if (threads < loads_per_row)
        return swp_error(ctx, SWP_E0601, SWP_NOWHERE, "make BK smaller",
                         "BK / simd_width = %d loads in a row are more than the %d threads",
                         loads_per_row, threads);
    *rows = threads / loads_per_row;
    return SWP_OK;
}

/*
 * Computes the MMAs of a wave along one side. Their number must be even, since the quadrants split
 * them in two.
 */
static swp_status mmas_of_wave(swp_context *ctx, const char *const names[4], int block, int warps,
                               int mma, int *out)
{
    int wave = 1;
    SWP_TRY(divide(ctx, (extent){names[0], block, BLOCK}, (extent){names[1], warps, ""}, &wave));
    SWP_TRY(divide(ctx, (extent){names[2], wave, BLOCK}, (extent){names[3], mma, MMA}, out));
    if (*out % 2 == 0)
        return SWP_OK;
    return swp_error_about(ctx, SWP_E0601, MMA,
                           "the quadrants split a wave's MMAs in two: make their number even",
                           "%s = %d holds %d MMA%s of %s = %d, which is an odd number", names[2],
                           wave, *out, *out == 1 ? "" : "s", names[3], mma);
}

static swp_status set_loads(swp_context *ctx, swp_wave_layout layout, const swp_access_rules *rules,
                            swp_kernel_geometry *out)
{
    const int threads = layout.warps_m * layout.warps_n * rules->wave_size;
    SWP_TRY(divide(ctx, (extent){"BK", out->BK, BLOCK}, (extent){"MMA_K", out->MMA_K, MMA},
                   &out->num_k_mmas));
    SWP_TRY(divide(ctx, (extent){"BK", out->BK, BLOCK}, (extent){"simd_width", out->simd_width, ""},
                   &out->loads_per_row));
    SWP_TRY(whole_rows(ctx, threads, out->loads_per_row, &out->rows_per_iter));
    SWP_TRY(divide(ctx, (extent){"BM", out->BM, BLOCK}, (extent){"the quadrants in M", 2, ""},
                   &out->half_BM));
    SWP_TRY(divide(ctx, (extent){"BN", out->BN, BLOCK}, (extent){"the quadrants in N", 2, ""},
                   &out->half_BN));
    const int accesses = WIDEST_ACCESS_BYTES / rules->dma_bytes;
    const int a = divide_up(out->half_BM, out->rows_per_iter) * accesses;
    const int b = divide_up(out->half_BN, out->rows_per_iter) * accesses;
    out->vm_per_load_a = rules->load_is_group ? 1 : a;
    out->vm_per_load_b = rules->load_is_group ? 1 : b;
    return SWP_OK;
}

static swp_status set_fragments(swp_context *ctx, const swp_tile_shape *shape,
                                swp_wave_layout layout, const swp_access_rules *rules,
                                swp_kernel_geometry *out)
{
    static const char *const m_names[4] = {"BM", "the waves in M", "WM", "MMA_M"};
    static const char *const n_names[4] = {"BN", "the waves in N", "WN", "MMA_N"};
    SWP_TRY(set_fragment(ctx, shape, rules->wave_size, out));
    SWP_TRY(mmas_of_wave(ctx, m_names, out->BM, layout.warps_m, out->MMA_M, &out->num_m_mmas));
    SWP_TRY(mmas_of_wave(ctx, n_names, out->BN, layout.warps_n, out->MMA_N, &out->num_n_mmas));
    const int reads = rules->frag_synchronous ? 0 : out->num_k_mmas * out->k_loads * out->ds_reads;
    out->lgkm_per_load_a = out->num_m_mmas / 2 * reads;
    out->lgkm_per_load_b = out->num_n_mmas / 2 * reads;
    return SWP_OK;
}

swp_status swp_kernel_geometry_derive(swp_context *ctx, const swp_tile_shape *shape,
                                      swp_wave_layout layout, const swp_access_rules *rules,
                                      swp_kernel_geometry *out)
{
    SWP_REQUIRE(ctx, ctx && shape && rules && out);
    SWP_TRY(check_extents(ctx, shape));
    SWP_TRY(check_machine(ctx, layout, rules));
    /* The divisors are 1 until a quotient replaces them; without a quotient the function has ended. */
    swp_kernel_geometry geometry = {.BM = shape->block[0],
                                    .BN = shape->block[1],
                                    .BK = shape->block[2],
                                    .MMA_M = shape->mma[0],
                                    .MMA_N = shape->mma[1],
                                    .MMA_K = shape->mma[2],
                                    .elem_bytes = shape->elem_bytes,
                                    .simd_width = 1,
                                    .is_fp8 = shape->elem_bytes == 1,
                                    .loads_per_row = 1,
                                    .rows_per_iter = 1,
                                    .frag_w = 1};
    SWP_TRY(divide(ctx, (extent){"the bytes of an access", WIDEST_ACCESS_BYTES, ""},
                   (extent){"elem_bytes", shape->elem_bytes, ELEM_BYTES}, &geometry.simd_width));
    SWP_TRY(set_loads(ctx, layout, rules, &geometry));
    SWP_TRY(set_fragments(ctx, shape, layout, rules, &geometry));
    *out = geometry;
    return SWP_OK;
}
