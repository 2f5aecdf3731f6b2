/* SPDX-License-Identifier: Apache-2.0 */
/* Derived synchronisation of clusters (docs/roles-proof.md, "Derivation"): what is there, and that nothing can be dropped. */
#include "fixture.h"

#include "roles_unrolled.h"

#include "ir/entry.h"
#include "ir/roles.h"
#include "swp/loop_compile.h"
#include "swp/verify.h"

#include <string.h>

enum { PRODUCER = 1, CONSUMER };

static swp_schedule *compile(swp_context *ctx, swp_loop_builder *l)
{
    swp_loop loop;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule));
    return schedule;
}

static swp_loop_builder *loop_of_roles(swp_context *ctx, int instances)
{
    swp_loop_builder *l = swp_loop_new(ctx, "cluster");
    swp_loop_set_cluster(l, 2);
    assert_int_equal(swp_loop_add_role(l, (swp_loop_role){.name = "producer"}), PRODUCER);
    assert_int_equal(
        swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .instances = instances}),
        CONSUMER);
    assert_int_equal(swp_loop_add_unit(l, "tma", 1), 1);
    assert_int_equal(swp_loop_add_unit(l, "tensor", instances), 2);
    return l;
}

static int add_copy(swp_loop_builder *l, const char *name, const char *value, int slots,
                    bool multicast)
{
    const int tile = swp_value(l, value, .space = SWP_SPACE_SHARED, .bytes = 1024,
                               .least_slots = slots, .most_slots = slots);
    swp_work(l, name, .uses = {{.unit = 1, .cycles = 100}}, .latency = 300,
             .completion = SWP_COMPLETION_MBARRIER, .role = PRODUCER, .writes = {tile},
             .multicast = multicast);
    return tile;
}

/* A is the own work group's, B comes in halves from both. */
static swp_schedule *gemm(swp_context *ctx)
{
    swp_loop_builder *l = loop_of_roles(ctx, 2);
    const int a = add_copy(l, "LOAD_A", "A", 2, false);
    const int b = add_copy(l, "LOAD_B", "B", 2, true);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "MMA", .uses = {{.unit = 2, .cycles = 400}}, .latency = 450, .read_cycles = 400,
             .completion = SWP_COMPLETION_GROUP, .role = CONSUMER,
             .reads = {{.value = a}, {.value = b}}, .updates = {c}, .update_latencies = {400});
    return compile(ctx, l);
}

/* The same for one output tile after another. */
static swp_schedule *persistent(swp_context *ctx)
{
    swp_loop loop;
    swp_schedule *schedule = NULL;
    swp_loop_builder *l = loop_of_roles(ctx, 2);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "CLEAR", .latency = 400, .role = CONSUMER, .clock = SWP_TILE_CLOCK, .writes = {c});
    const int b = add_copy(l, "LOAD_B", "B", 3, true);
    swp_work(l, "MMA", .uses = {{.unit = 2, .cycles = 400}}, .latency = 450, .read_cycles = 400,
             .completion = SWP_COMPLETION_GROUP, .role = CONSUMER, .reads = {{.value = b}},
             .updates = {c}, .update_latencies = {400});
    swp_work(l, "TAKE", .latency = 9, .role = CONSUMER, .clock = SWP_TILE_CLOCK,
             .reads = {{.value = c}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    loop.output_tiles = true;
    assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule));
    return schedule;
}

/* Threads read by ordinary instructions what both bring, to more slots than copies are ahead. */
static swp_schedule *readers(swp_context *ctx)
{
    swp_loop_builder *l = loop_of_roles(ctx, 1);
    const int b = add_copy(l, "LOAD_B", "B", 3, true);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "READ", .latency = 400, .read_cycles = 400, .role = CONSUMER,
             .reads = {{.value = b}}, .updates = {c});
    return compile(ctx, l);
}

static int count_of(const swp_entry_list *list, int tag, swp_arrival_target to)
{
    int count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].op.tag == tag && list->items[i].op.to == to;
    return count;
}

static const swp_op *first_of(const swp_entry_list *list, int tag)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].op.tag == tag)
            return &list->items[i].op;
    fail_msg("no entry has tag %d", tag);
    return NULL;
}

static void a_slot_is_handed_back_to_both(void **state)
{
    swp_schedule *s = gemm(*state);
    const swp_entry_list *producer = &s->streams[0].kernel;
    const swp_entry_list *consumer = &s->streams[1].kernel;
    assert_int_equal(s->cluster, 2);
    assert_int_equal(s->object_count, 2);
    assert_int_equal(s->objects[0].arrivals, 1);
    assert_int_equal(s->objects[1].arrivals, 4);
    assert_int_equal(first_of(producer, SWP_TAG_ARRIVE_EXPECT)->bytes, 2048);
    assert_int_equal(first_of(producer, swp_tag_of_loop_op(0))->bytes, 1024);
    assert_int_equal(first_of(producer, swp_tag_of_loop_op(1))->bytes, 512);
    assert_int_equal(count_of(consumer, SWP_TAG_ARRIVE, SWP_TO_ALL), s->loop.tiles_per_pass);
    assert_int_equal(count_of(consumer, SWP_TAG_ARRIVE, SWP_TO_OWN), 0);
    swp_schedule_free(s);
}

/* The last list of a run; NULL: there are no more. */
static const swp_entry_list *end_of(const swp_stream *stream, size_t number)
{
    const swp_tails *tails = &stream->tails;
    if (number <= tails->epilogue_count)
        return number == 0 ? &stream->epilogue : &tails->epilogues[number - 1];
    number -= tails->epilogue_count + 1;
    return number < tails->straight_count ? &tails->straight[number] : NULL;
}

/* Where slots are handed back that no copy takes any more. All roles come. */
static void the_cluster_meets_at_the_end(void **state)
{
    swp_schedule *s = readers(*state);
    int meetings = 0;
    for (size_t n = 0; end_of(&s->streams[0], n); n++) {
        const int count = count_of(end_of(&s->streams[0], n), SWP_TAG_CLUSTER_ARRIVE, SWP_TO_OWN);
        meetings += count;
        for (size_t i = 0; i < s->stream_count; i++) {
            const swp_entry_list *list = end_of(&s->streams[i], n);
            assert_int_equal(count_of(list, SWP_TAG_CLUSTER_ARRIVE, SWP_TO_OWN), count);
            if (count > 0)
                assert_int_equal(list->items[list->count - 1].op.tag, SWP_TAG_CLUSTER_WAIT);
        }
    }
    assert_true(meetings > 0);
    swp_schedule_free(s);
}

/* Asked of the judge that writes runs out, as the proof is what says where entries were dropped. */
static bool is_safe(swp_context *ctx, const swp_schedule *s)
{
    judgement judged;
    assert_ok(ctx, swp_ir_check_role_loop(ctx, s));
    roles_unrolled_judge(s, roles_most_n(s), &judged);
    const bool safe = judged.count == 0;
    judgement_free(&judged);
    return safe;
}

static bool is_proven(swp_context *ctx, const swp_schedule *s)
{
    swp_verdict verdict = {0};
    assert_ok(ctx, swp_verify(ctx, s, NULL, 0, &verdict));
    return verdict.safe;
}

/* By the judge that writes sequences of output tiles out. */
static bool is_judged_safe(const swp_schedule *s)
{
    judgement judged;
    roles_unrolled_judge_tiles(s, 2, 2, &judged);
    const size_t count = judged.count;
    judgement_free(&judged);
    return count == 0;
}

/* Between tiles nobody waits for the other work groups. */
static void with_output_tiles_it_meets_behind_the_last(void **state)
{
    swp_schedule *s = persistent(*state);
    for (size_t i = 0; i < s->stream_count; i++) {
        const swp_stream *stream = &s->streams[i];
        for (size_t n = 0; end_of(stream, n); n++)
            assert_int_equal(count_of(end_of(stream, n), SWP_TAG_CLUSTER_ARRIVE, SWP_TO_OWN), 0);
        assert_int_equal(count_of(&stream->drain, SWP_TAG_CLUSTER_ARRIVE, SWP_TO_OWN), 1);
        assert_int_equal(stream->drain.items[stream->drain.count - 1].op.tag, SWP_TAG_CLUSTER_WAIT);
    }
    assert_true(is_proven(*state, s));
    assert_true(is_judged_safe(s));
    for (size_t i = 0; i < s->stream_count; i++)
        s->streams[i].drain.count -= 2;
    assert_false(is_proven(*state, s));
    assert_false(is_judged_safe(s));
    swp_schedule_free(s);
}

/* --- Nothing can be dropped --- */

static void assert_needed(swp_context *ctx, const swp_schedule *s, const swp_entry_list *of)
{
    swp_entry_list *list = (swp_entry_list *)of;
    for (size_t i = 0; i < list->count; i++) {
        const swp_entry entry = list->items[i];
        if (swp_ir_is_work(&entry.op))
            continue;
        list->count--;
        memmove(&list->items[i], &list->items[i + 1], (list->count - i) * sizeof entry);
        assert_false(is_safe(ctx, s));
        memmove(&list->items[i + 1], &list->items[i], (list->count - i) * sizeof entry);
        list->items[i] = entry;
        list->count++;
    }
}

/* The operations of all roles on the cluster's barrier at one end, behind all else. */
static void assert_meeting_needed(swp_context *ctx, const swp_schedule *s, size_t number)
{
    const swp_entry_list *first = end_of(&s->streams[0], number);
    const size_t operations = (size_t)(count_of(first, SWP_TAG_CLUSTER_ARRIVE, SWP_TO_OWN) +
                                       count_of(first, SWP_TAG_CLUSTER_WAIT, SWP_TO_OWN));
    if (operations == 0)
        return;
    for (size_t i = 0; i < s->stream_count; i++)
        ((swp_entry_list *)end_of(&s->streams[i], number))->count -= operations;
    assert_false(is_safe(ctx, s));
    for (size_t i = 0; i < s->stream_count; i++)
        ((swp_entry_list *)end_of(&s->streams[i], number))->count += operations;
}

static void nothing_can_be_dropped(void **state)
{
    swp_schedule *(*const loops[])(swp_context * ctx) = {gemm, readers};
    for (size_t l = 0; l < sizeof loops / sizeof *loops; l++) {
        swp_schedule *s = loops[l](*state);
        assert_true(is_safe(*state, s));
        for (size_t i = 0; i < s->stream_count; i++) {
            assert_needed(*state, s, &s->streams[i].prologue);
            assert_needed(*state, s, &s->streams[i].kernel);
            for (size_t n = 0; end_of(&s->streams[i], n); n++)
                assert_needed(*state, s, end_of(&s->streams[i], n));
        }
        for (size_t n = 0; end_of(&s->streams[0], n); n++)
            assert_meeting_needed(*state, s, n);
        swp_schedule_free(s);
    }
}

/* --- What has no meaning --- */

static void expect_refused(swp_context *ctx, swp_loop_builder *l, const char *words)
{
    swp_loop loop;
    assert_int_equal(swp_loop_done(l, &loop), SWP_INVALID);
    assert_diag(ctx, "E0705", words);
}

static void multicasts_without_a_meaning(void **state)
{
    swp_loop_builder *l = swp_loop_new(*state, "alone");
    (void)swp_loop_add_role(l, (swp_loop_role){.name = "producer"});
    (void)swp_loop_add_unit(l, "tma", 1);
    (void)add_copy(l, "LOAD_B", "B", 2, true);
    expect_refused(*state, l, "op LOAD_B is a multicast, and there is one work group");
    l = loop_of_roles(*state, 2);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "WORK", .latency = 9, .role = CONSUMER, .updates = {c}, .multicast = true);
    expect_refused(*state, l, "op WORK is a multicast, and no tensor copy");
    l = loop_of_roles(*state, 2);
    const int b = swp_value(l, "B", .space = SWP_SPACE_SHARED, .bytes = 64);
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_MBARRIER, .role = CONSUMER,
             .writes = {b}, .multicast = true);
    expect_refused(*state, l, "op LOAD is a multicast, and its role has several instances");
}

static void shares_that_do_not_come_out_even(void **state)
{
    swp_loop loop;
    swp_schedule *schedule = NULL;
    swp_loop_builder *l = loop_of_roles(*state, 1);
    const int b = swp_value(l, "B", .space = SWP_SPACE_SHARED, .bytes = 63);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_MBARRIER, .role = PRODUCER,
             .writes = {b}, .multicast = true);
    swp_work(l, "READ", .latency = 9, .role = CONSUMER, .reads = {{.value = b}}, .updates = {c});
    assert_ok(*state, swp_loop_done(l, &loop));
    assert_int_equal(swp_compile_loop(*state, &loop, NULL, &schedule), SWP_INVALID);
    assert_diag(*state, "E0705", "op LOAD copies 63 bytes in 2 shares");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_slot_is_handed_back_to_both),
        CONTEXT_TEST(the_cluster_meets_at_the_end),
        CONTEXT_TEST(with_output_tiles_it_meets_behind_the_last),
        CONTEXT_TEST(nothing_can_be_dropped),
        CONTEXT_TEST(multicasts_without_a_meaning),
        CONTEXT_TEST(shares_that_do_not_come_out_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
