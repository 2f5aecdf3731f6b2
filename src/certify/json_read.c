/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a certificate from its lines: JSON, and after a refutation the lines of its formula and proof. */
#include "certify/json_read.h"

#include "base/require.h"
#include "certify/names.h"
#include "problem/names.h"
#include "json/kind.h"

#include <limits.h>
#include <string.h>

/* Takes the next `count` lines off the front of a text, or as many as there are. */
static swp_problem_text take_lines(swp_problem_text *rest, int64_t count, int64_t *taken)
{
    swp_problem_text lines = {rest->text, 0, rest->place};
    for (*taken = 0; *taken < count && lines.length < rest->length; ++*taken) {
        const char *from = rest->text + lines.length;
        const char *end = memchr(from, '\n', rest->length - lines.length);
        lines.length = end ? (size_t)(end + 1 - rest->text) : rest->length;
    }
    rest->text += lines.length;
    rest->length -= lines.length;
    rest->place.line += (int)*taken;
    return lines;
}

static swp_index_list read_list(swp_json_reader *reader, const swp_json_path *path,
                                const json_t *array)
{
    int *items = NULL;
    if (!array || !swp_json_expect(reader, path, array, JSON_ARRAY))
        return (swp_index_list){0};
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, json_array_size(array), &items));
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(array, i, value)
    {
        const swp_json_path element = {.up = path, .index = i};
        int64_t number = 0;
        if (items && swp_json_read_integer(reader, &element, value, 0, INT_MAX, &number))
            items[i] = (int)number;
    }
    return (swp_index_list){items, items ? json_array_size(array) : 0};
}

static swp_index_lists read_lists(swp_json_reader *reader, const swp_json_path *path,
                                  const json_t *array)
{
    swp_index_list *items = NULL;
    if (!array || !swp_json_expect(reader, path, array, JSON_ARRAY))
        return (swp_index_lists){0};
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, json_array_size(array), &items));
    for (size_t i = 0; items && i < json_array_size(array); i++)
        items[i] =
            read_list(reader, &(swp_json_path){.up = path, .index = i}, json_array_get(array, i));
    return (swp_index_lists){items, items ? json_array_size(array) : 0};
}

static void read_groups(swp_json_reader *reader, const json_t *object, swp_certificate_step *out)
{
    const json_t *array = swp_json_require(reader, NULL, object, "groups");
    swp_index_lists *items = NULL;
    if (!array || !swp_json_expect(reader, SWP_MEMBER("groups"), array, JSON_ARRAY))
        return;
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, json_array_size(array), &items));
    for (size_t i = 0; items && i < json_array_size(array); i++)
        items[i] = read_lists(reader, &(swp_json_path){.up = SWP_MEMBER("groups"), .index = i},
                              json_array_get(array, i));
    out->groups = items;
    out->group_count = items ? json_array_size(array) : 0;
}

static int read_index(swp_json_reader *reader, const json_t *object, const char *key)
{
    const int64_t number = swp_certify_json_number(reader, object, key, 0);
    if (number > INT_MAX)
        swp_json_complain(reader, SWP_MEMBER(key), NULL, "is %lld, which is no index",
                          (long long)number);
    return number > INT_MAX ? 0 : (int)number;
}

static void read_refutation(swp_json_reader *reader, json_t *object, swp_certificate_step *out)
{
    static const char *const keys[] = {"step",  "scope",  "value",     "references", "fixed",
                                       "alike", "groups", "variables", "clauses",    "lines"};
    int64_t fixed = -1;
    swp_json_refuse_unknown(reader, NULL, object, keys, SWP_COUNT_OF(keys));
    out->scope = (swp_refutation_scope)swp_certify_json_word(reader, object, "scope",
                                                             &swp_certify_refutation_scope_names);
    const bool has_value = swp_certify_json_number_or_null(reader, object, "value", &out->value);
    if (has_value != (out->scope == SWP_REFUTED_VALUE))
        swp_json_complain(reader, SWP_MEMBER("value"), NULL,
                          "has to be a number in the scope `value`, and null in `component`");
    out->references = read_list(reader, SWP_MEMBER("references"),
                                swp_json_require(reader, NULL, object, "references"));
    if (swp_certify_json_number_or_null(reader, object, "fixed", &fixed) &&
        (fixed < 0 || fixed > INT_MAX))
        swp_json_complain(reader, SWP_MEMBER("fixed"), NULL, "is %lld, which is no op",
                          (long long)fixed);
    out->fixed = fixed < 0 || fixed > INT_MAX ? -1 : (int)fixed;
    out->alike =
        read_lists(reader, SWP_MEMBER("alike"), swp_json_require(reader, NULL, object, "alike"));
    read_groups(reader, object, out);
    out->variables = swp_certify_json_number(reader, object, "variables", 0);
    out->clauses = swp_certify_json_number(reader, object, "clauses", 0);
    if (out->variables > INT_MAX / 2)
        swp_json_complain(reader, SWP_MEMBER("variables"), NULL, "is %lld, but may be at most %d",
                          (long long)out->variables, INT_MAX / 2);
}

/* Reads an amount and its weight. */
static swp_amount_weight read_weight(swp_json_reader *reader, const swp_json_path *path,
                                     const json_t *pair)
{
    swp_amount_weight out = {0};
    if (!swp_json_expect(reader, path, pair, JSON_ARRAY))
        return out;
    if (json_array_size(pair) != 2)
        swp_json_complain(reader, path, NULL, "has to be an amount and its weight");
    else if (swp_json_read_integer(reader, &(swp_json_path){.up = path, .index = 0},
                                   json_array_get(pair, 0), 0, INT64_MAX, &out.amount))
        (void)swp_json_read_integer(reader, &(swp_json_path){.up = path, .index = 1},
                                    json_array_get(pair, 1), 0, INT64_MAX, &out.weight);
    return out;
}

/* A step that has weights must have at least one, and the most that they may come to. */
static void read_weights(swp_json_reader *reader, const json_t *object, swp_amount_weights *out)
{
    const json_t *array = json_object_get(object, "weights");
    swp_amount_weight *items = NULL;
    if (!array && !json_object_get(object, "most"))
        return;
    array = swp_json_require(reader, NULL, object, "weights");
    out->most = swp_certify_json_number(reader, object, "most", 1);
    if (!array || !swp_json_expect(reader, SWP_MEMBER("weights"), array, JSON_ARRAY))
        return;
    if (json_array_size(array) == 0)
        swp_json_complain(reader, SWP_MEMBER("weights"), NULL, "is empty");
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, json_array_size(array), &items));
    for (size_t i = 0; items && i < json_array_size(array); i++)
        items[i] = read_weight(reader, &(swp_json_path){.up = SWP_MEMBER("weights"), .index = i},
                               json_array_get(array, i));
    out->items = items;
    out->count = items ? json_array_size(array) : 0;
}

static void read_simple(swp_json_reader *reader, json_t *object, swp_certificate_step *out)
{
    static const struct {
        const char *keys[4];
        size_t count;
    } known[] = {[SWP_CERTIFICATE_RESOURCE] = {{"step", "resource", "weights", "most"}, 4},
                 [SWP_CERTIFICATE_PATH] = {{"step", "op", "edges"}, 3},
                 [SWP_CERTIFICATE_CYCLE] = {{"step", "edges"}, 2}};
    swp_json_refuse_unknown(reader, NULL, object, known[out->kind].keys, known[out->kind].count);
    if (out->kind == SWP_CERTIFICATE_RESOURCE) {
        out->resource = read_index(reader, object, "resource");
        read_weights(reader, object, &out->weights);
    } else
        out->edges =
            read_list(reader, SWP_MEMBER("edges"), swp_json_require(reader, NULL, object, "edges"));
    if (out->kind == SWP_CERTIFICATE_PATH)
        out->op = read_index(reader, object, "op");
}

/* Takes the lines that follow a refutation: its clauses, then `lines` lines of its proof. */
static void take_formula_and_proof(swp_json_reader *reader, swp_problem_text *rest, int64_t lines,
                                   swp_certificate_step *out)
{
    int64_t taken = 0;
    out->formula = take_lines(rest, out->clauses, &taken);
    if (taken < out->clauses)
        swp_json_complain(reader, SWP_MEMBER("clauses"), NULL,
                          "is %lld, but the file ends after %lld lines", (long long)out->clauses,
                          (long long)taken);
    out->proof = take_lines(rest, lines, &taken);
    if (taken < lines)
        swp_json_complain(reader, SWP_MEMBER("lines"), NULL,
                          "is %lld, but the file ends after %lld lines of proof", (long long)lines,
                          (long long)taken);
}

static void read_step(swp_json_reader *reader, json_t *root, swp_problem_text *rest,
                      swp_certificate_step *out)
{
    const size_t before = reader->errors;
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return;
    out->kind = (swp_certificate_step_kind)swp_certify_json_word(reader, root, "step",
                                                                 &swp_certify_step_names);
    if (reader->errors > before)
        return;
    if (out->kind != SWP_CERTIFICATE_REFUTATION) {
        read_simple(reader, root, out);
        return;
    }
    read_refutation(reader, root, out);
    const int64_t lines = swp_certify_json_number(reader, root, "lines", 0);
    if (reader->errors == before)
        take_formula_and_proof(reader, rest, lines, out);
}

swp_status swp_certify_line(swp_context *ctx, swp_problem_text *rest, const char *what,
                            swp_json_reader *reader, json_t **root)
{
    int64_t taken = 0;
    const swp_problem_text line = take_lines(rest, 1, &taken);
    *reader = (swp_json_reader){.ctx = ctx, .in = line, .code = SWP_E0832};
    if (taken == 0)
        return swp_error(ctx, SWP_E0832, line.place, "is the file cut short?",
                         "the file ends where %s is expected", what);
    return swp_json_parse(ctx, line.text, line.length, line.place, SWP_E0832, SWP_JSON_CERTIFICATE,
                          root);
}

typedef struct step_list {
    swp_certificate_step *items;
    size_t count;
    size_t capacity;
} step_list;

swp_status swp_certify_steps(swp_context *ctx, swp_problem_text *rest, int64_t count,
                             const swp_certificate_step **out)
{
    step_list steps = {0};
    /* A step takes a line. Memory is taken for as many as the text can have, whatever the header says. */
    if ((uint64_t)count > rest->length)
        return swp_error(ctx, SWP_E0832, rest->place, "is the file cut short?",
                         "the file ends before %lld steps", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        swp_json_reader reader;
        json_t *root = NULL;
        swp_certificate_step step = {.place = rest->place};
        SWP_TRY(swp_certify_line(ctx, rest, "a step", &reader, &root));
        read_step(&reader, root, rest, &step);
        json_decref(root);
        SWP_TRY(swp_json_finish(&reader));
        SWP_TRY(SWP_PUSH(ctx, &steps, step));
    }
    *out = steps.items;
    return SWP_OK;
}

static void read_header(swp_json_reader *reader, json_t *root, int64_t *steps, swp_certificate *out)
{
    static const char *const keys[] = {"swp", "certificate", "problem", "status", "value", "steps"};
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return;
    if (swp_json_is_other_file(reader, root, SWP_JSON_CERTIFICATE))
        return;
    swp_json_refuse_unknown(reader, NULL, root, keys, SWP_COUNT_OF(keys));
    swp_certify_json_version(reader, root);
    out->name = swp_certify_json_name(reader, root, "certificate");
    out->problem =
        (swp_problem_kind)swp_certify_json_word(reader, root, "problem", &swp_problem_kind_names);
    out->status = (swp_answer_status)swp_certify_json_word(reader, root, "status",
                                                           &swp_problem_answer_status_names);
    out->has_value = swp_certify_json_number_or_null(reader, root, "value", &out->value);
    *steps = swp_certify_json_number(reader, root, "steps", 0);
}

swp_status swp_certify_take(swp_context *ctx, swp_problem_text *rest, swp_certificate *out)
{
    swp_json_reader reader;
    json_t *root = NULL;
    int64_t steps = 0;
    *out = (swp_certificate){.place = rest->place};
    SWP_TRY(swp_certify_line(ctx, rest, "a certificate", &reader, &root));
    read_header(&reader, root, &steps, out);
    json_decref(root);
    SWP_TRY(swp_json_finish(&reader));
    out->step_count = (size_t)steps;
    return swp_certify_steps(ctx, rest, steps, &out->steps);
}

swp_status swp_certify_end(swp_context *ctx, const swp_problem_text *rest)
{
    if (rest->length == 0)
        return SWP_OK;
    return swp_error(ctx, SWP_E0832, rest->place, "does `steps` count all of them?",
                     "the certificate goes on after its last step");
}

swp_status swp_certificate_read(swp_context *ctx, const swp_problem_text *text,
                                swp_certificate *out)
{
    SWP_REQUIRE(ctx, ctx && text && out);
    swp_problem_text rest = *text;
    SWP_TRY(swp_certify_take(ctx, &rest, out));
    return swp_certify_end(ctx, &rest);
}
