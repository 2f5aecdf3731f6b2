/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules to emit, and texts to look into. */
#ifndef TEST_EMIT_SCHEDULES_H
#define TEST_EMIT_SCHEDULES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "swp/emit.h"
#include "swp/kernels.h"

#include <string.h>

static inline swp_schedule *compile(swp_context *ctx, const swp_pipeline_schedule *definition)
{
    swp_schedule *schedule = NULL;
    assert_int_equal(swp_compile_schedule(ctx, definition, &schedule), SWP_OK);
    assert_non_null(schedule);
    return schedule;
}

/* pingpong as tests/golden has it. */
static inline swp_schedule *pingpong(swp_context *ctx)
{
    swp_pingpong kernel;
    swp_pingpong_init(&kernel);
    kernel.options.schedule.lgkm_per_load_a = 8;
    kernel.options.schedule.lgkm_per_load_b = 8;
    const swp_pipeline_schedule definition = swp_pingpong_schedule(&kernel);
    return compile(ctx, &definition);
}

static inline swp_schedule *fourwave(swp_context *ctx)
{
    const swp_tile_shape shape = swp_tile_shape_default();
    const swp_access_rules rules = swp_access_rules_default();
    swp_kernel_geometry geometry;
    assert_int_equal(
        swp_kernel_geometry_derive(ctx, &shape, swp_wave_layout_four_wave(), &rules, &geometry),
        SWP_OK);
    swp_pipeline_4wave kernel;
    assert_int_equal(swp_pipeline_4wave_init(ctx, &kernel, &geometry, NULL, NULL), SWP_OK);
    const swp_pipeline_schedule definition = swp_pipeline_4wave_schedule(&kernel);
    return compile(ctx, &definition);
}

static inline swp_schedule *single_buffer(swp_context *ctx)
{
    swp_single_buffer kernel;
    swp_single_buffer_init(&kernel, 2);
    const swp_pipeline_schedule definition = swp_single_buffer_schedule(&kernel);
    return compile(ctx, &definition);
}

static inline char *emitted(swp_context *ctx, const swp_schedule *schedule, const char *format)
{
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_emit_format_find(format)->emit(ctx, schedule, &text, &length), SWP_OK);
    assert_int_equal(length, strlen(text));
    return text;
}

static inline size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static inline int new_context(void **state)
{
    *state = swp_context_new(NULL);
    return *state ? 0 : -1;
}

static inline int free_context(void **state)
{
    swp_context_free(*state);
    return 0;
}

#define TEST_IN_CONTEXT(function)                                                                  \
    cmocka_unit_test_setup_teardown(function, new_context, free_context)

#endif
