/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of every table: names, text in and out, ranges. */
#include "fixture.h"
#include "swp/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const swp_place nowhere = {NULL, 0, 0};

static void path_of(const swp_field *field, char path[128])
{
    const char *section = swp_section_name(field->section);
    snprintf(path, 128, "%s%s%s", section, *section ? "." : "", field->name);
}

static const swp_field *row(const char *path)
{
    const swp_field *field = swp_field_find(path);
    if (!field)
        fail_msg("no row %s", path);
    return field;
}

static swp_status parse(swp_context *ctx, const char *path, const char *text,
                        swp_settings *settings)
{
    swp_context_clear_diags(ctx);
    return swp_field_parse(ctx, row(path), text, nowhere, settings);
}

static void every_row_is_found_by_its_path_and_by_no_other(void **state)
{
    (void)state;
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    assert_true(count > 50);
    for (size_t i = 0; i < count; i++) {
        char path[128];
        path_of(&fields[i], path);
        assert_ptr_equal(swp_field_find(path), &fields[i]);
        assert_true(strlen(fields[i].meaning) > 0);
    }
    assert_null(swp_field_find("schedule"));
    assert_null(swp_field_find("schedule."));
    assert_null(swp_field_find("max_vgpr"));
    assert_null(swp_field_find("pipeline.max_vgpr"));
    assert_null(swp_field_find(""));
}

static void the_published_fields_have_rows(void **state)
{
    (void)state;
    static const char *const paths[] = {"pipeline.depth",
                                        "pipeline.prefetch",
                                        "pipeline.drain_passes",
                                        "pipeline.prologue_fill",
                                        "pipeline.loop_carried",
                                        "pipeline.heavy",
                                        "pipeline.light",
                                        "pipeline.max_globals",
                                        "pipeline.frag_order",
                                        "pipeline.m_mmas",
                                        "pipeline.n_mmas",
                                        "pipeline.num_partitions",
                                        "pipeline.mma_serial",
                                        "pipeline.mma_latency",
                                        "pipeline.vm_per_load_a",
                                        "pipeline.vm_per_load_b",
                                        "pipeline.ch0_match_field",
                                        "pipeline.ch1_match_field",
                                        "pipeline.warp_stagger",
                                        "pipeline.lgkm_per_load_a",
                                        "pipeline.lgkm_per_load_b",
                                        "pipeline.cross_stage_rotation",
                                        "schedule.scheduling",
                                        "schedule.sched_barrier_mask",
                                        "schedule.auto_waits",
                                        "schedule.drain_lgkm_mask",
                                        "schedule.auto_drain",
                                        "schedule.lds_contention_penalty",
                                        "schedule.wait_lgkm_first",
                                        "schedule.wait_vm_last",
                                        "schedule.lgkm_per_load_a",
                                        "schedule.lgkm_per_load_b",
                                        "schedule.lgkm_after_last",
                                        "schedule.minimal_barriers",
                                        "schedule.omit_mma_set_prio",
                                        "schedule.max_vgpr",
                                        "schedule.global_before_frag",
                                        "schedule.barrier_before_pre_ops",
                                        "schedule.inter_block_lgkm_drain",
                                        "schedule.partial_prologue_drain",
                                        "schedule.wrap_waits_with_sched_barrier",
                                        "geometry.block",
                                        "geometry.mma",
                                        "geometry.elem_bytes",
                                        "num_k_tiles",
                                        "hints.m_mmas",
                                        "hints.n_mmas",
                                        "hints.k_mmas",
                                        "hints.mma_m",
                                        "hints.mma_n",
                                        "hints.a_loads",
                                        "hints.b_loads",
                                        "machine.groups"};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        assert_non_null(row(paths[i]));
}

static void every_default_parses_back_to_itself(void **state)
{
    swp_context *ctx = *state;
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    const swp_settings standard = swp_settings_default();
    for (size_t i = 0; i < count; i++) {
        char text[SWP_FIELD_TEXT_SIZE], again[SWP_FIELD_TEXT_SIZE];
        swp_settings settings;
        memset(&settings, 0x7f, sizeof settings);
        swp_field_format(&fields[i], &standard, text);
        assert_ok(ctx, swp_field_parse(ctx, &fields[i], text, nowhere, &settings));
        swp_field_format(&fields[i], &settings, again);
        assert_string_equal(text, again);
    }
}

static void expect_range(swp_context *ctx, const swp_field *field)
{
    char text[64];
    swp_settings settings = swp_settings_default();
    const int64_t inside[] = {field->least, field->most};
    const int64_t outside[] = {field->least - 1, field->most + 1};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%" PRId64, inside[i]);
        assert_ok(ctx, swp_field_parse(ctx, field, text, nowhere, &settings));
        snprintf(text, sizeof text, "%" PRId64, outside[i]);
        assert_status(ctx, swp_field_parse(ctx, field, text, nowhere, &settings), SWP_INVALID);
        assert_diag(ctx, "E0105", field->name);
        assert_diag(ctx, "E0105", text);
        swp_context_clear_diags(ctx);
    }
}

static void every_integer_row_takes_its_range_and_no_more(void **state)
{
    size_t count = 0, integers = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (fields[i].kind == SWP_FIELD_INT) {
            expect_range(*state, &fields[i]);
            integers++;
        }
    assert_true(integers > 30);
}

static void words_that_are_no_number_are_refused(void **state)
{
    swp_context *ctx = *state;
    swp_settings s = swp_settings_default();
    static const char *const texts[] = {"", " 1", "1 ", "1.0", "x", "0x10", "1e3", "-", "+", "--1"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        assert_status(ctx, parse(ctx, "schedule.wait_vm_last", texts[i], &s), SWP_INVALID);
        assert_diag(ctx, "E0104", "wait_vm_last");
    }
    assert_int_equal(s.schedule.wait_vm_last, 6);
    assert_status(ctx, parse(ctx, "schedule.wait_vm_last", "99999999999999999999", &s),
                  SWP_INVALID);
    assert_diag(ctx, "E0105", "99999999999999999999");
}

static void booleans_are_true_and_false_only(void **state)
{
    swp_context *ctx = *state;
    swp_settings s = swp_settings_default();
    assert_ok(ctx, parse(ctx, "schedule.auto_drain", "true", &s));
    assert_true(s.schedule.auto_drain);
    assert_ok(ctx, parse(ctx, "schedule.auto_drain", "false", &s));
    assert_false(s.schedule.auto_drain);
    static const char *const texts[] = {"1", "0", "yes", "True", "t", ""};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_status(ctx, parse(ctx, "schedule.auto_drain", texts[i], &s), SWP_INVALID);
}

static void masks_are_decimal_hexadecimal_or_binary_and_end_at_bit_63(void **state)
{
    swp_context *ctx = *state;
    swp_settings s = swp_settings_default();
    uint64_t *mask = &s.schedule.drain_lgkm_mask;
    assert_ok(ctx, parse(ctx, "schedule.drain_lgkm_mask", "166", &s));
    assert_int_equal(*mask, 166);
    assert_ok(ctx, parse(ctx, "schedule.drain_lgkm_mask", "0b10100110", &s));
    assert_int_equal(*mask, 166);
    assert_ok(ctx, parse(ctx, "schedule.drain_lgkm_mask", "0xA6", &s));
    assert_int_equal(*mask, 166);
    assert_ok(ctx, parse(ctx, "schedule.drain_lgkm_mask", "0xffffffffffffffff", &s));
    assert_true(*mask == UINT64_MAX);
    assert_status(ctx, parse(ctx, "schedule.drain_lgkm_mask", "0x10000000000000000", &s),
                  SWP_INVALID);
    assert_diag(ctx, "E0105", "drain_lgkm_mask");
    static const char *const texts[] = {"", "0x", "0b", "0b2", "0xg", "-1", "1 ", "0x-1", "0x 1"};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_status(ctx, parse(ctx, "schedule.drain_lgkm_mask", texts[i], &s), SWP_INVALID);
}

static void names_of_enumerators_are_read(void **state)
{
    swp_context *ctx = *state;
    swp_settings s = swp_settings_default();
    assert_ok(ctx, parse(ctx, "schedule.scheduling", "csp", &s));
    assert_int_equal(s.schedule.scheduling, SWP_CSP);
    assert_ok(ctx, parse(ctx, "schedule.scheduling", "greedy", &s));
    assert_int_equal(s.schedule.scheduling, SWP_GREEDY);
    assert_ok(ctx, parse(ctx, "pipeline.frag_order", "a_before_b", &s));
    assert_int_equal(s.pipeline.frag_order, SWP_A_BEFORE_B);
    assert_ok(ctx, parse(ctx, "machine.counter_full", "wraps", &s));
    assert_int_equal(s.machine.counter_full, SWP_COUNTER_WRAPS);
    assert_status(ctx, parse(ctx, "schedule.scheduling", "CSP", &s), SWP_INVALID);
    assert_diag(ctx, "E0104", "identity|greedy|csp");
    assert_status(ctx, parse(ctx, "schedule.scheduling", "2", &s), SWP_INVALID);
}

static void stagger_and_loop_carried_are_read(void **state)
{
    swp_context *ctx = *state;
    swp_settings s = swp_settings_default();
    assert_ok(ctx, parse(ctx, "pipeline.warp_stagger", "fixed(12)", &s));
    assert_int_equal(s.pipeline.warp_stagger.rule, SWP_STAGGER_FIXED);
    assert_int_equal(s.pipeline.warp_stagger.amount, 12);
    assert_ok(ctx, parse(ctx, "pipeline.warp_stagger", "auto", &s));
    assert_int_equal(s.pipeline.warp_stagger.rule, SWP_STAGGER_AUTO);
    assert_status(ctx, parse(ctx, "pipeline.warp_stagger", "fixed()", &s), SWP_INVALID);
    assert_status(ctx, parse(ctx, "pipeline.warp_stagger", "fixed(-1)", &s), SWP_INVALID);
    assert_status(ctx, parse(ctx, "pipeline.warp_stagger", "fixed(1", &s), SWP_INVALID);
    assert_ok(ctx, parse(ctx, "pipeline.loop_carried", "fragment_zero", &s));
    assert_int_equal(s.pipeline.loop_carried.role, SWP_FRAGMENT_LOAD);
    assert_ok(ctx, parse(ctx, "pipeline.loop_carried", "fragment_load:3", &s));
    assert_int_equal(s.pipeline.loop_carried.role, SWP_FRAGMENT_LOAD);
    assert_int_equal(s.pipeline.loop_carried.selector, 3);
    assert_status(ctx, parse(ctx, "pipeline.loop_carried", "compute:3", &s), SWP_INVALID);
    assert_status(ctx, parse(ctx, "pipeline.loop_carried", "fragment_load:", &s), SWP_INVALID);
}

static void a_block_is_three_numbers(void **state)
{
    swp_context *ctx = *state;
    swp_settings s = swp_settings_default();
    assert_ok(ctx, parse(ctx, "geometry.block", "128,64,32", &s));
    assert_int_equal(s.geometry.block[0], 128);
    assert_int_equal(s.geometry.block[1], 64);
    assert_int_equal(s.geometry.block[2], 32);
    static const char *const texts[] = {"128,64", "1,2,3,4", "1,,3", "0,1,1", "1,1,65537", "a,b,c"};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_status(ctx, parse(ctx, "geometry.block", texts[i], &s), SWP_INVALID);
}

static void a_misspelt_path_finds_the_nearest(void **state)
{
    swp_context *ctx = *state;
    assert_string_equal(swp_field_suggest(ctx, "schedule.max_vgrp"), "schedule.max_vgpr");
    assert_string_equal(swp_field_suggest(ctx, "num_k_tile"), "num_k_tiles");
    assert_null(swp_field_suggest(ctx, "qqqqqqqqqqqq"));
}

static void a_domain_says_what_a_value_may_be(void **state)
{
    (void)state;
    char text[SWP_FIELD_TEXT_SIZE];
    swp_field_domain(row("schedule.wait_lgkm_first"), text);
    assert_string_equal(text, "0..255");
    swp_field_domain(row("schedule.auto_waits"), text);
    assert_string_equal(text, "true|false");
    swp_field_domain(row("schedule.scheduling"), text);
    assert_string_equal(text, "identity|greedy|csp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_path_and_by_no_other),
        cmocka_unit_test(the_published_fields_have_rows),
        CONTEXT_TEST(every_default_parses_back_to_itself),
        CONTEXT_TEST(every_integer_row_takes_its_range_and_no_more),
        CONTEXT_TEST(words_that_are_no_number_are_refused),
        CONTEXT_TEST(booleans_are_true_and_false_only),
        CONTEXT_TEST(masks_are_decimal_hexadecimal_or_binary_and_end_at_bit_63),
        CONTEXT_TEST(names_of_enumerators_are_read),
        CONTEXT_TEST(stagger_and_loop_carried_are_read),
        CONTEXT_TEST(a_block_is_three_numbers),
        CONTEXT_TEST(a_misspelt_path_finds_the_nearest),
        cmocka_unit_test(a_domain_says_what_a_value_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
