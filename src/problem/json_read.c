/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a problem from JSON. */
#include "swp/problem.h"

#include "base/require.h"
#include "problem/names.h"
#include "json/decode.h"
#include "json/kind.h"

#include <limits.h>
#include <string.h>

typedef struct reader {
    swp_json_reader json;
    json_t *resources; /* name to index */
    swp_problem problem;
} reader;

#define MEMBER(up_path, member_key)                                                                \
    &(swp_json_path)                                                                               \
    {                                                                                              \
        .up = (up_path), .key = (member_key)                                                       \
    }
#define ELEMENT(up_path, element_index)                                                            \
    (swp_json_path)                                                                                \
    {                                                                                              \
        .up = (up_path), .index = (element_index)                                                  \
    }

static void keep(reader *r, swp_status status)
{
    if (swp_ends_work(status))
        r->json.status = status;
}

/* Returns a required member of a type, or NULL. */
static json_t *member(reader *r, const swp_json_path *path, const json_t *object, const char *key,
                      json_type type)
{
    json_t *value = swp_json_require(&r->json, path, object, key);
    return value && swp_json_expect(&r->json, MEMBER(path, key), value, type) ? value : NULL;
}

static int64_t integer(reader *r, const swp_json_path *path, const json_t *object, const char *key)
{
    const json_t *value = swp_json_require(&r->json, path, object, key);
    int64_t number = 0;
    if (value)
        (void)swp_json_read_integer(&r->json, MEMBER(path, key), value, INT64_MIN, INT64_MAX,
                                    &number);
    return number;
}

static const char *text(reader *r, const swp_json_path *path, const json_t *object, const char *key)
{
    char *copy = NULL;
    const json_t *value = member(r, path, object, key, JSON_STRING);
    if (value)
        keep(r, swp_copy_text(r->json.ctx, json_string_value(value), json_string_length(value),
                              &copy));
    return copy ? copy : "";
}

static void read_resources(reader *r, const json_t *root)
{
    json_t *array = member(r, NULL, root, "resources", JSON_ARRAY);
    swp_problem_resource *resources = NULL;
    keep(r, SWP_TAKE(r->json.ctx, json_array_size(array), &resources));
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(array, i, value)
    {
        static const char *const keys[] = {"name", "capacity"};
        const swp_json_path path = ELEMENT(MEMBER(NULL, "resources"), i);
        if (!resources || !swp_json_expect(&r->json, &path, value, JSON_OBJECT))
            continue;
        swp_json_refuse_unknown(&r->json, &path, value, keys, SWP_COUNT_OF(keys));
        resources[i].name = text(r, &path, value, "name");
        resources[i].capacity = integer(r, &path, value, "capacity");
        if (json_object_get(r->resources, resources[i].name))
            swp_json_complain(&r->json, &path, NULL, "another resource is called `%s`",
                              resources[i].name);
        else if (json_object_set_new(r->resources, resources[i].name,
                                     json_integer((json_int_t)i)) != 0)
            keep(r, swp_out_of_memory(r->json.ctx));
    }
    r->problem.resources = resources;
    r->problem.resource_count = json_array_size(array);
}

static void refuse_resource(reader *r, const swp_json_path *path, const char *word)
{
    const swp_json_names names = SWP_JSON_NAMES("resources", r->problem.resources,
                                                r->problem.resource_count, swp_problem_resource);
    swp_json_complain_of_name(&r->json, path, &names, word);
}

static void read_use(reader *r, const swp_json_path *path, json_t *value, swp_problem_use *use)
{
    static const char *const keys[] = {"resource", "amount", "cycles"};
    if (!swp_json_expect(&r->json, path, value, JSON_OBJECT))
        return;
    swp_json_refuse_unknown(&r->json, path, value, keys, SWP_COUNT_OF(keys));
    const json_t *name = member(r, path, value, "resource", JSON_STRING);
    const json_t *index = name ? json_object_get(r->resources, json_string_value(name)) : NULL;
    if (index)
        use->resource = (int)json_integer_value(index);
    else if (name)
        refuse_resource(r, MEMBER(path, "resource"), json_string_value(name));
    use->amount = integer(r, path, value, "amount");
    use->cycles = integer(r, path, value, "cycles");
}

static void read_op(reader *r, const swp_json_path *path, json_t *value, swp_problem_op *op)
{
    static const char *const keys[] = {"name", "latency", "uses"};
    if (!swp_json_expect(&r->json, path, value, JSON_OBJECT))
        return;
    swp_json_refuse_unknown(&r->json, path, value, keys, SWP_COUNT_OF(keys));
    op->name = text(r, path, value, "name");
    op->latency = integer(r, path, value, "latency");
    json_t *uses = member(r, path, value, "uses", JSON_ARRAY);
    swp_problem_use *items = NULL;
    keep(r, SWP_TAKE(r->json.ctx, json_array_size(uses), &items));
    size_t i = 0;
    json_t *use = NULL;
    json_array_foreach(uses, i, use)
    {
        const swp_json_path use_path = ELEMENT(MEMBER(path, "uses"), i);
        if (items)
            read_use(r, &use_path, use, &items[i]);
    }
    op->uses = items;
    op->use_count = items ? json_array_size(uses) : 0;
}

static void read_ops(reader *r, const json_t *root)
{
    json_t *array = member(r, NULL, root, "ops", JSON_ARRAY);
    swp_problem_op *ops = NULL;
    keep(r, SWP_TAKE(r->json.ctx, json_array_size(array), &ops));
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(array, i, value)
    {
        const swp_json_path path = ELEMENT(MEMBER(NULL, "ops"), i);
        if (ops && r->json.status == SWP_OK)
            read_op(r, &path, value, &ops[i]);
    }
    r->problem.ops = ops;
    r->problem.op_count = json_array_size(array);
}

/* Reads an index into the ops here, since the check of the problem would not know its path. */
static int op_index(reader *r, const swp_json_path *path, const json_t *object, const char *key)
{
    const size_t errors = r->json.errors;
    const int64_t index = integer(r, path, object, key);
    if (r->json.errors > errors)
        return 0;
    if (index >= 0 && (size_t)index < r->problem.op_count)
        return (int)index;
    swp_json_complain(&r->json, MEMBER(path, key), "ops count from 0",
                      "is op %lld, but there are %zu", (long long)index, r->problem.op_count);
    return 0;
}

static void read_edge(reader *r, const swp_json_path *path, json_t *value, swp_problem_edge *edge)
{
    static const char *const keys[] = {"producer", "consumer", "distance", "delay"};
    if (!swp_json_expect(&r->json, path, value, JSON_OBJECT))
        return;
    swp_json_refuse_unknown(&r->json, path, value, keys, SWP_COUNT_OF(keys));
    edge->producer = op_index(r, path, value, "producer");
    edge->consumer = op_index(r, path, value, "consumer");
    if (json_object_get(value, "distance") || r->problem.kind == SWP_PROBLEM_MODULO)
        edge->distance = integer(r, path, value, "distance");
    if (json_object_get(value, "delay"))
        edge->delay = integer(r, path, value, "delay");
    else if (r->problem.op_count > 0)
        edge->delay = r->problem.ops[edge->producer].latency;
}

static void read_edges(reader *r, const json_t *root)
{
    json_t *array = member(r, NULL, root, "edges", JSON_ARRAY);
    swp_problem_edge *edges = NULL;
    keep(r, SWP_TAKE(r->json.ctx, json_array_size(array), &edges));
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(array, i, value)
    {
        const swp_json_path path = ELEMENT(MEMBER(NULL, "edges"), i);
        if (edges && r->json.status == SWP_OK)
            read_edge(r, &path, value, &edges[i]);
    }
    r->problem.edges = edges;
    r->problem.edge_count = json_array_size(array);
}

static void read_kind(reader *r, const json_t *root)
{
    int kind = SWP_PROBLEM_MAKESPAN;
    const json_t *value = swp_json_require(&r->json, NULL, root, "problem");
    if (value)
        (void)swp_json_read_word(&r->json, MEMBER(NULL, "problem"), value, &swp_problem_kind_names,
                                 &kind);
    r->problem.kind = (swp_problem_kind)kind;
}

static void read_problem(reader *r, json_t *root)
{
    static const char *const keys[] = {"swp",       "name", "problem", "known_optimum",
                                       "resources", "ops",  "edges"};
    int version = 0;
    if (!swp_json_expect(&r->json, NULL, root, JSON_OBJECT))
        return;
    if (swp_json_is_other_file(&r->json, root, SWP_JSON_PROBLEM))
        return;
    swp_json_refuse_unknown(&r->json, NULL, root, keys, SWP_COUNT_OF(keys));
    const json_t *value = swp_json_require(&r->json, NULL, root, "swp");
    if (value)
        (void)swp_json_read_int(&r->json, MEMBER(NULL, "swp"), value, 1, 1, &version);
    r->problem.name = text(r, NULL, root, "name");
    read_kind(r, root);
    read_resources(r, root);
    read_ops(r, root);
    if (r->problem.ops)
        read_edges(r, root);
}

swp_status swp_problem_read_json(swp_context *ctx, const swp_problem_text *in, swp_problem *out)
{
    SWP_REQUIRE(ctx, ctx && in && out);
    json_t *root = NULL;
    SWP_TRY(
        swp_json_parse(ctx, in->text, in->length, in->place, SWP_E0821, SWP_JSON_PROBLEM, &root));
    reader r = {.json = {.ctx = ctx,
                         .in = *in,
                         .code = SWP_E0821,
                         .about = "`swp schema problem` describes the format"},
                .resources = json_object(),
                .problem.place = in->place};
    if (r.resources)
        read_problem(&r, root);
    else
        keep(&r, swp_out_of_memory(ctx));
    json_decref(r.resources);
    json_decref(root);
    SWP_TRY(swp_json_finish(&r.json));
    *out = r.problem;
    const size_t first = ctx->diags->count;
    const swp_status status = swp_problem_check(ctx, out);
    swp_json_place_diags(&r.json, first);
    return status;
}
