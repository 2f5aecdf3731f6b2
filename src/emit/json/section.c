/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the fields of one section, each by the parser of its row. */
#include "emit/json/section.h"

#include "base/budget.h"

#include <string.h>

/* More than a section has. */
enum { MOST_KEYS = 64 };

/* Parses the text of a field without a diagnostic of its own, which would not know the path. */
static bool parse_field(swp_json_reader *reader, const swp_field *field, const char *text,
                        swp_settings *settings)
{
    swp_diag room[8];
    swp_diags unheard = {.arena = reader->ctx->arena, .items = room, .capacity = 8};
    swp_context quiet = *reader->ctx;
    quiet.diags = &unheard;
    const swp_status status = swp_field_parse(&quiet, field, text, reader->in.place, settings);
    if (swp_ends_work(status))
        reader->status = swp_pass_on(reader->ctx, status);
    return status == SWP_OK;
}

static void read_field(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                       const swp_field *field, swp_settings *settings)
{
    void *out = (char *)settings + field->offset;
    if (field->kind == SWP_FIELD_INT) {
        (void)swp_json_read_int(reader, path, value, (int)field->least, (int)field->most, out);
        return;
    }
    if (field->kind == SWP_FIELD_BOOL) {
        (void)swp_json_read_bool(reader, path, value, out);
        return;
    }
    if (!swp_json_expect(reader, path, value, JSON_STRING) ||
        parse_field(reader, field, json_string_value(value), settings))
        return;
    char domain[SWP_FIELD_TEXT_SIZE];
    swp_field_domain(field, domain);
    swp_json_complain(reader, path, field->meaning, "is `%s`, but must be %s",
                      json_string_value(value), domain);
}

bool swp_json_is_later_field(const swp_field *field)
{
    static const char *const later[] = {"wait_cycles", "arrive_cycles", "fence_cycles",
                                        "fence_reads"};
    for (size_t i = 0; i < SWP_COUNT_OF(later); i++)
        if (field->section == SWP_SECTION_MACHINE && strcmp(field->name, later[i]) == 0)
            return true;
    return false;
}

void swp_json_read_section(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                           swp_section section, bool all, swp_settings *settings)
{
    if (!swp_json_expect(reader, path, value, JSON_OBJECT))
        return;
    const char *keys[MOST_KEYS];
    size_t known = 0;
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (fields[i].section == section && known < MOST_KEYS)
            keys[known++] = fields[i].name;
    swp_json_refuse_unknown(reader, path, value, keys, known);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].section != section)
            continue;
        const swp_json_path child = {.up = path, .key = fields[i].name};
        const bool needed = all && !swp_json_is_later_field(&fields[i]);
        const json_t *field_value = needed ? swp_json_require(reader, path, value, fields[i].name)
                                           : json_object_get(value, fields[i].name);
        if (field_value)
            read_field(reader, &child, field_value, &fields[i], settings);
    }
}
