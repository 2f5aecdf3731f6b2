/* SPDX-License-Identifier: Apache-2.0 */
/* gfx942 (docs/descriptions.md, "geometry"): 4 bytes a lane to LDS, four accesses where MI355X needs one. */
#include "fixture.h"
#include "swp/swp.h"

/*
 * By hand for 4 waves, 128 x 128 x 64: a row is 8 loads of 16 bytes, 32 rows at a time, so the 64
 * rows of half a block take 2 * 16 / 4 = 8. A wave has 64 / 16 = 4 MMAs each way, half of them 2,
 * times 64 / 16 = 4 along K: 8 reads.
 */
static void a_load_counts_four_times(void **state)
{
    swp_context *ctx = *state;
    const swp_target *target = swp_target_find("mi300x");
    swp_kernel_geometry geometry;
    assert_non_null(target);
    assert_ok(ctx, swp_kernel_geometry_derive(ctx, &target->tile_shape, swp_wave_layout_four_wave(),
                                              &target->accesses, &geometry));
    assert_int_equal(geometry.vm_per_load_a, 8);
    assert_int_equal(geometry.vm_per_load_b, 8);
    assert_int_equal(geometry.lgkm_per_load_a, 8);
    assert_int_equal(geometry.lgkm_per_load_b, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_load_counts_four_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
