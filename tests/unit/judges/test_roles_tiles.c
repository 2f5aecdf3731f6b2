/* SPDX-License-Identifier: Apache-2.0 */
/* The unrolled judge on runs of several output tiles (docs/roles-reference.md, "Output tiles"): a persistent GEMM, and what must not be left out. */
#include "fixture.h"

#include <stdio.h>

#include "roles_unrolled.h"
#include "swp/emit.h"
#include "swp/phase.h"

enum { PRODUCER, CONSUMER, LONGEST = 6 /* two more than the ring has slots */, MOST_HAZARDS = 4 };

static swp_schedule *read_persistent(swp_context *ctx)
{
    static char text[65536];
    static const char path[] = "tests/roles/gemm_persistent.json";
    swp_schedule *schedule = NULL;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    assert_in_range(length, 1, sizeof text - 1);
    assert_ok(ctx, swp_schedule_read_json(ctx, text, length, path, &schedule));
    return schedule;
}

static swp_op *op_at(swp_schedule *schedule, int stream, swp_phase list, int entry)
{
    const swp_entry_list *entries = swp_stream_phase(&schedule->streams[stream], list);
    assert_in_range(entry, 0, entries->count - 1);
    return (swp_op *)&entries->items[entry].op;
}

/* So that the numbers of the entries behind it stay. */
static void leave_out(swp_op *op)
{
    *op = swp_op_none();
    op->tag = SWP_TAG_FENCE_ASYNC;
    op->role = SWP_SYNC;
}

static void expect(const swp_schedule *schedule, const judged_hazard *expected, size_t count)
{
    judgement judged = {0};
    char text[128];
    roles_unrolled_judge_tiles(schedule, LONGEST, ROLE_MOST_TILES, &judged);
    for (size_t i = 0; i < judged.count; i++) {
        judged_hazard_print(text, sizeof text, &judged.items[i]);
        print_message("%s\n", text);
    }
    assert_int_equal(judged.count, count);
    for (size_t i = 0; i < count; i++) {
        const judged_hazard *found = judgement_find(&judged, &expected[i]);
        assert_non_null(found);
        assert_int_equal(role_sequence_compare(&found->smallest, &expected[i].smallest), 0);
    }
    judgement_free(&judged);
}

static void a_persistent_gemm_is_safe(void **state)
{
    swp_schedule *s = read_persistent(*state);
    expect(s, NULL, 0);
    swp_schedule_free(s);
}

/* An entry that is left out, and what comes of it. */
typedef struct omission {
    int stream;
    swp_phase list;
    int entry;
    judged_hazard expected[MOST_HAZARDS];
    size_t count;
} omission;

#define TILES(...) .smallest = {.count = COUNT_OF(((int[]){__VA_ARGS__})), .tiles = {__VA_ARGS__}}
#define HAZARD(NAME, ROLE, LIST, ENTRY, TOTAL, ...)                                                \
    {                                                                                              \
        .kind = (NAME), .stream = (ROLE), .phase = (LIST), .entry = (ENTRY), TILES(__VA_ARGS__),   \
        .smallest.n = (TOTAL)                                                                      \
    }

static const omission omissions[] = {
    /* Who has not waited itself for the store of the tile before needs the meeting behind that wait. */
    {CONSUMER, SWP_END, 1, {HAZARD(SWP_OVERWRITTEN, CONSUMER, SWP_END, 2, 0, 0, 0)}, 1},
    {CONSUMER, SWP_END, 0, {HAZARD(SWP_OVERWRITTEN, CONSUMER, SWP_END, 2, 0, 0, 0)}, 1},
    {CONSUMER, SWP_END, 4, {HAZARD(SWP_UNFENCED, CONSUMER, SWP_END, 5, 0, 0)}, 1},
    {CONSUMER, SWP_DRAIN, 0, {HAZARD(SWP_LOST_PEER, CONSUMER, SWP_END, 5, 0, 0)}, 1},
    /* Without the clearing a tile has nothing to begin with. No list says who is to do it. */
    {CONSUMER,
     SWP_BEGIN,
     0,
     {HAZARD(SWP_WRONG_TILE, CONSUMER, SWP_END, 2, 0, 0),
      HAZARD(SWP_WRONG_TILE, CONSUMER, SWP_PROLOGUE, 2, 1, 1)},
     2},
    /* A slot that the first tile keeps is missed when the ring has come round: one tile of any length is safe. */
    {CONSUMER,
     SWP_EPILOGUE,
     1,
     {HAZARD(SWP_DEADLOCK, PRODUCER, SWP_PROLOGUE, 0, 5, 1, 3, 1),
      HAZARD(SWP_DEADLOCK, PRODUCER, SWP_KERNEL, 0, 5, 1, 4),
      HAZARD(SWP_DEADLOCK, CONSUMER, SWP_PROLOGUE, 0, 5, 1, 3, 1),
      HAZARD(SWP_DEADLOCK, CONSUMER, SWP_KERNEL, 0, 5, 1, 4)},
     4},
    {CONSUMER, SWP_PROLOGUE, 1, {HAZARD(SWP_UNFENCED, CONSUMER, SWP_PROLOGUE, 2, 1, 1)}, 1},
    /* The first iteration of a tile is the ring's fifth where the tile before had four. */
    {PRODUCER,
     SWP_PROLOGUE,
     0,
     {HAZARD(SWP_ARRIVALS, PRODUCER, SWP_PROLOGUE, 1, 5, 4, 1),
      HAZARD(SWP_ARRIVALS, PRODUCER, SWP_PROLOGUE, 2, 5, 4, 1),
      HAZARD(SWP_ARRIVALS, CONSUMER, SWP_KERNEL, 4, 6, 4, 2),
      HAZARD(SWP_ARRIVALS, CONSUMER, SWP_EPILOGUE, 1, 5, 4, 1)},
     4},
};

static void what_each_entry_is_for(void **state)
{
    for (size_t i = 0; i < COUNT_OF(omissions); i++) {
        const omission *o = &omissions[i];
        swp_schedule *s = read_persistent(*state);
        leave_out(op_at(s, o->stream, o->list, o->entry));
        expect(s, o->expected, o->count);
        swp_schedule_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_persistent_gemm_is_safe),
        CONTEXT_TEST(what_each_entry_is_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
