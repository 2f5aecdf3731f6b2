/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of a schedule of a cluster of work groups (docs/roles-reference.md, "JSON"). */
#include "fixture.h"
#include "safe_roles.h"

#include "swp/emit.h"

#include <stdio.h>
#include <string.h>

static const char *json_of(swp_context *ctx, const swp_schedule *schedule)
{
    char *text = NULL;
    size_t length = 0;
    assert_ok(ctx, swp_emit_format_find("json")->emit(ctx, schedule, &text, &length));
    return text;
}

static swp_schedule *read_text(swp_context *ctx, const char *text)
{
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_schedule_read_json(ctx, text, strlen(text), "cluster.json", &schedule));
    return schedule;
}

static swp_schedule *read_file(swp_context *ctx, const char *path)
{
    char text[1 << 16] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_in_range(fread(text, 1, sizeof text - 1, file), 1, sizeof text - 2);
    (void)fclose(file);
    return read_text(ctx, text);
}

static void a_cluster_comes_back(void **state)
{
    enum { COPY_OF_B = 1, CONSUMER_ROLE = 1, ARRIVE = 4 };
    swp_schedule *first = read_file(*state, "tests/roles/gemm_cluster.json");
    const char *text = json_of(*state, first);
    swp_schedule *again = read_text(*state, text);
    const swp_loop_op *ops = again->dataflow->loop->ops;
    assert_string_equal(json_of(*state, again), text);
    assert_int_equal(again->cluster, 2);
    assert_true(ops[COPY_OF_B].multicast);
    assert_false(ops[COPY_OF_B - 1].multicast);
    assert_int_equal(again->streams[CONSUMER_ROLE].kernel.items[ARRIVE].op.to, SWP_TO_ALL);
    swp_schedule_free(again);
    swp_schedule_free(first);
}

static void a_work_group_alone_has_none_of_the_words(void **state)
{
    static const char *const words[] = {"\"cluster\"", "\"multicast\"", "\"to\""};
    roles_program p;
    safe_ring(&p, *state);
    p.schedule.cluster = 1;
    const char *text = json_of(p.ctx, &p.schedule);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_null(strstr(text, words[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_cluster_comes_back),
        CONTEXT_TEST(a_work_group_alone_has_none_of_the_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
