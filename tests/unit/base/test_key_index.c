/* SPDX-License-Identifier: Apache-2.0 */
/* The index answers what a search of the whole list does, whatever the names. */
#include "base/key_index.h"
#include "fixture.h"
#include "random.h"

#include <string.h>

enum { NAMES = 2000, LONGEST = 6 };

static uint64_t seed;

/* Of two letters and a byte beyond ASCII, so that many are alike, and some begin with others. */
static void random_name(test_random *r, char name[LONGEST + 1])
{
    static const char letters[] = {'a', 'b', '\xc3'};
    const int length = random_int(r, 1, LONGEST);
    for (int i = 0; i < length; i++)
        name[i] = letters[random_int(r, 0, 2)];
    name[length] = '\0';
}

static int place_in(const swp_name_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0)
            return (int)i;
    return -1;
}

static void a_name_has_its_place_in_the_list(void **state)
{
    swp_context *ctx = *state;
    test_random r = random_for_case(seed, 0);
    swp_name_list list = {0};
    for (int i = 0; i < NAMES; i++) {
        char *name = NULL;
        char text[LONGEST + 1];
        random_name(&r, text);
        const int place = place_in(&list, text);
        assert_int_equal(swp_name_list_find(&list, text), place);
        if (place >= 0)
            continue;
        assert_ok(ctx, swp_copy_text(ctx, text, strlen(text), &name));
        assert_ok(ctx, swp_name_list_add(ctx, &list, name));
    }
    assert_true(list.count > NAMES / 8);
}

static void an_empty_list_has_no_name(void **state)
{
    (void)state;
    const swp_name_list list = {0};
    assert_int_equal(swp_name_list_find(&list, ""), -1);
    assert_int_equal(swp_name_list_find(&list, "a"), -1);
}

static void a_key_keeps_its_first_number(void **state)
{
    swp_key_index index = {0};
    int key[] = {3, 5};
    int number = -1;
    assert_ok(*state, swp_key_index_number(*state, &index, key, sizeof key, 7, &number));
    assert_int_equal(number, 7);
    key[1] = 6; /* the index has a copy */
    assert_ok(*state, swp_key_index_number(*state, &index, key, sizeof key, 8, &number));
    assert_int_equal(number, 8);
    key[1] = 5;
    assert_ok(*state, swp_key_index_number(*state, &index, key, sizeof key, 9, &number));
    assert_int_equal(number, 7);
}

int main(void)
{
    seed = random_seed(20261122);
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_name_has_its_place_in_the_list),
        CONTEXT_TEST(an_empty_list_has_no_name),
        CONTEXT_TEST(a_key_keeps_its_first_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
