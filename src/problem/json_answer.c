/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an answer from JSON: what json_write.c wrote, perhaps edited since. */
#include "swp/problem.h"

#include "base/require.h"
#include "problem/names.h"
#include "json/decode.h"
#include "json/kind.h"

/* A member of the answer itself. */
#define TOP(member_key) (&(swp_json_path){.key = (member_key)})

static bool read_number(swp_json_reader *reader, const json_t *root, const char *key, bool optional,
                        int64_t *out)
{
    const json_t *value = swp_json_require(reader, NULL, root, key);
    if (!value || (optional && json_is_null(value)))
        return false;
    return swp_json_read_integer(reader, TOP(key), value, INT64_MIN, INT64_MAX, out);
}

static int read_word(swp_json_reader *reader, const json_t *root, const char *key,
                     const swp_name_table *words)
{
    int word = 0;
    const json_t *value = json_object_get(root, key);
    if (value)
        (void)swp_json_read_word(reader, TOP(key), value, words, &word);
    return word;
}

static swp_status read_times(swp_json_reader *reader, const json_t *root, swp_answer *out)
{
    json_t *array = swp_json_require(reader, NULL, root, "times");
    if (!array || json_is_null(array) || !swp_json_expect(reader, TOP("times"), array, JSON_ARRAY))
        return SWP_OK;
    int64_t *times = NULL;
    SWP_TRY(SWP_TAKE(reader->ctx, json_array_size(array) + 1, &times));
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(array, i, value)
    {
        const swp_json_path path = {.up = TOP("times"), .index = i};
        (void)swp_json_read_integer(reader, &path, value, 0, INT64_MAX, &times[i]);
    }
    out->times = times;
    out->time_count = json_array_size(array);
    return SWP_OK;
}

static swp_status read_answer(swp_json_reader *reader, json_t *root, const char **name,
                              swp_answer *out)
{
    static const char *const keys[] = {"name",  "status",  "value", "bound",
                                       "times", "seconds", "work",  "bound_kind"};
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return SWP_OK;
    if (swp_json_is_other_file(reader, root, SWP_JSON_ANSWER))
        return SWP_OK;
    swp_json_refuse_unknown(reader, NULL, root, keys, SWP_COUNT_OF(keys));
    const json_t *text = swp_json_require(reader, NULL, root, "name");
    char *copy = NULL;
    if (text && swp_json_expect(reader, TOP("name"), text, JSON_STRING))
        SWP_TRY(
            swp_copy_text(reader->ctx, json_string_value(text), json_string_length(text), &copy));
    if (name)
        *name = copy;
    (void)swp_json_require(reader, NULL, root, "status");
    out->status =
        (swp_answer_status)read_word(reader, root, "status", &swp_problem_answer_status_names);
    out->bound_kind =
        (swp_bound_kind)read_word(reader, root, "bound_kind", &swp_problem_bound_kind_names);
    (void)read_number(reader, root, "value", true, &out->value);
    (void)read_number(reader, root, "bound", true, &out->bound);
    const json_t *seconds = json_object_get(root, "seconds");
    out->seconds = json_number_value(seconds);
    const json_t *work = json_object_get(root, "work");
    out->work = (uint64_t)json_integer_value(work);
    return read_times(reader, root, out);
}

swp_status swp_answer_read_json(swp_context *ctx, const swp_problem_text *text, const char **name,
                                swp_answer *out)
{
    SWP_REQUIRE(ctx, ctx && text && out);
    json_t *root = NULL;
    SWP_TRY(swp_json_parse(ctx, text->text, text->length, text->place, SWP_E0821, SWP_JSON_ANSWER,
                           &root));
    swp_json_reader reader = {.ctx = ctx, .in = *text, .code = SWP_E0821};
    *out = (swp_answer){0};
    const swp_status status = read_answer(&reader, root, name, out);
    json_decref(root);
    SWP_TRY(status);
    return swp_json_finish(&reader);
}
