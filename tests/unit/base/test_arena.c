/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "faulty.h"
#include "fixture.h"

#include <stdalign.h>

static void memory_is_zeroed_and_aligned_for_any_type(void **state)
{
    (void)state;
    faulty_memory memory = {0};
    const swp_allocator allocator = faulty_allocator(&memory);
    swp_arena *arena = swp_arena_new(&allocator);
    assert_non_null(arena);
    for (size_t bytes = 0; bytes < 200; bytes++) {
        unsigned char *taken = swp_arena_take(arena, bytes);
        assert_non_null(taken);
        assert_int_equal((uintptr_t)taken % alignof(max_align_t), 0);
        for (size_t i = 0; i < bytes; i++) {
            assert_int_equal(taken[i], 0);
            taken[i] = 0xff;
        }
    }
    swp_arena_free(arena);
    assert_int_equal(memory.live, 0);
}

static void a_piece_larger_than_any_chunk_fits(void **state)
{
    (void)state;
    faulty_memory memory = {0};
    const swp_allocator allocator = faulty_allocator(&memory);
    swp_arena *arena = swp_arena_new(&allocator);
    assert_non_null(arena);
    const size_t bytes = 5u * 1024 * 1024;
    unsigned char *large = swp_arena_take(arena, bytes);
    assert_non_null(large);
    large[bytes - 1] = 1;
    assert_non_null(swp_arena_take(arena, 1));
    swp_arena_free(arena);
    assert_int_equal(memory.live, 0);
}

static void a_size_that_cannot_be_is_refused(void **state)
{
    (void)state;
    faulty_memory memory = {0};
    const swp_allocator allocator = faulty_allocator(&memory);
    swp_arena *arena = swp_arena_new(&allocator);
    assert_non_null(arena);
    assert_null(swp_arena_take(arena, SIZE_MAX));
    assert_null(swp_arena_take(arena, SIZE_MAX - 15));
    assert_non_null(swp_arena_take(arena, 8));
    swp_arena_free(arena);
    assert_int_equal(memory.live, 0);
}

static void no_memory_means_no_arena(void **state)
{
    (void)state;
    faulty_memory memory = {.fail_at = 1};
    const swp_allocator allocator = faulty_allocator(&memory);
    assert_null(swp_arena_new(&allocator));
    swp_arena_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned_for_any_type),
        cmocka_unit_test(a_piece_larger_than_any_chunk_fits),
        cmocka_unit_test(a_size_that_cannot_be_is_refused),
        cmocka_unit_test(no_memory_means_no_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
