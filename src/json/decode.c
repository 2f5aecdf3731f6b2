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

enum { MOST_KEYS = 64 };

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

static swp_status text_of_path(const swp_json_reader *reader, const swp_json_path *path, char **out)
{
    swp_text text = {.ctx = reader->ctx};
    add_path(&text, reader->within);
    if (reader->within && path && path->key)
        swp_text_format(&text, ".");
    add_path(&text, path);
    return swp_text_end(&text, out, NULL);
}

/* Where a complaint is, and what tells it from others. */
typedef struct complaint {
    const swp_json_path *path;
    bool of_key; /* the place of the key, not of its value */
    bool
        of_the_name; /* the message contains the name, so it is the same complaint wherever it stands */
    const char *hint;
} complaint;

/* Returns the member that a path is in. */
static const char *key_of(const swp_json_path *path)
{
    while (path && !path->key)
        path = path->up;
    return path ? path->key : "";
}

/* Returns whether the same was complained of before, and if so counts it there. */
static bool is_said(swp_json_reader *reader, const char *what)
{
    for (size_t i = 0; i < reader->said_count; i++)
        if (strcmp(reader->said[i].what, what) == 0) {
            reader->said[i].others++;
            return true;
        }
    return false;
}

static swp_status say(swp_json_reader *reader, const complaint *of, const char *message)
{
    char *where = NULL;
    char *what = NULL;
    SWP_TRY(
        swp_format(reader->ctx, &what, "%s: %s", of->of_the_name ? "" : key_of(of->path), message));
    if (is_said(reader, what))
        return SWP_OK;
    if (reader->said_count == SWP_JSON_MOST_ERRORS) {
        reader->unshown++;
        return SWP_OK;
    }
    reader->said[reader->said_count++] = (swp_json_said){what, reader->ctx->diags->count, 0};
    SWP_TRY(text_of_path(reader, of->path, &where));
    const char *hint = of->hint && *of->hint ? of->hint : reader->about;
    return swp_error(reader->ctx, code_of(reader), swp_json_find(&reader->in, where, of->of_key),
                     hint, "%s%s%s", where, *where ? ": " : "", message);
}

static void complain(swp_json_reader *reader, const complaint *of, const char *format,
                     va_list arguments)
{
    char *message = NULL;
    reader->errors++;
    swp_status status = swp_vformat(reader->ctx, &message, format, arguments);
    if (status == SWP_OK)
        status = say(reader, of, message);
    note(reader, status);
}

void swp_json_complain(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(reader, &(complaint){.path = path, .hint = hint}, format, arguments);
    va_end(arguments);
}

void swp_json_complain_once(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(reader, &(complaint){.path = path, .of_the_name = true, .hint = hint}, format,
             arguments);
    va_end(arguments);
}

static const char *name_at(const swp_json_names *names, size_t i)
{
    return *(const char *const *)((const char *)names->items + i * names->size + names->offset);
}

size_t swp_json_find_name(const swp_json_names *names, const char *name)
{
    size_t i = 0;
    while (i < names->count && strcmp(name_at(names, i), name) != 0)
        i++;
    return i;
}

static swp_suggestion suggest(const swp_json_names *names, const char *name)
{
    swp_suggestion near = swp_suggest_start(name);
    for (size_t i = 0; i < names->count; i++)
        swp_suggest_offer(&near, name_at(names, i));
    return near;
}

void swp_json_complain_of_name(swp_json_reader *reader, const swp_json_path *path,
                               const swp_json_names *names, const char *name)
{
    const swp_suggestion near = suggest(names, name);
    char hint[SWP_HINT_SIZE];
    char all[SWP_HINT_SIZE];
    (void)snprintf(all, sizeof all, "`%s` lists them all", names->list);
    swp_json_complain_once(reader, path, swp_suggest_hint(&near, all, hint), "`%s` has no `%s`",
                           names->list, name);
}

/* Does what swp_json_complain() does, but at the place of the key. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static void
complain_of_key(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(reader, &(complaint){.path = path, .of_key = true, .hint = hint}, format, arguments);
    va_end(arguments);
}

swp_place swp_json_place(swp_json_reader *reader, const swp_json_path *path)
{
    char *where = NULL;
    note(reader, text_of_path(reader, path, &where));
    return where ? swp_json_find(&reader->in, where, false) : reader->in.place;
}

void swp_json_places(swp_json_reader *reader, const swp_json_path *path, size_t count,
                     swp_place *places)
{
    char *where = NULL;
    note(reader, text_of_path(reader, path, &where));
    if (where)
        swp_json_find_elements(&reader->in, where, count, places);
}

void swp_json_place_diags(swp_json_reader *reader, size_t first)
{
    for (size_t i = first; i < reader->ctx->diags->count; i++) {
        swp_diag *diag = &reader->ctx->diags->items[i];
        if (*diag->subject)
            diag->place = swp_json_find(&reader->in, diag->subject, false);
    }
}

/* Adds to each complaint how many others it stands for. */
static swp_status say_others(const swp_json_reader *reader)
{
    char others[SWP_OTHERS_SIZE];
    for (size_t i = 0; i < reader->said_count; i++) {
        const swp_json_said *said = &reader->said[i];
        if (said->others > 0 && said->diag < reader->ctx->diags->count)
            SWP_TRY(swp_diag_extend(reader->ctx, said->diag, "%s",
                                    swp_text_of_others(said->others, "place", others)));
    }
    return SWP_OK;
}

swp_status swp_json_finish(swp_json_reader *reader)
{
    if (reader->status == SWP_OK)
        note(reader, say_others(reader));
    if (reader->status == SWP_OK && reader->unshown > 0)
        note(reader, swp_error(reader->ctx, code_of(reader), reader->in.place, NULL,
                               "%zu more errors are not shown", reader->unshown));
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

static const char *hint_of_types(json_type wanted, const json_t *value)
{
    if (json_is_string(value) && (wanted == JSON_INTEGER || wanted == JSON_TRUE))
        return "numbers, true and false stand without quotes";
    if (json_is_real(value) && wanted == JSON_INTEGER)
        return "write it without a fraction and an exponent";
    return wanted == JSON_STRING ? "texts stand in double quotes" : NULL;
}

bool swp_json_expect(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                     json_type type)
{
    if (same_type(json_typeof(value), type))
        return true;
    swp_json_complain(reader, path, hint_of_types(type, value), "must be %s, but is %s",
                      name_of_type(type), name_of_type(json_typeof(value)));
    return false;
}

json_t *swp_json_require(swp_json_reader *reader, const swp_json_path *path, const json_t *object,
                         const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        complain_of_key(reader, &(swp_json_path){.up = path, .key = key}, NULL, "is missing");
    return value;
}

/* Returns the known key that an unknown one probably means, or NULL. */
static const char *refuse_key(swp_json_reader *reader, const swp_json_path *path, const char *key,
                              const swp_json_names *known)
{
    const swp_suggestion near = suggest(known, key);
    char hint[SWP_HINT_SIZE];
    complain_of_key(reader, &(swp_json_path){.up = path, .key = key},
                    swp_suggest_hint(&near, "", hint), "is no key of this format");
    return near.best;
}

/*
 * Refuses one unknown key, since changing the object ends an iteration over it. Returns false if
 * there is none.
 */
static bool refuse_next(swp_json_reader *reader, const swp_json_path *path, json_t *object,
                        const swp_json_names *known)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        if (swp_json_find_name(known, key) < known->count)
            continue;
        const char *meant = refuse_key(reader, path, key, known);
        if (meant && !json_object_get(object, meant))
            (void)json_object_set(object, meant, value);
        (void)json_object_del(object, key);
        return true;
    }
    return false;
}

void swp_json_refuse_unknown(swp_json_reader *reader, const swp_json_path *path, json_t *object,
                             const char *const *known, size_t count)
{
    const swp_json_names names = {.items = known, .count = count, .size = sizeof *known};
    bool more = true;
    while (more && reader->status == SWP_OK)
        more = refuse_next(reader, path, object, &names);
}

static void refuse_range(swp_json_reader *reader, const swp_json_path *path, int64_t number,
                         int64_t least, int64_t most)
{
    char hint[SWP_HINT_SIZE];
    (void)snprintf(hint, sizeof hint, "%s is %lld", number < least ? "the least" : "the most",
                   (long long)(number < least ? least : most));
    if (least == most)
        swp_json_complain(reader, path, NULL, "is %lld, but must be %lld", (long long)number,
                          (long long)least);
    else
        swp_json_complain(reader, path, hint, "is %lld, but must be %lld to %lld",
                          (long long)number, (long long)least, (long long)most);
}

bool swp_json_read_integer(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                           int64_t least, int64_t most, int64_t *out)
{
    if (!swp_json_expect(reader, path, value, JSON_INTEGER))
        return false;
    const int64_t number = json_integer_value(value);
    if (number < least || number > most) {
        refuse_range(reader, path, number, least, most);
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

/* Suggests the nearest of the words, or lists all of them. */
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
    swp_json_complain(reader, path, hint_of_words(word, words, hint), "`%s` is no value of `%s`",
                      word, path->key);
    return false;
}

/* A figure that does not apply is written as null. */
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
    for (size_t i = 0; i < object->count; i++)
        keys[i] = object->members[i].key;
    swp_json_refuse_unknown(reader, path, value, keys, object->count);
    for (size_t i = 0; i < object->count; i++) {
        const swp_json_member *member = &object->members[i];
        const swp_json_path child = {.up = path, .key = member->key};
        const json_t *member_value = swp_json_require(reader, path, value, member->key);
        if (member_value)
            (void)read_member(reader, &child, member_value, member, record);
    }
    return reader->errors == errors;
}
