/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "swp/schema.h"

#include <jansson.h>
#include <string.h>

/* No word of a template is left: each stands for a table. */
static void every_schema_is_whole(void **state)
{
    size_t count = 0;
    const swp_schema *rows = swp_schemas(&count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        char *text = NULL;
        size_t length = 0;
        assert_int_equal(swp_schema_json(*state, rows[i].name, &text, &length), SWP_OK);
        json_t *schema = json_loadb(text, length, 0, NULL);
        assert_non_null(schema);
        assert_null(strstr(text, "\"@"));
        json_decref(schema);
    }
}

static void a_name_that_is_none_has_a_hint(void **state)
{
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_schema_json(*state, "descriptions", &text, &length), SWP_INVALID);
    assert_diag(*state, "E0106", "there is no schema `descriptions`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_schema_is_whole),
        CONTEXT_TEST(a_name_that_is_none_has_a_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
