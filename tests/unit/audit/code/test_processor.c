/* SPDX-License-Identifier: Apache-2.0 */
/* Which code a schedule's target fits, by their names. */
#include "fixture.h"

#include "audit/code/processor.h"
#include "swp/target.h"

#include <string.h>

static const swp_processor_row *named(const char *name)
{
    return swp_code_processor_named((swp_slice){name, strlen(name)});
}

static void a_target_of_one_processor_fits_no_other(void **state)
{
    (void)state;
    assert_int_equal(swp_code_processors_of_target("mi355x"), SWP_PROCESSOR_GFX950);
    assert_int_equal(swp_code_processors_of_target("mi300x"), SWP_PROCESSOR_GFX942);
    assert_int_equal(swp_code_processors_of_target("gfx942"), SWP_PROCESSOR_GFX942);
    assert_int_equal(swp_code_processors_of_target("h200"), swp_code_processor_sm(90));
    assert_false(swp_code_processors_of_target("a100") & swp_code_processor_sm(86));
}

static void a_schedule_for_one_sm_fits_each(void **state)
{
    (void)state;
    for (int number = 80; number < 130; number++)
        assert_true(swp_code_processors_of_target("sm_80") & swp_code_processor_sm(number));
    assert_false(swp_code_processors_of_target("sm_80") & SWP_PROCESSOR_GFX950);
}

static void every_built_in_target_has_processors(void **state)
{
    size_t count = 0;
    const swp_target *const *targets = swp_targets(&count);
    (void)state;
    for (size_t i = 0; i < count; i++)
        assert_true(swp_code_processors_of_target(targets[i]->name));
    assert_int_equal(swp_code_processors_of_target("a machine of one's own"), 0);
}

static void processors_that_are_judged_have_rows(void **state)
{
    (void)state;
    assert_int_equal(named("gfx942")->lds_bytes, 65536);
    assert_int_equal(named("gfx950")->lds_bytes, 163840);
    assert_ptr_equal(swp_code_processor_row(SWP_PROCESSOR_GFX942), named("gfx942"));
    assert_null(named("gfx1100"));
    assert_null(named("gfx9500"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_target_of_one_processor_fits_no_other),
        CONTEXT_TEST(a_schedule_for_one_sm_fits_each),
        CONTEXT_TEST(every_built_in_target_has_processors),
        CONTEXT_TEST(processors_that_are_judged_have_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
