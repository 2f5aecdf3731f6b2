/* SPDX-License-Identifier: Apache-2.0 */
/* A search that was kept gives the same schedule again; a text that is not of the loop is not taken. */
#include "fixture.h"
#include "swp/emit.h"
#include "swp/loop_compile.h"
#include "swp/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy and a sum, of roles that are to be found; the copy may have so many slots. */
static void describe(swp_context *ctx, int64_t copy_cycles, swp_loop *out)
{
    swp_loop_builder *l = swp_loop_new(ctx, "sums");
    const int producer = swp_loop_add_role(l, (swp_loop_role){.name = "producer", .instances = 1});
    const int consumer = swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .instances = 1});
    const int memory = swp_loop_add_unit(l, "memory", 1);
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int x = swp_value(l, "X", .space = SWP_SPACE_SHARED, .bytes = 4096, .most_slots = 4);
    const int sum = swp_value(l, "SUM", .space = SWP_SPACE_REGISTERS, .bytes = 64);
    swp_work(l, "LOAD", .role = producer, .uses = {{.unit = memory, .cycles = copy_cycles}},
             .latency = 700, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {x});
    swp_work(l, "ADD", .role = consumer, .uses = {{.unit = alu, .cycles = 150}}, .latency = 170,
             .read_cycles = 150, .completion = SWP_COMPLETION_NONE, .reads = {{.value = x}},
             .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, out));
}

/* The schedule in JSON, in memory of the context, and the search that was made for it; NULL: none was. */
static const char *compile(swp_context *ctx, int64_t copy_cycles, const char *before,
                           const char **kept)
{
    swp_loop loop;
    swp_schedule *schedule = NULL;
    swp_verdict verdict = {0};
    char *json = NULL;
    size_t length = 0;
    const swp_limits limits = {.seconds = 0.05, .nominal = true};
    describe(ctx, copy_cycles, &loop);
    swp_context_set_limits(ctx, &limits);
    assert_ok(ctx, swp_context_keep_search(ctx, before, before ? strlen(before) : 0));
    assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule));
    assert_ok(ctx, swp_emit_format_find("json")->emit(ctx, schedule, &json, &length));
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_true(verdict.safe);
    if (!swp_context_kept_search(ctx, kept, &length))
        *kept = NULL;
    swp_schedule_free(schedule);
    return json;
}

static void a_kept_search_gives_the_same_schedule(void **state)
{
    swp_context *ctx = *state;
    const char *kept = NULL;
    const char *again = NULL;
    const char *first = compile(ctx, 200, NULL, &kept);
    assert_non_null(kept);
    const char *second = compile(ctx, 200, kept, &again);
    assert_null(again); /* no search was made */
    assert_string_equal(second, first);
}

/* Its times are not those of another loop, whose dependences they break. */
static void a_search_of_another_loop_is_made_again(void **state)
{
    swp_context *ctx = *state;
    const char *kept = NULL;
    const char *again = NULL;
    (void)compile(ctx, 200, NULL, &kept);
    const char *own = compile(ctx, 900, NULL, &again);
    const char *given = compile(ctx, 900, kept, &again);
    assert_non_null(again);
    assert_string_equal(given, own);
}

/* Any line may be wrong: then the search is made, or there is a schedule that is safe all the same. */
static void a_search_that_is_spoilt_does_no_harm(void **state)
{
    static const char *const wrong[] = {"7", "99999999"};
    swp_context *ctx = *state;
    const char *kept = NULL;
    const char *again = NULL;
    (void)compile(ctx, 200, NULL, &kept);
    for (const char *line = kept; *line; line = strchr(line, '\n') + 1)
        for (size_t i = 0; i < COUNT_OF(wrong); i++) {
            char *spoilt = malloc(strlen(kept) + 16);
            assert_non_null(spoilt);
            (void)sprintf(spoilt, "%.*s%s%s", (int)(line - kept), kept, wrong[i],
                          strchr(line, '\n'));
            (void)compile(ctx, 200, spoilt, &again);
            free(spoilt);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_kept_search_gives_the_same_schedule),
        CONTEXT_TEST(a_search_of_another_loop_is_made_again),
        CONTEXT_TEST(a_search_that_is_spoilt_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
