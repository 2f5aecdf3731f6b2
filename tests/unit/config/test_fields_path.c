/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "swp/fields.h"

static void a_path_finds_its_own_row(void **state)
{
    (void)state;
    char path[SWP_FIELD_PATH_SIZE];
    size_t count = 0;
    const swp_field *rows = swp_fields(&count);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(swp_field_find(swp_field_path(&rows[i], path)), &rows[i]);
}

static void a_path_has_its_section_before_a_dot(void **state)
{
    (void)state;
    char path[SWP_FIELD_PATH_SIZE];
    assert_string_equal(swp_field_path(swp_field_find("schedule.max_vgpr"), path),
                        "schedule.max_vgpr");
    assert_string_equal(swp_field_path(swp_field_find("num_k_tiles"), path), "num_k_tiles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_finds_its_own_row),
        cmocka_unit_test(a_path_has_its_section_before_a_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
