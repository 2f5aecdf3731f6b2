/* SPDX-License-Identifier: Apache-2.0 */
/* Compares members of the loop shape, dataflows, fields of the settings, and costs by name. */
#include "diff/settings.h"

#include "base/names.h"
#include "diff/dataflow.h"
#include "ir/entry.h"
#include "swp/fields.h"

#include <stdio.h>
#include <string.h>

/* Names an int member of a struct. */
typedef struct setting_member {
    const char *key;
    size_t offset;
    const swp_name *words; /* names of its enumeration; NULL: it is a number */
    size_t word_count;
} setting_member;

static const swp_name placements[] = {SWP_PLACEMENTS(SWP_NAME_ROW)};
static const swp_name resources[] = {SWP_RESOURCES(SWP_NAME_ROW)};

#define NUMBER(type, name)                                                                         \
    {                                                                                              \
#name, offsetof(type, name), NULL, 0                                                       \
    }
#define WORD(type, name, words)                                                                    \
    {                                                                                              \
#name, offsetof(type, name), words, SWP_COUNT_OF(words)                                    \
    }

static const setting_member loop_members[] = {
    NUMBER(swp_loop_shape, tiles_per_pass),
    NUMBER(swp_loop_shape, first_base),
    NUMBER(swp_loop_shape, min_tiles),
    NUMBER(swp_loop_shape, multiple),
    NUMBER(swp_loop_shape, m_mmas),
    NUMBER(swp_loop_shape, n_mmas),
    WORD(swp_loop_shape, placement, placements),
};

static const setting_member cost_members[] = {
    NUMBER(swp_op, vm_cost),
    NUMBER(swp_op, lgkm_cost),
    NUMBER(swp_op, latency),
    WORD(swp_op, resource, resources),
};

/* Words are read through an int, so enumerations must have its size. */
_Static_assert(sizeof(swp_placement) == sizeof(int), "enumerations have the size of an int");

static int value_of(const setting_member *m, const void *record)
{
    return *(const int *)((const char *)record + m->offset);
}

static void format_value(const setting_member *m, int value, char text[SWP_FIELD_TEXT_SIZE])
{
    if (m->words)
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%s",
                       swp_shown_name(m->words, m->word_count, value));
    else
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%d", value);
}

static swp_status add(swp_context *ctx, swp_diff_setting_list *list, const char *path,
                      const char *a, const char *b)
{
    char *copies[3] = {NULL};
    const char *const texts[] = {path, a, b};
    for (int i = 0; i < 3; i++)
        SWP_TRY(swp_copy_text(ctx, texts[i], strlen(texts[i]), &copies[i]));
    const swp_diff_setting setting = {.path = copies[0], .a = copies[1], .b = copies[2]};
    return SWP_PUSH(ctx, list, setting);
}

static swp_status add_member(swp_context *ctx, swp_diff_setting_list *list, const char *path,
                             const setting_member *m, int a, int b)
{
    char texts[2][SWP_FIELD_TEXT_SIZE];
    format_value(m, a, texts[0]);
    format_value(m, b, texts[1]);
    return add(ctx, list, path, texts[0], texts[1]);
}

static swp_status compare_loops(swp_context *ctx, const swp_loop_shape *a, const swp_loop_shape *b,
                                swp_diff_setting_list *out)
{
    for (size_t i = 0; i < SWP_COUNT_OF(loop_members); i++) {
        const setting_member *m = &loop_members[i];
        char *path = NULL;
        if (value_of(m, a) == value_of(m, b))
            continue;
        SWP_TRY(swp_format(ctx, &path, "loop.%s", m->key));
        SWP_TRY(add_member(ctx, out, path, m, value_of(m, a), value_of(m, b)));
    }
    return SWP_OK;
}

/* If the loads of the loops have other places, `placement` already says whether there is the barrier. */
static swp_status compare_loop_barriers(swp_context *ctx, const swp_schedule *a,
                                        const swp_schedule *b, swp_diff_setting_list *out)
{
    if (a->drops_loop_barrier == b->drops_loop_barrier || a->loop.placement != b->loop.placement)
        return SWP_OK;
    return add(ctx, out, SWP_DIFF_LOOP_BARRIER, a->drops_loop_barrier ? "false" : "true",
               b->drops_loop_barrier ? "false" : "true");
}

static swp_settings settings_of(const swp_schedule *schedule)
{
    swp_settings settings = swp_settings_default();
    settings.pipeline = schedule->config;
    settings.schedule = schedule->schedule;
    settings.machine = schedule->machine;
    return settings;
}

static swp_status compare_section(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                  swp_section section, swp_diff_setting_list *out)
{
    const swp_settings settings[] = {settings_of(a), settings_of(b)};
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count; i++) {
        char texts[2][SWP_FIELD_TEXT_SIZE];
        if (fields[i].section != section)
            continue;
        for (int side = 0; side < 2; side++)
            swp_field_format(&fields[i], &settings[side], texts[side]);
        if (strcmp(texts[0], texts[1]) != 0) {
            char path[SWP_FIELD_PATH_SIZE];
            SWP_TRY(add(ctx, out, swp_field_path(&fields[i], path), texts[0], texts[1]));
        }
    }
    return SWP_OK;
}

/* The costs of all ops of a tag. */
typedef struct tag_costs {
    bool seen;
    bool differ[SWP_COUNT_OF(cost_members)];
    int values[SWP_COUNT_OF(cost_members)];
} tag_costs;

static void read_cost(const swp_op *op, tag_costs *of)
{
    for (size_t m = 0; m < SWP_COUNT_OF(cost_members); m++) {
        const int value = value_of(&cost_members[m], op);
        of->differ[m] = of->differ[m] || (of->seen && of->values[m] != value);
        of->values[m] = value;
    }
    of->seen = true;
}

static void read_costs(const swp_schedule *schedule, tag_costs costs[SWP_SCHEDULE_TAGS])
{
    for (int stream = 0; stream < (int)schedule->stream_count; stream++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++) {
            const swp_entry_list *entries = swp_diff_list(schedule, stream, phase);
            for (size_t i = 0; i < entries->count; i++)
                if (swp_ir_is_work(&entries->items[i].op))
                    read_cost(&entries->items[i].op, &costs[entries->items[i].op.tag]);
        }
}

/* Returns the tag of an op in the other schedule, or -1 if it has none of that name. */
static int tag_named(const swp_schedule *schedule, const tag_costs costs[SWP_SCHEDULE_TAGS],
                     const char *name)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (costs[tag].seen && !strcmp(swp_schedule_op_name(schedule, tag), name))
            return tag;
    return -1;
}

static swp_status compare_costs_of(swp_context *ctx, const char *name, const tag_costs *a,
                                   const tag_costs *b, swp_diff_setting_list *out,
                                   swp_diff_cost_list *costs)
{
    for (size_t i = 0; i < SWP_COUNT_OF(cost_members); i++) {
        const setting_member *m = &cost_members[i];
        char *path = NULL;
        if (a->differ[i] || b->differ[i] || a->values[i] == b->values[i])
            continue;
        const swp_diff_cost cost = {.name = name,
                                    .offset = m->offset,
                                    .a = a->values[i],
                                    .b = b->values[i],
                                    .setting = out->count};
        SWP_TRY(swp_format(ctx, &path, "costs.%s.%s", name, m->key));
        SWP_TRY(SWP_PUSH(ctx, costs, cost));
        SWP_TRY(add_member(ctx, out, path, m, cost.a, cost.b));
    }
    return SWP_OK;
}

static swp_status compare_costs(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                swp_diff_setting_list *out, swp_diff_cost_list *costs)
{
    tag_costs *of_a = NULL;
    tag_costs *of_b = NULL;
    SWP_TRY(SWP_TAKE(ctx, SWP_SCHEDULE_TAGS, &of_a));
    SWP_TRY(SWP_TAKE(ctx, SWP_SCHEDULE_TAGS, &of_b));
    read_costs(a, of_a);
    read_costs(b, of_b);
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        const int other = of_a[tag].seen ? tag_named(b, of_b, swp_schedule_op_name(a, tag)) : -1;
        if (other >= 0)
            SWP_TRY(compare_costs_of(ctx, swp_schedule_op_name(a, tag), &of_a[tag], &of_b[other],
                                     out, costs));
    }
    return SWP_OK;
}

swp_status swp_diff_find_settings(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                  swp_diff_setting_list *out, swp_diff_cost_list *costs,
                                  swp_diff_objects *objects, bool *same_loop)
{
    bool same_roles = true;
    SWP_TRY(compare_loops(ctx, &a->loop, &b->loop, out));
    SWP_TRY(swp_diff_compare_dataflows(ctx, a->dataflow, b->dataflow, out));
    *same_loop = out->count == 0;
    SWP_TRY(swp_diff_compare_roles(ctx, a, b, out, objects, &same_roles));
    *same_loop = *same_loop && same_roles;
    SWP_TRY(compare_loop_barriers(ctx, a, b, out));
    SWP_TRY(compare_section(ctx, a, b, SWP_SECTION_MACHINE, out));
    SWP_TRY(compare_costs(ctx, a, b, out, costs));
    SWP_TRY(compare_section(ctx, a, b, SWP_SECTION_PIPELINE, out));
    return compare_section(ctx, a, b, SWP_SECTION_SCHEDULE, out);
}
