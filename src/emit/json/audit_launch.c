/* SPDX-License-Identifier: Apache-2.0 */
/* A launch from JSON, which a few lines write from PyTorch, Triton or CuTe DSL. */
#include "swp/report.h"

#include "base/require.h"
#include "json/decode.h"
#include "json/kind.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define IN_FILE(name) (&(swp_json_path){.key = (name)})

static const char about[] = "docs/audit.md, \"A launch as a file\", describes the format";

typedef struct arguments {
    swp_audit_argument *items;
    size_t count;
    size_t capacity;
} arguments;

typedef struct boxes {
    swp_audit_box *items;
    size_t count;
    size_t capacity;
} boxes;

static swp_status copy(swp_json_reader *reader, const char *text, size_t length, const char **out)
{
    char *own = NULL;
    SWP_TRY(swp_copy_text(reader->ctx, text, length, &own));
    *out = own;
    return SWP_OK;
}

/* "K", "3" or "3.8": a parameter by name or number, and the byte of it. */
static swp_status read_place(swp_json_reader *reader, const swp_json_path *path, const char *key,
                             const char **name, int *param, int *byte)
{
    const size_t length = strcspn(key, ".");
    char *end = NULL;
    *name = NULL;
    *param = *byte = 0;
    const long number = strtol(key, &end, 10);
    if (end == key + length && length && number >= 0 && number <= INT_MAX)
        *param = (int)number;
    else
        SWP_TRY(copy(reader, key, length, name));
    if (!key[length])
        return SWP_OK;
    const long from = strtol(key + length + 1, &end, 10);
    if (*end || from < 0 || from > INT_MAX || end == key + length + 1)
        swp_json_complain(reader, path, NULL, "a byte of a parameter follows its point, as in 3.8");
    else
        *byte = (int)from;
    return SWP_OK;
}

/* --- sizes --- */

/* A number, or a list of one to three. */
static void read_shape(swp_json_reader *reader, json_t *root, const char *key, int out[3])
{
    const swp_json_path *path = IN_FILE(key);
    const json_t *value = json_object_get(root, key);
    if (!value || json_is_null(value))
        return;
    out[0] = out[1] = out[2] = 1;
    if (json_is_integer(value)) {
        (void)swp_json_read_int(reader, path, value, 1, INT_MAX, &out[0]);
        return;
    }
    if (!swp_json_expect(reader, path, value, JSON_ARRAY))
        return;
    if (json_array_size(value) < 1 || json_array_size(value) > 3) {
        swp_json_complain(reader, path, NULL, "has %zu numbers, where one to three stand",
                          json_array_size(value));
        return;
    }
    for (size_t d = 0; d < json_array_size(value); d++) {
        const swp_json_path at = {.up = path, .index = d};
        (void)swp_json_read_int(reader, &at, json_array_get(value, d), 1, INT_MAX, &out[d]);
    }
}

/* --- arguments --- */

static swp_status add_argument(swp_json_reader *reader, const swp_json_path *path, const char *key,
                               int index, const json_t *value, arguments *list)
{
    swp_audit_argument argument = {.param = index};
    if (json_is_null(value))
        return SWP_OK;
    if (key)
        SWP_TRY(read_place(reader, path, key, &argument.name, &argument.param, &argument.byte));
    if (!swp_json_read_integer(reader, path, value, INT64_MIN, INT64_MAX, &argument.value))
        return SWP_OK;
    return SWP_PUSH(reader->ctx, list, argument);
}

/* By name or number, or a list by position, in which null is not known. */
static swp_status read_arguments(swp_json_reader *reader, json_t *root, swp_audit_launch *out)
{
    const swp_json_path *path = IN_FILE("arguments");
    json_t *value = json_object_get(root, "arguments");
    arguments list = {0};
    const char *key = NULL;
    json_t *element = NULL;
    if (json_is_array(value)) {
        size_t i = 0;
        json_array_foreach(value, i, element)
        {
            const swp_json_path at = {.up = path, .index = i};
            SWP_TRY(add_argument(reader, &at, NULL, (int)i, element, &list));
        }
    } else if (value && swp_json_expect(reader, path, value, JSON_OBJECT)) {
        json_object_foreach(value, key, element)
        {
            const swp_json_path at = {.up = path, .key = key};
            SWP_TRY(add_argument(reader, &at, key, 0, element, &list));
        }
    }
    out->arguments = list.items;
    out->argument_count = list.count;
    return SWP_OK;
}

/* --- tensor maps --- */

/* {"box": [64, 64], "element": "bf16"} */
static void read_box(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                     int64_t *bytes)
{
    static const char *const known[] = {"box", "element"};
    const swp_json_path box = {.up = path, .key = "box"};
    const swp_json_path element = {.up = path, .key = "element"};
    swp_json_refuse_unknown(reader, path, value, known, SWP_COUNT_OF(known));
    const json_t *numbers = swp_json_require(reader, path, value, "box");
    const json_t *type = swp_json_require(reader, path, value, "element");
    if (!numbers || !type || !swp_json_expect(reader, &box, numbers, JSON_ARRAY) ||
        !swp_json_expect(reader, &element, type, JSON_STRING))
        return;
    const int bits = swp_audit_element_bits(json_string_value(type));
    if (!bits)
        swp_json_complain(reader, &element, "such as bf16, f32, e4m3 or u8",
                          "there is no type %s of elements", json_string_value(type));
    if (json_array_size(numbers) < 1 || json_array_size(numbers) > SWP_AUDIT_BOX_DIMENSIONS)
        swp_json_complain(reader, &box, NULL, "a box has one to five dimensions");
    *bytes = bits;
    for (size_t d = 0; d < json_array_size(numbers) && d < SWP_AUDIT_BOX_DIMENSIONS; d++) {
        const swp_json_path at = {.up = &box, .index = d};
        int number = 1;
        /* A box has 256 elements at most in each dimension (cuTensorMapEncodeTiled). */
        (void)swp_json_read_int(reader, &at, json_array_get(numbers, d), 1, 256, &number);
        *bytes *= number;
    }
    *bytes /= 8;
}

static swp_status read_boxes(swp_json_reader *reader, json_t *root, swp_audit_launch *out)
{
    const swp_json_path *path = IN_FILE("tensor_maps");
    json_t *value = json_object_get(root, "tensor_maps");
    boxes list = {0};
    const char *key = NULL;
    json_t *element = NULL;
    if (!value || !swp_json_expect(reader, path, value, JSON_OBJECT))
        return SWP_OK;
    json_object_foreach(value, key, element)
    {
        const swp_json_path at = {.up = path, .key = key};
        swp_audit_box box = {0};
        SWP_TRY(read_place(reader, &at, key, &box.name, &box.param, &box.byte));
        if (json_is_integer(element))
            (void)swp_json_read_integer(reader, &at, element, 16, 262144, &box.bytes);
        else if (swp_json_expect(reader, &at, element, JSON_OBJECT))
            read_box(reader, &at, element, &box.bytes);
        SWP_TRY(SWP_PUSH(reader->ctx, &list, box));
    }
    out->boxes = list.items;
    out->box_count = list.count;
    return SWP_OK;
}

static swp_status read_names(swp_json_reader *reader, json_t *root, swp_audit_launch *out)
{
    const swp_json_path *path = IN_FILE("parameters");
    const json_t *value = json_object_get(root, "parameters");
    const char **names = NULL;
    if (!value || !swp_json_expect(reader, path, value, JSON_ARRAY))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(reader->ctx, json_array_size(value) + 1, &names));
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *name = json_array_get(value, i);
        const swp_json_path at = {.up = path, .index = i};
        names[i] = "";
        if (swp_json_expect(reader, &at, name, JSON_STRING))
            SWP_TRY(copy(reader, json_string_value(name), json_string_length(name), &names[i]));
    }
    out->names = names;
    out->name_count = json_array_size(value);
    return SWP_OK;
}

static swp_status read_root(swp_json_reader *reader, json_t *root, swp_audit_launch *out)
{
    static const char *const known[] = {"swp_audit_launch", "kernel", "grid",       "block",
                                        "cluster",          "shared", "parameters", "arguments",
                                        "tensor_maps"};
    if (swp_json_is_other_file(reader, root, SWP_JSON_LAUNCH) ||
        !swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return SWP_OK;
    int version = 0;
    const json_t *number = swp_json_require(reader, NULL, root, "swp_audit_launch");
    if (number)
        (void)swp_json_read_int(reader, IN_FILE("swp_audit_launch"), number, 1, 1, &version);
    swp_json_refuse_unknown(reader, NULL, root, known, SWP_COUNT_OF(known));
    const json_t *kernel = json_object_get(root, "kernel");
    if (kernel && swp_json_expect(reader, IN_FILE("kernel"), kernel, JSON_STRING))
        SWP_TRY(copy(reader, json_string_value(kernel), json_string_length(kernel), &out->kernel));
    read_shape(reader, root, "grid", out->grid);
    read_shape(reader, root, "block", out->block);
    read_shape(reader, root, "cluster", out->cluster);
    const json_t *shared = json_object_get(root, "shared");
    out->has_shared = shared && swp_json_read_integer(reader, IN_FILE("shared"), shared, 0,
                                                      SWP_AUDIT_MOST_SHARED, &out->shared);
    SWP_TRY(read_names(reader, root, out));
    SWP_TRY(read_arguments(reader, root, out));
    return read_boxes(reader, root, out);
}

swp_status swp_audit_launch_read(swp_context *ctx, const char *text, size_t length,
                                 const char *file, swp_audit_launch *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    const swp_place at = {file, 1, 1};
    json_t *root = NULL;
    *out = (swp_audit_launch){0};
    SWP_TRY(swp_json_parse(ctx, text ? text : "", length, at, SWP_E0842, SWP_JSON_LAUNCH, &root));
    swp_json_reader reader = {
        .ctx = ctx, .in = {text, length, at}, .code = SWP_E0842, .about = about};
    const swp_status status = read_root(&reader, root, out);
    json_decref(root);
    SWP_TRY(status);
    return swp_json_finish(&reader);
}
