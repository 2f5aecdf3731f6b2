/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON of a schedule. Jansson encodes every value; the layout is ours, a line for each thing
 * that a reader compares, so that two schedules can be diffed.
 */
#include "emit/formats.h"

#include "base/diag.h"
#include "base/text.h"
#include "emit/json_members.h"
#include "swp/fields.h"

#include <jansson.h>

#include <limits.h>
#include <string.h>

typedef struct json_writer {
    swp_text text;
    const swp_schedule *schedule;
} json_writer;

static int append(const char *bytes, size_t length, void *text)
{
    swp_text_add(text, bytes, length);
    return ((swp_text *)text)->status == SWP_OK ? 0 : -1;
}

/* Takes the value. That it is NULL, or cannot be dumped, means that jansson found no memory. */
static void put_value(json_writer *writer, json_t *value)
{
    const bool dumped =
        value && json_dump_callback(value, append, &writer->text, JSON_ENCODE_ANY) == 0;
    json_decref(value);
    if (!dumped && writer->text.status == SWP_OK)
        writer->text.status = swp_out_of_memory(writer->text.ctx);
}

static void put(json_writer *writer, const char *bytes)
{
    swp_text_add(&writer->text, bytes, strlen(bytes));
}

static void put_key(json_writer *writer, const char *key)
{
    put(writer, writer->text.count == 0 ? "{\n  " : ",\n  ");
    put_value(writer, json_string(key));
    put(writer, ": ");
}

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
    put(writer, first ? "{\n    " : ",\n    ");
    put_value(writer, json_string(key));
    put(writer, ": ");
    put_value(writer, value);
}

static void put_object(json_writer *writer, const char *key, const swp_json_object *object,
                       const void *record)
{
    put_key(writer, key);
    for (size_t i = 0; i < object->count; i++)
        put_member(writer, i == 0, object->members[i].key,
                   member_value(&object->members[i], record));
    put(writer, "\n  }");
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

static void put_section(json_writer *writer, const char *key, swp_section section,
                        const swp_settings *settings)
{
    put_key(writer, key);
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (fields[i].section != section)
            continue;
        put_member(writer, first, fields[i].name, field_value(&fields[i], settings));
        first = false;
    }
    put(writer, "\n  }");
}

/* One element of an array of lines. */
static void put_element(json_writer *writer, size_t index, const swp_json_object *object,
                        const void *record)
{
    put(writer, index == 0 ? "[\n    " : ",\n    ");
    put_value(writer, object_value(object, record));
}

static void end_array(json_writer *writer, size_t count)
{
    put(writer, count == 0 ? "[]" : "\n  ]");
}

static void put_body(json_writer *writer)
{
    const swp_op_list *body = &writer->schedule->body;
    put_key(writer, "body");
    for (size_t i = 0; i < body->count; i++) {
        const swp_json_op op = {.entry = {.op = body->items[i]},
                                .name = swp_schedule_op_name(writer->schedule, body->items[i].tag)};
        put_element(writer, i, &swp_json_body_op, &op);
    }
    end_array(writer, body->count);
}

static void put_phase(json_writer *writer, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(writer->schedule, phase);
    put_key(writer, swp_phase_name(phase));
    for (size_t i = 0; i < entries->count; i++) {
        const swp_entry *entry = &entries->items[i];
        const swp_json_op op = {.entry = *entry,
                                .name = swp_schedule_op_name(writer->schedule, entry->op.tag)};
        put_element(writer, i, &swp_json_entry, &op);
    }
    end_array(writer, entries->count);
}

static void put_edges(json_writer *writer, const char *key, const swp_edge_list *edges)
{
    put_key(writer, key);
    for (size_t i = 0; i < edges->count; i++)
        put_element(writer, i, &swp_json_edge, &edges->items[i]);
    end_array(writer, edges->count);
}

static void put_order(json_writer *writer)
{
    const swp_order *order = &writer->schedule->order;
    put_key(writer, "order");
    put(writer, "[");
    for (size_t i = 0; i < order->count; i++) {
        put(writer, i == 0 ? "" : ", ");
        put_value(writer, json_integer(order->items[i]));
    }
    put(writer, "]");
}

static void put_schedule(json_writer *writer)
{
    const swp_schedule *s = writer->schedule;
    swp_settings settings = swp_settings_default();
    settings.pipeline = s->config;
    settings.schedule = s->schedule;
    settings.machine = s->machine;
    put_key(writer, "swp");
    put_value(writer, json_integer(1));
    put_key(writer, "name");
    put_value(writer, json_string(s->name));
    put_key(writer, "target");
    put_value(writer, json_string(s->target));
    put_section(writer, "config", SWP_SECTION_PIPELINE, &settings);
    put_section(writer, "schedule", SWP_SECTION_SCHEDULE, &settings);
    put_section(writer, "machine", SWP_SECTION_MACHINE, &settings);
    put_object(writer, "loop", &swp_json_loop, &s->loop);
    put_body(writer);
    put_edges(writer, "edges", &s->edges);
    put_order(writer);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        put_phase(writer, phase);
    put_edges(writer, "kernel_deps", &s->kernel_deps);
    put_key(writer, "warp_stagger_index");
    put_value(writer, json_integer(s->warp_stagger_index));
    put_object(writer, "metrics", &swp_json_metrics, &s->metrics);
    put(writer, "\n}\n");
}

/* Bytes that follow the first of a UTF-8 sequence; -1 where none can start. */
static int continuation_bytes(unsigned char first)
{
    if (first < 0x80)
        return 0;
    if (first < 0xC2 || first > 0xF4)
        return -1;
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
}

static bool is_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const unsigned char first = *c;
        const int more = continuation_bytes(first);
        if (more < 0)
            return false;
        /* Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte. */
        const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        for (int i = 0; i < more; i++) {
            c++;
            if (*c < (i == 0 ? least : 0x80) || *c > (i == 0 ? most : 0xBF))
                return false;
        }
    }
    return true;
}

/* Jansson does not tell a text that it refuses from memory that it does not get. */
static swp_status check_names(swp_context *ctx, const swp_schedule *schedule)
{
    static const char hint[] = "JSON is UTF-8; choose a name in it";
    if (!is_utf8(schedule->name) || !is_utf8(schedule->target))
        return swp_error(ctx, SWP_E0104, SWP_NOWHERE, hint,
                         "the name of the schedule or of its target is not UTF-8");
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        if (!is_utf8(swp_schedule_op_name(schedule, tag)))
            return swp_error(ctx, SWP_E0104, SWP_NOWHERE, hint,
                             "the name of the op with tag %d is not UTF-8", tag);
    return SWP_OK;
}

swp_status swp_emit_json(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length)
{
    SWP_TRY(check_names(ctx, schedule));
    json_writer writer = {.text = {.ctx = ctx}, .schedule = schedule};
    put_schedule(&writer);
    return swp_text_end(&writer.text, text, length);
}
