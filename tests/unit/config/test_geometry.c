/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of both kernels, worked by hand from docs/descriptions.md, "geometry":
 *   lpr = BK / simd,  rows = threads / lpr,  vm = ceil(half rows / rows) * 16 / dma
 *   f = MMA_M * MMA_K / 64,  reads = (f / l) * ceil(l * bytes / 16),  l = 16 if split, else f
 *   lgkm = (MMAs along the wave's side / 2) * (BK / MMA_K) * reads
 * 4-wave: 256 threads, WM = BM/2, WN = BN/2. Ping-pong: 512 threads, WM = BM/2, WN = BN/4.
 */
#include "fixture.h"
#include "swp/geometry.h"

typedef struct counts {
    int vm_a, vm_b, lgkm_a, lgkm_b;
} counts;

typedef struct worked_case {
    swp_tile_shape shape;
    counts four_wave;
    counts ping_pong;
} worked_case;

static const worked_case cases[] = {
    /* 2 bytes: simd 8. lpr 8: rows 32 and 64. f 8: one read; 2 MMAs along K.
       4w: 128/32, 128/32; 8/2*2, 8/2*2.  pp: 128/64, 128/64; 8/2*2, 4/2*2. */
    {{{256, 256, 64}, {16, 16, 32}, 2}, {4, 4, 8, 8}, {2, 2, 8, 4}},
    /* 4w: 64/32; 4/2*2.  pp: 64/64; 4/2*2, 2/2*2. */
    {{{128, 128, 64}, {16, 16, 32}, 2}, {2, 2, 4, 4}, {1, 1, 4, 2}},
    /* 4w: 128/32, 64/32; 8/2*2, 4/2*2.  pp: 128/64, 64/64; 8/2*2, 2/2*2. */
    {{{256, 128, 64}, {16, 16, 32}, 2}, {4, 2, 8, 4}, {2, 1, 8, 2}},
    /* lpr 4: rows 64 and 128. f 4: one read of 8 bytes; 2 along K. */
    {{{256, 256, 32}, {16, 16, 16}, 2}, {2, 2, 8, 8}, {1, 1, 8, 4}},
    /* 32x32x16: f 8: one read; 4 along K.  4w: 4/2*4.  pp: 4/2*4, 2/2*4. */
    {{{256, 256, 64}, {32, 32, 16}, 2}, {4, 4, 8, 8}, {2, 2, 8, 4}},
    /* 96 rows in half a block: 96/32, but ceil(96/64) = 2. WM 96: 6/2*2. */
    {{{192, 256, 64}, {16, 16, 32}, 2}, {3, 4, 6, 8}, {2, 2, 6, 4}},
    /* fp8: simd 16, lpr 8. Split: f 32, l 16: two loads of one read; 1 along K. */
    {{{256, 256, 128}, {16, 16, 128}, 1}, {4, 4, 8, 8}, {2, 2, 8, 4}},
    /* fp8 without split: f 8: one read of 8 bytes; 4 along K. */
    {{{256, 256, 128}, {16, 16, 32}, 1}, {4, 4, 16, 16}, {2, 2, 16, 8}},
    /* fp8 32x32x64 is no split: f 32: two reads; 2 along K.  4w: 2/2*4, 4/2*4.  pp: 2/2*4, 2/2*4. */
    {{{128, 256, 128}, {32, 32, 64}, 1}, {2, 4, 4, 8}, {1, 2, 4, 4}},
    /* 16x16x128 of 2 bytes is no split: f 32: ceil(64/16) = 4 reads; lpr 16: rows 16 and 32. */
    {{{128, 128, 128}, {16, 16, 128}, 2}, {4, 4, 8, 8}, {2, 2, 8, 4}},
    /* 4 bytes: simd 4, lpr 8. f 1: one read; 8 along K.  4w: 4/2*8.  pp: 4/2*8, 2/2*8. */
    {{{128, 128, 32}, {16, 16, 4}, 4}, {2, 2, 16, 16}, {1, 1, 16, 8}},
    /* lpr 4: rows 64 and 128. f 4: one read of 16 bytes; 2 along K.  4w: 4/2*2.  pp: 2/2*2 for B. */
    {{{256, 256, 16}, {32, 32, 8}, 4}, {2, 2, 4, 4}, {1, 1, 4, 2}},
    /* lpr 16: rows 16 and 32. f 4; 4 along K.  4w: 64/16, 128/16; 4/2*4, 8/2*4. */
    {{{128, 256, 64}, {16, 16, 16}, 4}, {4, 8, 8, 16}, {2, 4, 8, 8}},
    /* f 8 of 4 bytes: ceil(32/16) = 2 reads; 2 along K.  4w: 4/2*2*2.  pp: 2/2*2*2 for B. */
    {{{128, 128, 64}, {16, 16, 32}, 4}, {4, 4, 8, 8}, {2, 2, 8, 4}},
};

/* Waves of 64 lanes, and accesses that count. */
static swp_access_rules rules_of(int dma_bytes)
{
    return (swp_access_rules){.wave_size = 64, .dma_bytes = dma_bytes};
}

static void check(swp_context *ctx, const worked_case *c, swp_wave_layout layout, int dma_bytes,
                  const counts *expected)
{
    const swp_access_rules rules = rules_of(dma_bytes);
    swp_kernel_geometry found;
    const int factor = 16 / dma_bytes;
    assert_ok(ctx, swp_kernel_geometry_derive(ctx, &c->shape, layout, &rules, &found));
    const counts counted = {found.vm_per_load_a, found.vm_per_load_b, found.lgkm_per_load_a,
                            found.lgkm_per_load_b};
    if (counted.vm_a != expected->vm_a * factor || counted.vm_b != expected->vm_b * factor ||
        counted.lgkm_a != expected->lgkm_a || counted.lgkm_b != expected->lgkm_b)
        fail_msg("case %zu: vm %d/%d, lgkm %d/%d", (size_t)(c - cases), counted.vm_a, counted.vm_b,
                 counted.lgkm_a, counted.lgkm_b);
}

static void four_wave_counts_are_those_worked_by_hand(void **state)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(*state, &cases[i], swp_wave_layout_four_wave(), 16, &cases[i].four_wave);
}

static void ping_pong_counts_are_those_worked_by_hand(void **state)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(*state, &cases[i], swp_wave_layout_ping_pong(), 16, &cases[i].ping_pong);
}

static void a_narrow_load_to_lds_takes_four_times_the_accesses(void **state)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(*state, &cases[i], swp_wave_layout_four_wave(), 4, &cases[i].four_wave);
}

static void the_geometry_repeats_its_shape(void **state)
{
    swp_context *ctx = *state;
    const swp_tile_shape shape = {{128, 256, 128}, {32, 16, 64}, 1};
    swp_kernel_geometry g;
    const swp_access_rules rules = rules_of(16);
    assert_ok(ctx,
              swp_kernel_geometry_derive(ctx, &shape, swp_wave_layout_four_wave(), &rules, &g));
    assert_int_equal(g.BM, 128);
    assert_int_equal(g.BN, 256);
    assert_int_equal(g.BK, 128);
    assert_int_equal(g.MMA_M, 32);
    assert_int_equal(g.MMA_N, 16);
    assert_int_equal(g.MMA_K, 64);
    assert_int_equal(g.elem_bytes, 1);
    assert_int_equal(g.simd_width, 16);
    assert_true(g.is_fp8);
    assert_ok(ctx, swp_kernel_geometry_derive(ctx, &cases[0].shape, swp_wave_layout_four_wave(),
                                              &rules, &g));
    assert_int_equal(g.simd_width, 8);
    assert_false(g.is_fp8);
}

static void layouts_and_the_default_shape_are_those_of_the_page(void **state)
{
    (void)state;
    assert_int_equal(swp_wave_layout_four_wave().warps_m, 2);
    assert_int_equal(swp_wave_layout_four_wave().warps_n, 2);
    assert_int_equal(swp_wave_layout_ping_pong().warps_m, 2);
    assert_int_equal(swp_wave_layout_ping_pong().warps_n, 4);
    const swp_tile_shape shape = swp_tile_shape_default();
    assert_memory_equal(&shape, &cases[0].shape, sizeof shape);
}

/* An impossible shape and the two numbers that its message must name. */
typedef struct refused_case {
    swp_tile_shape shape;
    bool ping_pong;
    const char *first;
    const char *second;
} refused_case;

static const refused_case refused[] = {
    {{{256, 256, 48}, {16, 16, 32}, 2}, false, "48", "32"},     /* BK by MMA_K */
    {{{256, 256, 16}, {16, 16, 32}, 2}, false, "16", "32"},     /* less than one MMA along K */
    {{{256, 256, 12}, {16, 16, 4}, 2}, false, "12", "8"},       /* BK by simd_width */
    {{{200, 256, 64}, {16, 16, 32}, 2}, false, "100", "16"},    /* WM by MMA_M */
    {{{256, 200, 64}, {16, 16, 32}, 2}, false, "100", "16"},    /* WN by MMA_N */
    {{{256, 200, 64}, {16, 16, 32}, 2}, true, "50", "16"},      /* WN by MMA_N, ping-pong */
    {{{255, 256, 64}, {16, 16, 32}, 2}, false, "255", "2"},     /* BM by the quadrants */
    {{{256, 255, 64}, {16, 16, 32}, 2}, false, "255", "2"},     /* BN by the quadrants */
    {{{256, 258, 64}, {16, 16, 32}, 2}, true, "258", "4"},      /* BN by the waves in N */
    {{{96, 256, 64}, {16, 16, 32}, 2}, false, "48", "16"},      /* 3 MMAs in M */
    {{{256, 96, 64}, {16, 16, 32}, 2}, false, "48", "16"},      /* 3 MMAs in N */
    {{{256, 64, 64}, {16, 16, 32}, 2}, true, "16", "16"},       /* 1 MMA in N, ping-pong */
    {{{16, 256, 64}, {16, 16, 32}, 2}, false, "8", "16"},       /* no MMA in M */
    {{{256, 16, 64}, {16, 16, 32}, 2}, true, "4", "16"},        /* no MMA in N */
    {{{256, 256, 64}, {4, 16, 4}, 2}, false, "16", "64"},       /* MMA_M * MMA_K by 64 lanes */
    {{{256, 256, 64}, {16, 16, 32}, 3}, false, "16", "3"},      /* elements that 16 bytes hold */
    {{{256, 256, 64}, {16, 16, 32}, 32}, false, "16", "32"},    /* simd_width 0 */
    {{{256, 256, 4096}, {16, 16, 32}, 2}, false, "512", "256"}, /* rows_per_iter 0 */
    {{{0, 256, 64}, {16, 16, 32}, 2}, false, "0", "1"},
    {{{256, -256, 64}, {16, 16, 32}, 2}, false, "-256", "1"},
    {{{256, 256, 0}, {16, 16, 32}, 2}, false, "0", "1"},
    {{{256, 256, 64}, {0, 16, 32}, 2}, false, "0", "1"},
    {{{256, 256, 64}, {16, 0, 32}, 2}, false, "0", "1"},
    {{{256, 256, 64}, {16, 16, 0}, 2}, false, "0", "1"},
    {{{256, 256, 64}, {16, 16, 32}, 0}, false, "0", "1"},
    {{{2147483647, 256, 64}, {16, 16, 32}, 2}, false, "2147483647", "65536"},
};

static void each_impossible_shape_is_refused_with_both_numbers(void **state)
{
    swp_context *ctx = *state;
    const swp_access_rules rules = rules_of(16);
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        swp_kernel_geometry geometry;
        const swp_wave_layout layout =
            refused[i].ping_pong ? swp_wave_layout_ping_pong() : swp_wave_layout_four_wave();
        swp_context_clear_diags(ctx);
        assert_status(ctx,
                      swp_kernel_geometry_derive(ctx, &refused[i].shape, layout, &rules, &geometry),
                      SWP_INVALID);
        assert_diag(ctx, "E0601", refused[i].first);
        assert_diag(ctx, "E0601", refused[i].second);
    }
}

/* cp.async: a thread commits one group a load, however many copies; ldmatrix counts nothing. */
static void a_target_of_groups_counts_one_a_load(void **state)
{
    swp_context *ctx = *state;
    const swp_access_rules rules = {
        .wave_size = 32, .dma_bytes = 16, .load_is_group = true, .frag_synchronous = true};
    const swp_wave_layout layout = {2, 4};
    const swp_tile_shape shape = {{128, 256, 64}, {16, 8, 16}, 2};
    swp_kernel_geometry g;
    assert_ok(ctx, swp_kernel_geometry_derive(ctx, &shape, layout, &rules, &g));
    /* 256 threads, 8 copies a row: 32 rows at a time, so B's half of 128 rows is 4 copies. */
    assert_int_equal(g.rows_per_iter, 32);
    assert_int_equal(g.vm_per_load_a, 1);
    assert_int_equal(g.vm_per_load_b, 1);
    assert_int_equal(g.lgkm_per_load_a, 0);
    assert_int_equal(g.lgkm_per_load_b, 0);
    assert_int_equal(g.frag_w, 8); /* 16 * 16 elements over 32 lanes */
}

static void a_wave_of_no_lanes_is_refused(void **state)
{
    const swp_access_rules rules = {.wave_size = 0, .dma_bytes = 16};
    const swp_tile_shape shape = swp_tile_shape_default();
    swp_kernel_geometry g;
    assert_status(
        *state, swp_kernel_geometry_derive(*state, &shape, swp_wave_layout_four_wave(), &rules, &g),
        SWP_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(four_wave_counts_are_those_worked_by_hand),
        CONTEXT_TEST(ping_pong_counts_are_those_worked_by_hand),
        CONTEXT_TEST(a_narrow_load_to_lds_takes_four_times_the_accesses),
        CONTEXT_TEST(the_geometry_repeats_its_shape),
        cmocka_unit_test(layouts_and_the_default_shape_are_those_of_the_page),
        CONTEXT_TEST(each_impossible_shape_is_refused_with_both_numbers),
        CONTEXT_TEST(a_target_of_groups_counts_one_a_load),
        CONTEXT_TEST(a_wave_of_no_lanes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
