/* SPDX-License-Identifier: Apache-2.0 */
/* Shared values that several ops make in their place: what is derived for them, and that all of it is needed. */
#include "fixture.h"

#include "agree.h"
#include "roles_explorer.h"
#include "roles_unrolled.h"

#include "ir/entry.h"
#include "swp/loop_compile.h"
#include "swp/run.h"
#include "swp/verify.h"

#include <stdio.h>
#include <string.h>

enum { PRODUCER = 1, CONSUMER };
enum { MOST_TILES = 2, LONGEST = 1 };

static swp_loop_builder *loop_of_roles(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "halves");
    assert_int_equal(swp_loop_add_role(l, (swp_loop_role){.name = "producer"}), PRODUCER);
    assert_int_equal(
        swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .warps = 4, .instances = 2}),
        CONSUMER);
    return l;
}

static int add_copied(swp_loop_builder *l)
{
    const int a = swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 1024, .most_slots = 1);
    swp_work(l, "LOAD", .latency = 300, .completion = SWP_COMPLETION_MBARRIER, .role = PRODUCER,
             .writes = {a});
    return a;
}

static swp_schedule *compile(swp_context *ctx, swp_loop_builder *l, bool output_tiles)
{
    swp_loop loop;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_loop_done(l, &loop));
    loop.output_tiles = output_tiles;
    assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule));
    return schedule;
}

/* One half of C after the other leaves through D. */
static void add_halves(swp_loop_builder *l, swp_role_clock clock, int c, int storer)
{
    const int d = swp_value(l, "D", .space = SWP_SPACE_SHARED, .bytes = 1024, .most_slots = 1);
    swp_work(l, "STAGE", .latency = 20, .completion = SWP_COMPLETION_NONE, .role = CONSUMER,
             .clock = clock, .reads = {{.value = c}}, .writes = {d});
    swp_work(l, "STORE", .latency = 200, .read_cycles = 100,
             .completion = SWP_COMPLETION_STORE_GROUP, .role = storer, .clock = clock,
             .reads = {{.value = d}});
    swp_work(l, "STAGE_1", .latency = 20, .completion = SWP_COMPLETION_NONE, .role = CONSUMER,
             .clock = clock, .reads = {{.value = c}}, .updates = {d});
    swp_work(l, "STORE_1", .latency = 200, .read_cycles = 100,
             .completion = SWP_COMPLETION_STORE_GROUP, .role = storer, .clock = clock,
             .reads = {{.value = d}});
}

static swp_schedule *persistent(swp_context *ctx, int storer)
{
    swp_loop_builder *l = loop_of_roles(ctx);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "CLEAR", .latency = 20, .role = CONSUMER, .clock = SWP_TILE_CLOCK, .writes = {c});
    swp_work(l, "SUM", .latency = 20, .read_cycles = 20, .role = CONSUMER,
             .reads = {{.value = add_copied(l)}}, .updates = {c});
    add_halves(l, SWP_TILE_CLOCK, c, storer);
    return compile(ctx, l, true);
}

/* In each iteration. */
static swp_schedule *in_passes(swp_context *ctx, int storer)
{
    swp_loop_builder *l = loop_of_roles(ctx);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    swp_work(l, "READ", .latency = 20, .read_cycles = 20, .role = CONSUMER,
             .reads = {{.value = add_copied(l)}}, .writes = {c});
    add_halves(l, SWP_PASS_CLOCK, c, storer);
    return compile(ctx, l, false);
}

/* What a tile begins with is made in two steps, and read in all passes of it. */
static swp_schedule *read_by_passes(swp_context *ctx)
{
    swp_loop_builder *l = loop_of_roles(ctx);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    const int q = swp_value(l, "Q", .space = SWP_SPACE_SHARED, .bytes = 1024, .most_slots = 1);
    swp_work(l, "CLEAR", .latency = 90, .role = CONSUMER, .clock = SWP_TILE_CLOCK, .writes = {c});
    swp_work(l, "WRITE", .latency = 20, .completion = SWP_COMPLETION_NONE, .role = CONSUMER,
             .clock = SWP_TILE_CLOCK, .writes = {q});
    swp_work(l, "SCALE", .latency = 20, .completion = SWP_COMPLETION_NONE, .role = CONSUMER,
             .clock = SWP_TILE_CLOCK, .updates = {q});
    swp_work(l, "MMA", .latency = 90, .read_cycles = 90, .completion = SWP_COMPLETION_GROUP,
             .role = CONSUMER, .reads = {{.value = add_copied(l)}, {.value = q}}, .updates = {c});
    swp_work(l, "TAKE", .latency = 20, .role = CONSUMER, .clock = SWP_TILE_CLOCK,
             .reads = {{.value = c}});
    return compile(ctx, l, true);
}

/* --- What is derived --- */

static void assert_list(const swp_schedule *schedule, const swp_entry_list *list,
                        const char *expected)
{
    char text[1024] = "";
    size_t length = 0;
    for (size_t i = 0; i < list->count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i == 0 ? "" : " ",
                                   swp_schedule_op_name(schedule, list->items[i].op.tag));
    assert_string_equal(text, expected);
}

static void the_second_half_comes_when_the_first_is_stored(void **state)
{
    swp_schedule *s = persistent(*state, CONSUMER);
    assert_list(s, &s->streams[1].end,
                "bulk_wait_read named_sync STAGE fence_async named_sync STORE bulk_commit "
                "bulk_wait_read named_sync STAGE_1 fence_async named_sync STORE_1 bulk_commit");
    assert_list(s, &s->streams[1].drain, "bulk_wait_read");
    swp_schedule_free(s);
}

static void assert_safe(swp_context *ctx, const swp_schedule *s)
{
    swp_verdict verdict = {0};
    judgement judged = {0};
    assert_ok(ctx, swp_verify(ctx, s, NULL, 0, &verdict));
    assert_true(verdict.safe);
    if (s->output_tiles)
        roles_unrolled_judge_tiles(s, LONGEST, MOST_TILES, &judged);
    else
        roles_unrolled_judge(s, roles_most_n(s), &judged);
    assert_int_equal(judged.count, 0);
    judgement_free(&judged);
}

/* Another role that stores the halves tells by mbarriers when it has read them. */
static void other_roles_take_both_halves(void **state)
{
    swp_schedule *s = persistent(*state, PRODUCER);
    assert_safe(*state, s);
    swp_schedule_free(s);
}

static void passes_read_what_was_made_last(void **state)
{
    swp_schedule *s = read_by_passes(*state);
    assert_list(s, &s->streams[1].begin, "CLEAR WRITE named_sync SCALE fence_async named_sync");
    assert_safe(*state, s);
    swp_schedule_free(s);
}

static void halves_are_handed_on_in_each_iteration(void **state)
{
    const roles_explorer_options options = {.others = 1, .most_states = 200000};
    swp_schedule *own = in_passes(*state, CONSUMER);
    swp_schedule *other = in_passes(*state, PRODUCER);
    roles_exploration found = roles_explore(own, 2, &options);
    assert_int_equal(found.count, 0);
    assert_false(found.no_run || found.undecided);
    roles_exploration_free(&found);
    assert_safe(*state, own);
    assert_safe(*state, other);
    swp_schedule_free(own);
    swp_schedule_free(other);
}

/* --- All of it is needed --- */

static bool is_shown(swp_context *ctx, const swp_schedule *schedule, const swp_hazard *hazard)
{
    swp_counterexample example;
    swp_run_outcome outcome = {0};
    assert_ok(ctx, swp_counterexample_find(ctx, schedule, hazard, &example));
    assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &example, &outcome));
    return outcome.symptom != SWP_NO_SYMPTOM;
}

/* By the proof, the judge that writes runs out, and an execution. @return the kind that is told first */
static swp_hazard_kind assert_found(swp_context *ctx, const swp_schedule *s)
{
    swp_verdict verdict = {0};
    judgement judged;
    assert_ok(ctx, swp_verify(ctx, s, NULL, 0, &verdict));
    assert_false(verdict.safe);
    roles_unrolled_judge_tiles(s, LONGEST, MOST_TILES, &judged);
    assert_true(judged.count > 0);
    assert_true(roles_tiles_are_found(&verdict, &judged, MOST_TILES, LONGEST));
    judgement_free(&judged);
    for (size_t i = 0; i < verdict.hazards.count; i++)
        assert_true(is_shown(ctx, s, &verdict.hazards.items[i]));
    return verdict.hazards.items[0].kind;
}

static void each_wait_fence_and_meeting_is_needed(void **state)
{
    /* Without its commit the first store is in the group of the second. */
    static const swp_hazard_kind kinds[] = {
        [0] = SWP_OVERWRITTEN, [1] = SWP_OVERWRITTEN, [3] = SWP_UNFENCED,    [4] = SWP_UNFENCED,
        [6] = SWP_OVERWRITTEN, [7] = SWP_OVERWRITTEN, [8] = SWP_OVERWRITTEN, [10] = SWP_UNFENCED,
        [11] = SWP_UNFENCED,   [13] = SWP_LOST_PEER};
    swp_schedule *s = persistent(*state, CONSUMER);
    swp_entry_list *list = &s->streams[1].end;
    for (size_t i = 0; i < list->count; i++) {
        const swp_entry entry = list->items[i];
        if (swp_ir_is_work(&entry.op))
            continue;
        list->count--;
        memmove(&list->items[i], &list->items[i + 1], (list->count - i) * sizeof entry);
        assert_int_equal(assert_found(*state, s), kinds[i]);
        memmove(&list->items[i + 1], &list->items[i], (list->count - i) * sizeof entry);
        list->items[i] = entry;
        list->count++;
    }
    swp_schedule_free(s);
}

/* An op at another place of its list. */
static void move(swp_entry_list *list, int from, int to)
{
    const swp_entry entry = list->items[from];
    for (int i = from; i > to; i--)
        list->items[i] = list->items[i - 1];
    list->items[to] = entry;
}

static void the_wrong_order_is_refused(void **state)
{
    enum { STORE = 5, WAIT = 7, STAGE_1 = 9 };
    swp_schedule *early = persistent(*state, CONSUMER);
    move(&early->streams[1].end, STAGE_1, WAIT);
    assert_int_equal(assert_found(*state, early), SWP_OVERWRITTEN);
    swp_schedule *before = persistent(*state, CONSUMER);
    move(&before->streams[1].end, STAGE_1, STORE);
    assert_int_equal(assert_found(*state, before), SWP_OVERWRITTEN);
    swp_schedule_free(early);
    swp_schedule_free(before);
}

/* --- What has no meaning --- */

enum { D = 1 };

static void expect_refused(swp_context *ctx, const swp_loop_op_args *first, int role,
                           bool output_tiles, const char *words)
{
    swp_loop loop;
    swp_schedule *schedule = NULL;
    swp_loop_builder *l = loop_of_roles(ctx);
    assert_int_equal(swp_value(l, "D", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = 1), D);
    if (first)
        swp_loop_add_op(l, *first);
    swp_work(l, "UPDATE", .latency = 9, .completion = SWP_COMPLETION_NONE, .role = role,
             .updates = {D});
    assert_ok(ctx, swp_loop_done(l, &loop));
    loop.output_tiles = output_tiles;
    assert_int_equal(swp_compile_loop(ctx, &loop, NULL, &schedule), SWP_INVALID);
    assert_diag(ctx, "E0705", words);
}

static void makers_without_a_meaning(void **state)
{
    const swp_loop_op_args write = {.name = "WRITE",
                                    .latency = 9,
                                    .completion = SWP_COMPLETION_NONE,
                                    .role = CONSUMER,
                                    .writes = {D}};
    swp_loop_op_args copy = write;
    copy.completion = SWP_COMPLETION_COPY_MBARRIER;
    swp_loop_op_args once = write;
    once.clock = SWP_TILE_CLOCK;
    expect_refused(*state, NULL, CONSUMER, false, "it updates a shared value that no op writes: D");
    expect_refused(*state, &copy, CONSUMER, false,
                   "it updates a shared value, and one of its makers is asynchronous: D");
    expect_refused(*state, &write, PRODUCER, false,
                   "it updates a shared value that another role writes: D");
    expect_refused(*state, &once, CONSUMER, true,
                   "it updates a shared value that is written in the other clock: D");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_second_half_comes_when_the_first_is_stored),
        CONTEXT_TEST(other_roles_take_both_halves),
        CONTEXT_TEST(passes_read_what_was_made_last),
        CONTEXT_TEST(halves_are_handed_on_in_each_iteration),
        CONTEXT_TEST(each_wait_fence_and_meeting_is_needed),
        CONTEXT_TEST(the_wrong_order_is_refused),
        CONTEXT_TEST(makers_without_a_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
