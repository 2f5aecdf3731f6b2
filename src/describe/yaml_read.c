/* SPDX-License-Identifier: Apache-2.0 */
/* Reads scalars of a YAML tree as texts, numbers and words, and reports what they are not. */
#include "describe/yaml_read.h"

#include "base/print.h"
#include "describe/hint.h"
#include "describe/yaml_hints.h"
#include "swp/suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_MESSAGE = 400, MOST_WORDS = 32 };

swp_place swp_describe_yaml_place(const swp_yaml_reader *reader, const yaml_node_t *node)
{
    return (swp_place){reader->file, (int)node->start_mark.line + 1,
                       (int)node->start_mark.column + 1};
}

yaml_node_t *swp_describe_yaml_node(swp_yaml_reader *reader, int index)
{
    return yaml_document_get_node(&reader->document, index);
}

const char *swp_describe_yaml_enter(swp_yaml_reader *reader, int index)
{
    const char *outer = reader->instance;
    const int made = index - reader->instances.after - 1;
    if (made >= 0 && made < (int)reader->instances.count && reader->instances.items[made])
        reader->instance = reader->instances.items[made];
    return outer;
}

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

bool swp_describe_yaml_is_plain(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

bool swp_describe_yaml_is_null(const yaml_node_t *node)
{
    if (!swp_describe_yaml_is_plain(node))
        return false;
    const char *text = scalar(node);
    return *text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

/* Whether an error has been told of this place for another instance of what stands there. */
static bool is_told(const swp_yaml_reader *reader, swp_place place)
{
    for (size_t i = 0; reader->instance && i < reader->told_count; i++)
        if (reader->told[i].place.line == place.line &&
            reader->told[i].place.column == place.column &&
            reader->told[i].instance != reader->instance)
            return true;
    return false;
}

/* What was told with the same words, or NULL. The instance stands behind them. */
static swp_yaml_told *find_told(swp_yaml_reader *reader, const char *message)
{
    const size_t length = strlen(message);
    for (size_t i = 0; i < reader->told_count; i++) {
        swp_yaml_told *told = &reader->told[i];
        const char *before = reader->ctx->diags->items[told->diag].message;
        if (strncmp(before, message, length) == 0 && (before[length] == '\0' || told->instance))
            return told;
    }
    return NULL;
}

static swp_status tell(swp_yaml_reader *reader, swp_code code, swp_place place, const char *hint,
                       const char *message)
{
    if (reader->told_count == SWP_YAML_MOST_TOLD)
        return swp_error(reader->ctx, SWP_E0109, place, "correct the first ones and try again",
                         "there are more than %d errors: the rest is not shown",
                         SWP_YAML_MOST_TOLD);
    reader->told[reader->told_count++] = (swp_yaml_told){
        .diag = reader->ctx->diags->count, .place = place, .instance = reader->instance};
    const swp_status status =
        reader->instance
            ? swp_error(reader->ctx, code, place, hint, "%s (%s)", message, reader->instance)
            : swp_error(reader->ctx, code, place, hint, "%s", message);
    return status == SWP_INVALID ? SWP_OK : status;
}

swp_status swp_describe_yaml_tell_repeats(swp_yaml_reader *reader)
{
    for (const swp_yaml_told *told = reader->told; told < reader->told + reader->told_count;
         told++) {
        if (told->repeats == 1)
            SWP_TRY(
                swp_diag_extend(reader->ctx, told->diag, "; likewise in line %d", told->last_line));
        else if (told->repeats > 1)
            SWP_TRY(swp_diag_extend(reader->ctx, told->diag,
                                    "; likewise in %zu more places, the last in line %d",
                                    told->repeats, told->last_line));
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_report(swp_yaml_reader *reader, swp_code code, swp_place place,
                                    const char *hint, const char *format, ...)
{
    /* A longer message would quote a whole file. */
    char message[LONGEST_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)swp_vprint(message, sizeof message, SWP_ESCAPE_TEXT, format, arguments);
    va_end(arguments);
    reader->errors++;
    if (is_told(reader, place))
        return SWP_OK;
    swp_yaml_told *told = find_told(reader, message);
    if (!told)
        return tell(reader, code, place, hint, message);
    told->repeats++;
    told->last_line = place.line;
    return SWP_OK;
}

static const char *kind_of(const yaml_node_t *node)
{
    switch (node->type) {
    case YAML_MAPPING_NODE:
        return "a mapping";
    case YAML_SEQUENCE_NODE:
        return "a list";
    default:
        break;
    }
    if (swp_describe_yaml_is_null(node))
        return "nothing";
    return swp_describe_yaml_is_plain(node) ? "a plain value" : "quoted text";
}

/* "a key" is no word of the format. */
static const char *tick_around(const char *name)
{
    return strchr(name, ' ') ? "" : "`";
}

swp_status swp_describe_yaml_report_type(swp_yaml_reader *reader, const yaml_node_t *node,
                                         const char *name, const char *wanted)
{
    const char *tick = tick_around(name);
    return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, node),
                                    swp_describe_yaml_hint_of_type(wanted, node),
                                    "%s%s%s must be %s, not %s", tick, name, tick, wanted,
                                    kind_of(node));
}

swp_status swp_describe_yaml_report_twice(swp_yaml_reader *reader, const swp_yaml_item *item,
                                          swp_place before, const char *what)
{
    const char *tick = tick_around(what);
    char *hint = NULL;
    SWP_TRY(swp_format(reader->ctx, &hint, "the first one is in line %d, column %d", before.line,
                       before.column));
    return swp_describe_yaml_report(reader, SWP_E0103, swp_describe_yaml_place(reader, item->key),
                                    hint, "`%s` stands twice in %s%s%s", item->name, tick, what,
                                    tick);
}

swp_status swp_describe_yaml_text(swp_yaml_reader *reader, const yaml_node_t *node,
                                  const char *name, const char **out)
{
    *out = NULL;
    if (node->type != YAML_SCALAR_NODE || swp_describe_yaml_is_null(node))
        return swp_describe_yaml_report_type(reader, node, name, "text");
    if (strlen(scalar(node)) != node->data.scalar.length)
        return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, node),
                                        "leave it out", "`%s` has a NUL character", name);
    *out = scalar(node);
    return SWP_OK;
}

static const char *skip_sign(const char *text)
{
    return text + (*text == '-' || *text == '+');
}

bool swp_describe_yaml_is_octal(const char *text)
{
    const char *digits = skip_sign(text);
    return digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
}

bool swp_describe_yaml_is_decimal(const char *text)
{
    const char *digits = skip_sign(text);
    return *digits && digits[strspn(digits, "0123456789")] == '\0' &&
           !swp_describe_yaml_is_octal(text);
}

static swp_status report_no_int(swp_yaml_reader *reader, const yaml_node_t *node, const char *name,
                                const char *text)
{
    char *hint = NULL;
    SWP_TRY(swp_describe_yaml_hint_of_number(
        reader->ctx, text, "write decimal digits alone, or arithmetic such as ${4 * 1024}", &hint));
    return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, node), hint,
                                    "`%s` must be a whole number, not `%s`", name, text);
}

static swp_status report_range(swp_yaml_reader *reader, const yaml_node_t *node, const char *name,
                               swp_yaml_range range)
{
    const char *text = scalar(node);
    const swp_place place = swp_describe_yaml_place(reader, node);
    char *hint = NULL;
    errno = 0;
    SWP_TRY(swp_describe_yaml_hint_of_range(reader->ctx, range,
                                            strtoll(text, NULL, 10) < range.least, &hint));
    if (range.least == range.most)
        return swp_describe_yaml_report(reader, range.code, place, hint,
                                        "`%s` is %s, but must be %d", name, text, range.least);
    return swp_describe_yaml_report(reader, range.code, place, hint,
                                    "`%s` is %s, but must be %d to %d", name, text, range.least,
                                    range.most);
}

swp_status swp_describe_yaml_int(swp_yaml_reader *reader, const yaml_node_t *node, const char *name,
                                 swp_yaml_range range, int *out)
{
    if (!swp_describe_yaml_is_plain(node) || swp_describe_yaml_is_null(node))
        return swp_describe_yaml_report_type(reader, node, name, "a whole number");
    const char *text = scalar(node);
    if (!swp_describe_yaml_is_decimal(text))
        return report_no_int(reader, node, name, text);
    errno = 0;
    const long long value = strtoll(text, NULL, 10);
    if (errno != ERANGE && value >= range.least && value <= range.most) {
        *out = (int)value;
        return SWP_OK;
    }
    return report_range(reader, node, name, range);
}

swp_status swp_describe_yaml_word(swp_yaml_reader *reader, const yaml_node_t *node,
                                  const char *name, const swp_name_table *words, int *number)
{
    const char *text = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, node, name, &text));
    if (!text || swp_number_of(words->names, words->count, text, number))
        return SWP_OK;
    const char *names[MOST_WORDS];
    char *hint = NULL;
    size_t count = 0;
    for (; count < words->count && count < MOST_WORDS; count++)
        names[count] = words->names[count].name;
    SWP_TRY(swp_describe_hint_of_names(reader->ctx, text, names, count, &hint));
    return swp_describe_yaml_report(reader, SWP_E0106, swp_describe_yaml_place(reader, node), hint,
                                    "`%s` cannot be `%s`", name, text);
}

static swp_status report_unknown(swp_yaml_reader *reader, const swp_yaml_item *item,
                                 const char *what, const swp_yaml_key *keys, size_t count)
{
    const char *names[MOST_WORDS];
    char *hint = NULL;
    for (size_t i = 0; i < count && i < MOST_WORDS; i++)
        names[i] = keys[i].name;
    SWP_TRY(swp_describe_hint_of_names(reader->ctx, item->name, names,
                                       count < MOST_WORDS ? count : MOST_WORDS, &hint));
    return swp_describe_yaml_report(reader, SWP_E0102, swp_describe_yaml_place(reader, item->key),
                                    hint, "%s has no key `%s`", what, item->name);
}

static size_t index_of(const swp_yaml_key *keys, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(keys[i].name, name) != 0)
        i++;
    return i;
}

static swp_status find_key(swp_yaml_reader *reader, const swp_yaml_item *item, const char *what,
                           const swp_yaml_key *keys, size_t count, swp_yaml_item *found)
{
    const size_t i = index_of(keys, count, item->name);
    if (i == count)
        return report_unknown(reader, item, what, keys, count);
    if (found[i].value)
        return swp_describe_yaml_report_twice(reader, item,
                                              swp_describe_yaml_place(reader, found[i].key), what);
    found[i] = *item;
    return SWP_OK;
}

/* A key that has been refused is read as the one that is meant, where that is not there: it is told once. */
static void take_misspelt(swp_yaml_reader *reader, const yaml_node_t *mapping,
                          const swp_yaml_key *keys, size_t count, swp_yaml_item *found)
{
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = swp_describe_yaml_node(reader, pair->key);
        const char *name =
            key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : NULL;
        if (!name || index_of(keys, count, name) < count)
            continue;
        swp_suggestion near = swp_suggest_start(name);
        for (size_t i = 0; i < count && i < MOST_WORDS; i++)
            swp_suggest_offer(&near, keys[i].name);
        const size_t meant = near.best ? index_of(keys, count, near.best) : count;
        if (meant < count && !found[meant].value)
            found[meant] =
                (swp_yaml_item){keys[meant].name, key, swp_describe_yaml_node(reader, pair->value)};
    }
}

static swp_status report_missing(swp_yaml_reader *reader, const yaml_node_t *mapping,
                                 const char *what, const swp_yaml_key *keys, size_t count,
                                 const swp_yaml_item *found)
{
    for (size_t i = 0; i < count; i++) {
        char *hint = NULL;
        if (!keys[i].required || found[i].value)
            continue;
        SWP_TRY(swp_format(reader->ctx, &hint, "write `%s: %s` in it", keys[i].name,
                           strcmp(keys[i].name, "swp") == 0 ? "1" : "..."));
        SWP_TRY(swp_describe_yaml_report(reader, SWP_E0107,
                                         swp_describe_yaml_place(reader, mapping), hint,
                                         "%s needs the key `%s`", what, keys[i].name));
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_find(swp_yaml_reader *reader, yaml_node_t *mapping, const char *what,
                                  const swp_yaml_key *keys, size_t count, swp_yaml_item *found)
{
    memset(found, 0, count * sizeof *found);
    if (mapping->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, mapping),
                                        swp_describe_yaml_hint_of_type("a mapping", mapping),
                                        "%s must be a mapping, not %s", what, kind_of(mapping));
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        swp_yaml_item item = {NULL, swp_describe_yaml_node(reader, pair->key),
                              swp_describe_yaml_node(reader, pair->value)};
        SWP_TRY(swp_describe_yaml_text(reader, item.key, "a key", &item.name));
        if (item.name)
            SWP_TRY(find_key(reader, &item, what, keys, count, found));
    }
    take_misspelt(reader, mapping, keys, count, found);
    return report_missing(reader, mapping, what, keys, count, found);
}

swp_status swp_describe_yaml_read_found(swp_yaml_reader *reader, const swp_yaml_key *keys,
                                        size_t count, const swp_yaml_item *found, void *into)
{
    for (size_t i = 0; i < count; i++)
        if (found[i].value && keys[i].read)
            SWP_TRY(keys[i].read(reader, &found[i], into));
    return SWP_OK;
}
