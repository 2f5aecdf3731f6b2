/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the `dataflow` of a schedule: what dataflow_write.c wrote, perhaps edited since. */
#include "emit/json/dataflow.h"

#include "base/text.h"
#include "ir/loop_names.h"
#include "ir/type_names.h"

#define MEMBER(up_path, member_key)                                                                \
    &(const swp_json_path)                                                                         \
    {                                                                                              \
        .up = (up_path), .key = (member_key)                                                       \
    }

/* A list on its way; `item` reads one element into the list's records. */
typedef struct list {
    swp_schedule_reader *reader;
    swp_loop *loop;
    int *slots;
    size_t unit_count;
    bool *rates;
    swp_loop_op *op;
    int *numbers;      /* values that the op makes */
    swp_place *places; /* of the elements of the outermost list */
    bool has_roles;
} list;

typedef void read_item(list *l, const swp_json_path *path, json_t *item, size_t index);

/* Calls `item` for each element of an array; `items` get memory first. */
static size_t read_list(list *l, const swp_json_path *up, json_t *object, const char *key,
                        size_t size, void **items, read_item *item)
{
    swp_schedule_reader *reader = l->reader;
    json_t *array = swp_json_array(reader, up, object, key, true);
    const size_t count = json_array_size(array);
    swp_json_keep(reader, swp_take(reader->json.ctx, count, size, items));
    const swp_json_path path = {.up = up, .key = key};
    for (size_t i = 0; i < count && reader->json.status == SWP_OK; i++) {
        const swp_json_path at = {.up = &path, .index = i};
        item(l, &at, json_array_get(array, i), i);
    }
    return count;
}

static void find_places(list *l, const swp_json_path *up, const json_t *object, const char *key)
{
    const size_t count = json_array_size(json_object_get(object, key));
    swp_json_keep(l->reader, SWP_TAKE(l->reader->json.ctx, count, &l->places));
    if (l->places)
        swp_json_places(&l->reader->json, MEMBER(up, key), count, l->places);
}

static const char *text_of(list *l, const swp_json_path *path, const json_t *value)
{
    char *copy = NULL;
    if (value && swp_json_expect(&l->reader->json, path, value, JSON_STRING))
        swp_json_keep(l->reader, swp_copy_text(l->reader->json.ctx, json_string_value(value),
                                               json_string_length(value), &copy));
    return copy ? copy : "";
}

static const char *checked_name(list *l, const swp_json_path *path, const json_t *value)
{
    const char *name = text_of(l, path, value);
    if (json_is_string(value) && !swp_is_name(name))
        swp_json_complain(&l->reader->json, path, SWP_NAME_HINT, "nothing can be named `%s`", name);
    return name;
}

static const char *name_of(list *l, const swp_json_path *path, const json_t *object,
                           const char *key)
{
    return checked_name(l, MEMBER(path, key),
                        swp_json_require(&l->reader->json, path, object, key));
}

static int64_t number_of(list *l, const swp_json_path *path, const json_t *object, const char *key,
                         int64_t least, int64_t most)
{
    int64_t number = least;
    const json_t *value = swp_json_require(&l->reader->json, path, object, key);
    if (value)
        (void)swp_json_read_integer(&l->reader->json, MEMBER(path, key), value, least, most,
                                    &number);
    return number;
}

static int word_of(list *l, const swp_json_path *path, const json_t *object, const char *key,
                   const swp_name_table *words)
{
    int number = 0;
    const json_t *value = swp_json_require(&l->reader->json, path, object, key);
    if (value)
        (void)swp_json_read_word(&l->reader->json, MEMBER(path, key), value, words, &number);
    return number;
}

/* False where it is left out. */
static bool flag_of(list *l, const swp_json_path *path, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return value && swp_json_expect(&l->reader->json, MEMBER(path, key), value, JSON_TRUE) &&
           json_is_true(value);
}

/* Which of them has the name; 0, with a complaint, if none has. What is no name was refused as that. */
static int find(list *l, const swp_json_path *path, const swp_json_names *names, const char *name)
{
    const size_t found = swp_json_find_name(names, name);
    if (found < names->count)
        return (int)found;
    if (swp_is_name(name))
        swp_json_complain_of_name(&l->reader->json, path, names, name);
    return 0;
}

static int find_value(list *l, const swp_json_path *path, const char *name)
{
    return find(
        l, path,
        &SWP_JSON_NAMES("dataflow.values", l->loop->values, l->loop->value_count, swp_loop_value),
        name);
}

static int find_unit(list *l, const swp_json_path *path, const char *name)
{
    return find(l, path,
                &SWP_JSON_NAMES("dataflow.units", l->loop->units, l->loop->unit_count,
                                swp_problem_resource),
                name);
}

static bool is_object(list *l, const swp_json_path *path, const json_t *item)
{
    return swp_json_expect(&l->reader->json, path, item, JSON_OBJECT);
}

static void read_unit(list *l, const swp_json_path *path, json_t *item, size_t index)
{
    static const char *const known[] = {"unit", "capacity", "rate"};
    swp_problem_resource *unit = &((swp_problem_resource *)l->loop->units)[index];
    if (!is_object(l, path, item))
        return;
    swp_json_refuse_unknown(&l->reader->json, path, item, known, SWP_COUNT_OF(known));
    unit->name = name_of(l, path, item, "unit");
    unit->capacity = number_of(l, path, item, "capacity", 1, SWP_PROBLEM_MOST);
    const json_t *rate = json_object_get(item, "rate");
    if (!rate || !swp_json_expect(&l->reader->json, MEMBER(path, "rate"), rate, JSON_TRUE))
        return;
    if (!l->has_roles)
        swp_json_complain(&l->reader->json, MEMBER(path, "rate"), NULL,
                          "is a rate, and the schedule has no warp roles");
    if (!l->loop->rates)
        swp_json_keep(l->reader, SWP_TAKE(l->reader->json.ctx, l->unit_count, &l->rates));
    if (l->rates)
        l->rates[index] = json_is_true(rate);
    l->loop->rates = l->rates;
}

static void read_value_of(list *l, const swp_json_path *path, json_t *item, size_t index)
{
    static const char *const known[] = {"value", "space", "bytes", "slots"};
    swp_loop_value *value = &((swp_loop_value *)l->loop->values)[index];
    if (!is_object(l, path, item))
        return;
    swp_json_refuse_unknown(&l->reader->json, path, item, known, SWP_COUNT_OF(known));
    value->place = l->places[index];
    value->name = name_of(l, path, item, "value");
    value->space = (swp_space)word_of(l, path, item, "space", &swp_ir_space_names);
    value->bytes = number_of(l, path, item, "bytes", 0, SWP_PROBLEM_MOST);
    l->slots[index] = (int)number_of(l, path, item, "slots", 1, SWP_MOST_SLOTS);
    value->least_slots = value->most_slots = l->slots[index];
}

static void read_use(list *l, const swp_json_path *path, json_t *item, size_t index)
{
    static const char *const known[] = {"unit", "amount", "cycles"};
    swp_problem_use *use = &((swp_problem_use *)l->op->uses)[index];
    if (!is_object(l, path, item))
        return;
    swp_json_refuse_unknown(&l->reader->json, path, item, known, SWP_COUNT_OF(known));
    use->resource = find_unit(l, MEMBER(path, "unit"), name_of(l, path, item, "unit"));
    use->amount = number_of(l, path, item, "amount", 1, SWP_PROBLEM_MOST);
    use->cycles = number_of(l, path, item, "cycles", 0, SWP_PROBLEM_MOST);
}

static void read_read(list *l, const swp_json_path *path, json_t *item, size_t index)
{
    static const char *const known[] = {"value", "before", "latency"};
    swp_loop_read *read = &((swp_loop_read *)l->op->reads)[index];
    if (!is_object(l, path, item))
        return;
    swp_json_refuse_unknown(&l->reader->json, path, item, known, SWP_COUNT_OF(known));
    read->value = find_value(l, MEMBER(path, "value"), name_of(l, path, item, "value"));
    read->distance = (int)number_of(l, path, item, "before", 0, SWP_MOST_SLOTS - 1);
    if (json_object_get(item, "latency"))
        read->latency = number_of(l, path, item, "latency", 1, SWP_PROBLEM_MOST);
}

static void read_made(list *l, const swp_json_path *path, json_t *item, size_t index)
{
    l->numbers[index] = find_value(l, path, checked_name(l, path, item));
}

/* A name, or the value and the latency of the dependence. */
static void read_update(list *l, const swp_json_path *path, json_t *item, size_t index)
{
    static const char *const known[] = {"value", "latency"};
    int64_t *latency = &((int64_t *)l->op->update_latencies)[index];
    if (!json_is_object(item)) {
        read_made(l, path, item, index);
        return;
    }
    swp_json_refuse_unknown(&l->reader->json, path, item, known, SWP_COUNT_OF(known));
    l->numbers[index] = find_value(l, MEMBER(path, "value"), name_of(l, path, item, "value"));
    *latency = number_of(l, path, item, "latency", 1, SWP_PROBLEM_MOST);
}

/* A word, or an object with the iterations; a file of 0.1 has none. */
static void read_when(list *l, const swp_json_path *path, json_t *item, swp_loop_when *when)
{
    static const char *const known[] = {"every", "offset"};
    const swp_json_path at = {.up = path, .key = "when"};
    json_t *value = json_object_get(item, "when");
    if (!value)
        return;
    if (!json_is_object(value)) {
        when->kind = (swp_when)word_of(l, path, item, "when", &swp_ir_plain_when_names);
        return;
    }
    swp_json_refuse_unknown(&l->reader->json, &at, value, known, SWP_COUNT_OF(known));
    *when =
        (swp_loop_when){SWP_WHEN_EVERY, (int)number_of(l, &at, value, "every", 2, SWP_MOST_EVERY),
                        (int)number_of(l, &at, value, "offset", 0, SWP_MOST_EVERY - 1)};
}

static void refuse_unknown_of_op(list *l, const swp_json_path *path, json_t *item)
{
    static const char *const known[] = {"op",       "latency",   "completion",   "read_cycles",
                                        "accesses", "uses",      "reads",        "writes",
                                        "updates",  "issue",     "reads_global", "writes_global",
                                        "when",     "multicast", "clock"};
    const size_t unknown = l->reader->schedule->output_tiles ? 0 : l->has_roles ? 1 : 2;
    swp_json_refuse_unknown(&l->reader->json, path, item, known, SWP_COUNT_OF(known) - unknown);
}

static void read_op(list *l, const swp_json_path *path, json_t *item, size_t index)
{
    swp_loop_op *op = &((swp_loop_op *)l->loop->ops)[index];
    if (!is_object(l, path, item))
        return;
    refuse_unknown_of_op(l, path, item);
    op->place = l->places[index];
    op->name = name_of(l, path, item, "op");
    if (json_object_get(item, "clock"))
        op->clock = (swp_role_clock)word_of(l, path, item, "clock", &swp_ir_clock_names);
    op->latency = number_of(l, path, item, "latency", 0, SWP_PROBLEM_MOST);
    op->completion = (swp_completion)word_of(l, path, item, "completion", &swp_ir_completion_names);
    op->read_cycles = number_of(l, path, item, "read_cycles", 0, SWP_PROBLEM_MOST);
    if (json_object_get(item, "issue"))
        op->issue = number_of(l, path, item, "issue", 1, SWP_PROBLEM_MOST);
    op->accesses = (int)number_of(l, path, item, "accesses", 1, SWP_MOST_ACCESSES);
    op->reads_global = flag_of(l, path, item, "reads_global");
    op->writes_global = flag_of(l, path, item, "writes_global");
    op->multicast = flag_of(l, path, item, "multicast");
    l->op = op;
    op->use_count =
        read_list(l, path, item, "uses", sizeof *op->uses, (void **)&op->uses, read_use);
    op->read_count =
        read_list(l, path, item, "reads", sizeof *op->reads, (void **)&op->reads, read_read);
    op->write_count =
        read_list(l, path, item, "writes", sizeof *op->writes, (void **)&l->numbers, read_made);
    op->writes = l->numbers;
    swp_json_keep(l->reader,
                  SWP_TAKE(l->reader->json.ctx, json_array_size(json_object_get(item, "updates")),
                           &op->update_latencies));
    if (l->reader->json.status != SWP_OK)
        return;
    op->update_count =
        read_list(l, path, item, "updates", sizeof *op->updates, (void **)&l->numbers, read_update);
    op->updates = l->numbers;
    read_when(l, path, item, &op->when);
}

/* Whether all of it could be read. */
static bool read_all(list *l, const swp_json_path *path, json_t *object)
{
    const size_t errors = l->reader->json.errors;
    swp_loop *loop = l->loop;
    swp_json_keep(l->reader,
                  SWP_TAKE(l->reader->json.ctx, json_array_size(json_object_get(object, "values")),
                           &l->slots));
    if (l->reader->json.status != SWP_OK)
        return false;
    if (json_object_get(object, "signal"))
        loop->signal = number_of(l, path, object, "signal", 0, SWP_PROBLEM_MOST);
    if (json_object_get(object, "resident_work_groups"))
        loop->resident =
            (int)number_of(l, path, object, "resident_work_groups", 1, SWP_MOST_RESIDENT);
    l->unit_count = json_array_size(json_object_get(object, "units"));
    loop->unit_count =
        read_list(l, path, object, "units", sizeof *loop->units, (void **)&loop->units, read_unit);
    find_places(l, path, object, "values");
    loop->value_count = read_list(l, path, object, "values", sizeof *loop->values,
                                  (void **)&loop->values, read_value_of);
    find_places(l, path, object, "ops");
    loop->op_count =
        read_list(l, path, object, "ops", sizeof *loop->ops, (void **)&loop->ops, read_op);
    return l->reader->json.status == SWP_OK && l->reader->json.errors == errors;
}

/* What the entries call a tag must be what the loop calls its op. */
static void name_tags(swp_schedule_reader *reader, const swp_loop *loop)
{
    const swp_json_path path = {.up = SWP_JSON_IN_FILE("dataflow"), .key = "ops"};
    if (loop->op_count > SWP_MOST_SCHEDULE_OPS) {
        swp_json_complain(&reader->json, &path, NULL, "%zu ops are more than the %d of a schedule",
                          loop->op_count, SWP_MOST_SCHEDULE_OPS);
        return;
    }
    for (size_t i = 0; i < loop->op_count; i++) {
        const int tag = swp_tag_of_loop_op((int)i);
        reader->schedule->op_names[tag] = loop->ops[i].name;
        reader->roles[tag] = SWP_ROLE_NONE;
        reader->named[tag] = true;
    }
}

void swp_json_read_dataflow(swp_schedule_reader *reader, json_t *root)
{
    static const char *const known[] = {"units", "values", "ops", "signal", "resident_work_groups"};
    const swp_json_path *path = SWP_JSON_IN_FILE("dataflow");
    json_t *object = json_object_get(root, "dataflow");
    list l = {.reader = reader, .has_roles = json_object_get(root, "sync_objects") != NULL};
    swp_loop_dataflow *dataflow = NULL;
    reader->has_dataflow = object != NULL;
    if (!object || !swp_json_expect(&reader->json, path, object, JSON_OBJECT))
        return;
    swp_json_refuse_unknown(&reader->json, path, object, known, SWP_COUNT_OF(known));
    swp_json_keep(reader, SWP_TAKE(reader->json.ctx, 1, &l.loop));
    swp_json_keep(reader, SWP_TAKE(reader->json.ctx, 1, &dataflow));
    if (reader->json.status != SWP_OK)
        return;
    *l.loop = (swp_loop){.name = reader->schedule->name,
                         .cluster = reader->schedule->cluster,
                         .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES},
                         .place = swp_json_place(&reader->json, path)};
    if (!read_all(&l, path, object))
        return;
    const swp_status status = swp_check_loop(reader->json.ctx, l.loop);
    if (swp_ends_work(status))
        swp_json_keep(reader, status);
    else if (status != SWP_OK)
        reader->json.errors++; /* which is said */
    *dataflow = (swp_loop_dataflow){l.loop, l.slots};
    reader->schedule->dataflow = dataflow;
    name_tags(reader, l.loop);
}
