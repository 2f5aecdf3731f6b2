/* SPDX-License-Identifier: Apache-2.0 */
/* Matches the roles and the sync objects of two schedules by their names. */
#include "diff/roles.h"

#include "base/text.h"
#include "ir/roles.h"

#include <string.h>

static int stream_named(const swp_schedule *schedule, const char *name)
{
    for (size_t i = 0; i < schedule->stream_count; i++) {
        const char *own = swp_ir_role_name(schedule, (int)i);
        if (own && name ? !strcmp(own, name) : own == name)
            return (int)i;
    }
    return -1;
}

/* A's roles come in their order, then those that only B has. */
swp_status swp_diff_match_roles(swp_context *ctx, swp_diff *diff)
{
    const swp_schedule *a = diff->a.schedule;
    const swp_schedule *b = diff->b.schedule;
    SWP_TRY(SWP_TAKE(ctx, a->stream_count + b->stream_count, &diff->roles));
    for (int i = 0; i < (int)a->stream_count; i++) {
        const char *name = swp_ir_role_name(a, i);
        diff->roles[diff->role_count++] =
            (swp_diff_role){.name = name, .a = i, .b = stream_named(b, name)};
    }
    for (int i = 0; i < (int)b->stream_count; i++) {
        const char *name = swp_ir_role_name(b, i);
        if (stream_named(a, name) < 0)
            diff->roles[diff->role_count++] = (swp_diff_role){.name = name, .a = -1, .b = i};
    }
    return SWP_OK;
}

typedef struct role_comparison {
    swp_context *ctx;
    const swp_schedule *a;
    const swp_schedule *b;
    swp_diff_setting_list *out;
} role_comparison;

static swp_status add(const role_comparison *c, const char *kind, const char *name, const char *key,
                      const char *a, const char *b)
{
    char *path = NULL;
    SWP_TRY(swp_format(c->ctx, &path, "%s.%s%s%s", kind, name, *key ? "." : "", key));
    const swp_diff_setting setting = {.path = path, .a = a, .b = b};
    return SWP_PUSH(c->ctx, c->out, setting);
}

static swp_status add_numbers(const role_comparison *c, const char *kind, const char *name,
                              const char *key, int a, int b)
{
    char *texts[2] = {NULL};
    SWP_TRY(swp_format(c->ctx, &texts[0], "%d", a));
    SWP_TRY(swp_format(c->ctx, &texts[1], "%d", b));
    return add(c, kind, name, key, texts[0], texts[1]);
}

typedef struct member {
    const char *key;
    size_t offset;
    bool means; /* a difference changes what the entries mean */
} member;

#define MEMBER(type, name, means)                                                                  \
    {                                                                                              \
#name, offsetof(type, name), means                                                         \
    }

static const member role_members[] = {
    MEMBER(swp_stream, warps, true),
    MEMBER(swp_stream, instances, true),
    MEMBER(swp_stream, registers, false),
};

static const member object_members[] = {
    MEMBER(swp_role_object, slots, true),
    MEMBER(swp_role_object, arrivals, true),
    MEMBER(swp_role_object, threads, true),
};

enum { MEMBERS = 3 };

static int value_of(const member *m, const void *record)
{
    return *(const int *)((const char *)record + m->offset);
}

static swp_status compare_streams(const role_comparison *c, bool *same)
{
    for (size_t i = 0; i < c->a->stream_count; i++) {
        const swp_stream *of_a = &c->a->streams[i];
        const int match = stream_named(c->b, of_a->name);
        if (match < 0) {
            *same = false;
            SWP_TRY(add(c, "roles", of_a->name, "", "there", "none"));
            continue;
        }
        const swp_stream *of_b = &c->b->streams[match];
        for (int m = 0; m < MEMBERS; m++) {
            const member *of = &role_members[m];
            if (value_of(of, of_a) == value_of(of, of_b))
                continue;
            *same = *same && !of->means;
            SWP_TRY(add_numbers(c, "roles", of_a->name, of->key, value_of(of, of_a),
                                value_of(of, of_b)));
        }
    }
    for (size_t i = 0; i < c->b->stream_count; i++)
        if (stream_named(c->a, c->b->streams[i].name) < 0) {
            *same = false;
            SWP_TRY(add(c, "roles", c->b->streams[i].name, "", "none", "there"));
        }
    return SWP_OK;
}

static int object_like(const swp_schedule *schedule, const swp_role_object *object)
{
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == object->kind &&
            !strcmp(schedule->objects[i].name, object->name))
            return (int)i;
    return -1;
}

static swp_status join_objects(const role_comparison *c, swp_diff_objects *objects)
{
    int *of_b = NULL;
    swp_role_object *items = NULL;
    SWP_TRY(SWP_TAKE(c->ctx, c->b->object_count, &of_b));
    SWP_TRY(SWP_TAKE(c->ctx, c->a->object_count + c->b->object_count, &items));
    for (size_t i = 0; i < c->a->object_count; i++)
        items[objects->count++] = c->a->objects[i];
    for (size_t i = 0; i < c->b->object_count; i++) {
        of_b[i] = object_like(c->a, &c->b->objects[i]);
        if (of_b[i] >= 0)
            continue;
        of_b[i] = (int)objects->count;
        items[objects->count++] = c->b->objects[i];
    }
    objects->of_b = of_b;
    objects->items = items;
    return SWP_OK;
}

static swp_status compare_objects(const role_comparison *c, swp_diff_objects *objects)
{
    for (size_t i = 0; i < c->a->object_count; i++) {
        const swp_role_object *of_a = &c->a->objects[i];
        const int match = object_like(c->b, of_a);
        if (match < 0)
            SWP_TRY(add(c, "sync_objects", of_a->name, "", swp_role_object_kind_name(of_a->kind),
                        "none"));
        for (int m = 0; match >= 0 && m < MEMBERS; m++) {
            const member *of = &object_members[m];
            const swp_diff_count count = {(int)i, of->offset, value_of(of, &c->b->objects[match]),
                                          c->out->count};
            if (value_of(of, of_a) == count.b)
                continue;
            SWP_TRY(SWP_PUSH(c->ctx, &objects->counts, count));
            SWP_TRY(
                add_numbers(c, "sync_objects", of_a->name, of->key, value_of(of, of_a), count.b));
        }
    }
    for (size_t i = 0; i < c->b->object_count; i++)
        if (object_like(c->a, &c->b->objects[i]) < 0)
            SWP_TRY(add(c, "sync_objects", c->b->objects[i].name, "", "none",
                        swp_role_object_kind_name(c->b->objects[i].kind)));
    return SWP_OK;
}

static const char *yes_or_no(bool value)
{
    return value ? "true" : "false";
}

/* Compares what changes the meaning of all entries: output tiles, work groups, clocks of mbarriers. */
static swp_status compare_shape(const role_comparison *c, bool *same)
{
    const size_t before = c->out->count;
    const swp_schedule *a = c->a;
    const swp_schedule *b = c->b;
    if (a->output_tiles != b->output_tiles)
        SWP_TRY(add(c, "loop", "output_tiles", "", yes_or_no(a->output_tiles),
                    yes_or_no(b->output_tiles)));
    if (swp_ir_ranks(a) != swp_ir_ranks(b))
        SWP_TRY(add_numbers(c, "loop", "cluster", "", swp_ir_ranks(a), swp_ir_ranks(b)));
    for (size_t i = 0; i < a->object_count; i++) {
        const swp_role_object *of_a = &a->objects[i];
        const int match = object_like(b, of_a);
        if (match >= 0 && of_a->clock != b->objects[match].clock)
            SWP_TRY(add(c, "sync_objects", of_a->name, "clock", swp_role_clock_name(of_a->clock),
                        swp_role_clock_name(b->objects[match].clock)));
    }
    *same = *same && c->out->count == before;
    return SWP_OK;
}

swp_status swp_diff_compare_roles(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                  swp_diff_setting_list *out, swp_diff_objects *objects,
                                  bool *same_roles)
{
    const role_comparison c = {ctx, a, b, out};
    *objects = (swp_diff_objects){0};
    const bool in_a = swp_ir_role_name(a, 0);
    const bool in_b = swp_ir_role_name(b, 0);
    *same_roles = in_a == in_b;
    SWP_TRY(join_objects(&c, objects));
    if (!in_a || !in_b)
        return SWP_OK;
    SWP_TRY(compare_shape(&c, same_roles));
    SWP_TRY(compare_streams(&c, same_roles));
    return compare_objects(&c, objects);
}
