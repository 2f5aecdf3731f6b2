/* SPDX-License-Identifier: Apache-2.0 */
/* Reading streams: phases and lists for any number of tiles, at the top or under `roles`. */
#include "emit/json/phases.h"
#include "emit/json/roles.h"

#include "base/text.h"

#include <string.h>

static void read_phase(swp_schedule_reader *reader, const swp_json_path *up, json_t *object,
                       swp_phase phase, swp_entry_list *entries)
{
    const char *key = swp_phase_name(phase);
    json_t *array = swp_json_array(reader, up, object, key, true);
    const swp_json_path path = {.up = up, .key = key};
    swp_json_read_entries(reader, &path, array, phase, entries);
}

static bool has_lists(const json_t *object)
{
    return json_object_get(object, "epilogues") || json_object_get(object, "straight");
}

bool swp_json_has_tails(const json_t *root)
{
    const json_t *roles = json_object_get(root, "roles");
    return has_lists(roles ? json_array_get(roles, 0) : root);
}

/* One of the lists of lists that make any number of tiles legal. */
static void read_tail(swp_schedule_reader *reader, const swp_json_path *up, json_t *object,
                      const char *key, size_t wanted, swp_entry_list **lists, size_t *count)
{
    json_t *array = swp_json_array(reader, up, object, key, true);
    const swp_json_path path = {.up = up, .key = key};
    *count = json_array_size(array);
    if (array && *count != wanted)
        swp_json_complain(
            &reader->json, &path,
            "epilogues are for the remainders 1 to tiles_per_pass - 1, straight lists "
            "for N below min_tiles",
            "there are %zu lists, but the loop takes %zu", *count, wanted);
    swp_json_keep(reader, SWP_TAKE(reader->json.ctx, *count, lists));
    for (size_t i = 0; i < *count && reader->json.status == SWP_OK; i++) {
        const swp_json_path one = {.up = &path, .index = i};
        json_t *list = json_array_get(array, i);
        if (swp_json_expect(&reader->json, &one, list, JSON_ARRAY))
            swp_json_read_entries(reader, &one, list, SWP_EPILOGUE, &(*lists)[i]);
    }
}

static void read_tails(swp_schedule_reader *reader, const swp_json_path *up, json_t *object,
                       swp_tails *tails)
{
    const swp_loop_shape *loop = &reader->schedule->loop;
    if (!reader->knows_loop || !reader->has_tails)
        return;
    read_tail(reader, up, object, "epilogues", (size_t)loop->tiles_per_pass - 1, &tails->epilogues,
              &tails->epilogue_count);
    read_tail(reader, up, object, "straight", (size_t)loop->min_tiles, &tails->straight,
              &tails->straight_count);
}

static void read_phases(swp_schedule_reader *reader, const swp_json_path *up, json_t *object,
                        swp_stream *stream)
{
    read_phase(reader, up, object, SWP_PROLOGUE, &stream->prologue);
    read_phase(reader, up, object, SWP_KERNEL, &stream->kernel);
    read_phase(reader, up, object, SWP_EPILOGUE, &stream->epilogue);
}

/* A role alone needs no name; of several each has one of its own. */
static void read_name(swp_schedule_reader *reader, const swp_json_path *up, json_t *role,
                      swp_stream *stream)
{
    const swp_schedule *schedule = reader->schedule;
    const swp_json_path path = {.up = up, .key = "name"};
    json_t *name = json_object_get(role, "name");
    if (name && !swp_json_expect(&reader->json, &path, name, JSON_STRING))
        return;
    char *copy = NULL;
    const char *text = name ? json_string_value(name) : "";
    swp_json_keep(reader, swp_copy_text(reader->json.ctx, text, strlen(text), &copy));
    stream->name = copy ? copy : "";
    if (schedule->stream_count > 1 && !text[0])
        swp_json_complain(&reader->json, &path, NULL, "is missing: a role beside others has one");
    for (const swp_stream *other = schedule->streams; text[0] && other < stream; other++)
        if (other->name && !strcmp(other->name, text))
            swp_json_complain(&reader->json, &path, NULL, "is the name of two roles");
}

static void read_role(swp_schedule_reader *reader, const swp_json_path *path, json_t *role,
                      swp_stream *stream)
{
    static const char *const known[] = {"name",      "prologue", "kernel", "epilogue",
                                        "epilogues", "straight", "warps",  "instances",
                                        "registers", "begin",    "end",    "drain"};
    const size_t unknown = reader->schedule->output_tiles ? 0 : reader->has_roles ? 3 : 6;
    if (!swp_json_expect(&reader->json, path, role, JSON_OBJECT))
        return;
    read_name(reader, path, role, stream);
    swp_json_refuse_unknown(&reader->json, path, role, known, SWP_COUNT_OF(known) - unknown);
    swp_json_read_role_instances(reader, path, role, stream);
    read_phases(reader, path, role, stream);
    read_tails(reader, path, role, &stream->tails);
    if (!reader->schedule->output_tiles)
        return;
    read_phase(reader, path, role, SWP_BEGIN, &stream->begin);
    read_phase(reader, path, role, SWP_END, &stream->end);
    read_phase(reader, path, role, SWP_DRAIN, &stream->drain);
}

static void refuse_beside_roles(swp_schedule_reader *reader, json_t *root)
{
    static const char *const lists[] = {"prologue", "kernel", "epilogue", "epilogues", "straight"};
    for (size_t i = 0; i < SWP_COUNT_OF(lists); i++)
        if (json_object_get(root, lists[i]))
            swp_json_complain(&reader->json, SWP_JSON_IN_FILE(lists[i]), NULL,
                              "stands beside `roles`, which holds the phases");
}

static void read_roles(swp_schedule_reader *reader, json_t *root)
{
    const swp_json_path *path = SWP_JSON_IN_FILE("roles");
    swp_schedule *schedule = reader->schedule;
    refuse_beside_roles(reader, root);
    json_t *array = swp_json_array(reader, NULL, root, "roles", true);
    const size_t count = json_array_size(array);
    if (!array)
        return;
    if (count < 1 || count > SWP_MOST_STREAMS) {
        swp_json_complain(&reader->json, path, NULL,
                          "there are %zu roles, and a schedule has 1 to %d", count,
                          SWP_MOST_STREAMS);
        return;
    }
    schedule->stream_count = count;
    for (size_t i = 0; i < count; i++) {
        const swp_json_path one = {.up = path, .index = i};
        read_role(reader, &one, json_array_get(array, i), &schedule->streams[i]);
    }
}

void swp_json_read_streams(swp_schedule_reader *reader, json_t *root)
{
    swp_stream *first = &reader->schedule->streams[0];
    if (json_object_get(root, "roles")) {
        read_roles(reader, root);
        return;
    }
    read_phases(reader, NULL, root, first);
    read_tails(reader, NULL, root, &first->tails);
}
