/* SPDX-License-Identifier: Apache-2.0 */
/* Reads integers, words and whole objects by their tables, with the path of what is wrong in every complaint. */
#include "json/decode.h"

#include "base/diag.h"
#include "base/text.h"
#include "swp/suggest.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ERRORS = 20, MOST_KEYS = 64 };

static void note(swp_json_reader *reader, swp_status status)
{
    if (swp_ends_work(status))
        reader->status = status;
}

static void add_path(swp_text *text, const swp_json_path *path)
{
    if (!path)
        return;
    add_path(text, path->up);
    if (path->key)
        swp_text_format(text, "%s%s", path->up ? "." : "", path->key);
    else
        swp_text_format(text, "[%zu]", path->index);
}

static swp_code code_of(const swp_json_reader *reader)
{
    return reader->code ? reader->code : SWP_E0111;
}

static swp_status report(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                         const char *message)
{
    swp_text text = {.ctx = reader->ctx};
    add_path(&text, path);
    char *where = NULL;
    SWP_TRY(swp_text_end(&text, &where, NULL));
    return swp_error(reader->ctx, code_of(reader), reader->place, hint, "%s%s%s", where,
                     path ? ": " : "", message);
}

void swp_json_complain(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                       const char *format, ...)
{
    if (++reader->errors > MOST_ERRORS)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *message = NULL;
    swp_status status = swp_vformat(reader->ctx, &message, format, arguments);
    va_end(arguments);
    if (status == SWP_OK)
        status = report(reader, path, hint, message);
    note(reader, status);
}

swp_status swp_json_finish(swp_json_reader *reader)
{
    if (reader->status == SWP_OK && reader->errors > MOST_ERRORS)
        note(reader, swp_error(reader->ctx, code_of(reader), reader->place, NULL,
                               "%zu more errors are not shown", reader->errors - MOST_ERRORS));
    if (reader->status != SWP_OK)
        return reader->status;
    return reader->errors ? SWP_INVALID : SWP_OK;
}

static const char *name_of_type(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number with a fraction";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        break;
    }
    return "null";
}

static bool same_type(json_type a, json_type b)
{
    return (a == JSON_FALSE ? JSON_TRUE : a) == (b == JSON_FALSE ? JSON_TRUE : b);
}

bool swp_json_expect(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                     json_type type)
{
    if (same_type(json_typeof(value), type))
        return true;
    swp_json_complain(reader, path, NULL, "must be %s, but is %s", name_of_type(type),
                      name_of_type(json_typeof(value)));
    return false;
}

json_t *swp_json_require(swp_json_reader *reader, const swp_json_path *path, const json_t *object,
                         const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        swp_json_complain(reader, &(swp_json_path){.up = path, .key = key}, NULL, "is missing");
    return value;
}

static void refuse_key(swp_json_reader *reader, const swp_json_path *path, const char *key,
                       const char *const *known, size_t count)
{
    swp_suggestion near = swp_suggest_start(key);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(known[i], key) == 0)
            return;
        swp_suggest_offer(&near, known[i]);
    }
    char hint[SWP_HINT_SIZE];
    swp_json_complain(reader, &(swp_json_path){.up = path, .key = key},
                      swp_suggest_hint(&near, "", hint), "is no key of this format");
}

void swp_json_refuse_unknown(swp_json_reader *reader, const swp_json_path *path, json_t *object,
                             const char *const *known, size_t count)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        (void)value;
        refuse_key(reader, path, key, known, count);
    }
}

bool swp_json_read_integer(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                           int64_t least, int64_t most, int64_t *out)
{
    if (!swp_json_expect(reader, path, value, JSON_INTEGER))
        return false;
    const int64_t number = json_integer_value(value);
    if (number < least || number > most) {
        swp_json_complain(reader, path, NULL, "is %lld, but must be %lld to %lld",
                          (long long)number, (long long)least, (long long)most);
        return false;
    }
    *out = number;
    return true;
}

bool swp_json_read_int(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                       int least, int most, int *out)
{
    int64_t number = 0;
    if (!swp_json_read_integer(reader, path, value, least, most, &number))
        return false;
    *out = (int)number;
    return true;
}

bool swp_json_read_bool(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        bool *out)
{
    if (!swp_json_expect(reader, path, value, JSON_TRUE))
        return false;
    *out = json_is_true(value);
    return true;
}

/* The nearest of the words, else all of them. */
static const char *hint_of_words(const char *word, const swp_name_table *words,
                                 char hint[SWP_HINT_SIZE])
{
    char all[SWP_HINT_SIZE] = "";
    size_t length = 0;
    swp_suggestion near = swp_suggest_start(word);
    for (size_t i = 0; i < words->count; i++) {
        const char *name = words->names[i].name;
        swp_suggest_offer(&near, name);
        if (length < sizeof all)
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s",
                                       i == 0 ? "it is one of " : ", ", name);
    }
    return swp_suggest_hint(&near, near.best || length >= sizeof all ? "" : all, hint);
}

bool swp_json_read_word(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        const swp_name_table *words, int *out)
{
    if (!swp_json_expect(reader, path, value, JSON_STRING))
        return false;
    const char *word = json_string_value(value);
    if (swp_number_of(words->names, words->count, word, out))
        return true;
    char hint[SWP_HINT_SIZE];
    swp_json_complain(reader, path, hint_of_words(word, words, hint), "`%s` is no %s", word,
                      path->key);
    return false;
}

/* A figure that does not apply is null. */
static bool read_figure(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        int64_t most, int64_t *out)
{
    *out = -1;
    return json_is_null(value) || swp_json_read_integer(reader, path, value, 0, most, out);
}

static bool read_member(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        const swp_json_member *member, void *record)
{
    void *out = (char *)record + member->offset;
    int64_t number = 0;
    switch (member->kind) {
    case SWP_JSON_INT:
        return swp_json_read_int(reader, path, value, member->least, member->most, out);
    case SWP_JSON_BOOL:
        return swp_json_read_bool(reader, path, value, out);
    case SWP_JSON_TEXT:
        if (!swp_json_expect(reader, path, value, JSON_STRING))
            return false;
        *(const char **)out = json_string_value(value);
        return true;
    case SWP_JSON_WORD:
        return swp_json_read_word(reader, path, value, member->words, out);
    case SWP_JSON_FIGURE:
        return read_figure(reader, path, value, INT64_MAX, out);
    case SWP_JSON_WAIT:
        if (!read_figure(reader, path, value, INT_MAX, &number))
            return false;
        *(int *)out = (int)number;
        return true;
    case SWP_JSON_WORK:
        break;
    }
    if (!swp_json_read_integer(reader, path, value, 0, INT64_MAX, &number))
        return false;
    *(uint64_t *)out = (uint64_t)number;
    return true;
}

bool swp_json_read_object(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                          const swp_json_object *object, void *record)
{
    if (!swp_json_expect(reader, path, value, JSON_OBJECT))
        return false;
    const size_t errors = reader->errors;
    const char *keys[MOST_KEYS];
    for (size_t i = 0; i < object->count; i++) {
        const swp_json_member *member = &object->members[i];
        const swp_json_path child = {.up = path, .key = member->key};
        const json_t *member_value = swp_json_require(reader, path, value, member->key);
        if (member_value)
            (void)read_member(reader, &child, member_value, member, record);
        keys[i] = member->key;
    }
    swp_json_refuse_unknown(reader, path, value, keys, object->count);
    return reader->errors == errors;
}
