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
    swp_object_description words;
    (void)state;
    for (swp_sync_object object = 0; object < SWP_SYNC_OBJECTS; object++) {
        const swp_sync_object_row *row = swp_ir_sync_object_row(object);
        assert_true(swp_object_describe((size_t)object, &words));
        assert_string_equal(words.name, swp_ir_sync_object_name(object));
        assert_string_equal(words.kind, swp_completion_name(row->kind));
        assert_int_equal(says(words.waited_for_by, "wait_vm"), row->wait == SWP_WAIT_FOR_VM);
        assert_int_equal(says(words.waited_for_by, "wait_lgkm"), row->wait == SWP_WAIT_FOR_LGKM);
        assert_int_equal(says(words.retires, "fenced barrier"), row->fence_retires);
        assert_int_equal(says(words.orders, "as they are issued"), row->in_order);
    }
}

static void every_row_is_complete(void **state)
{
    swp_object_description row;
    size_t count = 0;
    (void)state;
    while (swp_object_describe(count, &row)) {
        const char *const cells[] = {row.name,    row.kind,      row.waited_for_by,
                                     row.arrives, row.completes, row.retires,
                                     row.orders,  row.leaves,    row.evidence};
        for (size_t c = 0; c < COUNT_OF(cells); c++)
            assert_true(cells[c] && *cells[c]);
        count++;
    }
    assert_int_equal(count, SWP_SYNC_ROWS - 1);
}

/* A made-up row is none of the manual's, but each that is there has somebody who tells it and who waits for it. */
static void every_object_is_told_and_awaited(void **state)
{
    (void)state;
    for (int object = SWP_SYNC_OBJECTS + 1; object < SWP_SYNC_ROWS; object++) {
        bool told = false;
        bool awaited = false;
        for (int i = 0; i < SWP_SYNC_OPERATIONS; i++) {
            const swp_sync_operation *operation = swp_ir_sync_operation(SWP_TAG_BARRIER + i);
            told |= (int)operation->object == object && (operation->arrives || operation->commits);
            awaited |= (int)operation->object == object && operation->waits;
        }
        assert_true(told && awaited);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_cells_say_the_same),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(every_object_is_told_and_awaited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
