/* SPDX-License-Identifier: Apache-2.0 */
/* Reads edges and the order, and leaves out those that no longer fit the ops. */
#include "emit/json/lists.h"

#include "base/print.h"

#include <limits.h>
#include <stdarg.h>

/* The first thing that does not fit. */
typedef struct misfit {
    char text[128]; /* empty: it fits */
} misfit;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
note_misfit(misfit *first, const char *format, ...)
{
    if (first->text[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)swp_vprint(first->text, sizeof first->text, SWP_ESCAPE_TEXT, format, arguments);
    va_end(arguments);
}

/* Whether the list fits; if not, warns, unless the file is refused anyway. */
static bool keeps_list(swp_schedule_reader *reader, const char *key, const misfit *first)
{
    if (!first->text[0] || reader->json.errors)
        return true;
    swp_json_keep(reader, swp_warn(reader->json.ctx, SWP_W0111,
                                   swp_json_place(&reader->json, SWP_JSON_IN_FILE(key)),
                                   "delete it, or make it anew with `swp compile`",
                                   "%s%s: `%s` is left out, as no judge of the phases reads it",
                                   key, first->text, key));
    return false;
}

static void check_end(misfit *first, size_t at, const char *end, int index, size_t count,
                      const char *what)
{
    if ((size_t)index >= count)
        note_misfit(first, "[%zu].%s is %d, but there are %zu %s", at, end, index, count, what);
}

void swp_json_read_edges(swp_schedule_reader *reader, json_t *root, const char *key, size_t count,
                         const char *what, swp_edge_list *edges)
{
    json_t *array = swp_json_array(reader, NULL, root, key, false);
    misfit first = {""};
    size_t i = 0;
    json_t *element = NULL;
    json_array_foreach(array, i, element)
    {
        const swp_json_path path = {.up = SWP_JSON_IN_FILE(key), .index = i};
        swp_edge edge = {0};
        if (swp_json_read_object(&reader->json, &path, element, &swp_json_edge, &edge)) {
            check_end(&first, i, "producer", edge.producer, count, what);
            check_end(&first, i, "consumer", edge.consumer, count, what);
        }
        swp_json_keep(reader, swp_edge_list_push(reader->json.ctx, edges, edge));
        if (reader->json.status != SWP_OK)
            return;
    }
    if (!keeps_list(reader, key, &first))
        edges->count = 0;
}

static void check_position(misfit *first, size_t at, int index, size_t count, bool *seen)
{
    if ((size_t)index >= count)
        note_misfit(first, "[%zu] is %d, but there are %zu ops in the body", at, index, count);
    else if (seen[index])
        note_misfit(first, "[%zu]: op %d of the body stands here again", at, index);
    else
        seen[index] = true;
}

void swp_json_read_order(swp_schedule_reader *reader, json_t *root)
{
    json_t *array = swp_json_array(reader, NULL, root, "order", false);
    const size_t count = reader->schedule->body.count;
    misfit first = {""};
    bool *seen = NULL;
    swp_json_keep(reader, SWP_TAKE(reader->json.ctx, count, &seen));
    if (!seen || json_array_size(array) == 0)
        return;
    if (json_array_size(array) != count)
        note_misfit(&first, " has %zu positions, but there are %zu ops in the body",
                    json_array_size(array), count);
    size_t i = 0;
    json_t *element = NULL;
    json_array_foreach(array, i, element)
    {
        const swp_json_path path = {.up = SWP_JSON_IN_FILE("order"), .index = i};
        int index = 0;
        if (!swp_json_read_int(&reader->json, &path, element, 0, INT_MAX, &index))
            continue;
        check_position(&first, i, index, count, seen);
        swp_json_keep(reader, SWP_PUSH(reader->json.ctx, &reader->schedule->order, index));
        if (reader->json.status != SWP_OK)
            return;
    }
    if (!keeps_list(reader, "order", &first))
        reader->schedule->order.count = 0;
}
