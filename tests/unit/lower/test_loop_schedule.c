/* SPDX-License-Identifier: Apache-2.0 */
/* What a pipeline is as a schedule: its lists, its names, and what it says beside them. */
#include "fixture.h"
#include "lower/loop_schedule.h"

enum { LOAD, MULTIPLY, OPS };

static swp_loop load_and_multiply(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "load_and_multiply");
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = 3);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 64);
    swp_loop loop;
    swp_work(l, "LOAD", .latency = 40, .completion = SWP_COMPLETION_COUNTER, .reads_global = true,
             .writes = {tile});
    swp_work(l, "MULTIPLY", .latency = 32, .uses = {{.unit = mma, .cycles = 32}},
             .reads = {{.value = tile}}, .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static const swp_loop_options options = {.target = "gfx950"};

static const swp_schedule *written_with(swp_context *ctx, const swp_loop *loop,
                                        swp_loop_waits waits)
{
    swp_loop_options *chosen = NULL;
    swp_schedule *out = NULL;
    swp_loop_and_pipeline given = {.loop = loop, .waits = waits};
    swp_written beside;
    assert_ok(ctx, SWP_TAKE(ctx, 1, &chosen));
    assert_ok(ctx, SWP_TAKE(ctx, 1, &given.pipeline));
    assert_ok(ctx, SWP_TAKE(ctx, 1, &out));
    *chosen = options;
    chosen->machine = swp_machine_default();
    assert_ok(ctx, swp_pipeline_loop(ctx, loop, given.pipeline));
    *out = (swp_schedule){.stream_count = 1, .arena = ctx->arena};
    assert_ok(ctx, swp_lower_loop_schedule(ctx, chosen, &given, out, &beside));
    return out;
}

static const swp_schedule *written(swp_context *ctx, const swp_loop *loop)
{
    return written_with(ctx, loop, SWP_FEWEST_WAITS);
}

static int count_work(const swp_entry_list *list, int loop_op)
{
    int count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].op.tag == swp_tag_of_loop_op(loop_op);
    return count;
}

/* A pass has each op once an iteration, and so have the lists of runs that are too short for one. */
static void each_list_has_the_ops_of_its_iterations(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = load_and_multiply(ctx);
    const swp_schedule *out = written(ctx, &loop);
    const swp_stream *s = &out->streams[0];
    const int unroll = out->loop.tiles_per_pass;
    const int least = out->loop.min_tiles;
    assert_int_equal(unroll, out->pipeline->slots[0]);
    assert_true(unroll > 1 && least > 0);
    assert_int_equal(s->tails.epilogue_count, unroll - 1);
    assert_int_equal(s->tails.straight_count, least);
    for (int op = 0; op < OPS; op++) {
        assert_int_equal(count_work(&s->kernel, op), unroll);
        for (int n = 0; n < least; n++)
            assert_int_equal(count_work(&s->tails.straight[n], op), n);
    }
}

/* What the prologue begins an epilogue ends, whatever is left of a pass. */
static void prologue_and_epilogues_are_whole_iterations(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = load_and_multiply(ctx);
    const swp_schedule *out = written(ctx, &loop);
    const swp_stream *s = &out->streams[0];
    const int ahead = count_work(&s->prologue, LOAD) - count_work(&s->prologue, MULTIPLY);
    assert_true(ahead > 0);
    for (int r = 0; r < out->loop.tiles_per_pass; r++) {
        const swp_entry_list *end = r == 0 ? &s->epilogue : &s->tails.epilogues[r - 1];
        assert_int_equal(count_work(end, MULTIPLY) - count_work(end, LOAD), ahead);
    }
}

static void names_and_figures_are_those_of_the_loop(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = load_and_multiply(ctx);
    const swp_schedule *out = written(ctx, &loop);
    assert_string_equal(out->name, "load_and_multiply");
    assert_string_equal(out->target, "mi355x");
    assert_string_equal(swp_schedule_op_name(out, swp_tag_of_loop_op(MULTIPLY)), "MULTIPLY");
    assert_string_equal(out->op_names[swp_tag_of_loop_op(OPS)], "");
    assert_ptr_equal(out->dataflow->slots, out->pipeline->slots);
    assert_int_equal(out->schedule.sync, SWP_SYNC_DERIVED);
    assert_int_equal(out->metrics.makespan, -1);
    assert_true(out->sync.cycles >= out->pipeline->answer.value * out->sync.passes);
}

/* No group lags, so that none falls behind before the loop, however many waits stand before it. */
static void the_stagger_is_behind_the_prologue(void **state)
{
    static const swp_loop_waits waits[] = {SWP_FEWEST_WAITS, SWP_ALL_WAITS};
    swp_context *ctx = *state;
    const swp_loop loop = load_and_multiply(ctx);
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        const swp_schedule *out = written_with(ctx, &loop, waits[i]);
        assert_int_equal(out->warp_stagger_index, out->streams[0].prologue.count + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_list_has_the_ops_of_its_iterations),
        CONTEXT_TEST(prologue_and_epilogues_are_whole_iterations),
        CONTEXT_TEST(names_and_figures_are_those_of_the_loop),
        CONTEXT_TEST(the_stagger_is_behind_the_prologue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
