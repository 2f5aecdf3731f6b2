/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of tests/roles/gemm_ring.json, with objects that may be changed. */
#ifndef TEST_EMIT_C_RING_H
#define TEST_EMIT_C_RING_H

#include "../schedules.h"

#include "fixture.h"

#include <stdio.h>

enum { PRODUCER, CONSUMER };
enum { FULL, EMPTY };

static inline swp_schedule *ring(swp_context *ctx)
{
    static char text[1 << 16];
    static swp_role_object objects[SWP_MOST_ROLE_OBJECTS];
    FILE *file = fopen("tests/roles/gemm_ring.json", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_schedule_read_json(ctx, text, length, "gemm_ring.json", &schedule));
    memcpy(objects, schedule->objects, schedule->object_count * sizeof *objects);
    schedule->objects = objects;
    return schedule;
}

static inline swp_role_object *object_of(const swp_schedule *schedule, size_t index)
{
    return (swp_role_object *)&schedule->objects[index];
}

#endif
