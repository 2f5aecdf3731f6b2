/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a synchronisation object are about the same object as the cells that code reads. */
#include "fixture.h"

#include "ir/sync_objects.h"
#include "swp/objects.h"

#include <string.h>

static bool says(const char *text, const char *words)
{
    return strstr(text, words) != NULL;
}

static void words_and_cells_say_the_same(void **state)
{
    static const char *const waits[] = {
        [SWP_WAIT_FOR_VM] = "wait_vm", [SWP_WAIT_FOR_LGKM] = "wait_lgkm"};
    size_t count = 0;
    const swp_object_description *words = swp_object_descriptions(&count);
    (void)state;
    assert_true(count > SWP_SYNC_OBJECTS);
    for (swp_sync_object object = 0; object < SWP_SYNC_OBJECTS; object++) {
        const swp_sync_object_row *row = swp_ir_sync_object_row(object);
        assert_string_equal(words[object].name, swp_ir_sync_object_name(object));
        assert_string_equal(words[object].kind, swp_completion_name(row->kind));
        assert_true(says(words[object].waited_for_by, waits[row->wait]));
        assert_false(says(words[object].waited_for_by, waits[1 - row->wait]));
        assert_int_equal(says(words[object].retires, "fenced barrier"), row->fence_retires);
        assert_int_equal(says(words[object].orders, "as they are issued"), row->in_order);
    }
}

static void every_row_is_complete(void **state)
{
    size_t count = 0;
    const swp_object_description *rows = swp_object_descriptions(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const char *const cells[] = {rows[i].name,    rows[i].kind,      rows[i].waited_for_by,
                                     rows[i].arrives, rows[i].completes, rows[i].retires,
                                     rows[i].orders,  rows[i].leaves,    rows[i].evidence};
        for (size_t c = 0; c < COUNT_OF(cells); c++)
            assert_true(cells[c] && *cells[c]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_cells_say_the_same),
        cmocka_unit_test(every_row_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
