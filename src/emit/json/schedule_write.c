/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON of a schedule. Jansson encodes every value; the layout is ours, a line for each thing
 * that a reader compares, so that two schedules can be diffed.
 */
#include "emit/json/schedule_write.h"

#include "base/require.h"
#include "emit/json/dataflow.h"
#include "emit/json/loop.h"
#include "emit/json/members.h"
#include "emit/json/parts.h"
#include "emit/json/section.h"
#include "ir/gemm_labels.h"
#include "ir/roles.h"
#include "swp/fields.h"

#include <limits.h>
#include <string.h>

typedef struct json_writer {
    swp_text text;
    const swp_schedule *schedule;
    bool is_labelled; /* swp_ir_gemm_is_labelled() */
    bool
        tells_roles; /* roles are told by their names; else the lists of the one stream stand at the top */
} json_writer;

static json_t *word_value(const swp_json_member *member, int number)
{
    const char *word = swp_name_of(member->words->names, member->words->count, number);
    return json_string(word ? word : "?");
}

static json_t *member_value(const swp_json_member *member, const void *record)
{
    const void *value = (const char *)record + member->offset;
    switch (member->kind) {
    case SWP_JSON_INT:
        return json_integer(*(const int *)value);
    case SWP_JSON_BOOL:
        return json_boolean(*(const bool *)value);
    case SWP_JSON_TEXT:
        return json_string(*(const char *const *)value);
    case SWP_JSON_WORD:
        return word_value(member, *(const int *)value);
    case SWP_JSON_FIGURE:
        return *(const int64_t *)value < 0 ? json_null() : json_integer(*(const int64_t *)value);
    case SWP_JSON_WAIT:
        return *(const int *)value < 0 ? json_null() : json_integer(*(const int *)value);
    case SWP_JSON_WORK:
        break;
    }
    const uint64_t work = *(const uint64_t *)value;
    return json_integer(work > INT64_MAX ? INT64_MAX : (json_int_t)work);
}

static json_t *object_value(const swp_json_object *object, const void *record)
{
    json_t *json = json_object();
    for (size_t i = 0; json && i < object->count; i++) {
        const swp_json_member *member = &object->members[i];
        if (json_object_set_new(json, member->key, member_value(member, record)) != 0) {
            json_decref(json);
            json = NULL;
        }
    }
    return json;
}

/* An object of a line for each member. */
static void put_member(json_writer *writer, bool first, const char *key, json_t *value)
{
    swp_json_put(&writer->text, first ? "{\n    " : ",\n    ");
    swp_json_put_value(&writer->text, json_string(key));
    swp_json_put(&writer->text, ": ");
    swp_json_put_value(&writer->text, value);
}

static void put_object(json_writer *writer, const char *key, const swp_json_object *object,
                       const void *record)
{
    swp_json_put_key(&writer->text, key);
    for (size_t i = 0; i < object->count; i++)
        put_member(writer, i == 0, object->members[i].key,
                   member_value(&object->members[i], record));
    swp_json_put(&writer->text, "\n  }");
}

/* Masks are text: their 64 bits do not fit the integers of JSON readers. */
static json_t *field_value(const swp_field *field, const swp_settings *settings)
{
    const void *value = (const char *)settings + field->offset;
    if (field->kind == SWP_FIELD_INT)
        return json_integer(*(const int *)value);
    if (field->kind == SWP_FIELD_BOOL)
        return json_boolean(*(const bool *)value);
    char text[SWP_FIELD_TEXT_SIZE];
    swp_field_format(field, settings, text);
    return json_string(text);
}

static bool is_left_out(const swp_field *field, const swp_settings *settings)
{
    if (!swp_json_is_later_field(field))
        return false;
    const swp_settings standard = swp_settings_default();
    char texts[2][SWP_FIELD_TEXT_SIZE];
    swp_field_format(field, settings, texts[0]);
    swp_field_format(field, &standard, texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}

static void put_section(json_writer *writer, const char *key, swp_section section,
                        const swp_settings *settings)
{
    swp_json_put_key(&writer->text, key);
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (fields[i].section != section || is_left_out(&fields[i], settings))
            continue;
        put_member(writer, first, fields[i].name, field_value(&fields[i], settings));
        first = false;
    }
    swp_json_put(&writer->text, "\n  }");
}

static void put_body(json_writer *writer)
{
    const swp_op_list *body = &writer->schedule->body;
    swp_json_put_key(&writer->text, "body");
    for (size_t i = 0; i < body->count; i++) {
        const swp_json_op op = {.entry = {.op = body->items[i]},
                                .name = swp_schedule_op_name(writer->schedule, body->items[i].tag)};
        swp_json_put_element(&writer->text, i, object_value(&swp_json_body_op, &op));
    }
    swp_json_end_array(&writer->text, body->count);
}

/* `kb` counts from the base of the entry's list. */
static json_t *entry_value(const json_writer *writer, const swp_entry *entry, int kb)
{
    const swp_schedule *schedule = writer->schedule;
    swp_json_op op = {.entry = *entry, .name = swp_schedule_op_name(schedule, entry->op.tag)};
    if (writer->is_labelled)
        op.entry.op = swp_ir_gemm_label_entry(schedule, &entry->op, kb);
    op.object = entry->op.object < 0 ? "" : schedule->objects[entry->op.object].name;
    return object_value(swp_ir_ranks(schedule) > 1 ? &swp_json_cluster_role_entry
                        : writer->tells_roles      ? &swp_json_role_entry
                        : writer->is_labelled      ? &swp_json_labelled_entry
                        : schedule->dataflow       ? &swp_json_loop_entry
                                                   : &swp_json_entry,
                        &op);
}

/* The base of a phase in the first pass, or at the least N. */
static int base_of(const json_writer *writer, swp_phase phase)
{
    const swp_loop_shape *loop = &writer->schedule->loop;
    return phase == SWP_PROLOGUE ? 0 : phase == SWP_KERNEL ? loop->first_base : loop->min_tiles;
}

static void put_phase(json_writer *writer, const swp_stream *stream, swp_phase phase)
{
    const swp_entry_list *entries = swp_stream_phase(stream, phase);
    const int kb = base_of(writer, phase);
    swp_json_put_key(&writer->text, swp_phase_name(phase));
    for (size_t i = 0; i < entries->count; i++)
        swp_json_put_element(&writer->text, i, entry_value(writer, &entries->items[i], kb));
    swp_json_end_array(&writer->text, entries->count);
}

static json_t *list_value(const json_writer *writer, const swp_entry_list *entries, int kb)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < entries->count; i++)
        if (json_array_append_new(list, entry_value(writer, &entries->items[i], kb)) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static void put_lists(json_writer *writer, const char *key, const swp_entry_list *lists,
                      size_t count, int first_kb)
{
    swp_json_put_key(&writer->text, key);
    for (size_t i = 0; i < count; i++)
        swp_json_put_element(&writer->text, i, list_value(writer, &lists[i], first_kb + (int)i));
    swp_json_end_array(&writer->text, count);
}

static void put_tails(json_writer *writer, const swp_stream *stream)
{
    const swp_tails *tails = &stream->tails;
    if (tails->epilogue_count + tails->straight_count == 0)
        return;
    put_lists(writer, "epilogues", tails->epilogues, tails->epilogue_count,
              writer->schedule->loop.min_tiles + 1);
    put_lists(writer, "straight", tails->straight, tails->straight_count, 0);
}

static json_t *lists_value(const json_writer *writer, const swp_entry_list *lists, size_t count,
                           int first_kb)
{
    json_t *value = json_array();
    for (size_t i = 0; value && i < count; i++)
        if (json_array_append_new(value, list_value(writer, &lists[i], first_kb + (int)i)) != 0) {
            json_decref(value);
            value = NULL;
        }
    return value;
}

static json_t *role_value(const json_writer *writer, const swp_stream *stream)
{
    const swp_tails *tails = &stream->tails;
    json_t *role = json_pack("{s:s}", "name", stream->name ? stream->name : "");
    int failed = role ? 0 : -1;
    for (size_t i = 0; stream->warps > 0 && i < swp_json_role.count; i++)
        failed |= json_object_set_new(role, swp_json_role.members[i].key,
                                      member_value(&swp_json_role.members[i], stream));
    const swp_phase last = writer->schedule->output_tiles ? SWP_DRAIN : SWP_EPILOGUE;
    for (swp_phase phase = SWP_PROLOGUE; phase <= last; phase++)
        failed |= json_object_set_new(
            role, swp_phase_name(phase),
            list_value(writer, swp_stream_phase(stream, phase), base_of(writer, phase)));
    if (tails->epilogue_count + tails->straight_count > 0) {
        const int after = writer->schedule->loop.min_tiles + 1;
        failed |= json_object_set_new(
            role, "epilogues", lists_value(writer, tails->epilogues, tails->epilogue_count, after));
        failed |= json_object_set_new(
            role, "straight", lists_value(writer, tails->straight, tails->straight_count, 0));
    }
    if (!failed)
        return role;
    json_decref(role);
    return NULL;
}

/* The key alone tells a schedule with warp roles, which may need no object. */
static void put_objects(json_writer *writer)
{
    const swp_schedule *schedule = writer->schedule;
    if (!writer->tells_roles)
        return;
    const swp_json_object *object =
        schedule->output_tiles ? &swp_json_tile_role_object : &swp_json_role_object;
    if (schedule->output_tiles) {
        swp_json_put_key(&writer->text, "output_tiles");
        swp_json_put_value(&writer->text, json_true());
    }
    if (swp_ir_ranks(schedule) > 1) {
        swp_json_put_key(&writer->text, "cluster");
        swp_json_put_value(&writer->text, json_integer(schedule->cluster));
    }
    swp_json_put_key(&writer->text, "sync_objects");
    for (size_t i = 0; i < schedule->object_count; i++)
        swp_json_put_element(&writer->text, i, object_value(object, &schedule->objects[i]));
    swp_json_end_array(&writer->text, schedule->object_count);
}

/* A stream alone needs no name, and its phases stand at the top. */
static void put_streams(json_writer *writer)
{
    const swp_schedule *schedule = writer->schedule;
    const swp_stream *first = &schedule->streams[0];
    if (schedule->stream_count == 1 && !writer->tells_roles && !(first->name && first->name[0])) {
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            put_phase(writer, first, phase);
        put_tails(writer, first);
        return;
    }
    swp_json_put_key(&writer->text, "roles");
    for (size_t i = 0; i < schedule->stream_count; i++)
        swp_json_put_element(&writer->text, i, role_value(writer, &schedule->streams[i]));
    swp_json_end_array(&writer->text, schedule->stream_count);
}

static void put_pipeline(json_writer *writer)
{
    const swp_schedule *s = writer->schedule;
    if (!s->pipeline && !s->kept_pipeline)
        return;
    swp_json_put_key(&writer->text, "pipeline");
    if (s->pipeline)
        swp_json_put_value(&writer->text, swp_json_pipeline(s->pipeline));
    else
        swp_json_put(&writer->text, s->kept_pipeline->text);
}

static void put_edges(json_writer *writer, const char *key, const swp_edge_list *edges)
{
    swp_json_put_key(&writer->text, key);
    for (size_t i = 0; i < edges->count; i++)
        swp_json_put_element(&writer->text, i, object_value(&swp_json_edge, &edges->items[i]));
    swp_json_end_array(&writer->text, edges->count);
}

static void put_order(json_writer *writer)
{
    const swp_order *order = &writer->schedule->order;
    swp_json_put_key(&writer->text, "order");
    swp_json_put(&writer->text, "[");
    for (size_t i = 0; i < order->count; i++) {
        swp_json_put(&writer->text, i == 0 ? "" : ", ");
        swp_json_put_value(&writer->text, json_integer(order->items[i]));
    }
    swp_json_put(&writer->text, "]");
}

static void put_schedule(json_writer *writer)
{
    const swp_schedule *s = writer->schedule;
    swp_settings settings = swp_settings_default();
    settings.pipeline = s->config;
    settings.schedule = s->schedule;
    settings.machine = s->machine;
    swp_json_put_key(&writer->text, "swp");
    swp_json_put_value(&writer->text, json_integer(1));
    swp_json_put_key(&writer->text, "name");
    swp_json_put_value(&writer->text, json_string(s->name));
    swp_json_put_key(&writer->text, "target");
    swp_json_put_value(&writer->text, json_string(s->target));
    put_section(writer, "config", SWP_SECTION_PIPELINE, &settings);
    put_section(writer, "schedule", SWP_SECTION_SCHEDULE, &settings);
    put_section(writer, "machine", SWP_SECTION_MACHINE, &settings);
    put_object(writer, "loop", &swp_json_loop, &s->loop);
    if (s->geometry.elem_bytes > 0)
        put_object(writer, "geometry", &swp_json_geometry, s);
    if (s->dataflow) {
        swp_json_put_key(&writer->text, "dataflow");
        swp_json_put_value(&writer->text, swp_json_dataflow(s->dataflow, writer->tells_roles));
    }
    put_body(writer);
    put_edges(writer, "edges", &s->edges);
    put_order(writer);
    put_objects(writer);
    if (s->drops_loop_barrier) {
        swp_json_put_key(&writer->text, "loop_barrier");
        swp_json_put_value(&writer->text, json_false());
    }
    put_streams(writer);
    put_pipeline(writer);
    put_edges(writer, "kernel_deps", &s->kernel_deps);
    swp_json_put_key(&writer->text, "warp_stagger_index");
    swp_json_put_value(&writer->text, json_integer(s->warp_stagger_index));
    put_object(writer, "metrics", &swp_json_metrics, &s->metrics);
    if (writer->tells_roles) {
        const swp_role_counts counts = swp_count_role_sync(s);
        put_object(writer, "role_sync", &swp_json_role_counts, &counts);
    }
    if (s->sync.passes > 0)
        put_object(writer, "sync", &swp_json_sync, &s->sync);
    if (s->by_figures.passes > 0)
        put_object(writer, "by_figures", &swp_json_counted, &s->by_figures);
    swp_json_put(&writer->text, "\n}\n");
}

swp_status swp_json_emit(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    SWP_TRY(swp_json_check_names(ctx, schedule));
    json_writer writer = {.text = {.ctx = ctx},
                          .schedule = schedule,
                          .is_labelled = swp_ir_gemm_is_labelled(schedule),
                          .tells_roles = swp_ir_has_roles(schedule)};
    put_schedule(&writer);
    return swp_text_end(&writer.text, text, length);
}
